"""Team: threads that do the parts of a task together, each with tools of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from bot.interrupts import interrupts_held_back, still_waiting

Tool = TypeVar("Tool")


class Team:
    """So many threads; a single one is the caller's own, and none is started."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._working: set[Future[bool]] = set()

    @property
    def is_one(self) -> bool:
        """Whether the caller's thread does everything."""
        return self._pool is None

    def rest(self) -> None:
        """Wait until every thread has ended the part it was at when a task was interrupted."""
        while self._working:
            with interrupts_held_back():
                self._working = wait(self._working, 0.1).not_done

    def share(
        self,
        count: int,
        tools: Sequence[Tool],
        task: Callable[[Tool, slice], None],
        is_over: Callable[[], bool],
    ) -> bool:
        """Let the threads do so many parts of a task; whether all were done before it was over.

        tools: one for each thread. An interrupt, or an error of a part, is raised at once; the
        tools may still be in use then, until `rest` returns.
        """
        parts = iter(range(count))

        def work(own: Tool) -> bool:
            for part in parts:
                if is_over():
                    return False
                task(own, slice(part, part + 1))
            return True

        if self._pool is None:
            return work(tools[0])
        try:
            with interrupts_held_back():
                for own in tools:
                    self._working.add(self._pool.submit(work, own))
            workers = self._working
            while self._working:
                self._working = still_waiting(self._working)
        except BaseException:
            for _ in parts:  # nobody begins another
                pass
            raise
        return all(worker.result() for worker in workers)
