"""Close decisions, decided by truncated rollouts."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from bot.backgammon.engine import roller as roller_module
from bot.backgammon.engine import rollout_workers
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.roller import LEAST_OF_DECISION, Roller, RollerSettings, _contenders
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import RolledOutCube, Rollout
from bot.backgammon.engine.rollout_start import cubeless_start, play_start, roll_start, take_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import known_equities
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.bot.backgammon.engine.test_rollout_trials import FINISHER, NOVICE, evaluator

MET = blot_table()
MONEY = GameState(START, money=MoneyRules(jacoby=False))
AT_SCORE = GameState(START, score=Score(7, 2, 3))
OWN_CUBE = GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(9, 2, 3))
EVERYTHING = RollerSettings(9.0, 99, trials=108, truncate=2, ply=0, workers=1)
"""Whatever the search says, it is rolled out."""

LATE = -math.inf
ENDINGS = [
    Position.of({1: 1, 3: 1, 6: 1}, {2: 1, 5: 1, 6: 1}),
    Position.of({2: 1, 4: 1, 5: 1}, {1: 1, 2: 1}),
    Position.of({1: 2, 6: 1}, {4: 1, 3: 2}),
]


def refuse(text):
    raise AssertionError(text)


def roller_of(player=NOVICE, tell=refuse, **changed):
    return Roller(player, replace(EVERYTHING, **changed), tell)


def engine_of(player=NOVICE, *, tell=refuse, cube=True, count=None, **changed):
    """A novice who rolls out whatever there is to decide."""
    roller = roller_of(player, tell, **changed)
    return Engine(evaluator(False), cube=cube, roller=roller, candidates=count)


def last_of(starts, player, trials):
    *_, known = rollouts(starts, player, RolloutSettings(trials, 2, seed=EVERYTHING.seed))
    return known


def known_equity(position, state):
    """What the other side has on roll at the mover's position, by the database."""
    boards = turned(position).board[np.newaxis]
    equities, is_known = known_equities(boards, evaluator(True).databases)
    assert is_known[0]
    return float(equities[0][list(CubeOwner).index(state.turned().cube.owner)])


@pytest.mark.parametrize("owner", [CubeOwner.ON_ROLL, CubeOwner.OTHER])
@pytest.mark.parametrize("position", ENDINGS)
def test_plays_that_the_database_knows_are_decided_by_it(position, owner):
    state = GameState(position, Cube(2, owner), money=MoneyRules(jacoby=False))
    for roll in (Roll(2, 1), Roll(3, 1), Roll(4, 2)):
        decision = engine_of(FINISHER).decide(ChooseCheckerPlay(state, roll))
        rolled_out = [row for row in decision.candidates if row.trials]
        assert [row.trials for row in rolled_out] == [LEAST_OF_DECISION] * len(rolled_out)
        if len(decision.candidates) < 2 or not rolled_out:
            continue
        best = max(_doubling_equity(row.play.after, state) for row in rolled_out)
        assert decision.candidates[0].equity == pytest.approx(best, abs=1e-5)
        assert _doubling_equity(decision.play.after, state) == pytest.approx(best, abs=1e-5)
        assert decision.candidates[0].error == pytest.approx(0, abs=1e-6)


def _doubling_equity(after, state):
    """What the mover has after a play if the other side may double now; plain."""
    if after.checkers == 0:
        return 1.0
    theirs = state.turned().cube.owner
    rolls = known_equity(after, state)
    if theirs is CubeOwner.OTHER:
        return -rolls
    taken = 2 * known_equity(after, replace(state, cube=Cube(2, CubeOwner.ON_ROLL)))
    return -max(rolls, min(taken, 1.0))


