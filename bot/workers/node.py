"""Node: what a worker of a cluster does with an order and a piece of work."""

import hashlib
import io
import pickle
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bot.kernels import user_cache
from bot.weights import weights_folder
from bot.workers.pool import Published
from bot.workers.processes import share

_PACKAGES = Path(__file__).parents[2]
_SOURCES = ("bot/**/*.py", "protocol/**/*.py")
"""Our own sources, below the folder of the packages: work is sent with players of both."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The kind of machine that a node is, as far as its answers depend on it.

    blot: digest of our own sources and of the manifest of weights. number_makers: processor and
    libraries, on which the last bits of a number depend.
    """

    blot: str
    number_makers: str


@dataclass(frozen=True, slots=True)
class Order:
    """Told to every worker once: where the order comes from, what to do first, what is shared."""

    machine: Machine
    first: tuple[tuple[Callable[..., object], tuple[object, ...]], ...]
    shared: object


@dataclass(frozen=True, slots=True)
class Answer:
    """A piece's result or error, the node that found it, and the seconds it took.

    differs: what decides the last bits there, where that is something else than at home.
    """

    node: str
    seconds: float
    value: Any = None
    error: BaseException | None = None
    differs: str | None = None


@cache
def own_machine() -> Machine:
    """This machine."""
    from llvmlite.binding import get_host_cpu_name

    digest = hashlib.sha256()
    for source in sorted(path for pattern in _SOURCES for path in _PACKAGES.glob(pattern)):
        name = source.relative_to(_PACKAGES).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes())
    digest.update((weights_folder() / "manifest.toml").read_bytes())
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba"))
    made = f"{get_host_cpu_name()}, Python {platform.python_version()}, {libraries}"
    return Machine(digest.hexdigest()[:16], made)


def node_name(address: str, number: str) -> str:
    """The name of a node for people: its address, and as much of its number as tells two apart."""
    return f"{address} {number[:6]}"


_done_first: dict[str, None] = {}


class _Unpacker(pickle.Unpickler):
    """Puts what was published in its places."""

    def __init__(self, payload: bytes, published: list[Published[Any]]) -> None:
        super().__init__(io.BytesIO(payload))
        self._published = published

    def persistent_load(self, place: int) -> Published[Any]:
        """The published value of a place."""
        return self._published[place]


def answer_bytes(published: list[Published[Any]], payload: bytes) -> bytes:
    """A pickled Answer to a piece of work.

    published: the order, and what the piece holds; payload: (work, arguments, keywords), see
    bot.workers.cluster_pool.packed.
    """
    import ray

    address = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
    node = node_name(address, ray.get_runtime_context().get_node_id())
    began = time.monotonic()
    try:
        differs = _follow(published[0], node)
        began = time.monotonic()
        work, arguments, keywords = _Unpacker(payload, published[1:]).load()
        value = work(*arguments, **keywords)
        answer = Answer(node, time.monotonic() - began, value, differs=differs)
    except ray.exceptions.RayError:
        raise  # what was published did not come: that is no answer
    except Exception as error:
        answer = Answer(node, time.monotonic() - began, error=error)
    try:
        return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        told = ChildProcessError(f"an answer that cannot be sent: {error}")
        return pickle.dumps(Answer(node, answer.seconds, error=told))


def _follow(published: Published[Order], node: str) -> str | None:
    """Do what the order says, once; what makes other numbers here, None if nothing does."""
    order = published.get()
    own = own_machine()
    if order.machine.blot != own.blot:
        raise ChildProcessError(
            f"node {node} has another Blot than this machine: install the same one on both"
        )
    if published.key not in _done_first:
        with _alone_on_node():
            for work, piece in order.first:
                work(*piece)
        _done_first[published.key] = None
    share(order.shared)
    return None if order.machine == own else own.number_makers


@contextmanager
def _alone_on_node() -> Iterator[None]:
    """Nobody else on this node is in such a block, so that what one has made the others find."""
    import fcntl

    user_cache().mkdir(parents=True, exist_ok=True)
    with (user_cache() / "node.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
