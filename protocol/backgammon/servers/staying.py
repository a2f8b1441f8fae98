"""Staying: on a server day and night, whatever happens to the connection."""

import logging
import time
from collections.abc import Callable
from typing import Protocol

from protocol.backgammon.servers.agenda import Clock
from protocol.backgammon.servers.match_store import StoreError
from protocol.backgammon.servers.player import RefusedLoginError, Send, ServerClient
from protocol.errors import WireError

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 900.0
"""Seconds before the first new try, twice as many before each next one, and at most so many."""

LONG_STAY = 600.0
"""Seconds that a connection holds after which the pauses begin anew."""

MAX_REFUSED = 3
"""Logins in a row that may be refused; a server's keeper dislikes more."""

WAKING_SECONDS = 0.5
"""Seconds of waiting after which a wish to stop is seen."""

MAX_BURST = 500
"""Lines read in a row before what is due is looked at."""

_log = logging.getLogger("blot.servers")


class Stream(Protocol):
    """A connection to a server; see LineStream."""

    def send(self, line: str, told: str | None = None) -> None:
        """Send one line; told is what a log may know of it."""

    def read(self, seconds: float) -> str | None:
        """The next line, None if there is none in time."""

    def close(self) -> object:
        """Close it."""


def stay(
    connect: Callable[[], Stream],
    make_client: Callable[[Send], ServerClient],
    is_stopping: Callable[[], bool],
    *,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
    first_pause: float = FIRST_PAUSE,
) -> None:
    """Connect, log in and play, again and again, until it is to stop and no match goes on.

    Where matches cannot be kept it leaves, and comes back as after a lost connection.

    Raises RefusedLoginError if the server refuses us several times in a row.
    """
    pause, refused = first_pause, 0
    while not is_stopping():
        began = clock()
        try:
            converse(connect, make_client, is_stopping)
            return
        except RefusedLoginError as error:
            refused += 1
            if refused >= MAX_REFUSED:
                raise
            _log.warning("%s", error)
        except (WireError, StoreError) as error:
            refused = 0
            _log.warning("%s; again in a while", error)
        if clock() - began > LONG_STAY:
            pause = first_pause
        until = clock() + pause
        while clock() < until and not is_stopping():
            sleep(min(WAKING_SECONDS, pause))
        pause = min(2 * pause, LONGEST_PAUSE)


def converse(
    connect: Callable[[], Stream],
    make_client: Callable[[Send], ServerClient],
    is_stopping: Callable[[], bool],
) -> None:
    """One login, until we have said goodbye; raises WireError, StoreError if it ends otherwise."""
    stream = connect()
    client = make_client(stream.send)
    has_stopped = False
    try:
        while not client.is_done:
            if is_stopping() and not has_stopped:
                has_stopped = True
                client.stop()
                continue
            _hear(stream, client)
            client.act()
    finally:
        client.lost()
        stream.close()


def _hear(stream: Stream, client: ServerClient) -> None:
    """Hear what is said, until nothing is or something else is to be done."""
    line = stream.read(min(max(client.agenda.seconds, 0.0), WAKING_SECONDS))
    for _ in range(MAX_BURST):
        if line is None or client.is_done:
            return
        client.receive(line)
        line = None if client.is_done else stream.read(0.0)
    if line is not None:
        client.receive(line)
