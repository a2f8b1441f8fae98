"""Cluster pool: pieces of work handed out to a cluster's workers, until each has its answer."""

import io
import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from bot.interrupts import interrupts_held_back
from bot.workers.node import Answer, answer_bytes
from bot.workers.pool import VERSIONS_KEPT, Published, Value

if TYPE_CHECKING:
    from bot.workers.cluster import Cluster

MAX_DEATHS = 5
"""Workers a piece may lose before it is held to have killed them."""

_NODE_LOST = "a node was lost"
"""A reason that no piece of work can be blamed for."""

_AT_ONCE = 2
"""Pieces under way for each processor, so that none waits for the next."""

_LOOK = 1.0
"""Seconds between two looks at the nodes, and at pieces that are late."""

_LATE = 20.0
_LATE_TIMES = 4.0
"""A piece is late after so many seconds, and so many times as long as most took."""

_SECONDS_TO_LEAVE = 10.0

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def packed(value: object) -> tuple[bytes, "list[PublishedObject[Any]]"]:
    """A value as it is sent, and what it holds that was published, which Ray has to see."""
    file = io.BytesIO()
    packer = _Packer(file, pickle.HIGHEST_PROTOCOL)
    packer.dump(value)
    return file.getvalue(), packer.published


class _Packer(pickle.Pickler):
    """Leaves out what was published, and keeps its place."""

    def __init__(self, file: io.BytesIO, protocol: int) -> None:
        super().__init__(file, protocol)
        self.published: list[PublishedObject[Any]] = []

    def persistent_id(self, value: object) -> int | None:
        """Its place among what was published; None for all else."""
        if not isinstance(value, PublishedObject):
            return None
        self.published.append(value)
        return len(self.published) - 1


class PublishedObject(Published[Value]):
    """A value in Ray's store of objects, which fetches it once to each node."""

    def __init__(self, key: str, reference: Any) -> None:
        super().__init__(key)
        self._reference = reference

    def read(self) -> bytes:
        """The value as it was pickled; waits for it to come to this node."""
        import ray

        found: bytes = ray.get(self._reference)
        return found


@dataclass(eq=False, slots=True)
class _Piece:
    """A piece of work and what became of it.

    deaths: of workers that had it; processors: that it is given, more where memory was short.
    """

    number: int
    payload: bytes
    published: list[Published[Any]]
    future: Future[Any]
    began: float = 0.0
    copies: list[Any] = field(default_factory=list)
    deaths: int = 0
    processors: int = 1


