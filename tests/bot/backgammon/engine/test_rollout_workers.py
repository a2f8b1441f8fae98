"""Who plays trials, in which pieces, and for how long; the trials and processes are faked."""

import math

import numpy as np
import pytest

from bot.backgammon.engine import rollout_workers
from bot.backgammon.engine.rollout_trials import RolloutSettings
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.kernels.rollout import COLUMNS
from tests.bot.backgammon.engine.test_rollout_trials import NOVICE

SETTINGS = RolloutSettings(36, 2)


@pytest.fixture
def pieces(monkeypatch):
    """The pieces of work that were done, each with the number of its first trial as results."""
    done = []

    def piece(player, settings, start, first, end):
        done.append((start, first, end))
        return np.full((2, end - first, COLUMNS), float(first))

    monkeypatch.setattr(rollout_workers, "piece_of_rollout", piece)
    return done


@pytest.fixture
def pools(monkeypatch):
    """The pools of processes that were made."""
    made = []

    class FakePool:
        is_ended = False

        def shutdown(self):
            self.is_ended = True

    def pool(count):
        made.append(FakePool())
        return made[-1]

    monkeypatch.setattr(rollout_workers, "worker_pool", pool)
    return made


def test_pieces_take_turns_at_the_starts_and_come_back_in_order(pieces):
    found = RolloutWorkers(1).trials(NOVICE, SETTINGS, ["one", "two"], 10, 15, at_once=2)
    parts = [(10, 12), (12, 14), (14, 15)]
    assert pieces == [(start, *part) for part in parts for start in ("one", "two")]
    assert found[:, :, :, 0].tolist() == [[[10, 10, 12, 12, 14]] * 2] * 2


@pytest.mark.parametrize(("ply", "size"), [(0, 36), (1, 12), (2, 4), (3, 2)])
def test_pieces_are_smaller_the_deeper_the_trials_look(ply, size, pieces):
    RolloutWorkers(1).trials(NOVICE, RolloutSettings(72, 2, ply=ply), ["one"], 0, size + 1)
    assert pieces == [("one", 0, size), ("one", size, size + 1)]


def test_no_piece_is_begun_once_the_time_is_up(pieces):
    assert RolloutWorkers(1).trials(NOVICE, SETTINGS, ["one"], 0, 36, until=-math.inf) is None
    assert pieces == []


def test_processes_stay_for_the_next_trials_and_end_with_the_block(pools, monkeypatch):
    results = [np.zeros((2, 36, COLUMNS))]
    monkeypatch.setattr(rollout_workers, "results_by", lambda *_: results)
    with RolloutWorkers(2) as workers:
        for _ in range(2):
            workers.trials(NOVICE, SETTINGS, ["one"], 0, 36)
        assert [pool.is_ended for pool in pools] == [False]
    assert [pool.is_ended for pool in pools] == [True]


def test_processes_end_with_whatever_goes_wrong_and_others_follow(pools, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(rollout_workers, "results_by", interrupted)
    workers = RolloutWorkers(2)
    for count in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            workers.trials(NOVICE, SETTINGS, ["one"], 0, 36)
        assert [pool.is_ended for pool in pools] == [True] * count


def test_trials_need_a_worker():
    with pytest.raises(ValueError, match="at least one worker, not 0"):
        RolloutWorkers(0)
