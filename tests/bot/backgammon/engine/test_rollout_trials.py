"""Trials held to plain ones, to exact bear-offs, and to themselves, with the cube and without."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine import rollout_trials
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_dice import first_throws
from bot.backgammon.engine.rollout_start import cubeless_start, play_start, roll_start, take_start
from bot.backgammon.engine.rollout_trials import (
    RolloutPlayer,
    RolloutSettings,
)
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES, build_databases, known_equities
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.rollout import UTILITY, next_roll
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from bot.generator import new_generator
from tests.plain.rollout import PlainTrial
from tests.strategies import cubes, positions, scores

MET = blot_table()
OWNERS = list(CubeOwner)
"""In the order of a bear-off database."""


TABLE_CHECKERS = 3


@cache
def evaluator(has_databases):
    databases = build_databases(lambda text: None, TABLE_CHECKERS, TABLE_CHECKERS)
    network = random_network(8, seed=5)
    return CompositeEvaluator(network, databases) if has_databases else CompositeEvaluator(network)


class TestPlayer(RolloutPlayer):
    """Knows nothing but the end of bear-offs, if it has databases."""

    __test__ = False

    def evaluator(self):
        return evaluator(self.has_databases)


NOVICE = TestPlayer("novice", has_databases=False)
FINISHER = TestPlayer("finisher", has_databases=True)


def rate(board):
    """The five chances of the player on roll at a tuple of points, as the novice sees them."""
    return tuple(map(float, evaluator(False).outcomes(np.array([board], np.int8))[0]))


def rolls_of_trial(seed, trial, count):
    throws, generator = first_throws(seed, trial, trial + 1)[0], new_generator(seed, 2 * trial + 1)
    return [ROLLS[next_roll(throws, ply, generator)] for ply in range(count)]


def last_of(*arguments):
    """The rollouts that are the answer."""
    *_, answer = rollouts(*arguments)
    return answer


def without_cube(position, settings, player=NOVICE):
    """The rollout of a position without the cube."""
    (answer,) = last_of([cubeless_start(position)], player, settings)
    return answer


ENDINGS = [
    Position.of({6: 1, 5: 1}, {4: 2}),
    Position.of({1: 3}, {2: 1}),
    Position.of({6: 3}, {6: 1, 3: 1, 1: 1}),
]


@st.composite
def cubeful_starts(draw):
    """A start of each kind, in a match or for money; the cube is far from its limit."""
    score = draw(st.none() | scores())
    cube = draw(cubes())
    state = GameState(
        draw(positions()),
        replace(cube, value=min(cube.value, 64)),
        score,
        MoneyRules(draw(st.booleans())),
    )
    if draw(st.booleans()):
        return play_start(state, draw(positions()), MET)
    if state.doubling_refusal is None and draw(st.booleans()):
        return take_start(state, MET)
    return roll_start(state, MET)


def hold_to_plain_ones(start, limits, engine=None):
    """Roll out, and compare every trial with its plain twin."""
    (found,) = last_of([start], NOVICE, limits)
    twin = PlainTrial(start, rate, MET, engine)
    for trial in range(limits.trials):
        rolls = rolls_of_trial(limits.seed, trial, limits.truncate)
        plain = twin.sample(rolls, is_reduced=limits.is_reduced)
        assert found.chance_samples[trial] == pytest.approx(plain[:UTILITY], abs=2e-5)
        assert found.utilities[trial] == pytest.approx(plain[UTILITY], abs=2e-5)


@settings(max_examples=15)
@given(start=cubeful_starts(), seed=st.integers(0, 1000), is_reduced=st.booleans())
def test_trials_agree_with_plain_ones(start, seed, is_reduced):
    hold_to_plain_ones(start, RolloutSettings(2, truncate=4, seed=seed, is_reduced=is_reduced))


@settings(max_examples=20)
@given(position=positions(), seed=st.integers(0, 1000), is_reduced=st.booleans())
def test_trials_without_the_cube_agree_with_plain_ones(position, seed, is_reduced):
    limits = RolloutSettings(2, truncate=3, seed=seed, is_reduced=is_reduced)
    hold_to_plain_ones(cubeless_start(position), limits)


def test_a_roll_that_cannot_be_played_passes_the_turn():
    shut_out = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    start = cubeless_start(shut_out)
    plain = PlainTrial(start, rate, MET).sample([Roll(6, 6)], is_reduced=True)
    found = without_cube(shut_out, RolloutSettings(trials=2, truncate=1)).chance_samples
    assert found[0] == pytest.approx(plain[:UTILITY], abs=2e-5)
    assert found[1] == pytest.approx(plain[:UTILITY], abs=2e-5)


def test_a_cube_at_its_limit_is_never_turned():
    state = GameState(Position.of({1: 1}, {1: 4}), Cube(MAX_CUBE, CubeOwner.OTHER))
    start = play_start(state, state.position, MET)
    hold_to_plain_ones(start, RolloutSettings(trials=2, truncate=2))


def in_money(position, owner):
    return GameState(position, Cube(2 if owner is not CubeOwner.CENTRED else 1, owner))


def exact_equities(position):
    """Points at the cube for the player on roll who rolls: cube centred, his own, the other's."""
    return known_equities(position.board[np.newaxis], evaluator(True).databases)[0][0]


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("position", ENDINGS)
def test_luck_subtracted_leaves_the_exact_equity_of_a_bearoff_in_every_trial(position, owner):
    state = in_money(position, owner)
    limits = RolloutSettings(trials=6, knows_endings=False)
    starts = [roll_start(state)]
    expected = [exact_equities(position)[OWNERS.index(owner)]]
    if owner is not CubeOwner.OTHER:
        starts.append(take_start(state))
        expected.append(2 * exact_equities(position)[2])
    for found, equity in zip(last_of(starts, FINISHER, limits), expected, strict=True):
        assert found.utilities == pytest.approx(np.full(6, equity), abs=1e-5)
        assert found.equity == pytest.approx(equity, abs=1e-5)


