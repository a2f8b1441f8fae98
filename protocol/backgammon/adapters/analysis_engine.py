"""Analysis engine: queries of a program as lines of JSON, each answered by a line with its id.

A query is {"id": 1, "position": "any ID", "dice": [3, 1], "level": "hard", "count": 5} and may say
"cube", "jacoby" and "beavers"; all but id and position may be left out. Queries are answered as
they are done, several at once. {"action": "terminate", "id": 1} ends one. What cannot be answered
is answered with "error" and, where one is to blame, the "field".
"""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, BinaryIO, Self

Values = dict[str, Any]
Id = str | int

MAX_LINE = 100_000
"""Bytes of a line; no query is longer."""

MAX_ID = 200
FIELDS = {
    "id": (str, int),
    "action": (str,),
    "position": (str,),
    "dice": (list, str, type(None)),
    "level": (str,),
    "count": (int,),
    "cube": (bool,),
    "jacoby": (bool,),
    "beavers": (bool,),
}
"""The fields, and of what types they may be."""

ACTIONS = ("query", "terminate")
MAX_COUNT = 5000


class FieldError(ValueError):
    """A field of a query that cannot be used, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.field = name


@dataclass(frozen=True, slots=True)
class Query:
    """A query with fields of the right types; what was not said is None, but the count.

    stop: set once nobody wants the answer any more.
    """

    id: Id
    position: str
    dice: tuple[int, int] | None = None
    level: str | None = None
    count: int = 5
    cube: bool = True
    jacoby: bool | None = None
    beavers: bool | None = None
    stop: threading.Event = field(default_factory=threading.Event, compare=False)


Answer = Callable[[Query], Values]
"""The values that answer a query; raises FieldError or ValueError if there are none."""


class AnalysisEngine:
    """Answers queries by threads; used in a `with`, which ends what goes on.

    send: gets the values of each answer, one at a time.
    """

    def __init__(self, answer: Answer, send: Callable[[Values], None], workers: int = 1) -> None:
        self._answer = answer
        self._send = send
        self._lock = threading.Lock()
        self._waiting: SimpleQueue[Query | None] = SimpleQueue()
        self._open: dict[Id, Query] = {}
        self._failure: OSError | None = None
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for query in [*self._open.values()]:  # the lock may be held for ever, if nobody reads
            query.stop.set()

    def receive(self, line: bytes) -> None:
        """Take a line; what is wrong with it is answered, an empty one is not.

        Raises OSError if an answer could not be sent.
        """
        if self._failure is not None:
            raise self._failure
        if not line.strip():
            return
        identity: Id | None = None
        try:
            values = _values(line)
            found = values.get("id")
            identity = found if isinstance(found, str | int) else None
            if _action(values) == "terminate":
                self._terminate(_id(values))
            else:
                self._begin(query_of(values))
        except FieldError as error:
            self._tell({"id": identity, "error": str(error), "field": error.field})
        except ValueError as error:
            self._tell({"id": identity, "error": str(error)})

    def finish(self) -> None:
        """Wait until all queries are answered; raises OSError if an answer could not be sent."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _begin(self, query: Query) -> None:
        with self._lock:
            if query.id in self._open:
                raise FieldError("id", f"{query.id!r} is that of a query not yet answered")
            self._open[query.id] = query
        self._waiting.put(query)

    def _terminate(self, identity: Id) -> None:
        with self._lock:
            query = self._open.get(identity)
            if query is None:
                raise FieldError("id", f"{identity!r} is that of no query being answered")
            query.stop.set()

    def _work(self) -> None:
        while (query := self._waiting.get()) is not None:
            values: Values = {}
            try:
                if not query.stop.is_set():
                    values = self._answer(query)
            except FieldError as error:
                values = {"error": str(error), "field": error.field}
            except Exception as error:  # one query must not end the others
                values = {"error": str(error) or type(error).__name__}
            with self._lock:
                del self._open[query.id]
                if query.stop.is_set():
                    values = {"terminated": True}
                try:
                    self._send({"id": query.id, **values})
                except OSError as error:
                    self._failure = self._failure or error

    def _tell(self, values: Values) -> None:
        with self._lock:
            self._send(values)


def query_of(values: Values) -> Query:
    """The query of these values; raises FieldError for one that cannot be used."""
    for name in values:
        if name not in FIELDS:
            raise FieldError(str(name)[:40], f"no such field; there are {', '.join(FIELDS)}")
    for name, kinds in FIELDS.items():
        value = values.get(name)
        is_flag = isinstance(value, bool) and bool not in kinds
        if name in values and (is_flag or not isinstance(value, kinds)):
            raise FieldError(name, f"{json.dumps(value)[:40]} is of a wrong type")
    if "position" not in values:
        raise FieldError("position", "it is missing")
    count = values.get("count", 5)
    if not 1 <= count <= MAX_COUNT:
        raise FieldError("count", f"1 to {MAX_COUNT} plays, not {count}")
    said = {name: values[name] for name in ("level", "cube", "jacoby", "beavers") if name in values}
    dice = _dice(values.get("dice"))
    return Query(_id(values), values["position"], dice, count=count, **said)


def read_lines(stream: BinaryIO, most: int = MAX_LINE) -> Iterator[bytes]:
    """The lines of a stream; of one longer than so many bytes only its beginning, no JSON then."""
    while line := stream.readline(most):
        yield line
        while not line.endswith(b"\n") and (line := stream.readline(most)):
            pass


def _values(line: bytes) -> Values:
    """The values of a line; raises ValueError if it is no JSON object."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("the line is no JSON") from None
    if not isinstance(values, dict):
        raise ValueError("the line is no JSON object")
    return values


def _action(values: Values) -> str:
    action = values.get("action", "query")
    if action not in ACTIONS:
        raise FieldError("action", f"one of {', '.join(ACTIONS)}, not {json.dumps(action)[:40]}")
    return str(action)


def _id(values: Values) -> Id:
    identity = values.get("id")
    if isinstance(identity, bool) or not isinstance(identity, str | int):
        raise FieldError("id", "a text or a whole number is missing")
    if len(str(identity)) > MAX_ID:
        raise FieldError("id", f"at most {MAX_ID} letters")
    return identity


def _dice(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    dice = list(value)
    if all(isinstance(die, str) for die in dice):
        dice = [int(die) if die in tuple("123456") else die for die in dice]
    is_whole = all(isinstance(die, int) and not isinstance(die, bool) for die in dice)
    if len(dice) != 2 or not is_whole or not all(1 <= die <= 6 for die in dice):
        raise FieldError("dice", f"two numbers from 1 to 6, not {json.dumps(value)[:40]}")
    return dice[0], dice[1]
