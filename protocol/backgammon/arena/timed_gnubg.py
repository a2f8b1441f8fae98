"""GNU Backgammon to measure beside: evaluations per second, and decisions as it serves them.

Source: GNU Backgammon 1.07, its commands `calibrate` and `external`.
"""

import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from protocol.backgammon.adapters.gnubg_program import MOST_PLIES, GnubgError, find_gnubg
from protocol.backgammon.arena.timed_seat import LIMIT, Seat

ITERATIONS_PER_SECOND = 100
"""About so many iterations of `calibrate`, of 1,024 evaluations each, take a second."""


def gnubg_evaluations_per_second(
    seconds: float, command: Sequence[str] = (), *, limit: float = LIMIT
) -> float:
    """Static evaluations a second on one thread, as gnubg's own `calibrate` finds.

    seconds: how long to measure, on a machine that does 100,000. Raises GnubgError if gnubg says
    nothing of the kind within the limit.
    """
    iterations = max(1, round(seconds * ITERATIONS_PER_SECOND))
    with tempfile.TemporaryDirectory(prefix="blot-gnubg-") as home:
        try:
            done = subprocess.run(
                [*_program(command), "-t", "-q", "-r"],
                input=f"set threads 1\ncalibrate {iterations}\n",
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=limit + seconds,
                env=_surroundings(home),
                cwd=home,
            )
        except subprocess.TimeoutExpired:
            raise GnubgError(f"gnubg calibrated for over {limit + seconds:g} s") from None
    found = re.findall(r"Calibration result: (\d+) static", done.stdout)
    if not found:
        raise GnubgError("gnubg did not calibrate", done.stdout.splitlines()[-5:])
    return float(found[-1])


@contextmanager
def gnubg_seat(plies: int, command: Sequence[str] = (), *, limit: float = LIMIT) -> Iterator[Seat]:
    """One gnubg that answers questions at so many plies; nothing of it stays behind.

    One thread, no Jacoby rule, no beavers, checker plays without regard to the cube. command: the
    program and arguments to put first, found if not given; limit: seconds for each wait. Raises
    ValueError for plies that gnubg does not play at, GnubgError if it does not start.
    """
    if not 0 <= plies <= MOST_PLIES:
        raise ValueError(f"gnubg plays at 0 to {MOST_PLIES} plies, not at {plies}")
    with (
        tempfile.TemporaryDirectory(prefix="blot-gnubg-") as home,
        _started(home, command, _settings(plies), limit) as process,
        _connection(process, Path(home) / "seat", limit) as connection,
    ):
        yield Seat("gnubg", connection, limit=limit)


@contextmanager
def _started(
    home: str, command: Sequence[str], settings: Sequence[str], limit: float
) -> Iterator["subprocess.Popen[str]"]:
    """A gnubg that works in its home and has been told the settings; it is killed at the end."""
    process = subprocess.Popen(
        [*_program(command), "-t", "-q", "-r"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_surroundings(home),
        cwd=home,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        with suppress(BrokenPipeError):
            process.stdin.write("\n".join(settings) + "\n")
            process.stdin.flush()
        yield process
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(limit)
        with suppress(BrokenPipeError):
            process.stdin.close()


def _settings(plies: int) -> list[str]:
    """What gnubg is told; the socket is named from its working directory, without blanks."""
    commands = ["set threads 1", "set jacoby off", "set beavers 0"]
    for kind in ("chequerplay", "cubedecision"):
        commands.append(f"set evaluation {kind} evaluation plies {plies}")
    return [
        *commands,
        "set evaluation chequerplay evaluation cubeful off",
        "external ./seat",
    ]


def _connection(process: "subprocess.Popen[str]", path: Path, limit: float) -> socket.socket:
    """A connection to the socket on which gnubg listens, once it does."""
    deadline = time.monotonic() + limit
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
        if process.poll() is not None:
            raise GnubgError(f"gnubg ended with status {process.returncode} at its start")
        if time.monotonic() > deadline:
            raise GnubgError(f"gnubg did not listen within {limit:g} s")
        time.sleep(0.02)


def _program(command: Sequence[str]) -> list[str]:
    return list(command) or [find_gnubg()]


def _surroundings(home: str) -> dict[str, str]:
    return dict(os.environ, HOME=home, LC_ALL="C.UTF-8", LANGUAGE="")
