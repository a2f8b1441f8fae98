"""Agenda: what is to be done at which moment."""

import time
from collections.abc import Callable
from enum import Enum, auto

Clock = Callable[[], float]


class Task(Enum):
    """A thing to do on a server, or to conclude: see the `act` and `_do` of clients.

    Of our seat: to answer, to ask a silent server again, to leave a silent opponent. Of a match: to
    keep it, to look at its board, to go on with its next game, to finish it. Of the lobby: to greet
    the server, to make a match, to hear the lists to their end, to join who invites, to forget who
    did not come, to toggle being ready again. Of the line: that we were not let in, that nothing
    comes, that no question is answered, that nothing at all is.
    """

    ANSWER = auto()
    SERVER = auto()
    OPPONENT = auto()
    KEEP = auto()
    SHOW = auto()
    NEXT = auto()
    OVER = auto()
    HELLO = auto()
    CREATE = auto()
    SETTLE = auto()
    JOIN = auto()
    JOINING = auto()
    READY = auto()
    LOGIN = auto()
    IDLE = auto()
    DEAF = auto()
    SILENT = auto()


class Agenda:
    """Things to do, each at a moment of a clock that only goes forward, in seconds."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._moments: dict[Task, float] = {}

    def __contains__(self, task: Task) -> bool:
        return task in self._moments

    def put(self, task: Task, seconds: float) -> None:
        """Do this in so many seconds, and at no other moment."""
        self._moments[task] = self._clock() + seconds

    def drop(self, *tasks: Task) -> None:
        """Do not do this."""
        for task in tasks:
            self._moments.pop(task, None)

    @property
    def seconds(self) -> float:
        """Seconds until something is to be done: 0 or less if it is, infinite if there is none."""
        return min(self._moments.values(), default=float("inf")) - self._clock()

    @property
    def first(self) -> Task | None:
        """The thing to be done first, None if there is nothing to do."""
        return min(self._moments, key=self._moments.__getitem__) if self._moments else None

    def take(self) -> Task | None:
        """The thing that has been due longest, taken off; None if nothing is due."""
        task = self.first
        if task is None or self.seconds > 0:
            return None
        del self._moments[task]
        return task
