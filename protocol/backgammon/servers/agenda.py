"""Agenda: what is to be done at which moment."""

import time
from collections.abc import Callable

Clock = Callable[[], float]


class Agenda:
    """Names of things to do, each at a moment of a clock that only goes forward, in seconds."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._moments: dict[str, float] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._moments

    def put(self, name: str, seconds: float) -> None:
        """Do this in so many seconds, and at no other moment."""
        self._moments[name] = self._clock() + seconds

    def drop(self, *names: str) -> None:
        """Do not do this."""
        for name in names:
            self._moments.pop(name, None)

    @property
    def seconds(self) -> float:
        """Seconds until something is to be done: 0 or less if it is, infinite if there is none."""
        return min(self._moments.values(), default=float("inf")) - self._clock()

    @property
    def first(self) -> str | None:
        """The name of the thing to be done first, None if there is nothing to do."""
        return min(self._moments, key=self._moments.__getitem__) if self._moments else None

    def take(self) -> str | None:
        """The name of the thing that has been due longest, taken off; None if nothing is due."""
        if self.seconds > 0:
            return None
        name = self.first
        if name is not None:
            del self._moments[name]
        return name