def test_plain_games_agree_with_the_exact_equities_of_bearoffs():
    limits = RolloutSettings(trials=144, knows_endings=False, is_reduced=False)
    apart = []
    for own in ({6: 1, 5: 1}, {4: 1, 2: 1, 1: 1}, {6: 3}, {5: 2}):
        for other in ({4: 2}, {6: 1, 3: 1}, {5: 2, 1: 1}):
            position = Position.of(own, other)
            exact = exact_equities(position)
            state = in_money(position, CubeOwner.CENTRED)
            starts = [roll_start(state), take_start(state)]
            for found, equity in zip(
                last_of(starts, FINISHER, limits), (exact[0], 2 * exact[2]), strict=True
            ):
                assert set(np.log2(abs(found.results[:, UTILITY]))) <= set(range(13))
                apart.append((found.equity - equity) / found.equity_error)
    assert max(map(abs, apart)) < 4
    assert 0.3 < np.sqrt(np.mean(np.square(apart))) < 1.4


@pytest.mark.parametrize("position", ENDINGS)
def test_a_bearoff_the_tables_know_needs_no_games(position):
    state = in_money(position, CubeOwner.CENTRED)
    exact = exact_equities(position)
    rolled, taken, played = last_of(
        [roll_start(state), take_start(state), play_start(state, position)],
        FINISHER,
        RolloutSettings(trials=2),
    )
    assert rolled.equity == pytest.approx(exact[0])
    assert taken.equity == pytest.approx(2 * exact[2])
    assert rolled.equity_error == taken.equity_error == played.equity_error == 0
    assert rolled.chances == chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0])


def test_a_bearoff_of_a_match_is_played_out_while_the_cube_can_be_turned():
    position = ENDINGS[0]
    win = chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0]).win
    crawford = GameState(position, score=Score(5, 4, 2, is_crawford=True))
    limits = RolloutSettings(trials=4)
    (sure,) = last_of([roll_start(crawford, MET)], FINISHER, limits)
    assert sure.equity_error == 0
    won, lost = MET.mwc_after(crawford.score, 1), MET.mwc_after(crawford.score, -1)
    assert sure.mwc == pytest.approx(lost + win * (won - lost))
    start = roll_start(GameState(position, score=Score(5, 2, 2)), MET)
    (played,) = last_of([start], FINISHER, replace(limits, trials=36, is_reduced=False))
    assert played.equity_error > 0


def test_a_finished_game_counts_at_the_cube_it_is_played_for():
    over = Position.of({24: 15}, {})
    limits = RolloutSettings(trials=2)
    jacoby = GameState(over)
    plain = GameState(over, money=MoneyRules(jacoby=False))
    owned = GameState(over, Cube(2, CubeOwner.OTHER))
    starts = [roll_start(each) for each in (jacoby, plain, owned)]
    assert [each.equity for each in last_of(starts, NOVICE, limits)] == [-1, -3, -3]
    match = roll_start(GameState(over, Cube(2, CubeOwner.OTHER), Score(7, 3, 3)), MET)
    (lost,) = last_of([match], NOVICE, limits)
    assert lost.mwc == pytest.approx(MET.mwc_after(Score(7, 3, 3), -6))


