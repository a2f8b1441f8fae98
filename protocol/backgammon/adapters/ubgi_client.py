"""UBGI client: a program that speaks the Universal Backgammon Interface, as a player of ours.

It is asked for checker plays, the only question to which programs in use have an answer. Dialects
0.1 and 0.2 are spoken; see ubgi_engine for the other side.
"""

import shlex
import time
from collections.abc import Iterator

from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.decision import ChooseCheckerPlay, Decision, PlayDecision, Request
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import position_id
from protocol.backgammon.formats.ubgi import parse_ubgi_play
from protocol.errors import WireError
from protocol.wire.program import Program, ProgramError

START_SECONDS = 60.0
"""Seconds that a program may take to start, and to load what it needs."""

ANSWER_SECONDS = 120.0
"""Seconds that a program may think about a play."""

MAX_STARTS = 10
"""Starts of a program before it has failed for good."""

PROBE = ChooseCheckerPlay(GameState(START), Roll(6, 1))
"""Asked first: another interface for board games begins with the same words as this one."""


class UbgiError(WireError):
    """A UBGI program that died, was late or answered wrongly: one sentence with its name."""


class IllegalAnswerError(UbgiError):
    """An answer to a question about a play that is none, or not legal; the program is well else."""


class UbgiForfeitError(ForfeitError, UbgiError):
    """A failure that loses the game in a match, and that a person at a table is told of."""


class UbgiPlayer:
    """A UBGI program that chooses checker plays; a context manager that ends it.

    command: the program with its arguments, as typed in a shell. seconds: how long it may take to
    start, and to answer. It ends with us whatever happens. One that dies or is late is started
    again, MAX_STARTS times in all. Raises UbgiError if it cannot be started or does not play
    backgammon.
    """

    def __init__(
        self, command: str, *, seconds: tuple[float, float] = (START_SECONDS, ANSWER_SECONDS)
    ) -> None:
        self.dialect = "0.1"
        self._name = f"the UBGI program {command!r}"
        self._start_seconds, self._answer_seconds = seconds
        self._starts = 0
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise UbgiError(f"cannot read the command {command!r}: {error}") from None
        self._start()

    def _start(self) -> None:
        """Start the program, and see that it plays backgammon."""
        self._starts += 1
        try:
            self._program = Program(self._command, self._name)
        except ProgramError as error:
            raise UbgiError(str(error)) from None
        try:
            self._greet()
            self._answer(PROBE, self._start_seconds)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "UbgiPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Tell it to end, and see that it does."""
        try:
            self._program.send("quit")
        except ProgramError:
            pass  # it has ended already
        finally:
            self._program.close()

    def decide(self, request: Request) -> Decision:
        """The play of the program, checked against the rules.

        Raises UbgiForfeitError if there is none in time or it is not legal, another UbgiError if
        the program fails for good, and ValueError for a question that UBGI has no words for.
        """
        if not isinstance(request, ChooseCheckerPlay):
            raise ValueError(f"{self._name} plays without the cube only")
        try:
            return self._answer(request, self._answer_seconds)
        except IllegalAnswerError as error:
            raise UbgiForfeitError(str(error)) from None
        except UbgiError as error:
            self.close()
            if self._starts >= MAX_STARTS:
                raise UbgiError(f"{error}; it has failed {self._starts} time(s)") from None
            self._start()
            raise UbgiForfeitError(str(error)) from None

    def _answer(self, request: ChooseCheckerPlay, seconds: float) -> PlayDecision:
        """The play of the program, within so many seconds."""
        position, roll = request.state.position, request.roll
        if position == START:
            self._send("newgame")
            self._synchronize()
        self._send(f"position gnubgid {position_id(position)}")
        self._send(f"dice {roll.high} {roll.low}")
        self._send("go chequer" if self.dialect == "0.2" else "go role chequer")
        return PlayDecision(self._play(request, seconds), ())

    def _play(self, request: ChooseCheckerPlay, seconds: float) -> CheckerPlay:
        """The play in its answer."""
        state, roll = request.state, request.roll
        asked = f"{position_id(state.position)} with {roll.high}-{roll.low}"
        for line in self._answers(seconds, asked):
            word, _, text = line.partition(" ")
            if word == "bestmove":
                try:
                    play = parse_ubgi_play(text, state.position, roll)
                    Game.asking(request, 0).after(play)
                except ValueError as error:
                    raise self._illegal(f"{line[:80]!r} to {asked}: {error}") from None
                return play
            if word == "error" or word.startswith("best"):
                raise self._illegal(f"{line[:80]!r} to {asked}")
        raise AssertionError("there are answers until there is an error")

    def _greet(self) -> None:
        """The first words, and what they tell about the program."""
        self._send("ubgi")
        for line in self._answers(self._start_seconds, "'ubgi'"):
            if line.startswith("proto "):
                self.dialect = line.removeprefix("proto ").strip()
            if line.startswith("error"):
                raise self._error(f"answered {line[:80]!r} to 'ubgi'")
            if line == "readyok":
                raise self._error("speaks UBGI 0.01, which has no words for our questions")
            if line == "ubgiok":
                break
        self._synchronize()

    def _synchronize(self) -> None:
        """Wait until it has done all it was told; what it does not know it need not do."""
        self._send("isready")
        for line in self._answers(self._start_seconds, "'isready'"):
            if line == "readyok":
                return

    def _answers(self, seconds: float, question: str) -> Iterator[str]:
        """The program's lines; raises UbgiError if they do not end in so many seconds."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise self._error(f"gave no answer to {question} in {seconds:g} s")
            try:
                line = self._program.read(left).strip()
            except ProgramError as error:
                if time.monotonic() >= end:
                    continue
                raise UbgiError(f"{error} (asked {question})") from None
            if line:
                yield line

    def _send(self, line: str) -> None:
        try:
            self._program.send(line)
        except ProgramError as error:
            raise UbgiError(str(error)) from None

    def _error(self, what: str) -> UbgiError:
        return UbgiError(f"{self._name} {what}")

    def _illegal(self, answer: str) -> IllegalAnswerError:
        return IllegalAnswerError(f"{self._name} answered {answer}")
