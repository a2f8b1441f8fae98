"""Verdicts in SGF: written as GNU Backgammon does, and read back."""

from dataclasses import replace

import pytest

from bot.backgammon.engine.analysis import Analyst, CubeVerdict, PlayVerdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.match_statistics import statistics_of
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import choices_of
from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, CubeEvaluation
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.record import Rules
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_analysis import annotated, verdicts_in
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.games import random_match

ENGINE = Engine(NetworkEvaluator(random_network(12, 1)))


def judged_match(rules, seed):
    match = random_match(rules, seed, games=2, resigns=0.0)
    return match, [(one, Analyst(ENGINE, ENGINE).verdict(one)) for one in choices_of(match)]


@pytest.mark.parametrize("rules", [Rules(3), Rules()])
def test_verdicts_that_were_written_are_read_back(rules):
    match, judged = judged_match(rules, 1)
    read = parse_sgf(sgf_text(annotated(match, judged, 0))).whole
    choices = choices_of(read)
    found = verdicts_in(read, choices)
    assert len(found) == len(judged)
    for verdict, (choice, told) in zip(found, judged, strict=True):
        assert verdict.loss == pytest.approx(told.loss, abs=1e-4), choice
        assert verdict.stake == pytest.approx(told.stake)
        if isinstance(told, PlayVerdict):
            assert verdict.legal == told.legal
            assert verdict.luck == pytest.approx(told.luck, abs=1e-5)
            assert [row.play.after for row in verdict.candidates] == [
                row.play.after for row in told.candidates
            ]


def test_new_analysis_replaces_the_old_one_and_leaves_other_notes():
    match, judged = judged_match(Rules(3), 1)
    once = annotated(match, judged, 0)
    assert annotated(once, judged, 0) == once


def test_comments_are_kept_and_praise_for_a_good_play_stands_below_them_once():
    match, judged = judged_match(Rules(3), 1)
    place = next(place for place, (_, one) in enumerate(judged) if isinstance(one, PlayVerdict))
    choice, verdict = judged[place]
    judged[place] = choice, replace(verdict, legal=2, rank=1, static_loss=0.1)
    games = [
        replace(game, events=tuple(replace(event, comment="Mine.") for event in game.events))
        for game in match.games
    ]
    once = annotated(replace(match, games=tuple(games)), judged, 0)
    comments = {event.comment.partition(":")[0] for game in once.games for event in game.events}
    assert comments == {"Mine.", "Mine.\nGood play"}
    assert annotated(once, judged, 0) == once


@pytest.mark.parametrize(
    ("answer", "equities", "mark"),
    [
        (CubeAction.ROLL, (0.5, 0.7, 1.0), ("BC", "2")),
        (CubeAction.ROLL, (0.5, 0.55, 1.0), ("DC", "")),
        (CubeAction.DOUBLE, (0.5, 0.3, 1.0), ("BM", "2")),
        (CubeAction.DOUBLE, (0.5, 0.45, 1.0), ("DO", "")),
    ],
)
def test_error_before_a_roll_is_marked_by_other_properties(answer, equities, mark):
    match, judged = judged_match(Rules(3), 1)
    choice = next(one for one, _ in judged if isinstance(one.request, ChooseCubeAction))
    verdict = CubeVerdict(answer, CubeEvaluation(*equities), Chances(0.5, 0, 0, 0, 0), 1.0)
    game = annotated(match, [(choice, verdict)], 0).games[choice.game - 1]
    notes = dict(game.events[choice.event].annotations)
    assert {name: notes[name] for name in ("BC", "DC", "BM", "DO") if name in notes} == {
        mark[0]: (mark[1],)
    }


def test_match_without_an_analysis_has_no_verdicts():
    match, judged = judged_match(Rules(3), 1)
    assert verdicts_in(match, [choice for choice, _ in judged]) == (None,) * len(judged)


@pytest.mark.gnubg
def test_gnubg_shows_our_analysis_as_we_count_it():
    match, judged = judged_match(Rules(3), 4)
    first, second = statistics_of(judged)
    with GnubgProgram() as gnubg:
        (gnubg.folder / "match.sgf").write_text(sgf_text(annotated(match, judged, 0)))
        gnubg.command("load match match.sgf")
        shown = gnubg.command("show statistics match")
    rows = {line[:40].strip(): line[40:].split() for line in shown.splitlines()}
    assert rows["Total moves"] == [str(first.moves), str(second.moves)]
    assert rows["Unforced moves"] == [str(first.plays.count), str(second.plays.count)]
    cube = str(first.cube_choices), str(second.cube_choices)
    assert tuple(rows["Total cube decisions"]) == cube
    close = str(first.close_choices), str(second.close_choices)
    assert tuple(rows["Close or actual cube decisions"]) == close
    totals = [line for line in shown.splitlines() if line.startswith("Error total EMG")]
    ours = [-first.plays.equity, -second.plays.equity]
    theirs = [float(totals[0][40:64].split()[0]), float(totals[0][64:].split()[0])]
    assert theirs == pytest.approx(ours, abs=2e-3)