def test_a_double_that_is_dropped_at_once_ends_every_trial():
    hopeless = Position.of({6: 3}, {1: 1})
    state = GameState(hopeless)
    (found,) = last_of([play_start(state, hopeless)], FINISHER, RolloutSettings(trials=2))
    assert found.equity == 1
    assert found.turned().equity == -1
    (found,) = last_of(
        [play_start(state, hopeless)], FINISHER, RolloutSettings(trials=2, knows_endings=False)
    )
    assert found.equity == 1
    assert found.equity_error == 0
    assert found.chances.win == pytest.approx(1)


BACK_GAME = Position.of(
    {25: 1, 22: 1, 12: 1, 6: 3, 5: 3, 3: 2, 2: 2, 1: 2}, {25: 1, 9: 2, 8: 1, 6: 3, 5: 3, 4: 2, 2: 2}
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "score"), [(START, None), (START, Score(5, 2, 3)), (BACK_GAME, Score(5, 2, 3))]
)
def test_plain_games_and_games_less_luck_agree(position, score):
    state = GameState(position, score=score)
    starts = [roll_start(state, MET), take_start(state, MET)]
    reduced, plain = (
        last_of(starts, NOVICE, RolloutSettings(2592, 6, seed=2, is_reduced=is_reduced))
        for is_reduced in (True, False)
    )
    for one, other in zip(reduced, plain, strict=True):
        error = np.hypot(one.equity_error, other.equity_error)
        assert abs(one.equity - other.equity) < 4 * error
        assert one.equity_error < other.equity_error
    double = reduced[1].loss_error(reduced[0])
    assert double < np.hypot(reduced[0].equity_error, reduced[1].equity_error)


@pytest.mark.parametrize("position", ENDINGS)
def test_luck_subtracted_leaves_the_exact_chance_of_a_bearoff_in_every_trial(position):
    exact = evaluator(True).outcomes(position.board[np.newaxis])[0]
    limits = RolloutSettings(trials=6, knows_endings=False)
    samples = without_cube(position, limits, FINISHER).chance_samples
    assert samples == pytest.approx(np.tile(exact, (6, 1)), abs=1e-5)


@pytest.mark.parametrize("position", ENDINGS)
def test_plain_games_agree_with_the_exact_chance_of_a_bearoff(position):
    exact = chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0])
    limits = RolloutSettings(trials=144, knows_endings=False, is_reduced=False)
    found = without_cube(position, limits, FINISHER)
    assert set(np.unique(found.chance_samples)) <= {0.0, 1.0}
    assert found.equity == pytest.approx(exact.equity, abs=4 * found.equity_error + 1e-5)


@pytest.mark.parametrize("position", ENDINGS)
def test_a_bearoff_the_tables_know_needs_no_games_without_the_cube(position):
    found = without_cube(position, RolloutSettings(trials=2), FINISHER)
    exact = chances_of(evaluator(True).outcomes(position.board[np.newaxis])[0])
    assert found.chances == exact
    assert found.equity_error == 0


def test_a_finished_game_is_counted_as_it_ended():
    over = Position.of({24: 15}, {})
    found = without_cube(over, RolloutSettings(trials=2))
    assert found.equity == -3
    assert found.turned().equity == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_plain_games_and_games_less_luck_agree_in_every_chance(seed):
    reduced, plain = (
        without_cube(BACK_GAME, RolloutSettings(2592, 5, seed=seed, is_reduced=is_reduced))
        for is_reduced in (True, False)
    )
    errors = np.hypot(reduced.chance_errors, plain.chance_errors)
    difference = reduced.chance_samples.mean(axis=0) - plain.chance_samples.mean(axis=0)
    assert (abs(difference) < 4 * errors + 1e-6).all()


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
        ({"error": 0.01, "trials": 144}, "looked at from 144 trials on: with 144 in all it"),
        ({"workers": 0}, "1 to 256 workers, not 0"),
        ({"workers": 257}, "1 to 256 workers, not 257"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        RolloutSettings(**wrong)


def test_players_look_as_far_and_as_widely_as_the_settings_say():
    settings = RolloutSettings(ply=1, filters=FILTERS["tiny"])
    assert settings.search == SearchSettings(1, FILTERS["tiny"])


@pytest.mark.parametrize("has_databases", [True, False])
def test_player_knows_the_bearoff_databases_if_it_has_them(has_databases, monkeypatch):
    databases = evaluator(True).databases
    monkeypatch.setattr(rollout_trials, "load_databases", lambda tell: databases)
    known = RolloutPlayer("easy", has_databases).evaluator().databases
    assert known is (databases if has_databases else NO_DATABASES)
