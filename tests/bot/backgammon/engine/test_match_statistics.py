"""Statistics of a match as GNU Backgammon counts them."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict
from bot.backgammon.engine.match_statistics import (
    CubeError,
    Fortune,
    PlayerStatistics,
    Skill,
    rating_word,
    won_of,
)
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.rules.decision import Candidate, CubeAction, CubeEvaluation, DoubleAnswer
from bot.backgammon.rules.game import Result
from bot.backgammon.rules.match import Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import GameRecord, Rules
from bot.backgammon.rules.roll import Roll

EVEN = Chances(0.5, 0.1, 0.0, 0.1, 0.0)
PLAY = legal_plays(START, Roll(3, 1))[0]


def play(loss=0.0, *, luck=0.0, legal=2, stake=1.0):
    rows = Candidate(PLAY, EVEN, 0.0), Candidate(PLAY, EVEN, -loss)
    return PlayVerdict(rows[:legal], legal, min(legal, 2) or 1, luck, stake)


def cube(answer, *equities, stake=1.0):
    return CubeVerdict(answer, CubeEvaluation(*equities), EVEN, stake)


def counted(*verdicts):
    player = PlayerStatistics()
    for verdict in verdicts:
        player.add(verdict)
    return player


def test_plays_are_marked_by_what_they_lose_and_forced_ones_not_averaged():
    player = counted(*map(play, (0.0, 0.031, 0.061, 0.121)), play(legal=1), play(legal=0))
    assert player.moves == 6
    assert player.plays.count == 4
    assert player.marks == {Skill.NONE: 3, Skill.DOUBTFUL: 1, Skill.BAD: 1, Skill.VERY_BAD: 1}
    assert player.play_rate == pytest.approx(0.213 / 4)


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.03, Skill.NONE), (0.06, Skill.DOUBTFUL), (0.12, Skill.BAD)],
)
def test_mark_is_given_beyond_its_equity_only(loss, mark):
    assert Skill.of(loss) is mark


@pytest.mark.parametrize(
    ("luck", "mark"),
    [
        (0.61, Fortune.VERY_LUCKY),
        (0.6, Fortune.LUCKY),
        (0.31, Fortune.LUCKY),
        (0.3, Fortune.NONE),
        (-0.3, Fortune.NONE),
        (-0.31, Fortune.UNLUCKY),
        (-0.6, Fortune.UNLUCKY),
        (-0.61, Fortune.VERY_UNLUCKY),
    ],
)
def test_roll_is_lucky_or_unlucky_beyond_its_equity_only(luck, mark):
    assert Fortune.of(luck) is mark


def test_good_plays_are_counted_and_only_unforced_right_ones_are_good():
    best = replace(play(0.0), rank=1, static_loss=0.04)
    forced, wrong = replace(best, legal=1), replace(best, rank=2, candidates=play(0.01).candidates)
    assert counted(best, forced, wrong, replace(best, static_loss=0.0)).good == 1


def test_roll_never_played_counts_as_luck_but_not_as_a_move():
    player = counted(PlayVerdict((), 16, None, 0.7, 2.0))
    assert (player.moves, player.decisions, player.rate) == (0, 0, None)
    assert player.performance_rating is None
    assert player.fortunes == {Fortune.VERY_LUCKY: 1}
    assert player.rolls.cost == pytest.approx(1.4)


@pytest.mark.parametrize(
    ("answer", "equities", "kind", "loss"),
    [
        (CubeAction.ROLL, (0.5, 0.7, 1.0), CubeError.MISSED_BELOW_CP, 0.2),
        (CubeAction.ROLL, (0.8, 1.3, 1.0), CubeError.MISSED_ABOVE_CP, 0.2),
        (CubeAction.DOUBLE, (0.3, 0.1, 1.0), CubeError.WRONG_BELOW_DP, 0.2),
        (CubeAction.DOUBLE, (1.2, 1.5, 1.0), CubeError.WRONG_ABOVE_TG, 0.2),
        (DoubleAnswer.TAKE, (0.9, 1.2, 1.0), CubeError.WRONG_TAKE, 0.2),
        (DoubleAnswer.DROP, (0.7, 0.8, 1.0), CubeError.WRONG_DROP, 0.2),
    ],
)
def test_errors_with_the_cube_are_told_by_their_kind(answer, equities, kind, loss):
    player = counted(cube(answer, *equities, stake=0.5))
    assert player.cube_errors[kind].count == 1
    assert player.cube_errors[kind].equity == pytest.approx(loss)
    assert player.cube.cost == pytest.approx(loss / 2)


def test_rates_are_per_unforced_play_and_close_choice():
    player = counted(play(0.05), play(0.01), cube(CubeAction.ROLL, 0.3, -0.5, 1.0))
    player.add(cube(CubeAction.ROLL, 0.5, 0.56, 1.0))
    assert (player.cube_choices, player.close_choices, player.decisions) == (2, 1, 3)
    assert (player.cube.count, player.lost.count) == (1, 3)
    assert player.rate == pytest.approx(0.12 / 3)
    assert player.performance_rating == pytest.approx(20)
    assert player.cube_rate == pytest.approx(0.06)


def test_luck_is_summed_up_at_what_each_roll_was_about():
    player = counted(play(luck=0.7, stake=2.0), play(luck=0.8), play(luck=-0.4, stake=0.5))
    assert player.fortunes == {Fortune.VERY_LUCKY: 2, Fortune.UNLUCKY: 1}
    assert player.rolls.equity == pytest.approx(0.7 + 0.8 - 0.4)
    assert player.rolls.cost == pytest.approx(1.4 + 0.8 - 0.2)


def test_actions_with_the_cube_are_counted_and_marked_by_what_they_lose():
    right = cube(CubeAction.ROLL, 0.5, 0.45, 1.0)
    player = counted(right, right, cube(CubeAction.DOUBLE, 0.5, 0.45, 1.0))
    player.add(cube(DoubleAnswer.DROP, 0.5, 0.8, 1.0))
    assert player.actions == {CubeAction.ROLL: 2, CubeAction.DOUBLE: 1, DoubleAnswer.DROP: 1}
    assert player.cube_marks == {Skill.NONE: 2, Skill.DOUBTFUL: 1, Skill.VERY_BAD: 1}
    assert (player.cube_choices, player.close_choices) == (4, 4)


@pytest.mark.parametrize(
    ("rate", "word", "following"),
    [
        (0.002, "Supernatural", "World class"),
        (0.005, "World class", "Expert"),
        (0.008, "Expert", "Advanced"),
        (0.012, "Advanced", "Intermediate"),
        (0.018, "Intermediate", "Casual player"),
        (0.026, "Casual player", "Beginner"),
        (0.035, "Beginner", "Awful!"),
    ],
)
def test_rating_words_are_those_of_gnubg_below_its_limits(rate, word, following):
    assert (rating_word(rate - 1e-6), rating_word(rate)) == (word, following)


def test_there_is_no_rating_without_decisions():
    assert rating_word(None) == "n/a"


def test_games_won_are_worth_points_and_in_a_match_chances():
    games = GameRecord(result=Result(1, 2)), GameRecord(result=Result(0, 1)), GameRecord()
    assert won_of(Rules(), games) == -1
    met, score = blot_table(), Score(5, 0, 0)
    won = met.mwc_after(score, -2) - met.mwc_after(score, 0)
    assert won_of(Rules(5), games[:1]) == pytest.approx(won)
    assert won_of(Rules(5), games[2:]) is None
    away = np.arange(1.0, 65.0)
    simple = MatchEquityTable("simple", away / (away + away[:, np.newaxis]), 1 / (1 + away))
    assert won_of(Rules(5), games[:1], simple) == pytest.approx(3 / 8 - 1 / 2)


def test_game_won_after_the_crawford_game_is_worth_other_chances_than_in_it():
    met, won = blot_table(), []
    for is_crawford in (True, False):
        game = GameRecord((2, 4), is_crawford, result=Result(0, 1))
        score = Score(5, 2, 4, is_crawford)
        won.append(won_of(Rules(5), [game]))
        assert won[-1] == pytest.approx(met.mwc_after(score, 1) - met.mwc_after(score, 0))
    assert won[0] != pytest.approx(won[1], abs=1e-3)
