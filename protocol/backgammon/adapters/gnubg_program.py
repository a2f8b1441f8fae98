"""GNU Backgammon itself, driven over a terminal: started, spoken to, watched and ended."""

import os
import re
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.archive import whole_file
from bot.backgammon.rules.game import MAX_BEAVERS
from protocol.errors import WireError

PATIENCE = 60.0
"""Seconds without a sign of life after which gnubg is taken to have stalled."""

ENDING_SECONDS = 20.0
"""Longest time that a killed gnubg may take to be gone."""

COMMAND_SECONDS = 3600.0
"""Longest time one command, up to a whole game, may take although there are signs of life."""

GNUBG, BLOT = "gnubg", "blot"
"""The names of the two players in gnubg: its own seat 0 and our seat 1."""

FOLDERS = ("/usr/games", "/usr/local/bin", "/opt/homebrew/bin")
"""Folders where gnubg is looked for besides PATH; Debian's games are not in root's."""

MAX_PLIES = 4

MAX_STOPS = 8
"""Times that gnubg may be told to go on in a game; the cube leaves room for fewer beavers."""

_FIRST_PROMPT = "(No game) "
_PROMPT = "@blot#>"
_LAST_LINES = 12
_SAVING = {"export match mat": "games.mat", "save match": "games.sgf"}
_OVERWRITTEN = re.compile(r"[^\r\n]*\r(?!\n)")
_REFUSAL = re.compile(
    r"^.*(?:Unknown keyword|Error(?::| \()|badly formed|Illegal|Connection refused|No such file"
    r"|not permitted|are disabled|External connection closed|already over).*$",
    re.MULTILINE,
)
_WIN = re.compile(r"(\S+) wins a (single game|gammon|backgammon) and (\d+) point")
_MATCH_WON = re.compile(r"\S+ has won the match")
_LEVELS = {"single game": 1, "gammon": 2, "backgammon": 3}


class GnubgError(WireError):
    """gnubg died, stalled or refused: one sentence, and the last lines it wrote."""

    def __init__(self, sentence: str, last_lines: Sequence[str] = ()) -> None:
        said = "".join(f"\n  | {line}" for line in last_lines)
        super().__init__(f"{sentence}; its last lines:{said}" if said else sentence)


class GnubgMissingError(GnubgError):
    """There is no gnubg to start on this machine."""


@dataclass(frozen=True, slots=True)
class GnubgGame:
    """The end of a game: who won, single 1, gammon 2 or backgammon 3, points with the cube."""

    winner: str
    kind: int
    points: int
    ends_match: bool


def find_gnubg() -> str:
    """Path of the gnubg program, in PATH or in FOLDERS.

    Raises GnubgMissingError, with what to do, if there is none or nothing to drive it with.
    """
    if sys.platform == "win32":
        raise GnubgMissingError("to drive gnubg, blot needs Linux or macOS")
    if find_spec("pexpect") is None:
        raise GnubgMissingError("to drive gnubg, blot needs pexpect (pip install pexpect)")
    path = shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(FOLDERS))
    if path is None:
        raise GnubgMissingError("no gnubg on this machine (Debian: apt-get install gnubg)")
    return path


