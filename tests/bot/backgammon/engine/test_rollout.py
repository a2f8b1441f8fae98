"""Trials held to plain ones, and answers that do not depend on how the work is shared out."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine.rollout import (
    RolloutPlayer,
    RolloutSettings,
    rollouts,
)
from bot.backgammon.engine.rollout_dice import first_throws
from bot.backgammon.engine.rollout_result import LEAST_TRIALS, Rollout
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_tables
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.rollout import next_roll
from bot.backgammon.rules.dice import new_generator
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.games import plain_turned
from tests.plain.rollout import plain_trial
from tests.strategies import positions

TABLE_CHECKERS = 3


@cache
def evaluator(has_tables):
    tables = build_tables(lambda text: None, TABLE_CHECKERS, TABLE_CHECKERS)
    network = random_network(8, seed=5)
    return CompositeEvaluator(network, tables) if has_tables else CompositeEvaluator(network)


class TestPlayer(RolloutPlayer):
    """Knows nothing but the end of bear-offs, if it has tables."""

    __test__ = False

    def evaluator(self):
        return evaluator(self.has_tables)


NOVICE = TestPlayer("novice", has_tables=False)
FINISHER = TestPlayer("finisher", has_tables=True)


def rate(board):
    """The five chances of the player on roll at a tuple of points, as the novice sees them."""
    return tuple(map(float, evaluator(False).outcomes(np.array([board], np.int8))[0]))


def rolls_of_trial(seed, trial, count):
    throws, generator = first_throws(seed, trial, trial + 1)[0], new_generator(seed, 2 * trial + 1)
    return [ROLLS[next_roll(throws, ply, generator)] for ply in range(count)]


def last_of(*arguments):
    """The one rollout that is the answer."""
    *_, (answer,) = rollouts(*arguments)
    return answer


@settings(max_examples=20)
@given(position=positions(), seed=st.integers(0, 1000), is_reduced=st.booleans())
def test_trials_agree_with_plain_ones(position, seed, is_reduced):
    limits = RolloutSettings(trials=2, truncate=3, seed=seed, is_reduced=is_reduced)
    found = last_of([position], NOVICE, limits).samples
    for trial in range(2):
        rolls = rolls_of_trial(seed, trial, 3)
        plain = plain_trial(position.points, rolls, rate, is_reduced=is_reduced)
        assert found[trial] == pytest.approx(plain, abs=2e-5)


@pytest.mark.parametrize("is_reduced", [True, False])
def test_trials_with_lookahead_agree_with_plain_ones(is_reduced):
    search = Search(evaluator(False), SearchSettings(1))

    def choose(board, roll):
        ratings = search.ratings(np.array(board, np.int8), roll, is_choice=True)
        after = ratings.after[ratings.order()[0]] if len(ratings.after) else board
        return plain_turned(tuple(map(int, after)))

    position = Position.of({18: 1, 2: 2, 1: 2}, {22: 1, 3: 2, 2: 1})
    limits = RolloutSettings(trials=2, truncate=2, ply=1, is_reduced=is_reduced)
    found = last_of([position], NOVICE, limits).samples
    for trial in range(2):
        rolls = rolls_of_trial(1, trial, 2)
        plain = plain_trial(position.points, rolls, rate, is_reduced=is_reduced, choose=choose)
        assert found[trial] == pytest.approx(plain, abs=2e-5)


def test_a_trial_is_the_same_however_the_work_is_cut():
    long, short = (
        last_of([START], NOVICE, RolloutSettings(trials=trials, truncate=2, seed=9))
        for trials in (40, 3)
    )
    assert np.array_equal(long.samples[:3], short.samples)


def test_positions_are_rolled_out_together_as_alone():
    other = Position.of({4: 5, 3: 5, 2: 5}, {6: 5, 5: 5, 4: 5})
    limits = RolloutSettings(trials=4, truncate=2)
    *_, both = rollouts([START, other], NOVICE, limits)
    for position, together in zip((START, other), both, strict=True):
        assert np.array_equal(together.samples, last_of([position], NOVICE, limits).samples)


@pytest.mark.slow
def test_the_answer_does_not_depend_on_the_number_of_workers(tmp_path):
    path = tmp_path / "net.npz"
    random_network(8, seed=5).save(path)
    player = RolloutPlayer(str(path), has_tables=False)
    answers = [
        last_of([START], player, RolloutSettings(400, truncate=4, error=0.0012, workers=workers))
        for workers in (1, 2, 3)
    ]
    assert LEAST_TRIALS <= answers[0].trials < 400
    assert np.array_equal(answers[0].samples, answers[1].samples)
    assert np.array_equal(answers[0].samples, answers[2].samples)


ENDINGS = [
    Position.of({6: 1, 5: 1}, {4: 2}),
    Position.of({1: 3}, {2: 1}),
    Position.of({6: 3}, {6: 1, 3: 1, 1: 1}),
]


@pytest.mark.parametrize("position", ENDINGS)
def test_luck_subtracted_leaves_the_exact_chance_of_a_bearoff_in_every_trial(position):
    exact = evaluator(True).outcomes(position.board[np.newaxis])[0]
    limits = RolloutSettings(trials=6, knows_endings=False)
    samples = last_of([position], FINISHER, limits).samples
    assert samples == pytest.approx(np.tile(exact, (6, 1)), abs=1e-5)


@pytest.mark.parametrize("position", ENDINGS)
def test_plain_games_agree_with_the_exact_chance_of_a_bearoff(position):
    exact = chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0])
    limits = RolloutSettings(trials=144, knows_endings=False, is_reduced=False)
    found = last_of([position], FINISHER, limits)
    assert set(np.unique(found.samples)) <= {0.0, 1.0}
    assert found.equity == pytest.approx(exact.equity, abs=4 * found.equity_error + 1e-5)


@pytest.mark.parametrize("position", ENDINGS)
def test_a_bearoff_the_tables_know_needs_no_games(position):
    found = last_of([position], FINISHER, RolloutSettings(trials=2))
    exact = chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0])
    assert found.chances == exact
    assert found.equity_error == 0


def test_a_finished_game_is_counted_as_it_ended():
    over = Position.of({24: 15}, {})
    found = last_of([over], NOVICE, RolloutSettings(trials=2))
    assert found.equity == -3
    assert found.turned().equity == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_plain_games_and_games_less_luck_agree_in_every_chance(seed):
    position = Position.of(
        {25: 1, 22: 1, 12: 1, 6: 3, 5: 3, 3: 2, 2: 2, 1: 2},
        {25: 1, 9: 2, 8: 1, 6: 3, 5: 3, 4: 2, 2: 2},
    )
    reduced, plain = (
        last_of([position], NOVICE, RolloutSettings(2592, 5, seed=seed, is_reduced=is_reduced))
        for is_reduced in (True, False)
    )
    errors = np.hypot(reduced.chance_errors, plain.chance_errors)
    difference = reduced.samples.mean(axis=0) - plain.samples.mean(axis=0)
    assert (abs(difference) < 4 * errors + 1e-6).all()


def test_rollout_stops_once_the_error_is_small_enough():
    whole = last_of([START], NOVICE, RolloutSettings(trials=216, truncate=1, is_reduced=False))
    wanted = 1.01 * Rollout(whole.results[:180], whole.lucks[:180]).equity_error
    limits = RolloutSettings(trials=216, truncate=1, is_reduced=False, error=wanted)
    found = last_of([START], NOVICE, limits)
    assert found.trials in (LEAST_TRIALS, 180)
    assert found.equity_error <= wanted
    assert np.array_equal(found.samples, whole.samples[: found.trials])


def test_what_is_known_grows_until_all_trials_are_played():
    known = list(rollouts([START], NOVICE, RolloutSettings(trials=80, truncate=1)))
    assert [each[0].trials for each in known] == [36, 72, 80]


def test_a_roll_that_cannot_be_played_passes_the_turn():
    shut_out = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    rolls = [Roll(6, 6)]
    plain = plain_trial(shut_out.points, rolls, rate, is_reduced=True)
    found = last_of([shut_out], NOVICE, RolloutSettings(trials=2, truncate=1)).samples
    assert found[0] == pytest.approx(plain, abs=2e-5)
    assert found[1] == pytest.approx(plain, abs=2e-5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"trials": 1}, "2 to 1,000,000 trials, not 1"),
        ({"trials": 1_000_001}, "2 to 1,000,000 trials, not 1000001"),
        ({"truncate": 0}, "after 1 to 1,000 plies, not 0"),
        ({"truncate": 1001}, "after 1 to 1,000 plies, not 1001"),
        ({"ply": -1}, "0 to 3 plies deep, not -1"),
        ({"ply": 4}, "0 to 3 plies deep, not 4"),
        ({"seed": -2}, "a seed is 0 or more, not -2"),
        ({"error": 0.0}, "more than 0 points, not 0"),
        ({"error": float("nan")}, "more than 0 points, not nan"),
        ({"workers": 0}, "1 to 256 workers, not 0"),
        ({"workers": 257}, "1 to 256 workers, not 257"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        RolloutSettings(**wrong)


def test_missing_weights_are_refused():
    with pytest.raises(ValueError, match="no weights 'nobody'"):
        next(rollouts([START], RolloutPlayer("nobody"), RolloutSettings(trials=2)))
