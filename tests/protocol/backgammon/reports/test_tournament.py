import io
import re

import pytest
from rich.console import Console

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import Fault, GameResult, PlayedGame, PlayedPair
from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.standing import Standing
from bot.backgammon.arena.tournament import Plan, Tournament
from bot.estimate import Bounds
from protocol.backgammon.reports.tournament import (
    cross_table,
    duel_text,
    duel_values,
    one_line,
    pair_values,
    progress_text,
)
from tests.fakes.entrants import FakeEntrant

PLAYERS = tuple(FakeEntrant(name) for name in ("pubeval", "blockers", "random"))


def pair(number, first, second, **more):
    games = [(PlayedGame(GameResult(won, abs(won)), (), 0.5),) for won in (first, second)]
    return PlayedPair(number, (games[0], games[1]), **more)


def standing_of(length=None, bounds=None, has_luck=False):
    standing = Standing(length, bounds, has_luck=has_luck)
    for number, (first, second) in enumerate([(1, -1), (2, 1), (-1, 1), (1, 1)]):
        standing.add(pair(number, first, second))
    return standing


def test_the_line_says_all_that_is_known_and_no_more():
    assert one_line(standing_of()) == (
        "4 pairs, points per game +0.625 ± 0.735 (95 %), FIBS rating +954 ± 1311 (1-point matches)"
    )
    assert one_line(standing_of(7, Bounds(0, 0.1), has_luck=True)) == (
        "LLR +0.20 (0 to 0.1), 4 pairs, 75.0 ± 28.3 % of the matches (95 %), "
        "25.0 ± 28.3 % less luck, FIBS rating +361 ± 495 (7-point matches)"
    )
    assert one_line(Standing(None)) == "0 pairs, nothing known of points per game (95 %)"


def test_a_pair_is_told_with_its_faults_before_it():
    plan = Plan(PLAYERS[:2], ((0, 1),), MatchFormat(8))
    faults = (Fault(1, "gone", ("> go",)),)
    fault, played = pair_values(plan, 0, pair(3, 1, -2, faults=faults))
    assert (fault["event"], fault["player"], fault["pair"]) == ("fault", "blockers", 3)
    assert (fault["reason"], fault["transcript"]) == ("gone", ("> go",))
    assert played == {
        "event": "pair",
        "players": ["pubeval", "blockers"],
        "pair": 3,
        "points": [[1], [-2]],
        "unfinished": 0,
    }


def test_the_cross_table_has_each_result_from_both_sides():
    plan = Plan(PLAYERS, ((0, 1), (0, 2), (1, 2)), MatchFormat(8, seed=4))
    tournament = Tournament(plan, RunFile())
    assert progress_text(tournament).startswith("pubeval-blockers nothing known of")
    tournament.play()
    console = Console(file=io.StringIO(), width=100)
    console.print(cross_table(tournament))
    text = console.file.getvalue()
    for duel, (one, other) in enumerate(plan.duels):
        mean = tournament.standings[duel].tally.score.mean
        rows = {line.split()[1]: line for line in text.splitlines() if line.startswith("│")}
        assert f"{mean:+.3f} ±" in rows[PLAYERS[one].name]
        assert f"{-mean:+.3f} ±" in rows[PLAYERS[other].name]
    assert duel_values(tournament, 1)["players"] == ["pubeval", "random"]
    assert "points per game" in progress_text(tournament)


def test_the_cross_table_has_the_names_as_they_are():
    players = tuple(FakeEntrant(name) for name in ("[/b]x", ":smile:", "\x1b[31mred"))
    plan = Plan(players, ((0, 1), (0, 2), (1, 2)), MatchFormat(2, seed=4))
    console = Console(file=io.StringIO(), width=100)
    console.print(cross_table(Tournament(plan, RunFile())))
    text = console.file.getvalue()
    assert [text.count(name) for name in ("[/b]x", ":smile:", "?[31mred", "\x1b")] == [2, 2, 2, 0]


def test_a_duel_is_told_with_who_failed_and_why():
    failing = FakeEntrant("blockers", "forfeits")
    plan = Plan((PLAYERS[0], failing), ((0, 1),), MatchFormat(4), Bounds(0, 0.1), max_faults=99)
    tournament = Tournament(plan, RunFile())
    tournament.play()
    text = duel_text(tournament, 0)
    assert "blockers lost 4 games by failing, the last one: it went away" in text
    assert "sequential test: not decided" in text
    assert progress_text(tournament).endswith("ms per decision")
    assert "won 4/0/0, lost 0/0/0, LLR +0.10" in progress_text(tournament)


@pytest.mark.parametrize(("length", "result"), [(None, r"\+\d\.\d{3}"), (1, r"\d+\.\d %")])
def test_a_test_that_is_decided_tells_a_result_that_is_not_exaggerated(length, result):
    plan = Plan(PLAYERS[:2], ((0, 1),), MatchFormat(200, length), Bounds(-1, 1))
    tournament = Tournament(plan, RunFile())
    tournament.play()
    text = duel_text(tournament, 0)
    assert re.search(
        rf"test: decided, 1 standard deviations .*; {result} is the result that stopping early",
        text,
    )
