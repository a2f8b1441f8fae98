"""Pool: the ways to wait, with a pool that does as it is told."""

from concurrent.futures import Future

import pytest

from bot.workers import result_of, results_as_done


class _Changing:
    """A pool of as many workers as the test says, which does the pieces it says."""

    def __init__(self, count):
        self.count = count
        self.futures = []

    def submit(self, work, number):
        self.futures.append(Future())
        if number in (0, 3):
            self.futures[number].set_result(number)
        return self.futures[number]

    def check(self):
        pass


def test_a_pool_that_shrinks_is_handed_nothing_more_until_it_has_room():
    pool = _Changing(3)
    results = results_as_done(pool, abs, [(number,) for number in range(9)], ahead=1)
    assert next(results) == 0
    assert len(pool.futures) == 3
    pool.count = 1
    for number in (1, 2):
        pool.futures[number].set_result(number)
        assert next(results) == number
        assert len(pool.futures) == 3
    assert next(results) == 3
    assert len(pool.futures) == 4


class _Dying:
    """A pool that gives no answer, and finds a worker dead after so many looks."""

    count = 1

    def __init__(self, looks):
        self.looks = looks
        self.is_ended = False

    def submit(self, work, *piece):
        return Future()

    def check(self):
        self.looks -= 1
        if self.looks < 0:
            raise ChildProcessError("a worker process died")

    def end(self):
        self.is_ended = True


def test_death_that_a_pool_finds_itself_ends_the_wait():
    pool = _Dying(looks=1)
    with pytest.raises(ChildProcessError, match="died"):
        result_of(pool, Future(), limit=10.0)
    assert pool.is_ended


def test_any_result_is_waited_for_as_long_as_was_said():
    pool = _Dying(looks=5)
    with pytest.raises(ChildProcessError, match=r"no answer in 0\.1 seconds"):
        list(results_as_done(pool, abs, [(1,)], ahead=1, limit=0.1))
    assert pool.is_ended
