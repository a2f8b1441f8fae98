"""GNU Backgammon to measure beside: evaluations per second, and decisions as it serves them.

Source: GNU Backgammon 1.07, its commands `calibrate` and `external`.
"""

import re
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from protocol.backgammon.adapters.gnubg_program import MAX_PLIES, GnubgError, GnubgProgram
from protocol.backgammon.arena.timed_seat import LIMIT, Seat

ITERATIONS_PER_SECOND = 100
"""About so many iterations of `calibrate`, of 1,024 evaluations each, take a second."""

JUDGED_RULES = (
    "set jacoby off",
    "set beavers 0",
    "set evaluation chequerplay evaluation cubeful off",
)
"""Commands for the rules of judged decisions."""


def gnubg_evaluations_per_second(
    seconds: float, command: Sequence[str] = (), *, limit: float = LIMIT
) -> float:
    """Static evaluations a second on one thread, as gnubg's own `calibrate` finds.

    seconds: how long to measure, on a machine that does 100,000. Raises GnubgError if gnubg says
    nothing of the kind within the limit.
    """
    iterations = max(1, round(seconds * ITERATIONS_PER_SECOND))
    with GnubgProgram(command, patience=limit + seconds) as gnubg:
        gnubg.command("set threads 1")
        said = gnubg.command(f"calibrate {iterations}")
    found = re.findall(r"Calibration result: (\d+) static", said)
    if not found:
        raise GnubgError("gnubg did not calibrate", said.splitlines()[-5:])
    return float(found[-1])


@contextmanager
def gnubg_seat(
    plies: int,
    command: Sequence[str] = (),
    *,
    limit: float = LIMIT,
    rules: Sequence[str] = JUDGED_RULES,
) -> Iterator[Seat]:
    """One gnubg that answers questions at so many plies; nothing of it stays behind.

    One thread. rules: of its commands, those of judged decisions if not given: no Jacoby rule, no
    beavers, checker plays without regard to the cube. command: the program and arguments to put
    first, found if not given; limit: seconds for each wait. Raises ValueError for plies that gnubg
    does not play at, GnubgError if it does not start.
    """
    if not 0 <= plies <= MAX_PLIES:
        raise ValueError(f"gnubg plays at 0 to {MAX_PLIES} plies, not at {plies}")
    with GnubgProgram(command, patience=limit) as gnubg:
        for text in (*_settings(plies), *rules):
            gnubg.command(text)
        gnubg.send("external ./seat")  # named from its working directory, without blanks
        with _connection(gnubg, limit) as connection:
            yield Seat("gnubg", connection, limit=limit)


def _settings(plies: int) -> list[str]:
    commands = ["set threads 1"]
    for kind in ("chequerplay", "cubedecision"):
        commands.append(f"set evaluation {kind} evaluation plies {plies}")
    return commands


def _connection(gnubg: GnubgProgram, limit: float) -> socket.socket:
    """A connection to the socket on which gnubg listens, once it does."""
    deadline = time.monotonic() + limit
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(gnubg.folder / "seat"))
            return connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
        except OSError as error:  # the path of a socket has room for some hundred letters
            connection.close()
            raise GnubgError(f"cannot reach gnubg in {gnubg.folder}: {error}") from None
        gnubg.require_life("external ./seat")
        if time.monotonic() > deadline:
            raise GnubgError(f"gnubg did not listen within {limit:g} s")
        time.sleep(0.02)
