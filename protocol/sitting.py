"""Sitting: a table that pages show, of any game; whatever happens makes another version.

People act by `act`; whatever nobody has to decide, and what bots decide, a thread of its own does.
"""

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from protocol.thinker import StoppedError, Thinker
from protocol.web import STALE, RefusedError

DEALER_SECONDS = 10
"""Seconds that the thread of a table may take to end."""

LOGGED = 30
"""Happenings that a page can still show."""


class StaleError(RefusedError):
    """A page asks for something that was meant for another state of the table."""

    def __init__(self) -> None:
        super().__init__("the board has changed since", STALE)


class Sitting(ABC):
    """A table, who plays at it, and what a page can be told of it.

    on_change is called after every change, by any thread. lock: to hold while the table is looked
    at. player, adviser: the processes that think for bots and for people. wishes: what people have
    chosen beside the game, a dataclass with the delay between what others do. Open it when
    on_change may be called, and close it. TIMELESS: acts that mean the same whatever has changed
    since.
    """

    TIMELESS: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, wishes: Any, on_change: Callable[[], None]) -> None:
        self.wishes = wishes
        self.version = 0
        self.trouble = ""
        self.adviser = Thinker()
        self.player = Thinker()
        self.lock = threading.Condition()
        self.log: deque[dict[str, Any]] = deque(maxlen=LOGGED)
        self._logged = 0
        self._is_hurried = False
        self._on_change = on_change
        self._is_closed = False
        self._dealer = threading.Thread(target=self._deal, daemon=True)

    def open(self) -> None:
        """Begin to do what is to be done without people."""
        self._dealer.start()

    def close(self) -> None:
        """End the thread and the processes; the game is kept."""
        with self.lock:
            self._is_closed = True
            self.lock.notify_all()
        self.player.close()
        self.adviser.close()
        if self._dealer.is_alive():
            self._dealer.join(DEALER_SECONDS)

    @property
    @abstractmethod
    def may(self) -> list[str]:
        """The acts that would be allowed now."""

    @abstractmethod
    def _do(self, do: str, values: dict[str, Any]) -> None:
        """Do what a person wants and may; raises ValueError for what cannot be done."""

    @abstractmethod
    def _keep(self) -> None:
        """Keep the game; raises ValueError in a sentence if that fails."""

    @abstractmethod
    def _is_due(self) -> bool:
        """Whether there is something to be done without people."""

    @abstractmethod
    def _step(self, version: int) -> None:
        """Do the next thing for a table of that version, the lock not held.

        Raises what Thinker.ask does.
        """

    @abstractmethod
    def _forgive(self) -> bool:
        """Do without what has failed; False if nothing can be done until people act."""

    def wish(self, **wishes: Any) -> None:
        """Take other wishes; raises ValueError for those that cannot be."""
        with self.lock:
            self.wishes = replace(self.wishes, **wishes)
            self._change()

    def act(self, version: int, do: str, values: dict[str, Any]) -> None:
        """Do what a person wants who saw that version.

        values: what the act needs besides, of the types that it takes. Raises StaleError if the
        table has changed since, ValueError with a sentence for what cannot be done.
        """
        with self.lock:
            if version != self.version and do not in self.TIMELESS:
                raise StaleError
            if do not in self.may:
                raise ValueError("that is not possible now")
            if do != "stop":
                self._do(do, values)
            self._is_hurried = do == "stop"
            self._change()
        if do == "stop":
            self.player.stop()

    def _note(self, say: str, seat: int | None = None, **more: Any) -> None:
        """Log what has happened."""
        self._logged += 1
        self.log.append({"n": self._logged, "say": say, "seat": seat, **more})

    def _begin_log(self) -> None:
        """Log another table from now on; its entries are counted on, so that pages see new ones."""
        self.log.clear()

    def _change(self) -> None:
        """Keep the game, and let everybody know."""
        self.version += 1
        self.trouble = ""
        try:
            self._keep()
        except ValueError as error:
            self.trouble = str(error)
        self.lock.notify_all()
        self._on_change()

    def _deal(self) -> None:
        """Do what is to be done without people, for as long as the sitting lasts."""
        while True:
            with self.lock:
                while not self._is_closed and not self._is_due():
                    self.lock.wait()
                if self._is_closed:
                    return
                version, logged, wait = self.version, self._logged, self.wishes.delay
            try:
                self._step(version)
            except StoppedError:
                continue
            except (ValueError, ChildProcessError) as error:
                self._fail(version, str(error))
            if self._logged != logged:
                self._pause(wait)

    def _conclude(self, version: int, do: Callable[[], None]) -> None:
        """Do it if the table is still as it was."""
        with self.lock:
            if self.version == version and not self._is_closed:
                do()
                self._change()

    def _fail(self, version: int, sentence: str) -> None:
        """Tell that something has failed that was done without people."""
        with self.lock:
            if self.version != version:
                return
            goes_on = self._forgive()
            self._change()
            self.trouble = sentence
            self._on_change()
            if not goes_on:
                self.lock.wait_for(lambda: self._is_closed or self.version != version + 1)

    def _pause(self, seconds: float) -> None:
        """Wait so long, so that people see what happens, or until the sitting is closed."""
        with self.lock:
            self.lock.wait_for(lambda: self._is_closed, seconds)
