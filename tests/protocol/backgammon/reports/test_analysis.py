"""The report on an analysed match: as a table, as values, as a page and as a picture."""

import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from rich.console import Console

from bot.backgammon.engine.analysis import Analyst, CubeVerdict, PlayVerdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.analysis_lines import line_values, verdict_of
from protocol.backgammon.formats.sgf_analysis import annotated
from protocol.backgammon.formats.svg_board import NAMESPACE, place_name
from protocol.backgammon.reports.analysis import (
    MatchAnalysis,
    choice_cells,
    rate_text,
    statistics_rows,
    statistics_table,
    summary_values,
    worst_table,
)
from protocol.backgammon.reports.analysis_html import page_text
from protocol.backgammon.reports.analysis_picture import worth_of, write_picture
from tests.games import random_match

ENGINE = Engine(NetworkEvaluator(random_network(12, 1)))
ANALYST = Analyst(ENGINE, ENGINE)


def analysed(rules, seed=3):
    match = random_match(rules, seed, games=2, words=0.2, resigns=0.0)
    judged = [(choice, ANALYST.verdict(choice)) for choice in choices_of(match)]
    return MatchAnalysis(match, judged, "<nobody>")


MATCH, MONEY = analysed(Rules(3)), analysed(Rules())


def rows_of(analysis):
    return {title: (first, second) for title, first, second in statistics_rows(analysis)}


@pytest.mark.parametrize("analysis", [MATCH, MONEY])
def test_table_and_values_tell_the_same(analysis):
    rows, players = rows_of(analysis), summary_values(analysis)["players"]
    assert rows["unforced moves"] == tuple(str(each["unforced_moves"]) for each in players)
    assert rows["PR"] == tuple(f"{each['pr']:.2f}" for each in players)
    assert all(
        shown.startswith(f"{each['lost']['equity']:.3f} (")
        for shown, each in zip(rows["lost"], players, strict=True)
    )


def test_names_of_players_and_weights_are_printed_as_they_are():
    match = replace(MONEY.match, players=("x[i]y", "[/]"))
    console = Console(file=io.StringIO(), width=200)
    console.print(statistics_table(replace(MONEY, match=match, by="a[bold]b.npz 2-ply")))
    text = console.file.getvalue()
    assert all(name in text for name in ("x[i]y", "[/]", "Analysis by a[bold]b.npz 2-ply;"))


def test_costs_are_points_in_money_games_and_chances_in_matches():
    assert all("%" in cell for cell in rows_of(MATCH)["lost"])
    assert not any("%" in cell for cell in rows_of(MONEY)["lost"])


def test_what_is_nothing_when_rounded_has_no_sign():
    games = [replace(game, points=(0, 0)) for game in MONEY.match.games[:1]] * 2
    won = games[0].result
    even = [games[0], replace(games[1], result=replace(won, winner=1 - won.winner))]
    analysis = replace(MONEY, match=replace(MONEY.match, games=tuple(even)))
    assert analysis.won == 0
    assert rows_of(analysis)["result"] == ("0.000", "0.000")
    assert [rate_text(rate) for rate in (-0.00004, 0.0, -0.00006)] == ["0.0", "0.0", "-0.1"]


def test_result_without_luck_is_what_was_won_less_the_luck_of_both():
    first, second = MONEY.players
    assert MONEY.won_by_skill == pytest.approx(MONEY.won - first.rolls.cost + second.rolls.cost)


def test_worst_choices_come_first_and_best_ones_never():
    worst = MATCH.worst(1000)
    losses = [verdict.loss for _, verdict in worst]
    assert losses == sorted(losses, reverse=True)
    assert min(losses) > 0
    assert len(MATCH.worst(3)) == 3


def test_choice_is_shown_beside_what_was_better():
    for choice, verdict in MATCH.judged:
        game, move, player, *_, lost, _ = choice_cells(MATCH, choice, verdict)
        assert (game, move) == (str(choice.game), str(choice.move))
        assert player == MATCH.match.players[choice.seat]
        assert float(lost) == pytest.approx(verdict.loss, abs=5e-4)


def test_page_needs_nothing_else_and_takes_no_name_for_markup():
    match = replace(MATCH.match, players=("<i>one", "two"))
    page = page_text(replace(MATCH, match=match), 4).replace(NAMESPACE, "")
    assert page.count("<svg ") == page.count("<details>") == 4
    assert "&lt;nobody&gt;" in page
    assert "O: &lt;i&gt;one" in page
    assert "<nobody>" not in page
    assert "<i>" not in page
    for word in ("http", "src=", "<script"):
        assert word not in page


def test_points_of_each_board_have_the_numbers_that_its_plays_name():
    boards = re.findall(r"<svg .*?</svg>", page_text(MATCH, 1000))
    worst = MATCH.worst(1000)
    assert {choice.roller for choice, _ in worst} == {0, 1}
    for svg, (choice, _) in zip(boards, worst, strict=True):
        parts = list(ElementTree.fromstring(svg))
        names = [part.get("data-place") for part in parts]
        assert parts[names.index(place_name(6, choice.roller)) + 1].text == "6"


