"""When a roller has played enough trials, and what it does when its workers end; they are faked."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.roller import LEAST_OF_DECISION
from bot.backgammon.engine.rollout_start import play_start
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.rules.decision import AnswerDouble, ChooseCubeAction
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.position import START
from tests.bot.backgammon.engine.test_roller import MET, MONEY, engine_of, refuse, roller_of
from tests.bot.backgammon.engine.test_rollout_trials import evaluator

WITH_BEAVERS = replace(MONEY, money=MoneyRules(jacoby=False, beavers=True))
STARTS = [play_start(MONEY, START, MET)] * 2
DEATH = "a worker process died"


def results(equities, count):
    """Results of so many trials from each start that vary around an equity."""
    found = np.zeros((len(equities), 2, count, UTILITY + 1))
    for number, equity in enumerate(equities):
        found[number, 0, :, UTILITY] = equity + np.tile([0.1, -0.1], count // 2) * (number == 0)
    return found


@pytest.fixture
def say(monkeypatch):
    """Has rollouts find such equities of what is rolled out."""

    def say(*equities):
        def trials(workers, player, settings, starts, first, end, **more):
            return results(equities, end - first)

        monkeypatch.setattr(RolloutWorkers, "trials", trials)

    return say


@pytest.mark.parametrize(
    ("no_double", "double_take", "trials"), [(0.2, 0.3, 72), (0.2, 0.21, 108), (0.3, 0.2, 72)]
)
def test_double_is_played_out_until_it_is_clearly_right_or_wrong(
    no_double, double_take, trials, say
):
    say(no_double, double_take)
    found = roller_of().double(MONEY, MET)
    assert found.no_double.trials == found.double_take.trials == trials


@pytest.mark.parametrize(("state", "trials"), [(MONEY, 72), (WITH_BEAVERS, 108)])
def test_double_that_would_be_beavered_is_decided_by_what_it_is_worth_then(state, trials, say):
    say(-0.2, -0.1)
    found = roller_of().double(state, MET)
    assert found.no_double.trials == trials
    assert found.evaluation.beavers == (state is WITH_BEAVERS)


@pytest.mark.parametrize(("state", "trials"), [(MONEY, LEAST_OF_DECISION), (WITH_BEAVERS, 108)])
def test_take_close_to_a_beaver_is_played_out_further(state, trials, say):
    say(0.0)
    assert roller_of().take(state, MET).trials == trials


@pytest.mark.parametrize(("equity", "trials"), [(0.9, 72), (0.99, 108), (1.01, 108), (1.1, 72)])
def test_take_is_played_out_until_it_is_clearly_better_or_worse_than_a_drop(equity, trials, say):
    say(equity)
    assert roller_of().take(MONEY, MET).trials == trials


@pytest.mark.parametrize("request_of", [ChooseCubeAction, AnswerDouble])
def test_double_that_there_is_no_time_to_play_out_is_decided_by_the_search(request_of, monkeypatch):
    monkeypatch.setattr(RolloutWorkers, "trials", lambda *_, **__: None)
    request = request_of(MONEY)
    assert engine_of().decide(request) == Engine(evaluator(False)).decide(request)


def test_death_of_a_worker_is_told_and_another_asked_the_same(monkeypatch):
    def trials(workers, player, settings, starts, first, end, **more):
        asked.append((first, end, more))
        if len(asked) == 1:
            raise ChildProcessError(DEATH)
        return results((0.2, 0.3), end - first)

    asked, told = [], []
    monkeypatch.setattr(RolloutWorkers, "trials", trials)
    assert len(roller_of(tell=told.append).ranked(STARTS, 5.0)) == 2
    assert asked[0] == asked[1] == (0, 36, {"at_once": 12, "until": 5.0})
    assert told == [f"{DEATH}; rolling out with another"]


def test_second_death_of_a_worker_in_one_go_is_an_error(monkeypatch):
    def trials(*asked, **more):
        raise ChildProcessError(DEATH)

    monkeypatch.setattr(RolloutWorkers, "trials", trials)
    with pytest.raises(ChildProcessError, match=DEATH):
        roller_of(tell=lambda text: None).ranked(STARTS)


@pytest.mark.parametrize("dies", [False, True])
def test_workers_of_a_roller_that_is_closed_meanwhile_are_ended_and_asked_no_more(
    dies, monkeypatch
):
    def trials(workers, player, settings, starts, first, end, **more):
        events.append("asked")
        roller.close()
        events.append("answered")
        if dies:
            raise ChildProcessError(DEATH)
        return results((0.2, 0.3), end - first)

    events = []
    monkeypatch.setattr(RolloutWorkers, "trials", trials)
    monkeypatch.setattr(RolloutWorkers, "close", lambda workers: events.append("ended"))
    roller = roller_of(tell=refuse)
    assert roller.ranked(STARTS) == []
    assert roller.ranked(STARTS) == []
    assert events == ["asked", "ended", "answered", "ended"]
