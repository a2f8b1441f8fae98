"""Shared engine: several engines alike behind one, for threads that ask at the same time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import Decision, Request
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances

ENGINES = 16
"""Engines at most, of some 17 MB each; whoever asks while all are busy waits for the first."""


class SharedEngine:
    """Answers many threads at once, each request by an engine of its own.

    make: makes an engine when all others are busy, up to so many. Close it at the end.
    """

    def __init__(self, make: Callable[[], Engine], engines: int = ENGINES) -> None:
        self._make = make
        self._engines = engines
        self._made: list[Engine] = []
        self._idle: list[Engine] = []
        self._waiting = 0
        self._freed = threading.Condition()

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        with self._engine() as engine:
            return engine.decide(request)

    def worth(self, state: GameState) -> tuple[Chances, float]:
        """Chances of the player on roll, and what they are worth; see Engine.worth."""
        with self._engine() as engine:
            return engine.worth(state)

    def prepare(self, engines: int = 1) -> None:
        """Have so many engines, one or more, ready to answer at once."""
        with self._engine() as engine:
            if engines > 1:
                self.prepare(engines - 1)
            engine.prepare()

    def close(self) -> None:
        """End the processes of all engines that roll out; another decision starts others."""
        for engine in self._made:
            engine.close()

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        """An engine for the block, the one used last if several are idle."""
        try:
            engine = self._idle.pop()  # without a lock, which would take longer
        except IndexError:
            engine = self._made_or_awaited()
        try:
            yield engine
        finally:
            self._idle.append(engine)
            if self._waiting:
                with self._freed:
                    self._freed.notify()

    def _made_or_awaited(self) -> Engine:
        """A new engine; if there are enough, the first to be idle."""
        with self._freed:
            if len(self._made) < self._engines:
                self._made.append(self._make())
                return self._made[-1]
            self._waiting += 1
            try:
                while True:
                    with suppress(IndexError):
                        return self._idle.pop()
                    self._freed.wait()
            finally:
                self._waiting -= 1
