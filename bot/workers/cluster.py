"""Cluster: workers on many machines, by Ray; whoever is lost there is replaced.

A piece whose worker, node or memory is lost is done again; one that keeps others waiting is done a
second time where a processor idles, and the first answer counts. So an answer depends on the piece
alone. Only this module knows Ray, and it is imported when a cluster is asked for.
"""

import logging
import os
import pickle
import re
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from bot.interrupts import interrupts_held_back
from bot.workers import on_cluster, processor_count
from bot.workers.account import Account, counted
from bot.workers.cluster_pool import ClusterPool, PublishedObject
from bot.workers.node import Order, node_name, own_machine
from bot.workers.pool import Value

# Before Ray is loaded: it tells its makers nothing, and is quiet.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

LOCAL = "local"
"""The address that stands for a cluster of this machine alone, started and ended with us."""

_OBJECT_STORE = 128 * 2**20
_NO_NODE = "this machine is no node of the cluster any more"
_HEAD_LOOKS = 3
_SECONDS_TO_CONNECT = 2.0
_SECONDS_TO_LEAVE = 10.0


@contextmanager
def at_cluster(
    address: str | None, tell: Callable[[str], None], processors: int | None = None
) -> Iterator[None]:
    """Every worker_pool made meanwhile is of the cluster there, see Cluster; None is none at all.

    At the end it tells who did what, and what was done again.
    """
    if address is None:
        yield
        return
    with closing(Cluster(address, tell, processors)) as cluster:
        size = counted("node", cluster.nodes), counted("processor", cluster.processors)
        tell("a cluster of {} with {}".format(*size))
        try:
            with on_cluster(cluster):
                yield
        finally:
            if cluster.account.answers:
                tell(f"cluster: {cluster.account}")