def test_page_has_the_width_of_a_phone_and_texts_that_keys_move_to_and_fro():
    page = page_text(MATCH, 4)
    assert page.count("<main>") == page.count('name="viewport"') == 1
    assert page.count("<pre ") == page.count('<pre tabindex="0">') > 4
    assert "<pre>" not in page


def test_statistics_of_the_page_stand_below_the_players_and_break_within_no_number():
    table, _, _ = page_text(MATCH, 0).partition("</table>")
    assert table.count('<th class="n">') == 2
    assert table.count("\u00a0%") > 4
    assert " %" not in table


def test_worst_choices_of_the_page_have_headings_that_read_as_sentences():
    heads = re.findall("<h3>(.*?)</h3>", page_text(MATCH, 1000))
    assert any(head.endswith(", very bad") for head in heads)
    assert all(re.search(r" loses \d+\.\d+(, [a-z ]+)?$", head) for head in heads)


def test_good_play_is_told_in_table_values_page_lines_and_sgf_and_read_back():
    def praised(choice, verdict):
        is_best = isinstance(verdict, PlayVerdict) and verdict.is_unforced and verdict.loss == 0
        return choice, replace(verdict, static_loss=0.0625) if is_best else verdict

    analysis = replace(MONEY, judged=[praised(*one) for one in MONEY.judged])
    good = [player.good for player in analysis.players]
    assert sum(good) > 0
    assert rows_of(analysis)["good plays"] == tuple(map(str, good))
    assert [each["good_plays"] for each in summary_values(analysis)["players"]] == good
    assert page_text(analysis, 0).count('<tr class="good">') == sum(good)
    lines = [line_values(*one, ("a", "b")) for one in analysis.judged]
    assert [line["mark"] for line in lines].count("good") == sum(good)
    choices = [choice for choice, _ in analysis.judged]
    read = [verdict_of(*one) for one in zip(lines, choices, strict=True)]
    assert sum(isinstance(each, PlayVerdict) and each.is_good for each in read) == sum(good)
    noted = annotated(analysis.match, analysis.judged, 2)
    comments = [event.comment for game in noted.games for event in game.events]
    assert comments.count("Good play: without looking ahead it loses 0.062.") == sum(good)
    assert annotated(noted, analysis.judged, 2) == noted
    assert not any(e.comment for game in annotated(noted, (), 0).games for e in game.events)


@pytest.mark.parametrize("analysis", [MATCH, MONEY])
def test_what_seat_0_has_is_told_of_both_seats_choices(analysis):
    judged = [one for one in analysis.judged if not isinstance(one[0].request, AnswerDouble)]
    worths = [worth_of(analysis, choice, verdict) for choice, verdict in judged]
    known = [worth for worth in worths if worth == worth]  # a wrong drop ends what is not lost
    if not analysis.is_money:
        assert all(0 <= worth <= 1 for worth in known)
    won = analysis.match.games[-1].result.winner == 0
    assert won == (known[-1] > (0 if analysis.is_money else 0.5))


def test_worth_of_a_double_that_waits_is_not_that_of_rolling():
    evaluation = CubeEvaluation(0.5, 0.2, 1.0)
    state = GameState(START)
    for request, seat, answer, worth in (
        (ChooseCubeAction(state), 0, CubeAction.DOUBLE, 0.5),
        (AnswerDouble(state), 1, DoubleAnswer.TAKE, 0.2),
        (AnswerDouble(state), 0, DoubleAnswer.TAKE, -0.2),
    ):
        verdict = CubeVerdict(answer, evaluation, Chances(0.6, 0.2, 0, 0.1, 0), 1.0)
        choice = Choice(1, 1, 0, seat, request, answer)
        assert worth_of(MONEY, choice, verdict) == pytest.approx(worth)


def test_picture_that_cannot_be_written_is_told_in_a_sentence(tmp_path):
    write_picture(MATCH, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"cannot write .*a\.nothing: Format 'nothing'"):
        write_picture(MATCH, tmp_path / "a.nothing")
    with pytest.raises(OSError, match="cannot write"):
        write_picture(MATCH, tmp_path / "no" / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_picture_has_the_names_as_they_are(tmp_path):
    names = "_$\\frac$", "深い"
    analysis = replace(MATCH, match=replace(MATCH.match, players=names))
    write_picture(analysis, tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(f"<!--  {name} -->" in drawn for name in names)


def test_tables_have_the_names_as_they_are():
    names = "[/b]:smile:", "\x1b[31mr\ted"
    analysis = replace(MATCH, match=replace(MATCH.match, players=names))
    console = Console(file=io.StringIO(), width=200)
    console.print(statistics_table(analysis), worst_table(analysis, 10))
    text = console.file.getvalue()
    assert all(text.count(name) > 1 for name in ("[/b]:smile:", "?[31mr ed"))
    assert "\x1b" not in text
