"""Program: another program, started here and spoken to in lines over its standard streams."""

import contextlib
import itertools
import os
import queue
import shlex
import signal
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from typing import IO

from bot.interrupts import interrupts_held_back
from protocol.encoding import shown
from protocol.errors import WireError
from protocol.wire.lines import CHUNK, LineCutter, Transcript

LINES_KEPT = 1000
"""Lines that a program may be ahead of its reader; then it waits, and our memory does not grow."""

GOODBYE_SECONDS = 1.0
"""Seconds that a program whose input was closed may take to end before it is killed."""

_LAST_LINES = 5


class ProgramError(WireError):
    """A program that died, fell silent or cannot be started: one sentence with its name."""


class SilentError(ProgramError):
    """A program that has not answered in time; it may do so later."""


def words_of(command: str) -> list[str]:
    """A command and its arguments, typed as in a shell; raises ProgramError if that is none."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ProgramError(f"cannot read the command {command!r}: {error}") from None


class Program:
    """A program at the other end of two pipes, which ends with us; a context manager.

    command: the program and its arguments, started without a shell. name: for the sentences of
    errors, the command if there is none. What it writes on standard error is read and its end kept.
    transcript: as we wrote and read the lines. Raises ProgramError if it cannot be started.
    """

    def __init__(self, command: Sequence[str], name: str = "") -> None:
        self.name = name or shlex.join(command)
        self.transcript = Transcript()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            reason = getattr(error, "strerror", None) or "there is no command"
            told = name or repr(self.name)
            raise ProgramError(f"cannot start {told}: {reason}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_KEPT)
        self._errors: deque[str] = deque(maxlen=_LAST_LINES)
        has_ended = threading.Event()
        self._readers = [
            threading.Thread(target=target, args=arguments, daemon=True)
            for target, arguments in (
                (_keep_lines, (self._process, self._lines, has_ended)),
                (_keep_errors, (self._process, self._errors)),
            )
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _end, self._process, has_ended, self._readers)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its input, and kill it if that does not end it soon."""
        self._end()

    def send(self, line: str) -> None:
        """Send one line; raises ProgramError if nobody is there to read it.

        Waits, without a limit, where more than a pipe holds (64 kB) is still to be read.
        """
        stdin = self._process.stdin
        assert stdin is not None
        self.transcript.tell(">", line)
        try:
            stdin.write(line.encode() + b"\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._death(f"before {line[:80]!r}") from None

    def read(self, seconds: float) -> str:
        """The next line; raises SilentError if there is none in so many seconds.

        Below 0 it is too late even for a line that waits: nobody hears for ever a program that says
        other things without end. Raises ProgramError if there will never be a line again.
        """
        silent = SilentError(f"{self.name} gave no answer in time")
        if seconds < 0:
            raise silent
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise silent from None
        if line is None:
            self._lines.put(None)  # whoever asks again hears the same
            raise self._death("instead of an answer")
        self.transcript.tell("<", line)
        return line

    def wait(self, seconds: float) -> int | None:
        """Exit status, negative for a signal; None if the program runs on for so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(seconds)
        return None

    def close_input(self) -> None:
        """Let it read that nothing more will come."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _death(self, moment: str) -> ProgramError:
        """A sentence on its death, with what it wrote last on standard error."""
        status = self.wait(GOODBYE_SECONDS)
        cause = "closed its output" if status is None else f"ended with status {status}"
        if status is not None and status < 0:
            named = {each.value: each.name for each in signal.Signals}
            cause = f"was ended by {named.get(-status, f'signal {-status}')}"
        if status is not None:
            self._readers[-1].join(GOODBYE_SECONDS)  # what it wrote last may still be in its pipe
        said = "".join(f"\n  | {shown(line)}" for line in self._errors)
        return ProgramError(f"{self.name} {cause} {moment}" + (f"; it said:{said}" if said else ""))


def _keep_lines(
    process: "subprocess.Popen[bytes]",
    lines: "queue.Queue[str | None]",
    has_ended: threading.Event,
) -> None:
    """Hand on what the program says, line by line, and None at the end."""
    for line in itertools.chain(_lines_of(process.stdout), [None]):
        while not has_ended.is_set():
            with contextlib.suppress(queue.Full):
                lines.put(line, timeout=0.1)
                break


def _keep_errors(process: "subprocess.Popen[bytes]", errors: deque[str]) -> None:
    errors.extend(_lines_of(process.stderr))


def _lines_of(stream: IO[bytes] | None) -> Iterator[str]:
    """The lines of a stream until it ends."""
    assert stream is not None
    cutter = LineCutter()
    with contextlib.suppress(OSError, ValueError):
        while data := os.read(stream.fileno(), CHUNK):
            yield from cutter.cut(data)
    yield from cutter.end()


@interrupts_held_back()
def _end(
    process: "subprocess.Popen[bytes]", has_ended: threading.Event, readers: list[threading.Thread]
) -> None:
    """Leave nothing of a program behind: neither it, nor what it started, nor our pipes.

    Nobody comes here again: a second Ctrl-C meanwhile would leave it running.
    """
    has_ended.set()
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GOODBYE_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for reader, stream in zip(readers, (process.stdout, process.stderr), strict=True):
        reader.join(GOODBYE_SECONDS)
        if stream is not None and not reader.is_alive():
            stream.close()
