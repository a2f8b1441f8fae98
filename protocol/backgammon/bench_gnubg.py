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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from bot.backgammon.decision import Request
from protocol.backgammon.bench_decisions import Answer
from protocol.backgammon.bench_seat import LIMIT, Seat
from protocol.backgammon.gnubg_program import MOST_PLIES, GnubgError, find_gnubg

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


class GnubgServer:
    """One gnubg that answers questions at so many plies; a context manager, nothing stays behind.

    One thread, no Jacoby rule, no beavers, checker plays without regard to the cube. command: the
    program and arguments to put first, found if not given; limit: seconds for each wait.
    """

    def __init__(self, plies: int, command: Sequence[str] = (), *, limit: float = LIMIT) -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise ValueError(f"gnubg plays at 0 to {MOST_PLIES} plies, not at {plies}")
        self._plies = plies
        self._command = command
        self._limit = limit
        self._process: subprocess.Popen[str] | None = None
        self._socket: socket.socket | None = None
        self._seat: Seat | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> "GnubgServer":
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    @property
    def process(self) -> int:
        """Id of the process and of its process group."""
        assert self._process is not None
        return self._process.pid

    def ask(self, request: Request) -> tuple[float, Answer]:
        """Seconds from the question to the answer, and the answer; see Seat."""
        assert self._seat is not None
        return self._seat.ask(request)

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="blot-gnubg-")
        home = self._folder.name
        self._process = subprocess.Popen(
            [*_program(self._command), "-t", "-q", "-r"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_surroundings(home),
            cwd=home,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write("\n".join(self._settings()) + "\n")
            self._process.stdin.flush()
        self._connect(Path(home) / "seat")

    def _settings(self) -> list[str]:
        """What gnubg is told; the socket is named from its working directory, without blanks."""
        commands = ["set threads 1", "set jacoby off", "set beavers 0"]
        for kind in ("chequerplay", "cubedecision"):
            commands.append(f"set evaluation {kind} evaluation plies {self._plies}")
        return [
            *commands,
            "set evaluation chequerplay evaluation cubeful off",
            "external ./seat",
        ]

    def _connect(self, path: Path) -> None:
        assert self._process is not None
        deadline = time.monotonic() + self._limit
        while True:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(path))
                self._socket = connection
                self._seat = Seat("gnubg", connection, limit=self._limit)
                return
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
            if self._process.poll() is not None:
                raise GnubgError(f"gnubg ended with status {self._process.returncode} at its start")
            if time.monotonic() > deadline:
                raise GnubgError(f"gnubg did not listen within {self._limit:g} s")
            time.sleep(0.02)

    def _end(self) -> None:
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(self._limit)
            assert self._process.stdin is not None
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        if self._folder is not None:
            self._folder.cleanup()


def _program(command: Sequence[str]) -> list[str]:
    return list(command) or [find_gnubg()]


def _surroundings(home: str) -> dict[str, str]:
    return dict(os.environ, HOME=home, LC_ALL="C.UTF-8", LANGUAGE="")
