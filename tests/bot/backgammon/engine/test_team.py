"""Threads that share out a task."""

import itertools
import threading

import pytest

from bot.backgammon.engine.team import Team


def never():
    return False


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_every_part_is_done_once(threads, count):
    done = [[] for _ in range(threads)]
    team = Team(threads)
    assert team.share(count, done, lambda own, part: own.append(part.start), never)
    assert sorted(itertools.chain(*done)) == list(range(count))


@pytest.mark.parametrize("threads", [1, 2])
def test_nobody_begins_a_part_once_it_is_over(threads):
    done = []
    team = Team(threads)
    assert not team.share(9, [done] * threads, list.append, lambda: len(done) > 3)
    assert 4 <= len(done) <= 3 + threads
    assert team.share(2, [done] * threads, list.append, never)


def test_team_rests_once_all_threads_have_ended_the_part_at_which_another_one_failed():
    def task(name, part):
        started.append(part.start)
        if name == "failing":
            assert is_at_it.wait(60)
            raise ZeroDivisionError
        is_at_it.set()
        assert may_end.wait(60)
        ended.append(part.start)

    started, ended = [], []
    is_at_it, may_end = threading.Event(), threading.Event()
    team = Team(2)
    with pytest.raises(ZeroDivisionError):
        team.share(9, ["failing", "slow"], task, never)
    assert not ended
    threading.Timer(0.2, may_end.set).start()
    team.rest()
    assert len(started) == 2
    assert len(ended) == 1
    assert team.share(4, ["slow", "slow"], task, never)
    assert len(ended) == 5