@pytest.mark.parametrize(("state", "trials"), [(MONEY, 108), (OWN_CUBE, 72)])
def test_each_play_has_the_equity_of_a_rollout_of_so_many_trials(state, trials):
    decision = engine_of().decide(ChooseCheckerPlay(state, Roll(5, 3)))
    best, *others = decision.candidates
    assert best.trials == others[0].trials == trials
    assert {row.trials for row in others} <= {72, 108}
    starts = [play_start(state, row.play.after, MET) for row in decision.candidates]
    whole = [each.turned() for each in last_of(starts, NOVICE, trials)]
    assert best.equity == pytest.approx(whole[0].equity)
    assert best.error == pytest.approx(whole[0].equity_error)
    if state.score:
        assert best.mwc == pytest.approx(whole[0].mwc)
    for row, start in zip(others, starts[1:], strict=True):
        of_best, own = (each.turned() for each in last_of([starts[0], start], NOVICE, row.trials))
        loss = float((whole[0].equities[: row.trials] - own.equities).mean())
        assert of_best.trials == row.trials
        assert row.equity == pytest.approx(best.equity - max(loss, 0))
    assert decision.margin == pytest.approx(best.equity - others[0].equity)


def test_who_is_left_behind_is_played_out_no_more():
    plays = engine_of().decide(ChooseCheckerPlay(MONEY, Roll(5, 3))).candidates
    best = max(row.equity for row in plays)
    assert plays[0].equity == best
    dropped = [row for row in plays if row.trials < plays[0].trials]
    assert dropped
    assert all(best - row.equity > row.error for row in dropped)


def test_only_who_is_two_errors_behind_is_dropped():
    def behind(points):
        """A rollout so many points worse for the mover; the error of the difference is 0.1."""
        results = np.zeros((100, UTILITY + 1))
        results[:, UTILITY] = points + np.sign(points) * np.tile([1.0, -1.0], 50)
        return Rollout(results, np.zeros_like(results))

    assert _contenders([behind(points) for points in (0.0, 0.15, 0.25)]) == [0, 1]


def test_standard_is_what_the_readme_tells_of_best():
    best = RollerSettings()
    assert (best.margin, best.most, best.trials, best.ply, best.truncate) == (0.03, 3, 432, 1, 5)
    assert best.rollout.filters == FILTERS["tiny"]


def test_only_what_the_search_leaves_close_is_rolled_out():
    everything = Engine(evaluator(False)).decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    lead = everything.candidates[0].equity - everything.candidates[2].equity
    decision = engine_of(margin=lead, most=99).decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    rolled_out = {row.play for row in decision.candidates if row.trials}
    assert rolled_out == {row.play for row in everything.candidates[:3]}
    assert [row.trials > 0 for row in decision.candidates[:4]] == [True] * 3 + [False]
    most = engine_of(most=2).decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    assert sum(row.trials > 0 for row in most.candidates) == 2
    clear = engine_of(margin=1e-9).decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    assert clear == everything


def test_many_games_at_once_are_rolled_out_without_the_cube():
    boards, dice = np.stack([START.board] * 2), np.array([[6, 2], [4, 1]], np.int8)
    for with_cube in (True, False):
        chosen = engine_of(cube=with_cube).boards_chosen(boards, dice)
        for board, (high, low) in zip(chosen, dice.tolist(), strict=True):
            request = ChooseCheckerPlay(GameState(START), Roll(high, low))
            assert Position.of_board(board) == engine_of(cube=False).decide(request).play.after


def test_rollout_without_the_cube_is_of_a_cubeless_game():
    row = engine_of(cube=False).decide(ChooseCheckerPlay(AT_SCORE, Roll(6, 2))).candidates[0]
    (known,) = last_of([cubeless_start(turned(row.play.after))], NOVICE, row.trials)
    assert row.equity == pytest.approx(-known.equity)
    assert row.mwc is None


