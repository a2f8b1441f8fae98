"""Games with the cube held to plain ones, to exact bear-offs, and to themselves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine.cubeful_rollout import cubeful_rollouts
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout import RolloutPlayer, RolloutSettings
from bot.backgammon.engine.rollout_result import LEAST_TRIALS
from bot.backgammon.engine.rollout_start import play_start, roll_start, take_start
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import known_equities
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import START, Position
from tests.bot.backgammon.engine.test_rollout import (
    ENDINGS,
    FINISHER,
    NOVICE,
    evaluator,
    rate,
    rolls_of_trial,
)
from tests.plain.cubeful_rollout import PlainTrial
from tests.strategies import cubes, positions, scores

MET = blot_table()
UTILITY = 5
OWNERS = list(CubeOwner)
"""In the order of a bear-off table."""


def last_of(*arguments):
    """The rollouts that are the answer."""
    *_, answer = cubeful_rollouts(*arguments)
    return answer


@st.composite
def starts(draw):
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
    if state.doubling_bar is None and draw(st.booleans()):
        return take_start(state, MET)
    return roll_start(state, MET)


@settings(max_examples=15)
@given(start=starts(), seed=st.integers(0, 1000), is_reduced=st.booleans())
def test_trials_agree_with_plain_ones(start, seed, is_reduced):
    limits = RolloutSettings(trials=2, truncate=4, seed=seed, is_reduced=is_reduced)
    (found,) = last_of([start], NOVICE, limits)
    twin = PlainTrial(start, rate, MET)
    for trial in range(2):
        plain = twin.sample(rolls_of_trial(seed, trial, 4), is_reduced=is_reduced)
        assert found.cubeless.samples[trial] == pytest.approx(plain[:UTILITY], abs=2e-5)
        assert found.samples[trial] == pytest.approx(plain[UTILITY], abs=2e-5)


@pytest.mark.parametrize("score", [None, Score(5, 2, 3)])
@pytest.mark.parametrize("is_reduced", [True, False])
def test_trials_with_lookahead_agree_with_plain_ones(score, is_reduced):
    engine = Engine(evaluator(False), SearchSettings(1), candidates=1, met=MET)
    position = Position.of({18: 1, 2: 2, 1: 2}, {22: 1, 3: 2, 2: 1})
    start = play_start(GameState(position, score=score), position, MET)
    limits = RolloutSettings(trials=3, truncate=3, ply=1, is_reduced=is_reduced)
    (found,) = last_of([start], NOVICE, limits)
    twin = PlainTrial(start, rate, MET, engine)
    for trial in range(3):
        plain = twin.sample(rolls_of_trial(1, trial, 3), is_reduced=is_reduced)
        assert found.cubeless.samples[trial] == pytest.approx(plain[:UTILITY], abs=2e-5)
        assert found.samples[trial] == pytest.approx(plain[UTILITY], abs=2e-5)


def test_a_cube_at_its_limit_is_never_turned():
    state = GameState(Position.of({1: 1}, {1: 4}), Cube(MAX_CUBE, CubeOwner.OTHER))
    start = play_start(state, state.position, MET)
    (found,) = last_of([start], NOVICE, RolloutSettings(trials=2, truncate=2))
    twin = PlainTrial(start, rate, MET)
    for trial in range(2):
        plain = twin.sample(rolls_of_trial(1, trial, 2), is_reduced=True)
        assert found.samples[trial] == pytest.approx(plain[UTILITY], abs=2e-5)


def in_money(position, owner):
    return GameState(position, Cube(2 if owner is not CubeOwner.CENTRED else 1, owner))


def exact_equities(position):
    """Points at the cube for the player on roll who rolls: cube centred, his own, the other's."""
    return known_equities(position.board[np.newaxis], evaluator(True).tables)[0][0]


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
        assert found.samples == pytest.approx(np.full(6, equity), abs=1e-5)
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
                assert set(np.log2(abs(found.results))) <= set(range(13))
                if found.equity_error > 0:
                    apart.append((found.equity - equity) / found.equity_error)
                else:
                    assert found.equity == pytest.approx(equity, abs=1e-5)
    assert len(apart) >= 12
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


def test_a_trial_is_the_same_however_the_work_is_cut():
    start = roll_start(GameState(START, score=Score(7, 2, 3)), MET)
    long, short = (
        last_of([start], NOVICE, RolloutSettings(trials=trials, truncate=3, seed=9))[0]
        for trials in (40, 3)
    )
    assert np.array_equal(long.samples[:3], short.samples)
    assert np.array_equal(long.cubeless.samples[:3], short.cubeless.samples)


@pytest.mark.slow
def test_the_answer_does_not_depend_on_the_number_of_workers(tmp_path):
    path = tmp_path / "net.npz"
    random_network(8, seed=5).save(path)
    player = RolloutPlayer(str(path), has_tables=False)
    state = GameState(START, score=Score(7, 2, 3))
    starts = [roll_start(state, MET), take_start(state, MET)]
    answers = [
        last_of(starts, player, RolloutSettings(400, truncate=3, error=0.01, workers=workers))
        for workers in (1, 2)
    ]
    assert LEAST_TRIALS <= answers[0][0].trials < 400
    for one, other in zip(*answers, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert np.array_equal(one.cubeless.samples, other.cubeless.samples)


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


def test_double_of_the_other_sides_cube_is_refused():
    with pytest.raises(ValueError, match="nobody doubles here: the cube is the other side's"):
        take_start(GameState(START, Cube(2, CubeOwner.OTHER)))


def test_match_without_match_equities_is_refused():
    with pytest.raises(ValueError, match="a match needs match equities"):
        roll_start(GameState(START, score=Score(3, 0, 0)))