class GnubgProgram:
    """One gnubg in text mode with a home of its own; a context manager that leaves nothing behind.

    command: the program and arguments to put first, found if not given; patience: seconds without
    a sign of life that are borne; activity: a number that grows with every request gnubg makes of
    its external player, the sign of life while it is silent.
    """

    def __init__(
        self,
        command: Sequence[str] = (),
        *,
        patience: float = PATIENCE,
        activity: Callable[[], int] = int,
    ) -> None:
        self._command = list(command) or [find_gnubg()]
        self._patience = patience
        self._activity = activity
        self._child: Any = None
        self._heard = _Heard()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> "GnubgProgram":
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def folder(self) -> Path:
        """The private home and working directory, there while the program runs."""
        if self._folder is None:
            raise ValueError("gnubg has not been started")
        return Path(self._folder.name)

    @property
    def process(self) -> int:
        """Id of the process and of its process group."""
        return int(self._child.pid)

    def _start(self) -> None:
        import pexpect

        self._folder = tempfile.TemporaryDirectory(prefix="blot-gnubg-")
        home = self._folder.name
        surroundings = {"LC_ALL": "C.UTF-8", "LANGUAGE": "", "TERM": "dumb", "INPUTRC": "/dev/null"}
        with warnings.catch_warnings():
            # Python 3.12 warns of every fork beside threads, even those that numpy keeps idle.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = pexpect.spawn(
                self._command[0],
                [*self._command[1:], "-t", "-q", "-r"],
                cwd=home,
                env=dict(os.environ, HOME=home, **surroundings),
                encoding="utf-8",
                codec_errors="replace",
                dimensions=(1000, 500),
            )
        self._child.delaybeforesend = None
        self._child.logfile_read = self._heard
        self._wait_for(_FIRST_PROMPT, "start")
        self._child.sendline(f"set prompt {_PROMPT}")
        self._wait_for(f"\n{_PROMPT}", "set prompt")

    def _end(self) -> None:
        if self._child is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
            # pexpect gives a killed process half a second; a busy machine may need more.
            deadline = time.monotonic() + ENDING_SECONDS
            while self._child.isalive() and time.monotonic() < deadline:
                time.sleep(0.01)
            self._child.close(force=True)
        if self._folder is not None:
            self._folder.cleanup()

    def command(self, text: str, *, may_refuse: bool = False) -> str:
        """Give a command and return what gnubg printed before its next prompt.

        Raises GnubgError if gnubg dies, stalls or, unless it may, prints a refusal.
        """
        self.send(text)
        self._wait_for(_PROMPT, text)
        output = str(self._child.before).replace("\r\n", "\n")
        output = _OVERWRITTEN.sub("", output.partition("\n")[2])
        refusal = _REFUSAL.search(output)
        if refusal and not may_refuse:
            raise self._error(f"gnubg refused {text!r} ({refusal[0].strip()})")
        return output

    def send(self, text: str) -> None:
        """Give a command that takes as long as gnubg is wanted; raises GnubgError if gnubg died."""
        try:
            self._child.sendline(text)
        except OSError as error:
            raise self._error(f"gnubg died before {text!r}") from error

    def require_life(self, task: str) -> None:
        """Raise GnubgError if gnubg died at the task."""
        if not self._child.isalive():
            raise self._error(f"gnubg died at {task!r}{self._cause_of_death()}")

    def _wait_for(self, prompt: str, task: str) -> None:
        """Wait for the prompt as long as there are signs of life."""
        import pexpect

        alive = time.monotonic()
        latest = alive + COMMAND_SECONDS
        signs = self._signs()
        while True:
            try:
                self._child.expect_exact(prompt, timeout=min(1.0, self._patience / 4))
                return
            except pexpect.EOF:
                raise self._error(f"gnubg died at {task!r}{self._cause_of_death()}") from None
            except pexpect.TIMEOUT:
                now = time.monotonic()
                if self._signs() != signs:
                    signs, alive = self._signs(), now
            if now - alive >= self._patience:
                raise self._error(f"gnubg stalled at {task!r} for {self._patience:g} s") from None
            if now >= latest:
                raise self._error(f"gnubg took over {COMMAND_SECONDS:g} s for {task!r}") from None

    def _signs(self) -> tuple[int, int]:
        return self._heard.characters, self._activity()

    def _cause_of_death(self) -> str:
        self._child.close(force=True)
        if self._child.signalstatus is not None:
            return f" by signal {self._child.signalstatus}"
        return f" with status {self._child.exitstatus}"

    def _error(self, sentence: str) -> GnubgError:
        return GnubgError(sentence, self._heard.last_lines())

    def seat_external_player(self, address: str, *, plies: int, seed: int) -> None:
        """Put gnubg at so many plies on seat 0 and the player behind the address on seat 1."""
        for text in (
            "set automatic game off",
            "set confirm new off",
            "set confirm save off",
            "set display off",
            "set automatic doubles 0",
            "set threads 1",
            "set rng mersenne",
            f"set seed {seed}",
            f"set defaultnames {GNUBG} {BLOT}",
            f"set player 1 name {BLOT}",
            "set player 0 gnubg",
            "set player 0 chequerplay type evaluation",
            f"set player 0 chequerplay evaluation plies {plies}",
            "set player 0 cubedecision type evaluation",
            f"set player 0 cubedecision evaluation plies {plies}",
            f"set player 1 external {address}",
        ):
            self.command(text)

    def set_rules(self, *, cube: bool, jacoby: bool, beavers: bool) -> None:
        """Play with or without the cube and, in money games, the Jacoby rule and beavers."""
        self.command(f"set cube use {'on' if cube else 'off'}")
        self.command(f"set jacoby {'on' if jacoby else 'off'}")
        self.command(f"set beavers {MAX_BEAVERS if beavers else 0}")

    def play_game(self, start: str) -> GnubgGame:
        """Play one game to its end: `new session`, `new match LENGTH`, or `new game` for the next.

        gnubg stops once its external player has taken a beaver, and must be told to go on. Raises
        GnubgError if the game does not come to an end.
        """
        output, requests = self.command(start), -1
        for _ in range(MAX_STOPS):
            win = _WIN.search(output)
            if win is not None and win[1] in (GNUBG, BLOT):
                ends_match = _MATCH_WON.search(output) is not None
                return GnubgGame(win[1], _LEVELS[win[2]], int(win[3]), ends_match)
            if self._activity() == requests:
                break
            requests = self._activity()
            output = self.command("play")
        raise self._error(f"gnubg stopped in mid-game after {start!r}")

    def save_games(self, mat: Path | None, sgf: Path | None) -> None:
        """Write the games of the session or match so far to the files, in gnubg's own hand.

        gnubg writes beside its home first: it knows neither blanks nor quotes in names.
        """
        for (saving, name), target in zip(_SAVING.items(), (mat, sgf), strict=True):
            if target is not None:
                written = self.folder / name
                written.unlink(missing_ok=True)
                self.command(f"{saving} {name}")
                if not written.exists():
                    raise self._error(f"gnubg saved no games as {target.name}")
                with whole_file(target) as file:
                    file.write(written.read_bytes())

    def rescue_games(self, mat: Path | None, sgf: Path | None) -> bool:
        """After a failure, write the games if gnubg still can; whether it could.

        A gnubg that waits for its player is interrupted first, as Ctrl-C would.
        """
        import pexpect

        self._patience = min(self._patience, 5.0)
        if (mat is None and sgf is None) or self._child.closed or not self._child.isalive():
            return False
        try:
            if str(self._child.after) != _PROMPT:
                self._child.sendintr()
                self._wait_for(_PROMPT, "interrupt")
            self.save_games(mat, sgf)
        except (GnubgError, OSError, pexpect.ExceptionPexpect):
            return False
        return True


class _Heard:
    """Text that gnubg wrote: how much, and the end of it."""

    def __init__(self) -> None:
        self.characters = 0
        self._end = ""

    def write(self, text: str) -> None:
        self.characters += len(text)
        self._end = (self._end + text)[-8000:]

    def flush(self) -> None:
        """Nothing is held back; pexpect asks for this."""

    def last_lines(self) -> list[str]:
        text = _OVERWRITTEN.sub("", self._end.replace("\r\n", "\n")).replace(_PROMPT, "> ")
        lines = [line.rstrip()[:200] for line in text.split("\n")]
        return [line for line in lines if line not in ("", ">")][-_LAST_LINES:]