@pytest.mark.parametrize("state", [MONEY, GameState(START), AT_SCORE])
def test_double_is_decided_by_rollouts_of_both_sides_of_it(state):
    decision = engine_of(trials=72).decide(ChooseCubeAction(state))
    found = RolledOutCube(
        *last_of([roll_start(state, MET), take_start(state, MET)], NOVICE, decision.trials)
    )
    assert decision.trials == 72
    evaluation, expected = decision.evaluation, found.evaluation
    assert evaluation.no_double == pytest.approx(expected.no_double)
    assert evaluation.double_take == pytest.approx(expected.double_take)
    if state.score:
        assert evaluation.mwc == pytest.approx(expected.mwc)
        assert decision.mwc == evaluation.mwc[0]
    assert (decision.action is CubeAction.DOUBLE) == (evaluation.doubled >= evaluation.no_double)


@pytest.mark.parametrize("position", ENDINGS)
def test_double_that_the_database_knows_is_decided_by_it(position):
    state = GameState(position, money=MoneyRules(jacoby=False))
    rolls, taken = (
        known_equities(position.board[np.newaxis], evaluator(True).databases)[0][0][i]
        for i in (0, 2)
    )
    decision = engine_of(FINISHER).decide(ChooseCubeAction(state))
    assert decision.evaluation.no_double == pytest.approx(float(rolls), abs=1e-5)
    assert decision.evaluation.double_take == pytest.approx(2 * float(taken), abs=1e-5)
    answered = engine_of(FINISHER).decide(AnswerDouble(state))
    assert answered.evaluation.double_take == pytest.approx(2 * float(taken), abs=1e-5)
    assert (answered.answer is DoubleAnswer.DROP) == (2 * float(taken) > 1)


@pytest.mark.parametrize("state", [MONEY, AT_SCORE])
def test_answer_is_decided_by_a_rollout_of_the_take(state):
    decision = engine_of(trials=72).decide(AnswerDouble(state))
    (taken,) = last_of([take_start(state, MET)], NOVICE, decision.trials)
    assert decision.evaluation.double_take == pytest.approx(taken.equity)
    if state.score:
        assert decision.evaluation.mwc[1] == pytest.approx(taken.mwc)


@pytest.mark.parametrize(
    ("score", "cube"),
    [
        (Score(5, 4, 3), Cube(1)),
        (Score(5, 3, 1), Cube(2, CubeOwner.ON_ROLL)),
        (Score(5, 4, 3, is_crawford=True), Cube(1)),
        (None, Cube(MAX_CUBE)),
    ],
)
def test_double_that_nobody_makes_is_answered_by_the_search(score, cube):
    request = AnswerDouble(GameState(ENDINGS[0], cube, score))
    assert engine_of().decide(request) == Engine(evaluator(False)).decide(request)


def test_beaver_is_looked_for_where_one_is_allowed():
    state = replace(MONEY, money=MoneyRules(beavers=True))
    decision = engine_of().decide(AnswerDouble(state))
    assert decision.evaluation.may_beaver
    assert decision.evaluation.double_take < 0
    assert decision.answer is DoubleAnswer.BEAVER


def test_search_decides_when_the_time_is_up_too_soon():
    state = GameState(START, score=Score(7, 2, 3))
    roller = roller_of()
    starts = [play_start(state, START, MET)] * 2
    assert roller.ranked(starts, LATE) == []
    assert roller.double(state, MET, LATE) is None
    assert roller.take(state, MET, LATE) is None
    hasty = engine_of(seconds=1e-9)
    patient = Engine(evaluator(False))
    for request in (ChooseCheckerPlay(state, Roll(6, 2)), ChooseCubeAction(state)):
        assert hasty.decide(request) == patient.decide(request)


@pytest.mark.parametrize(("workers", "work"), [(1, "piece_of_rollout"), (2, "results_by")])
def test_a_decision_of_another_thread_ends_when_it_is_closed(workers, work, monkeypatch):
    begun, played = Event(), getattr(rollout_workers, work)

    def noticed(*asked):
        begun.set()
        return played(*asked)

    monkeypatch.setattr(roller_module, "ENOUGH_ERRORS", math.inf)
    roller = roller_of(trials=1_000_000, workers=workers)  # an hour's, if it is not ended
    starts = [play_start(MONEY, after, MET) for after in (START, ENDINGS[0])]
    roller.prepare()
    monkeypatch.setattr(rollout_workers, work, noticed)
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(roller.ranked, starts, time.monotonic() + 120)
        assert begun.wait(60)
        roller.close()
        found.result(60)
    assert not multiprocessing.active_children()


