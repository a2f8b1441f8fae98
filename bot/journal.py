"""Journal: a file of JSON lines that only grows, gone on with after an interruption."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from bot.files import lock


class Journal:
    """Lines of a file: those that are there, to be taken in their order, and new ones behind them.

    Without a file the lines are kept nowhere. kind: of its content, for sentences.
    """

    def __init__(
        self,
        path: Path | None = None,
        kind: str = "",
        file: IO[bytes] | None = None,
        lines: Iterable[bytes] = (),
    ) -> None:
        self.path = path
        self.kind = kind
        self._file = file
        self._lines = deque(lines)
        self._whole = sum(map(len, self._lines))

    @property
    def next_line(self) -> bytes | None:
        """The line that is to be taken next, None if there is no more."""
        return self._lines[0] if self._lines else None

    def take(self) -> None:
        """Leave the next line behind."""
        self._lines.popleft()

    def take_all(self) -> list[bytes]:
        """The lines that nobody took, which are left behind."""
        lines = [*self._lines]
        self._lines.clear()
        return lines

    def add(self, values: Mapping[str, Any]) -> None:
        """Write a line; raises ValueError while there are some that nobody took."""
        self.end()
        if self._file is not None:
            line = json.dumps(values).encode() + b"\n"
            try:
                self._file.seek(self._whole)
                self._file.truncate()
                self._file.write(line)
                self._file.flush()
            except OSError as error:
                raise OSError(f"cannot write {self.path}: {error.strerror or error}") from None
            self._whole += len(line)

    def end(self) -> None:
        """Raise ValueError if there are lines that nobody took."""
        if self._lines:
            raise ValueError(
                f"{self.path} has more lines than this {self.kind}: give the options that it was "
                "made with, or another file"
            )


def _close(file: IO[bytes]) -> None:
    """Close it; what a line could not be written for was told then."""
    with suppress(OSError):
        file.close()


@contextmanager
def open_journal(path: Path | None, kind: str, beginning: bytes) -> Iterator[Journal]:
    """A journal in a file, with what is there already; a last line that was cut off is left out.

    beginning: of its first line. Raises ValueError if the file cannot be used, has something else
    in it, or is written by another process.
    """
    if path is None:
        yield Journal()
        return
    with ExitStack() as files:
        try:
            path.touch()
            if not path.is_file():  # a pipe would be waited for
                raise ValueError(f"cannot use {path}: it is no regular file")
            file = path.open("r+b")
            files.callback(_close, file)
            lock(file.fileno(), f"another process writes its {kind} to {path}")
            lines = list(file)
        except OSError as error:
            raise ValueError(f"cannot use {path}: {error.strerror or error}") from None
        if lines and not lines[0].startswith(beginning[: len(lines[0])]):
            raise ValueError(f"{path} is no {kind}: give another file")
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        yield Journal(path, kind, file, lines)
