"""Pool: the contract of workers, wherever they are, and the ways to wait for what they do."""

import math
import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from types import TracebackType
from typing import Any, Generic, ParamSpec, Protocol, Self, TypeVar

from bot.interrupts import interrupts_held_back, still_waiting

Result = TypeVar("Result")
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

LIMIT = 900.0
"""Seconds a worker may take for one piece of work; compiling may be part of it."""

DIED = "a worker process died: it was killed, or memory was short"
_SILENT = "a worker process gave no answer in {:g} seconds"
_LOOK = 0.1
"""Seconds until an interrupt is heard, or the death of a worker that the pool overlooks."""

VERSIONS_KEPT = 2
"""Published values that can still be had, the latest ones: work that is under way has the one
before."""

_KEPT = 4
"""Published values that a process keeps."""


class Published(ABC, Generic[Value]):
    """A value that a machine is sent once, whatever work there needs it; it can be pickled.

    key: another one for each value that was ever published. It can be had until two later ones of
    its pool are.
    """

    def __init__(self, key: str) -> None:
        self.key = key

    @abstractmethod
    def read(self) -> bytes:
        """The value as it was pickled."""

    def get(self) -> Value:
        """The value, a copy that this process keeps while it is one of those asked for of late."""
        is_kept = self.key in _kept
        value: Value = _kept.pop(self.key) if is_kept else pickle.loads(self.read())
        _kept[self.key] = value
        while len(_kept) > _KEPT:
            del _kept[next(iter(_kept))]
        return value


_kept: dict[str, Any] = {}


class Pool(Protocol):
    """Workers that do pieces of work beside each other; use it in a `with`.

    What a piece gives depends on its arguments alone, never on who does it or how often: whoever is
    lost in the middle of one is replaced where that can be done.
    """

    @property
    def count(self) -> int:
        """Workers there are now, or are started as they are needed."""

    def submit(
        self,
        fn: Callable[Arguments, Result],
        /,
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Future[Result]:
        """Hand a piece of work out, which can be cancelled until it is begun."""

    def publish(self, value: Value) -> Published[Value]:
        """Send a value to wherever it is asked for, once to each machine."""

    def check(self) -> None:
        """Raise ChildProcessError if no more answers can come."""

    def end(self) -> None:
        """End the workers, whatever they do; the pool is of no use any more."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, and whatever else the pool has started."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None: ...


def submitted(
    pool: Pool, work: Callable[..., Result], pieces: Iterable[tuple[object, ...]]
) -> list[Future[Result]]:
    """The work for each piece, its arguments, on its way to the workers; ask result_of for it.

    Raises ChildProcessError if a worker has died, or another thread has ended the pool.
    """
    try:
        with interrupts_held_back():
            return [pool.submit(work, *piece) for piece in pieces]
    except RuntimeError:  # concurrent.futures says so of both
        raise ChildProcessError(DIED) from None


def result_of(
    pool: Pool,
    future: Future[Result],
    limit: float = LIMIT,
    is_unwanted: Callable[[], bool] = lambda: False,
) -> Result:
    """The result of the work, once there is one.

    limit: seconds to wait. Raises ChildProcessError if a worker died or took longer, and
    CancelledError soon after the result is unwanted. After that, an error of the work or an
    interruption the workers are ended and the pool is of no use.
    """
    _wait_for(pool, [future], limit, is_unwanted=is_unwanted)
    return future.result()


def all_results(
    pool: Pool,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    limit: float = LIMIT,
) -> list[Result]:
    """The results of the work for each piece, in their order: all or nothing; see result_of."""
    return [result_of(pool, future, limit) for future in submitted(pool, work, pieces)]


def results_by(
    pool: Pool,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    until: float,
) -> list[Result] | None:
    """The results of the work for each piece, None if some were not begun in time.

    until: time.monotonic at which nothing is begun any more; what is begun is waited for. Else as
    all_results, with LIMIT for all together.
    """
    futures = submitted(pool, work, pieces)
    _wait_for(pool, futures, LIMIT, until)
    if any(future.cancelled() for future in futures):
        return None
    return [future.result() for future in futures]


def results_as_done(
    pool: Pool,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    ahead: int,
    limit: float = LIMIT,
) -> Iterator[Result]:
    """The results of the work for each piece, each as soon as it is there.

    ahead: pieces handed out at once for each worker, so that later ones are asked for late. Else as
    all_results, the limit for the next result.
    """
    left = iter(pieces)
    waiting: set[Future[Result]] = set()
    while True:
        waiting.update(
            submitted(pool, work, islice(left, max(0, ahead * pool.count - len(waiting))))
        )
        if not waiting:
            return
        _wait_for(pool, waiting, limit, is_any=True)
        with interrupts_held_back():
            done = {future for future in waiting if future.done()}
        waiting -= done
        for future in done:
            yield future.result()


def joint_results(
    pool: Pool,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    limit: float = LIMIT,
) -> list[Result]:
    """The results for pieces that wait for one another, as many as workers at most.

    When one fails the workers are ended, for the others would wait in vain; else as all_results,
    the limit for all together.
    """
    futures = submitted(pool, work, pieces)
    _wait_for(pool, futures, limit)
    return [future.result() for future in futures]


def _wait_for(
    pool: Pool,
    futures: Iterable[Future[Result]],
    limit: float,
    until: float = math.inf,
    *,
    is_any: bool = False,
    is_unwanted: Callable[[], bool] = lambda: False,
) -> None:
    """Wait until the work of all is done; the workers are ended if anything comes between.

    until: time.monotonic at which what is not begun is cancelled. is_any: until some is done.
    is_unwanted: whether nobody wants it any more.
    """
    end = time.monotonic() + limit
    waiting = set(futures)
    count = len(waiting)
    try:
        while waiting and not (is_any and len(waiting) < count):
            left = until - time.monotonic()
            if left <= 0:
                with interrupts_held_back():
                    waiting = {future for future in waiting if not future.cancel()}
                until = left = math.inf
            waiting = still_waiting(waiting, min(_LOOK, limit, left), is_any=is_any)
            if waiting and is_unwanted():
                raise CancelledError
            if waiting and time.monotonic() > end:
                raise ChildProcessError(_SILENT.format(limit))
            if waiting:
                pool.check()
    except BrokenProcessPool:
        raise ChildProcessError(DIED) from None
    except BaseException:
        pool.end()
        raise
