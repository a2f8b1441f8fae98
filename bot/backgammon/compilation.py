"""Compilation: what a command needs compiled, done before it is asked, by several processes.

Whoever calls a kernel later finds it in numba's cache. A job that is done is marked, so that it is
done once for a state of the sources (see bot.kernels.state).
"""

import gc
import math
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import islice

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.bearoff import bearoff_path
from bot.backgammon.jobs import JOBS
from bot.kernels import folder, is_compiled, mark_compiled
from bot.workers import LIMIT, result_of, submitted, worker_pool

Report = Callable[[float, float, list[str]], None]
"""Told the seconds of work done and left, and the jobs at work."""

_SECONDS_BETWEEN_REPORTS = 0.25
_SECONDS_TO_START = 1.0
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Python's own number, 700, costs a tenth of the time to compile."""


def player_jobs(*, searches: bool, shares: bool = False) -> list[str]:
    """The jobs that the decisions of an engine need.

    searches: whether it looks ahead; shares: whether with several threads or within a time.
    """
    jobs = ["boards", "plays", "evaluation", "candidates"]
    if not bearoff_path().exists():
        jobs.append("bear-off databases")
    return jobs + ["search"] * searches + ["replies"] * shares


def jobs_of_level(level: Level) -> list[str]:
    """The jobs to compile before a level, or a baseline by its name, can decide."""
    if level.weights in BASELINES:
        return ["boards", "plays", "baselines"]
    search = level.search
    limited = search.seconds is not None or (level.roller and level.roller.seconds is not None)
    jobs = player_jobs(searches=search.ply > 0, shares=search.threads > 1 or bool(limited))
    return jobs if level.roller is None else [*jobs, "luck" if level.roller.ply else "rollout"]


def missing_jobs(names: Iterable[str]) -> list[str]:
    """The jobs that are not compiled yet, the longest first; none where nothing can be kept."""
    if folder() is None:
        return []
    missing = [name for name in dict.fromkeys(names) if not is_compiled(name)]
    return sorted(missing, key=lambda name: -JOBS[name].seconds)


def seconds_to_compile(jobs: list[str]) -> float:
    """Seconds that the jobs, the longest first, take on a machine with nothing else to do."""
    seconds = [JOBS[name].seconds for name in jobs]
    return _SECONDS_TO_START + max(sum(seconds) / _processes(jobs), *seconds[:1]) if jobs else 0.0


def compile_jobs(jobs: list[str], report: Report) -> None:
    """Do the jobs, in this order and two or more at a time, and mark each when it is done.

    Raises ChildProcessError if a process dies.
    """
    end = time.monotonic() + LIMIT
    started: dict[str, float] = {}
    done = 0.0
    with worker_pool(_processes(jobs)) as pool:
        futures = submitted(pool, _compile, [(name,) for name in jobs])
        waiting = dict(zip(futures, jobs, strict=True))
        while waiting:
            at_work = list(islice(waiting.values(), _processes(jobs)))
            now = time.monotonic()
            part = sum(_part_done(name, now - started.setdefault(name, now)) for name in at_work)
            whole = sum(JOBS[name].seconds for name in waiting.values())
            report(done + part, whole - part, at_work)
            for future in wait(waiting, _SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED).done:
                result_of(pool, future)
                name = waiting.pop(future)
                mark_compiled(name)
                done += JOBS[name].seconds
            if time.monotonic() > end:
                raise ChildProcessError(f"{', '.join(at_work)} not compiled in {LIMIT:g} seconds")


def _part_done(name: str, seconds: float) -> float:
    """Seconds of the job that count as done after so many: never all of them, and ever more."""
    whole = JOBS[name].seconds
    return -whole * math.expm1(-2 * seconds / whole)


def _processes(jobs: list[str]) -> int:
    return min(len(jobs), os.cpu_count() or 1)


def _compile(name: str) -> None:
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    JOBS[name].work()
