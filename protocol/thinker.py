"""Thinker: a process that thinks for a page, so that no page waits and it can be stopped."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

from bot.workers import ProcessPool, result_of, submitted

Result = TypeVar("Result")

LIMIT = 600.0
"""Seconds that an answer may take."""


class StoppedError(Exception):
    """An answer that was broken off before there was one."""


class Thinker:
    """One process that thinks about one thing at a time, started when first asked.

    stops: how often it was told to stop.
    """

    def __init__(self) -> None:
        self.stops = 0
        self._lock = threading.Lock()
        self._pool: ProcessPool | None = None
        self._is_closed = False

    def ask(
        self, work: Callable[..., Result], *arguments: object, stops: int | None = None
    ) -> Result:
        """The answer of a function, which the process imports by its module.

        stops: when it was decided to ask, to be stopped by what has come since. Raises ValueError
        if the function does, StoppedError if `stop` or `close` came between, and ChildProcessError
        if the process died or took too long; the next question finds a new one.
        """
        with self._lock:
            if self._is_closed or stops not in (None, self.stops):
                raise StoppedError
            pool = self._pool = self._pool or ProcessPool(1)
        try:
            (future,) = submitted(pool, _guarded, [(work, *arguments)])
            answer, refusal = result_of(pool, future, LIMIT)
        except (OSError, RuntimeError, CancelledError) as error:  # at any moment of the asking
            with self._lock:
                was_stopped = self._pool is not pool
                if not was_stopped:
                    self._pool = None
            if was_stopped:
                raise StoppedError from None
            pool.shutdown()
            raise ChildProcessError(str(error) or "the process that thinks has ended") from None
        if refusal is not None:
            raise ValueError(refusal)
        found: Result = answer
        return found

    def wake(self, work: Callable[..., object], pieces: Iterable[tuple[object, ...]]) -> None:
        """Let it load something while nobody waits, a piece at a time, by its arguments.

        What fails is told when it is asked for.
        """

        def load() -> None:
            with suppress(StoppedError, ValueError, ChildProcessError):
                for piece in pieces:
                    self.ask(work, *piece)

        threading.Thread(target=load, daemon=True).start()

    def stop(self) -> None:
        """Break off what is being thought about."""
        with self._lock:
            self.stops += 1
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Break off, and think no more."""
        self._is_closed = True
        self.stop()


def _guarded(work: Callable[..., Any], *arguments: object) -> tuple[Any, str | None]:
    """The result, or why there is none: an error would end the process and what it has loaded."""
    try:
        return work(*arguments), None
    except ValueError as error:
        return None, str(error)
