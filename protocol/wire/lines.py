"""Lines: bytes cut into them, and the conversation of an adapter over two open files."""

import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Protocol

from protocol.encoding import shown

MAX_LINE = 1024
"""Bytes of a line that are kept; what follows up to the newline is read and forgotten."""

CHUNK = 4096
"""Bytes read at once."""

LINES_TOLD, MAX_TOLD = 40, 200
"""Lines of a transcript, and signs of each."""

_log = logging.getLogger("blot.wire")


class Goodbye(Exception):  # noqa: N818 - it is no error
    """Raised by an adapter whose peer has said that it goes."""


class Adapter(Protocol):
    """One conversation in one protocol: lines in, answers through the send it was made with."""

    def receive(self, line: str) -> None:
        """Take one line without its end; raises Goodbye if it ends the conversation."""


MakeAdapter = Callable[[Callable[[str], None]], Adapter]
"""Makes the adapter of a new peer; the argument sends one line to that peer."""


class LineCutter:
    """Cuts received bytes into lines; NUL bytes and line ends are dropped.

    A line longer than the longest is handed on once, cut to one byte more, as soon as it is too
    long; the rest of it is skipped and never stored.
    """

    def __init__(self, longest: int = MAX_LINE) -> None:
        self._longest = longest
        self._rest = b""
        self._skipping = False

    def cut(self, data: bytes) -> Iterator[str]:
        """The lines completed by the data."""
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            if not self._skipping:
                yield _text((self._rest + piece)[: self._longest + 1])
            self._rest, self._skipping = b"", False
        if self._skipping:
            return
        self._rest += rest
        if len(self._rest) > self._longest:
            too_long, self._rest, self._skipping = self._rest[: self._longest + 1], b"", True
            yield _text(too_long)

    def end(self) -> Iterator[str]:
        """The last line, if the peer closed without ending it."""
        if self._rest:
            yield from self.cut(b"\n")


class Transcript(deque[str]):
    """The last lines between us and another program: to it after `> `, from it after `< `.

    They are without what a terminal would obey.
    """

    def __init__(self) -> None:
        super().__init__(maxlen=LINES_TOLD)

    def tell(self, direction: str, line: str) -> str:
        """Add a line; what may be told of it."""
        told = shown(line[:MAX_TOLD])
        self.append(f"{direction} {told}")
        return told


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode(errors="replace")


def serve_stream(
    source: int, target: int, make_adapter: MakeAdapter, longest: int = MAX_LINE
) -> None:
    """Serve one peer over two open files (0 and 1 are standard ones) until it goes or says so.

    longest: bytes of a line; see LineCutter.
    """

    def send(line: str) -> None:
        _log.debug("0 < %s", line)
        try:
            os.write(target, line.encode() + b"\n")
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(f"cannot write standard output: {error.strerror}") from None

    adapter = make_adapter(send)
    cutter = LineCutter(longest)

    def receive(lines: Iterator[str]) -> None:
        for line in lines:
            _log.debug("0 > %s", line)
            adapter.receive(line)

    with suppress(Goodbye):
        while data := os.read(source, CHUNK):
            receive(cutter.cut(data))
        receive(cutter.end())


def kept_for_answers() -> int:
    """Standard output for answers alone: whatever else is printed goes to standard error."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers
