"""Workers: pieces of work done beside each other, by this machine's processes or by a cluster's.

The way is chosen once, by whoever starts: inside `with on_cluster(cluster)` every worker_pool is
the cluster's. Who needs this machine, as shared memory does, asks for a ProcessPool.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.workers.pool import (
    LIMIT,
    Pool,
    Published,
    all_results,
    joint_results,
    result_of,
    results_as_done,
    results_by,
    submitted,
)
from bot.workers.processes import (
    ProcessPool,
    leave_with,
    processor_count,
    shared_with_workers,
)

if TYPE_CHECKING:
    from bot.workers.cluster import Cluster

__all__ = [
    "LIMIT",
    "Pool",
    "ProcessPool",
    "Published",
    "all_results",
    "everywhere_first",
    "joint_results",
    "leave_with",
    "on_cluster",
    "processor_count",
    "result_of",
    "results_as_done",
    "results_by",
    "shared_with_workers",
    "submitted",
    "worker_count",
    "worker_pool",
    "works_alone",
]

_cluster: "Cluster | None" = None


@contextmanager
def on_cluster(cluster: "Cluster | None") -> Iterator[None]:
    """Every worker_pool made in this process is the cluster's meanwhile; None changes nothing."""
    global _cluster
    before, _cluster = _cluster, cluster or _cluster
    try:
        yield
    finally:
        _cluster = before


def worker_pool(count: int, shared: object = None) -> Pool:
    """A pool of so many workers: processes of this machine, or all that the cluster has.

    shared: what each worker finds with shared_with_workers. Raises ValueError for less than one.
    """
    if count < 1:
        raise ValueError(f"work needs at least one worker, not {count}")
    return ProcessPool(count, shared) if _cluster is None else _cluster.pool(shared)


def everywhere_first(work: Callable[..., object], *piece: object) -> None:
    """Have each worker of the cluster do this before its first piece; nothing without a cluster.

    On a node one does it after the other, so that they find what the first of them has kept.
    """
    if _cluster is not None:
        _cluster.first(work, *piece)


def worker_count(count: int) -> int:
    """So many workers, or as many as the cluster has processors now."""
    return count if _cluster is None else max(_cluster.processors, 1)


def works_alone(count: int) -> bool:
    """Whether so many workers are this process alone, which then needs no pool."""
    return count == 1 and _cluster is None
