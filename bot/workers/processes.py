"""Processes: workers of this machine."""

import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path

from bot.archive import write_whole
from bot.garbage import collect_seldom
from bot.interrupts import interrupts_held_back
from bot.workers.pool import DIED, VERSIONS_KEPT, Published, Value

_LEAVING = 2.0
"""Seconds that a worker may take to leave when it is told to, or its parent is gone."""

_shared: object = None


def processor_count() -> int:
    """Number of processors that this process may run on, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _PublishedFile(Published[Value]):
    """A value that stands in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))

    def read(self) -> bytes:
        """The value as it was pickled."""
        return Path(self.key).read_bytes()


class ProcessPool(ProcessPoolExecutor):
    """Processes of this machine, so many, started as they are needed and not replaced.

    Raises ValueError for less than one. shared: what each gets when it starts and finds
    with shared_with_workers; memory and locks of multiprocessing go no other way. Ctrl-C is left to
    the process that asked, and workers end with it even if it is killed.
    """

    def __init__(self, count: int, shared: object = None) -> None:
        if count < 1:
            raise ValueError(f"work needs at least one worker, not {count}")
        self.count = count
        with interrupts_held_back():  # multiprocessing starts a process of its own here
            super().__init__(
                count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_prepare,
                initargs=(shared,),
            )
        self._writers = [self._result_queue._writer]  # type: ignore[attr-defined]
        self._folder: Path | None = None
        self._versions: deque[Path] = deque()
        self._numbers = iter(range(2**63))

    def publish(self, value: Value) -> Published[Value]:
        """Write a value where the workers find it."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="blot-"))
        path = self._folder / f"{next(self._numbers)}"
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        write_whole(path, lambda file: file.write(data))
        self._versions.append(path)
        while len(self._versions) > VERSIONS_KEPT:
            self._versions.popleft().unlink(missing_ok=True)
        return _PublishedFile(path)

    def check(self) -> None:
        """Raise ChildProcessError if a worker died: the pool overlooks that of the last started."""
        processes = self._processes  # None once another thread has shut it down
        if processes is None or connection.wait(
            [each.sentinel for each in [*processes.values()]], 0
        ):
            raise ChildProcessError(DIED)

    def end(self) -> None:
        """End the workers, whatever they do."""
        started = self._processes
        if started is None:  # it was shut down before, by whatever thread
            return
        for item in [*self._pending_work_items.values()]:
            if item.future.cancelled():  # Python before 3.12.1 calls that an error of a thread
                item.future = Future()
        processes = list(started.values())
        for process in processes:
            process.terminate()
        end = time.monotonic() + _LEAVING
        for process in processes:
            process.join(max(0.0, end - time.monotonic()))
            process.kill()
        # Who was killed amid an answer never ends it: without a writer its reader does not wait
        # for it. Two threads that close it at once would close what has its number next.
        with interrupts_held_back(), suppress(IndexError):
            self._writers.pop().close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, whatever they do: who leaves asks for nothing more."""
        with interrupts_held_back():
            with self._shutdown_lock:  # who submits in another thread has started its worker then
                self._shutdown_thread = True
            self.end()
            super().shutdown(wait, cancel_futures=cancel_futures)
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)


def shared_with_workers() -> object:
    """The value that this worker's pool was made with; None if there is none."""
    return _shared


def share(value: object) -> None:
    """Have shared_with_workers give this value from now on, in this process."""
    global _shared
    _shared = value


def leave_with(farewell: Callable[[], object]) -> None:
    """Call this in a worker when it is told to end, so that what it has started ends with it.

    Nothing in a process that is no worker: that one ends in its own way.
    """
    if multiprocessing.parent_process() is not None:

        def leave(*_: object) -> None:
            farewell()
            os._exit(0)

        signal.signal(signal.SIGTERM, leave)


def _prepare(shared: object) -> None:
    collect_seldom()
    share(shared)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    # Whoever listens to it has a moment to leave: sent to the process it wakes the main thread.
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_LEAVING)
    os._exit(1)