class Cluster:
    """The nodes of a cluster, as long as we are connected; close it at the end.

    address: LOCAL, or that of a head as Ray knows it, HOST:PORT; this machine is one of its nodes.
    processors: of a local one, all that we may use if None. tell: hears of what happens, in
    sentences. Raises ValueError if Ray is not installed, OSError if no cluster answers there.
    """

    def __init__(
        self, address: str, tell: Callable[[str], None], processors: int | None = None
    ) -> None:
        self.address = address
        self.account = Account()
        self._tell = tell
        self._first: list[tuple[Callable[..., object], tuple[object, ...]]] = []
        self._folder: Path | None = None
        self._pools: list[ClusterPool] = []
        if address == LOCAL:
            # Ray listens on this machine alone only where it believes that it cannot do more. It
            # asks when it is loaded.
            os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
            os.environ.setdefault("RAY_worker_niceness", "0")  # as plain processes, not 15
            self._folder = Path(tempfile.mkdtemp(prefix="blot-"))
        else:
            check_address(address)
            if _own_host(address) is None:
                raise OSError(f"no cluster answers at {address}")
        try:
            with _signals_kept():
                self._connect(processors)
        except BaseException:
            self._remove_folder()
            raise
        self._nodes = self._alive()
        self._own = self._ray.get_runtime_context().get_node_id()
        (self._own_place,) = [
            f"{node['NodeManagerAddress']}:{node['NodeManagerPort']}"
            for node in self._ray.nodes()
            if node["NodeID"] == self._own
        ]
        self._misses = 0
        self._lost: str | None = None
        self._called_off: list[Any] = []
        self._calling_off = threading.Lock()

    def _connect(self, processors: int | None) -> None:
        try:
            import ray
        except ImportError:
            raise ValueError(
                "a cluster needs Ray: install Blot with the extra cluster, "
                "pip install 'blot-gammon[cluster]'"
            ) from None
        self._ray = ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
        try:
            if self._folder is None:
                own = _own_host(self.address)  # which Ray does not always guess
                if own is None or own.startswith(("127.", "::1")):
                    own = None  # all nodes have this one, and Ray would take any of them
                ray.init(address=self.address, _node_ip_address=own, **quiet)
            else:
                ray.init(
                    num_cpus=processors or processor_count(),
                    include_dashboard=False,
                    object_store_memory=_OBJECT_STORE,
                    _temp_dir=str(self._folder),
                    **quiet,
                )
        except Exception as error:  # Ray has many, and some are nothing more
            said = str(error).strip().partition("\n")[0]
            hint = "" if "RAY_AUTH_MODE" in os.environ else "; has it a token? RAY_AUTH_MODE=token"
            raise OSError(f"no cluster at {self.address}: {said}{hint}") from None
        self._head = str(ray.get_runtime_context().gcs_address)
        if self._folder is not None and not self._head.startswith(("127.", "localhost:", "[::1]")):
            ray.shutdown()
            raise OSError(f"Ray listens on {self._head}, where others could reach it")
        # Whatever it is told, Ray prints the last words of nodes on standard output.
        ray._private.worker.print_to_stdstream = lambda *_, **__: None

    @property
    def processors(self) -> int:
        """Processors of all nodes there are now."""
        return sum(processors for _, processors in self._nodes.values())

    @property
    def most_processors(self) -> int:
        """Processors of the largest node there is now."""
        return max((processors for _, processors in self._nodes.values()), default=1)

    @property
    def nodes(self) -> int:
        """Nodes there are now."""
        return len(self._nodes)

    def first(self, work: Callable[..., object], *piece: object) -> None:
        """Have every worker do this before its first piece, one after the other on each node."""
        self._first.append((work, piece))
        for pool in self._pools:
            pool.renew()

    def pool(self, shared: object = None) -> "ClusterPool":
        """All workers of the cluster, as a pool; shared: see bot.workers.worker_pool."""
        pool = ClusterPool(self, shared)
        self._pools.append(pool)
        return pool

    def leave(self, pool: "ClusterPool") -> None:
        """Part from a pool."""
        if pool in self._pools:
            self._pools.remove(pool)

    def call_off(self, references: Sequence[Any]) -> None:
        """Have nobody go on with work under way, told by Ray's references to its answers.

        Ray may lose the word if the work is only just beginning, so it is given at every look until
        the work has ended.
        """
        with self._calling_off:
            self._called_off += references
            for reference in references:
                self._cancel(reference)

    def _call_off_again(self) -> None:
        with self._calling_off:
            if not self._called_off:
                return
            everything = {"num_returns": len(self._called_off), "timeout": 0}
            _, self._called_off = self._ray.wait(self._called_off, fetch_local=False, **everything)
            for reference in self._called_off:
                self._cancel(reference)

    def _cancel(self, reference: Any) -> None:
        with suppress(Exception):  # it may be done, or its node gone
            self._ray.cancel(reference, force=True)

    def order(self, shared: object) -> "PublishedObject[Order]":
        """The order that workers follow before the first piece of a pool."""
        order = Order(own_machine(), tuple(self._first), shared)
        return cast("PublishedObject[Order]", self.published(order))

    def published(self, value: Value) -> "PublishedObject[Value]":
        """A value that every node fetches once."""
        payload = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        reference = self._ray.put(payload)
        return PublishedObject(str(reference.hex()), reference)

    def tell_difference(self, node: str, what: str) -> None:
        """Tell that a node has another processor or other libraries than this machine."""
        self._tell(f"node {node} has {what}: the last bits of its numbers may be others than here")

    def check(self) -> None:
        """Raise ChildProcessError if the cluster is lost."""
        if self._lost is not None:
            raise ChildProcessError(self._lost)

    def lose(self, reason: str) -> None:
        """Hold the cluster to be lost; the first reason is the one that is told."""
        self._lost = self._lost or reason

    def check_own_node(self) -> None:
        """Find out whether the cluster is lost because this machine's node has ended."""
        if self._lost is None and _own_host(self._own_place) is None:
            self._lost = _NO_NODE

    def look(self) -> None:
        """Tell which nodes came and went; find out whether the cluster is lost."""
        if self._lost is not None:
            return
        # Ray itself would wait a minute and then end this process at once, with nothing saved.
        self._misses = 0 if _own_host(self._head) else self._misses + 1
        if self._misses >= _HEAD_LOOKS:
            self._lost = f"the head of the cluster, {self._head}, does not answer any more"
        if self._misses:
            return
        nodes = self._alive()
        for node, (name, processors) in nodes.items():
            if node not in self._nodes:
                self._tell(f"node {name} has come, with {counted('processor', processors)}")
        for node, (name, _) in self._nodes.items():
            if node not in nodes:
                self._tell(f"node {name} is gone: what it was doing is done again")
        self._nodes = nodes
        if self._own not in nodes:
            self._lost = _NO_NODE
            return
        self._call_off_again()

    def _alive(self) -> dict[str, tuple[str, int]]:
        """Name and processors of each node that is there, by its number."""
        return {
            node["NodeID"]: (
                node_name(node["NodeManagerAddress"], node["NodeID"]),
                int(node["Resources"].get("CPU", 0)),
            )
            for node in self._ray.nodes()  # type: ignore[no-untyped-call]
            if node["Alive"]
        }

    def close(self) -> None:
        """Part from the cluster; a local one ends."""
        for pool in list(self._pools):
            pool.shutdown()
        # what waits for a head that is gone waits for ever
        leaving = threading.Thread(target=self._ray.shutdown, daemon=True)
        with interrupts_held_back():
            leaving.start()
            leaving.join(_SECONDS_TO_LEAVE)
        self._remove_folder()

    def _remove_folder(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _own_host(address: str) -> str | None:
    """The host that this machine is for whoever listens at HOST:PORT; None if nobody does."""
    host, _, port = address.rpartition(":")
    try:
        with closing(socket.create_connection((host, int(port)), _SECONDS_TO_CONNECT)) as line:
            return str(line.getsockname()[0])
    except (OSError, ValueError):
        return None


def check_address(address: str) -> None:
    """Raise ValueError unless the address is HOST:PORT; nobody is asked whether one answers."""
    if not re.fullmatch(r".+:[0-9]{1,5}", address):
        raise ValueError(
            f"--cluster is {LOCAL} or the HOST:PORT of a cluster's head, not {address!r}"
        )


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Signals are handled afterwards as before; Ray takes SIGTERM for itself."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    handlers = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in handlers.items():
                signal.signal(number, handler)