def test_only_a_decision_that_begins_after_it_was_closed_is_rolled_out():
    roller = roller_of()
    starts = [play_start(MONEY, START, MET)] * 2
    roller.close()
    assert roller.ranked(starts) == []
    assert len(roller.ranked(starts, roller.deadline())) == 2


def test_time_for_a_decision_is_kept():
    engine = engine_of(trials=1_000_000, seconds=0.3)
    engine.prepare()
    began = time.monotonic()
    engine.decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    assert time.monotonic() - began < 30  # a million trials take an hour


def test_nobody_else_computes_for_one_worker():
    engine = engine_of()
    engine.prepare()
    engine.decide(ChooseCheckerPlay(MONEY, Roll(6, 2)))
    assert not multiprocessing.active_children()


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Engines of one and of two workers, of the same network, and what the second was told."""
    path = tmp_path_factory.mktemp("net") / "net.npz"
    random_network(8, seed=5).save(path)
    player, told = RolloutPlayer(str(path), has_databases=False), []
    engines = []
    for workers in (1, 2):
        settings = replace(EVERYTHING, most=3, workers=workers)
        roller = Roller(player, settings, told.append)
        search = SearchSettings(0)
        engines.append(Engine(CompositeEvaluator(load_network(str(path))), search, roller=roller))
    assert not multiprocessing.active_children()
    yield (*engines, told)
    for engine in engines:
        engine.close()
    assert not multiprocessing.active_children()


QUESTIONS = [
    *(ChooseCheckerPlay(state, ROLLS[7]) for state in (MONEY, AT_SCORE)),
    *(kind(state) for kind in (ChooseCubeAction, AnswerDouble) for state in (MONEY, AT_SCORE)),
]


@pytest.mark.slow
def test_answers_do_not_depend_on_the_number_of_workers(crowd):
    alone, together, _ = crowd
    for question in QUESTIONS:
        assert together.decide(question) == alone.decide(question)


@pytest.mark.slow
def test_death_of_a_worker_is_told_and_the_decision_made(crowd):
    alone, together, told = crowd
    together.prepare()
    for process in multiprocessing.active_children():
        os.kill(process.pid, signal.SIGKILL)
    assert together.decide(QUESTIONS[0]) == alone.decide(QUESTIONS[0])
    (sentence,) = told
    assert sentence.startswith("a worker process died")


@pytest.mark.slow
def test_interruption_ends_the_workers_and_the_next_decision_has_others(crowd, monkeypatch):
    alone, together, _ = crowd
    together.prepare()

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rollout_workers, "results_by", interrupt)
        with pytest.raises(KeyboardInterrupt):
            together.decide(QUESTIONS[0])
    assert not multiprocessing.active_children()
    assert together.decide(QUESTIONS[0]) == alone.decide(QUESTIONS[0])


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"margin": 0.0}, "more than 0 points, not 0"),
        ({"most": 1}, "two plays at least are rolled out, not 1"),
        ({"trials": 71}, "72 trials at least decide what is close, not 71"),
        ({"truncate": 0}, "truncated after 1 to"),
        ({"ply": 4}, "0 to 3 plies deep, not 4"),
        ({"workers": 0}, "1 to 256 workers, not 0"),
        ({"seconds": 0.0}, "more than 0 seconds, not 0"),
        ({"seconds": math.nan}, "more than 0 seconds, not nan"),
    ],
)
def test_settings_that_cannot_be_are_refused(changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        RollerSettings(**changed)


def test_settings_are_refused_by_a_python_that_leaves_assertions_out():
    order = f"from {RollerSettings.__module__} import RollerSettings; RollerSettings(truncate=0)"
    command = [sys.executable, "-O", "-c", order]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "ValueError: a rollout is truncated after 1 to" in run.stderr
