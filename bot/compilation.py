"""Compilation: what a command needs compiled, done before it is asked, by several processes.

Whoever calls a kernel later finds it in numba's cache. A job that is done is marked, so that it is
done once for a state of the sources (see bot.kernels.state).
"""

import gc
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import NamedTuple

from bot.kernels import folder, is_compiled, mark_compiled
from bot.workers import LIMIT, ProcessPool, result_of, submitted

Report = Callable[[float, float, list[str]], None]
"""Told the seconds of work done and left, and the jobs at work."""

_SECONDS_BETWEEN_REPORTS = 0.25
_SECONDS_TO_START = 1.0


class Job(NamedTuple):
    """Kernels that are compiled together; seconds: how long that takes on a core of its own."""

    work: Callable[[], object]
    seconds: float


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
        """The jobs that are not compiled yet, the longest first; none where nothing can be kept."""
        if folder() is None:
            return []
        missing = [name for name in dict.fromkeys(names) if not is_compiled(name)]
        return sorted(missing, key=lambda name: -self.jobs[name].seconds)

    def seconds(self, names: list[str]) -> float:
        """Seconds that the jobs, the longest first, take on a machine with nothing else to do."""
        seconds = [self.jobs[name].seconds for name in names]
        shared = sum(seconds) / _processes(names) if names else 0.0
        return _SECONDS_TO_START + max(shared, *seconds[:1]) if names else 0.0

    def compile(self, names: list[str], report: Report) -> None:
        """Do the jobs, in this order and two or more at a time, and mark each when it is done.

        Raises ChildProcessError if a process dies.
        """
        jobs = self.jobs
        end = time.monotonic() + LIMIT
        started: dict[str, float] = {}
        done = 0.0
        with ProcessPool(_processes(names)) as pool:
            futures = submitted(pool, _compile, [(self.module, name) for name in names])
            waiting = dict(zip(futures, names, strict=True))
            while waiting:
                at_work = list(islice(waiting.values(), _processes(names)))
                now = time.monotonic()
                part = sum(
                    _part_done(jobs[name], now - started.setdefault(name, now)) for name in at_work
                )
                whole = sum(jobs[name].seconds for name in waiting.values())
                report(done + part, whole - part, at_work)
                for future in wait(waiting, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED).done:
                    result_of(pool, future)
                    name = waiting.pop(future)
                    mark_compiled(name)
                    done += jobs[name].seconds
                if time.monotonic() > end:
                    names_left = ", ".join(at_work)
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
    return min(len(names), os.cpu_count() or 1)


def _compile(module: str, name: str) -> None:
    gc.freeze()
    import_module(module).JOBS[name].work()
