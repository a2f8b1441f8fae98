"""Log: warnings on standard error, and every line in a file if one is wanted; neither without end.

A peer is a thread: its warnings are counted by the thread's name.
"""

import logging
import os
import stat
import sys
import time
from collections import Counter
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from typing import TextIO

from protocol.encoding import shown_lines

MAX_LOG_BYTES = 10_000_000
"""Bytes of a log file; a fuller one gets `.1` behind its name, in place of the one before."""

WARNINGS = 50
PEERS_WARNINGS = 10
WINDOW_SECONDS = 600.0
"""So many warnings are told in so many seconds, and fewer about each peer."""


def keep_log(path: str | None = None) -> None:
    """Write warnings to standard error, and every line of every peer to the file if one is given.

    The file gets a time, the peer's number and the direction: > to us, < from us. Raises OSError,
    in one sentence, if it cannot be written.
    """
    blot = logging.getLogger("blot")
    warnings: logging.Handler = LimitedHandler(sys.stderr)
    warnings.setLevel(logging.WARNING)
    handlers = [warnings]
    if path is not None:
        handlers.append(_file_handler(path))
        blot.setLevel(logging.DEBUG)
    for handler in handlers:
        handler.setFormatter(_Formatter("%(asctime)s %(message)s"))
        blot.addHandler(handler)


class _Formatter(logging.Formatter):
    """Writes a record's lines without what a terminal would obey."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return shown_lines(super().formatMessage(record))


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes so many records in a while, fewer of each peer, and how many it has left out."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._began = time.monotonic()
        self._told: Counter[str] = Counter()
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record if there were not too many."""
        if time.monotonic() - self._began >= WINDOW_SECONDS:
            self._begin_anew()
        peer = record.threadName or ""
        told = self._told.total()
        if told >= WARNINGS or self._told[peer] >= PEERS_WARNINGS:
            self._left_out += 1
            return
        self._told[peer] += 1
        super().emit(record)
        if told + 1 == WARNINGS or self._told[peer] == PEERS_WARNINGS:
            whose = "all peers" if told + 1 == WARNINGS else peer
            self._say(f"further warnings about {whose} are left out for a while")

    def close(self) -> None:
        """Tell how many were left out at the end."""
        self._begin_anew()
        super().close()

    def _begin_anew(self) -> None:
        if self._left_out:
            self._say(f"{self._left_out} warnings were left out")
        self._began, self._left_out = time.monotonic(), 0
        self._told.clear()

    def _say(self, sentence: str) -> None:
        with suppress(OSError, ValueError):  # the stream is closed
            self.stream.write(sentence + self.terminator)
            self.flush()


class LogFile(RotatingFileHandler):
    """A log file that is not allowed to grow without end; lines it has no room for are lost.

    The first of them is told of.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8")
        self._has_told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Tell that lines are lost, once; what is no fault of the file is told as ever."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._has_told:
            self._has_told = True
            logging.getLogger("blot").warning(
                "cannot write log %s: %s; its lines are lost", self.baseFilename, error.strerror
            )


def _file_handler(path: str) -> logging.Handler:
    """The handler of a log file; raises OSError, in one sentence, if it cannot be written."""
    try:
        with suppress(FileNotFoundError):
            if stat.S_ISFIFO(os.stat(path).st_mode):  # ENXIO if nobody reads it
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        return LogFile(path)
    except OSError as error:
        raise OSError(f"cannot write log {path}: {error.strerror}") from error