class ClusterPool:
    """A pool of all workers of a cluster; see bot.workers.pool.Pool."""

    def __init__(self, cluster: "Cluster", shared: object) -> None:
        import ray

        self._ray = ray
        self._cluster = cluster
        self._shared = shared
        self._do = ray.remote(num_cpus=1, max_retries=0)(answer_bytes)
        self._order = cluster.order(shared)
        self._versions: deque[Published[Any]] = deque(maxlen=VERSIONS_KEPT)
        self._lock = threading.RLock()
        self._waiting: deque[_Piece] = deque()
        self._under_way: dict[int, _Piece] = {}
        self._numbers = 0
        self._took: deque[float] = deque(maxlen=50)
        self._news: queue.SimpleQueue[tuple[_Piece, Any, Any] | None] = queue.SimpleQueue()
        self._is_ended = False
        self._watch = threading.Thread(target=self._watch_over, daemon=True)
        self._watch.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    @property
    def count(self) -> int:
        """Processors of all nodes there are now."""
        return max(self._cluster.processors, 1)

    def renew(self) -> None:
        """Tell the workers anew what they do first."""
        with self._lock:
            self._order = self._cluster.order(self._shared)

    def submit(
        self,
        fn: Callable[Arguments, Result],
        /,
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Future[Result]:
        """Hand a piece of work out; it is begun when a processor will soon be free."""
        payload, published = packed((fn, args, kwargs))
        with self._lock:
            self._numbers += 1
            piece = _Piece(self._numbers, payload, [self._order, *published], Future())
            self._waiting.append(piece)
            self._begin()
        return piece.future

    def publish(self, value: Value) -> Published[Value]:
        """Put a value where every node fetches it once."""
        published = self._cluster.published(value)
        self._versions.append(published)
        return published

    def check(self) -> None:
        """Raise ChildProcessError if the cluster is lost."""
        self._cluster.check()

    def end(self) -> None:
        """Leave all work alone, and have none begun."""
        with self._lock, interrupts_held_back():
            self._is_ended = True
            for piece in self._waiting:
                piece.future.cancel()
            self._waiting.clear()
            under_way, self._under_way = list(self._under_way.values()), {}
        for piece in under_way:
            copies, piece.copies = piece.copies, []
            self._cluster.call_off(copies)
        self._news.put(None)
        self._cluster.leave(self)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave all work alone; the cluster stays."""
        self.end()
        self._watch.join(_SECONDS_TO_LEAVE)

    def _begin(self) -> None:
        """Begin pieces while processors can take some."""
        most = _AT_ONCE * self.count
        while self._waiting and len(self._under_way) < most:
            piece = self._waiting.popleft()
            if piece.future.set_running_or_notify_cancel():
                self._under_way[piece.number] = piece
                self._send(piece)

    def _send(self, piece: _Piece) -> None:
        piece.began = time.monotonic()
        do = self._do.options(num_cpus=piece.processors)
        reference = do.remote(piece.published, piece.payload)
        piece.copies.append(reference)
        reference.future().add_done_callback(lambda done: self._news.put((piece, reference, done)))

    def _watch_over(self) -> None:
        """Take answers, until the pool ends; nobody waits for them if that is not possible."""
        try:
            self._take_answers()
        except Exception as error:  # whatever Ray says when nothing is left of it
            said = str(error).strip().partition("\n")[0]
            self._cluster.lose(f"the cluster cannot be asked any more: {said}")

    def _take_answers(self) -> None:
        """Take answers as they come, and look after what does not come."""
        due = time.monotonic() + _LOOK
        while not self._is_ended:
            with suppress(queue.Empty):
                news = self._news.get(timeout=max(0.0, due - time.monotonic()))
                if news is not None:
                    self._settle(*news)
            if time.monotonic() >= due and not self._is_ended:
                self._cluster.look()
                with self._lock:
                    self._look_for_late()
                    self._begin()
                due = time.monotonic() + _LOOK

    def _settle(self, piece: _Piece, copy: Any, done: Future[bytes]) -> None:
        """Take an answer, the first one that came, or have the piece done again."""
        exceptions = self._ray.exceptions
        with self._lock:
            if self._under_way.get(piece.number) is not piece:
                return  # done before, or wanted no more
            piece.copies.remove(copy)
            try:
                payload = done.result()
            except exceptions.OutOfMemoryError:
                piece.processors = min(2 * piece.processors, self._cluster.most_processors)
                self._again(piece, "memory was short")
            except (exceptions.NodeDiedError, exceptions.LocalRayletDiedError):
                self._cluster.check_own_node()  # if it is that, the pool is of no use: see check
                self._again(piece, _NODE_LOST)
            except exceptions.ObjectLostError:
                self._again(piece, "a node had not got all of it")
            except (
                exceptions.WorkerCrashedError,
                exceptions.RaySystemError,
                exceptions.TaskCancelledError,
            ):
                self._again(piece, "a worker died")
            except Exception as error:
                said = str(error).strip().rpartition("\n")[2]
                self._finish(piece)
                piece.future.set_exception(ChildProcessError(f"the cluster gives up: {said}"))
            else:
                self._finish(piece)
                self._take(piece, payload)
            self._begin()

    def _finish(self, piece: _Piece) -> None:
        """Have nobody go on with a piece that is done."""
        del self._under_way[piece.number]
        copies, piece.copies = piece.copies, []
        self._cluster.call_off(copies)

    def _take(self, piece: _Piece, payload: bytes) -> None:
        answer: Answer = pickle.loads(payload)
        account = self._cluster.account
        if answer.differs is not None and answer.node not in account.answers:
            self._cluster.tell_difference(answer.node, answer.differs)
        account.answers[answer.node] += 1
        self._took.append(answer.seconds)
        if answer.error is None:
            piece.future.set_result(answer.value)
        else:
            piece.future.set_exception(answer.error)

    def _again(self, piece: _Piece, reason: str) -> None:
        self._cluster.account.again[reason] += 1
        piece.deaths += reason != _NODE_LOST
        if piece.deaths >= MAX_DEATHS:
            self._finish(piece)
            piece.future.set_exception(
                ChildProcessError(f"{reason}, {MAX_DEATHS} times with the same piece of work")
            )
        elif not piece.copies:  # else another one is at it
            self._send(piece)

    def _look_for_late(self) -> None:
        """Have late pieces done a second time where nothing else is to be done."""
        if self._waiting or len(self._under_way) >= self._cluster.processors:
            return
        usual = median(self._took) if self._took else 0.0
        for piece in self._under_way.values():
            late = time.monotonic() - piece.began
            if self._took and late > max(_LATE, _LATE_TIMES * usual) and len(piece.copies) == 1:
                self._cluster.account.again["it was late"] += 1
                began = piece.began
                self._send(piece)
                piece.began = began
