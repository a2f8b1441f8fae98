"""Compilation: what a command needs compiled, done before it is asked, by several processes.

Whoever calls a kernel later finds it in numba's cache. A job that is done is marked, so that it is
done once for a state of the sources (see bot.kernels.state).
"""

import gc
import math
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from bot.interrupts import interrupts_held_back
from bot.kernels import folder, is_compiled, mark_compiled, user_cache
from bot.workers import LIMIT, ProcessPool, processor_count, result_of, submitted

Report = Callable[[float, float, list[str]], None]
"""Told the seconds of work done and left, and the jobs at work."""

_SECONDS_BETWEEN_REPORTS = 0.25
_SECONDS_TO_START = 1.0


class Job(NamedTuple):
    """Kernels that are compiled together.

    seconds: how long that takes on a core of its own; after: the job, if any, that compiles what
    these call by its address, and that each would compile for itself if it were not done.
    """

    work: Callable[[], object]
    seconds: float
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Compilation:
    """The jobs of one game; module: where they stand, as JOBS, by the names that people see.

    No two games have jobs of the same name.
    """

    module: str

    @property
    def jobs(self) -> Mapping[str, Job]:
        """The jobs by name, imported only now."""
        jobs: Mapping[str, Job] = import_module(self.module).JOBS
        return jobs

    def missing(self, names: Iterable[str]) -> list[str]:
        """The jobs, and those that come before them, that are not compiled yet, the longest first.

        Empty where nothing can be kept.
        """
        if folder() is None:
            return []
        missing = {name: self.jobs[name] for name in names if not is_compiled(name)}
        for job in list(missing.values()):
            if job.after is not None and not is_compiled(job.after):
                missing[job.after] = self.jobs[job.after]
        return sorted(missing, key=lambda name: -missing[name].seconds)

    def seconds(self, names: list[str]) -> float:
        """Seconds that the jobs, the longest first, take on a machine with nothing else to do."""
        if not names:
            return 0.0
        seconds = [self.jobs[name].seconds for name in names]
        return _SECONDS_TO_START + max(seconds[0], sum(seconds) / _processes(names))

    def compile(self, names: list[str], report: Report) -> None:
        """Do the jobs, as many at a time as there are cores, and mark each when it is done.

        They are begun in this order, save that one waits for the job that it comes after. Raises
        ChildProcessError if a process dies.
        """
        jobs = self.jobs
        end = time.monotonic() + LIMIT
        processes = _processes(names)
        left, at_work = list(names), dict[Future[None], str]()
        began: dict[str, float] = {}
        done = 0.0
        with ProcessPool(processes) as pool:
            while left or at_work:
                now, to_do = time.monotonic(), {*left, *at_work.values()}
                ready = [name for name in left if jobs[name].after not in to_do]
                for name in ready[: processes - len(at_work)]:
                    (future,) = submitted(pool, _compile, [(self.module, name)])
                    at_work[future] = name
                    left.remove(name)
                    began[name] = now
                names_at_work = list(at_work.values())
                part = sum(_part_done(jobs[name], now - began[name]) for name in names_at_work)
                whole = sum(jobs[name].seconds for name in to_do)
                report(done + part, whole - part, names_at_work)
                with interrupts_held_back():
                    ended = wait(at_work, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED).done
                for future in ended:
                    result_of(pool, future)
                    name = at_work.pop(future)
                    mark_compiled(name)
                    done += jobs[name].seconds
                if at_work and time.monotonic() > end:
                    names_left = ", ".join(at_work.values())
                    raise ChildProcessError(f"{names_left} not compiled in {LIMIT:g} seconds")


def compile_missing(compilation: Compilation, names: list[str]) -> None:
    """Have the jobs done that are missing here, without a word; for nodes of a cluster."""
    missing = compilation.missing(names)
    if missing:
        compilation.compile(missing, lambda done, left, names: None)


def _part_done(job: Job, seconds: float) -> float:
    """Seconds of the job that count as done after so many: never all of them, and ever more."""
    return -job.seconds * math.expm1(-2 * seconds / job.seconds)


def _processes(names: list[str]) -> int:
    return min(len(names), processor_count())


def _compile(module: str, name: str) -> None:
    gc.freeze()
    try:
        import_module(module).JOBS[name].work()
    except OSError as error:  # a disk that is full names no file
        error.filename = error.filename or str(user_cache())
        raise
