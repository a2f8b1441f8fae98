"""Workers: processes of this machine that compute beside each other."""

import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import connection
from typing import TypeVar

from bot.interrupts import interrupts_held_back, still_waiting

Result = TypeVar("Result")

LIMIT = 900.0
"""Seconds a worker may take for one piece of work; compiling may be part of it."""

_DIED = "a worker process died: it was killed, or memory was short"
_SILENT = "a worker process gave no answer in {:g} seconds"
_LOOK = 0.1
"""Seconds until an interrupt is heard, or the death of a worker that the pool overlooks."""

_LEAVING = 2.0
"""Seconds that a worker may take to leave when it is told to, or its parent is gone."""

_shared: object = None


class _Pool(ProcessPoolExecutor):
    """A pool that waits for no answer nobody wants."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, whatever they do: who leaves asks for nothing more."""
        with interrupts_held_back():
            _end_workers(self)
            super().shutdown(wait, cancel_futures=cancel_futures)


def worker_pool(count: int, shared: object = None) -> ProcessPoolExecutor:
    """A pool of so many processes, started as they are needed; use it in a `with`.

    shared: what each worker gets when it starts and finds with shared_with_workers; memory and
    locks of multiprocessing go no other way. Ctrl-C is left to the process that asked, and workers
    end with it even if it is killed. Raises ValueError for less than one worker.
    """
    if count < 1:
        raise ValueError(f"work needs at least one worker, not {count}")
    return _Pool(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_prepare,
        initargs=(shared,),
    )


def shared_with_workers() -> object:
    """The value that this worker's pool was made with; None if there is none."""
    return _shared


def submitted(
    pool: ProcessPoolExecutor, work: Callable[..., Result], pieces: Iterable[tuple[object, ...]]
) -> list[Future[Result]]:
    """The work for each piece, its arguments, on its way to the workers; ask result_of for it."""
    try:
        with interrupts_held_back():
            return [pool.submit(work, *piece) for piece in pieces]
    except BrokenProcessPool:
        raise ChildProcessError(_DIED) from None


def result_of(pool: ProcessPoolExecutor, future: Future[Result], limit: float = LIMIT) -> Result:
    """The result of the work, once there is one.

    limit: seconds to wait. Raises ChildProcessError if a worker died or took longer. After that,
    an error of the work or an interruption the workers are ended and the pool is of no use.
    """
    _wait_for(pool, [future], limit)
    return future.result()


def all_results(
    pool: ProcessPoolExecutor,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    limit: float = LIMIT,
) -> list[Result]:
    """The results of the work for each piece, in their order: all or nothing; see result_of."""
    return [result_of(pool, future, limit) for future in submitted(pool, work, pieces)]


def results_by(
    pool: ProcessPoolExecutor,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    until: float,
    limit: float = LIMIT,
) -> list[Result] | None:
    """The results of the work for each piece, None if some were not begun in time.

    until: time.monotonic at which nothing is begun any more; what is begun is waited for. Else as
    all_results, the limit for all together.
    """
    futures = submitted(pool, work, pieces)
    _wait_for(pool, futures, limit, until)
    if any(future.cancelled() for future in futures):
        return None
    return [future.result() for future in futures]


def results_as_done(
    pool: ProcessPoolExecutor,
    work: Callable[..., Result],
    pieces: Iterable[tuple[object, ...]],
    ahead: int,
    limit: float = LIMIT,
) -> Iterator[Result]:
    """The results of the work for each piece, each as soon as it is there.

    ahead: pieces handed out at once, so that later ones are asked for late. Else as all_results,
    the limit for the next result.
    """
    left = iter(pieces)
    waiting: set[Future[Result]] = set()
    while True:
        waiting.update(submitted(pool, work, islice(left, ahead - len(waiting))))
        if not waiting:
            return
        _wait_for(pool, waiting, limit, is_any=True)
        done = {future for future in waiting if future.done()}
        waiting -= done
        for future in done:
            yield future.result()


def leave_with(farewell: Callable[[], object]) -> None:
    """Call this in a worker when it is told to end, so that what it has started ends with it.

    Nothing in a process that is no worker: that one ends in its own way.
    """
    if multiprocessing.parent_process() is not None:

        def leave(*_: object) -> None:
            farewell()
            os._exit(0)

        signal.signal(signal.SIGTERM, leave)


def joint_results(
    pool: ProcessPoolExecutor,
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
    pool: ProcessPoolExecutor,
    futures: Iterable[Future[Result]],
    limit: float,
    until: float = math.inf,
    *,
    is_any: bool = False,
) -> None:
    """Wait until the work of all is done; the workers are ended if anything comes between.

    until: time.monotonic at which what is not begun is cancelled. is_any: until some is done.
    """
    end = time.monotonic() + limit
    waiting = set(futures)
    count = len(waiting)
    try:
        while waiting and not (is_any and len(waiting) < count):
            left = until - time.monotonic()
            if left <= 0:
                waiting = {future for future in waiting if not future.cancel()}
                until = left = math.inf
            waiting = still_waiting(waiting, min(_LOOK, limit, left))
            if waiting and time.monotonic() > end:
                raise ChildProcessError(_SILENT.format(limit))
            # the pool itself overlooks the death of a worker that started last
            if waiting and connection.wait(
                [it.sentinel for it in list(pool._processes.values())], 0
            ):
                raise ChildProcessError(_DIED)
    except BrokenProcessPool:
        raise ChildProcessError(_DIED) from None
    except BaseException:
        _end_workers(pool)
        raise


def _end_workers(pool: ProcessPoolExecutor) -> None:
    if pool._processes is None:  # it was shut down before
        return
    processes = list(pool._processes.values())
    for process in processes:
        process.terminate()
    end = time.monotonic() + _LEAVING
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        process.kill()
    # Who was killed amid an answer never ends it: without a writer its reader does not wait for it.
    pool._result_queue._writer.close()  # type: ignore[attr-defined]


def _prepare(shared: object) -> None:
    global _shared
    _shared = shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    signal.raise_signal(signal.SIGTERM)  # whoever listens to it has a moment to leave
    time.sleep(_LEAVING)
    os._exit(1)
