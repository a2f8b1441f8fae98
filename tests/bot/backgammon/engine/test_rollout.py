"""Answers however the work is shared out, and what is rolled out for a request."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout import rolled_out, rollouts
from bot.backgammon.engine.rollout_result import LEAST_TRIALS, RolledOutCube, Rollout
from bot.backgammon.engine.rollout_start import (
    cubeless_start,
    play_start,
    roll_start,
    take_start,
)
from bot.backgammon.engine.rollout_trials import (
    RolloutPlayer,
    RolloutSettings,
    piece_of_rollout,
)
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.rollout import COLUMNS
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    ProperAction,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from tests.bot.backgammon.engine.test_rollout_trials import NOVICE, evaluator, last_of

MET = blot_table()
FROM_START = cubeless_start(START)
AT_SCORE = GameState(START, score=Score(7, 2, 3))
SHORT = RolloutSettings(trials=2, truncate=2)


def are_same(one, other):
    """Whether two rollouts agree in every trial."""
    return np.array_equal(one.chance_samples, other.chance_samples) and np.array_equal(
        one.utilities, other.utilities
    )


@pytest.mark.parametrize("start", [FROM_START, roll_start(AT_SCORE, MET)])
def test_a_trial_is_the_same_however_the_work_is_cut(start):
    long, short = (
        last_of([start], NOVICE, RolloutSettings(trials=trials, truncate=3, seed=9))[0]
        for trials in (40, 3)
    )
    assert np.array_equal(long.chance_samples[:3], short.chance_samples)
    assert np.array_equal(long.utilities[:3], short.utilities)


class KeptTrials:
    """A store in memory, and how often it was added to."""

    def __init__(self, trials=None):
        self.trials = trials
        self.firsts = []

    def of(self, starts):
        if self.trials is None:
            self.trials = np.empty((len(starts), 2, 0, COLUMNS))
        return self

    def add(self, first, trials):
        assert first == self.trials.shape[2]
        self.firsts.append(first)
        self.trials = np.concatenate((self.trials, trials), axis=2)


@pytest.mark.parametrize("ply", [0, pytest.param(1, marks=pytest.mark.slow)])  # uncompiled: minutes
def test_rollout_that_goes_on_is_equal_to_a_whole_one_to_the_last_bit(ply):
    starts = [FROM_START, roll_start(AT_SCORE, MET)]
    settings = RolloutSettings(trials=50, truncate=2, ply=ply, seed=4)
    whole = last_of(starts, NOVICE, settings)
    kept = KeptTrials()
    for trials in (7, 40, 50, 20, 50):
        *_, found = rollouts(starts, NOVICE, replace(settings, trials=trials), kept.of)
    assert all(map(are_same, found, whole))
    assert kept.trials.shape[2] == 50
    assert kept.firsts == sorted(set(kept.firsts))
    cut = KeptTrials(kept.trials[:, :, :23])
    *_, found = rollouts(starts, NOVICE, settings, cut.of)
    assert all(map(are_same, found, whole))


def test_rollout_that_goes_on_stops_at_an_error_where_a_whole_one_does():
    start = roll_start(GameState(START))
    settings = RolloutSettings(trials=400, truncate=3, seed=2, is_reduced=False)
    error = last_of([start], NOVICE, replace(settings, trials=250))[0].equity_error
    wanted = replace(settings, error=error)
    whole = last_of([start], NOVICE, wanted)[0]
    kept = KeptTrials()
    for trials in (150, 161, 400):
        *_, (found,) = rollouts([start], NOVICE, replace(wanted, trials=trials), kept.of)
    assert LEAST_TRIALS < whole.trials < 400
    assert are_same(found, whole)


@pytest.mark.slow  # it takes minutes uncompiled
@pytest.mark.parametrize("ply", [0, 1])
def test_threads_at_once_get_the_answers_of_one_alone(ply):
    settings = RolloutSettings(trials=36, truncate=3, ply=ply, workers=1)
    players = [RolloutPlayer("easy"), RolloutPlayer("medium")]
    asked = [
        (player, settings, start, first, first + 6)
        for first in range(0, 36, 6)
        for start in (cubeless_start(START), roll_start(GameState(START)))
        for player in players
    ]
    alone = [piece_of_rollout(*piece) for piece in asked]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda piece: piece_of_rollout(*piece), asked * 3))
    for expected, each in zip(alone * 3, found, strict=True):
        assert np.array_equal(expected, each)


def test_positions_are_rolled_out_together_as_alone():
    other = cubeless_start(Position.of({4: 5, 3: 5, 2: 5}, {6: 5, 5: 5, 4: 5}))
    starts = [FROM_START, other, roll_start(AT_SCORE, MET)]
    for start, together in zip(starts, last_of(starts, NOVICE, SHORT), strict=True):
        assert are_same(together, last_of([start], NOVICE, SHORT)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("starts", "limits"),
    [
        ([FROM_START], {"truncate": 4, "error": 0.0012}),
        ([roll_start(AT_SCORE, MET), take_start(AT_SCORE, MET)], {"truncate": 3, "error": 0.01}),
    ],
)
def test_the_answer_does_not_depend_on_the_number_of_workers(tmp_path, starts, limits):
    path = tmp_path / "net.npz"
    random_network(8, seed=5).save(path)
    player = RolloutPlayer(str(path), has_databases=False)
    of_one, of_three = (
        last_of(starts, player, RolloutSettings(400, workers=workers, **limits))
        for workers in (1, 3)
    )
    assert LEAST_TRIALS <= of_one[0].trials < 400
    assert all(map(are_same, of_one, of_three))


def test_rollout_stops_once_the_error_is_small_enough():
    limits = {"trials": 216, "truncate": 1, "is_reduced": False}
    (whole,) = last_of([FROM_START], NOVICE, RolloutSettings(**limits))
    wanted = 1.01 * Rollout(whole.results[:180], whole.lucks[:180]).equity_error
    (found,) = last_of([FROM_START], NOVICE, RolloutSettings(**limits, error=wanted))
    assert found.trials in (LEAST_TRIALS, 180)
    assert found.equity_error <= wanted
    assert np.array_equal(found.chance_samples, whole.chance_samples[: found.trials])
    (large,) = last_of([FROM_START], NOVICE, RolloutSettings(**limits, error=9.0))
    assert large.trials == LEAST_TRIALS


def test_what_is_known_grows_until_all_trials_are_played_and_is_told_once_if_they_were():
    settings, kept = RolloutSettings(trials=80, truncate=1), KeptTrials()
    for trials in ([36, 72, 80], [80]):
        known = rollouts([FROM_START], NOVICE, settings, kept.of)
        assert [each[0].trials for each in known] == trials


def test_missing_weights_are_refused():
    with pytest.raises(ValueError, match="no weights 'nobody'"):
        next(rollouts([FROM_START], RolloutPlayer("nobody"), RolloutSettings(trials=2)))


def answer_to(request, **options):
    """What was rolled out for a request."""
    *_, answer = rolled_out(request, NOVICE, SHORT, **options)
    return answer


@pytest.mark.parametrize("has_cube", [True, False])
def test_best_plays_of_a_roll_are_rolled_out_from_the_other_side_and_ranked(has_cube):
    state = GameState(START)
    request = ChooseCheckerPlay(state, Roll(6, 3))  # the best ones are others without the cube
    found = answer_to(request, has_cube=has_cube, count=3)
    decision = Engine(evaluator(False), cube=has_cube).decide(request)
    assert {each.play for each in found} == {
        candidate.play for candidate in decision.candidates[:3]
    }
    equities = [each.rollout.equity for each in found]
    assert equities == sorted(equities, reverse=True)
    for each in found:
        start = cubeless_start(turned(each.play.after))
        if has_cube:
            start = play_start(state, each.play.after)
        assert are_same(each.rollout.turned(), last_of([start], NOVICE, SHORT)[0])


def test_match_equities_that_are_given_count_in_doubles_and_in_plays():
    points = np.arange(len(MET.pre))
    other = replace(MET, name="other", pre=0.5 + 0.007 * (points - points[:, np.newaxis]))
    found = answer_to(ChooseCubeAction(AT_SCORE), met=other)
    assert are_same(found.no_double, last_of([roll_start(AT_SCORE, other)], NOVICE, SHORT)[0])
    request = ChooseCheckerPlay(AT_SCORE, Roll(2, 2))
    (best,) = answer_to(request, met=other, count=1)
    usual, expected = (Engine(evaluator(False), met=met).decide(request) for met in (MET, other))
    assert best.play == expected.play != usual.play


def test_rolling_and_a_double_that_is_taken_are_rolled_out_where_there_may_be_one():
    found = answer_to(ChooseCubeAction(AT_SCORE))
    assert isinstance(found, RolledOutCube)
    starts = [roll_start(AT_SCORE, MET), take_start(AT_SCORE, MET)]
    no_double, double_take = last_of(starts, NOVICE, SHORT)
    assert are_same(found.no_double, no_double)
    assert are_same(found.double_take, double_take)


@pytest.mark.parametrize(
    ("position", "money", "proper"),
    [
        (Position.of({1: 1}, {1: 1}), MoneyRules(jacoby=False), ProperAction.DOUBLE_DROP),
        (Position.of({1: 1}, {1: 15}), MoneyRules(), ProperAction.DOUBLE_DROP),
        (Position.of({1: 1}, {1: 15}), MoneyRules(jacoby=False), ProperAction.TOO_GOOD_DROP),
    ],
)
def test_sure_win_without_gammons_that_count_is_cashed(position, money, proper):
    found = answer_to(ChooseCubeAction(GameState(position, money=money)))
    assert found.evaluation.proper is proper


def test_double_with_a_dead_cube_is_rolled_out_where_it_waits_for_its_answer():
    state = GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(5, 3, 0))
    found = answer_to(AnswerDouble(state))
    assert isinstance(found, RolledOutCube)
    assert found.double_take.mwc < found.no_double.mwc
    assert isinstance(answer_to(ChooseCubeAction(state)), Rollout)


@pytest.mark.parametrize(
    ("state", "has_cube"),
    [(GameState(START, Cube(2, CubeOwner.OTHER)), True), (AT_SCORE, False)],
)
def test_position_alone_is_rolled_out_where_nobody_can_double(state, has_cube):
    start = roll_start(state) if has_cube else FROM_START
    found = answer_to(ChooseCubeAction(state), has_cube=has_cube)
    assert are_same(found, last_of([start], NOVICE, SHORT)[0])
    assert found.mwc is None


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        (ChooseCheckerPlay(AT_SCORE, Roll(3, 1)), 5),
        (ChooseCubeAction(AT_SCORE), 2),
        (ChooseCubeAction(GameState(START, Cube(2, CubeOwner.OTHER))), 1),
    ],
)
def test_trials_of_every_question_are_kept(question, starts):
    kept = KeptTrials()
    answer_to(question, store=kept.of)
    assert kept.trials.shape[:3] == (starts, 2, SHORT.trials)


def test_nothing_is_rolled_out_where_the_roll_allows_no_play():
    shut_out = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    assert list(rolled_out(ChooseCheckerPlay(GameState(shut_out), Roll(6, 6)), NOVICE, SHORT)) == []


def test_wanted_plays_are_rolled_out_beside_the_best_and_each_once():
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    candidates = Engine(evaluator(False)).decide(request).candidates
    best, last = candidates[0].play, candidates[-1].play
    found = answer_to(request, count=1, wanted=[last, best])
    assert sorted(each.play.after.points for each in found) == sorted(
        play.after.points for play in (best, last)
    )
