"""What a tally holds, for people and programs."""

from bot.backgammon.arena.played_pair import GameResult
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import gnubg_id
from protocol.backgammon.reports.match import milliseconds, standing_text, tally_text, tally_values


def test_games_are_counted_by_kind_on_both_sides():
    tally = Tally()
    for points, level in ((1, 1), (4, 2), (-1, 1), (-3, 3), (-2, 1), (2, 2)):
        tally.add([GameResult(points, level)])
    table = tally_values(tally)
    assert tally.games == 6
    assert table["won"] == {"single": 1, "gammon": 2, "backgammon": 0}
    assert table["lost"] == {"single": 2, "gammon": 0, "backgammon": 1}


def test_matches_are_reported_as_a_share():
    tally = Tally(length=7)
    for points in ([8], [-1, 4, 4], [-2, -6], [2, 5]):
        tally.add([GameResult(each, 1) for each in points])
    assert tally_values(tally)["matches_won"] == {"mean": 0.75, "standard_error": 0.25}
    assert "7-point matches won: 75.0 ± 49.0 % (95 %, 4 samples)" in tally_text(tally)


def test_time_is_the_median():
    tally = Tally()
    assert tally.seconds_per_decision is None
    tally.decision_seconds += [0.001, 0.002, 9.0]
    assert tally.seconds_per_decision == 0.002
    assert "2 ms (median)" in tally_text(tally)
    assert [milliseconds(each) for each in (0.12345, 0.9994, 1.984)] == ["123", "999", "1,984"]


def test_the_text_holds_every_figure():
    tally = Tally()
    tally.add([GameResult(2, 2)], [GameResult(-1, 1)])
    tally.unfinished = 3
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    play = CheckerPlay((Leg(8, 5), Leg(6, 5)), START)
    tally.rejected_plays.append((request, play))
    lines = tally_text(tally).splitlines()
    assert lines[0].split() == ["single", "gammon", "backgammon", "games"]
    assert lines[1].split() == ["won", "0", "1", "0", "1"]
    assert lines[2].split() == ["lost", "1", "0", "0", "1"]
    assert lines[3] == "points per game: +0.500 ± unknown (95 %, 1 sample)"
    assert lines[4] == "unfinished: 3, with their pairs not in these figures"
    assert lines[5] == f"rejected play: 8/5 6/5 at {gnubg_id(request)}"
    assert tally_values(tally)["rejected_plays"] == [f"8/5 6/5 at {gnubg_id(request)}"]


def test_the_standing_is_told_in_a_few_words():
    games, matches = Tally(), Tally(length=3)
    games.decision_seconds += [0.1] * 7
    assert standing_text(games) == "7 decisions"
    for tally in (games, matches):
        tally.add([GameResult(2, 2)], [GameResult(-1, 1)])
        tally.add([GameResult(1, 1)], [GameResult(1, 1)])
    assert standing_text(games) == "+0.750 ± 0.490 points per game"
    assert standing_text(matches) == "75.0 ± 49.0 % won"


def test_nothing_played_is_said():
    assert "points per game: none finished" in tally_text(Tally())
    assert tally_values(Tally())["points_per_game"] is None
