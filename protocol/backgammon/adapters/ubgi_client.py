"""UBGI client: a program that speaks the Universal Backgammon Interface, as a player of ours.

It is asked for checker plays, the only question to which most programs have an answer, and about
the cube if that is in use and it answers. Dialects 0.1 and 0.2 are spoken; see ubgi_engine for the
other side.
"""

import time
from collections.abc import Iterator, Mapping, Sequence

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
    Request,
)
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.outside_player import (
    IllegalAnswerError,
    OutsideAnswer,
    OutsideError,
    OutsidePlayer,
)
from protocol.backgammon.formats.position_id import match_id_fields, position_id
from protocol.backgammon.formats.ubgi import parse_ubgi_play
from protocol.backgammon.formats.xgid import Xgid, xgid_text
from protocol.wire.program import Program, ProgramError, SilentError, words_of

START_SECONDS = 60.0
"""Seconds that a program may take to start, and to load what it needs."""

ANSWER_SECONDS = 120.0
"""Seconds that a program may think about a play."""

PROBE = ChooseCheckerPlay(GameState(START), Roll(6, 1))
"""Asked first: another interface for board games begins with the same words as this one."""

CUBE_PROBES = (ChooseCubeAction(GameState(START)), AnswerDouble(GameState(START)))
"""Asked next if the cube is in use, of which most programs know nothing."""

_CUBE_WORDS = {"double": CubeAction.DOUBLE, "nodouble": CubeAction.ROLL, "roll": CubeAction.ROLL}
_DOUBLE_WORDS = {"take": DoubleAnswer.TAKE, "drop": DoubleAnswer.DROP}


class UbgiPlayer(OutsidePlayer):
    """A UBGI program that decides; a context manager that ends it.

    command: the program with its arguments, as typed in a shell. cube: whether it is in use. Then
    it hears of cube and score, and must answer `go cube`, and to a bare XGID with a double on the
    table `take` or `drop`. seconds: how long it may take to start, and to answer. settings: lines
    it is told once it has greeted. It ends with us whatever happens. Raises OutsideError if it
    cannot be started, does not play backgammon, or knows nothing of a cube that is in use.
    """

    def __init__(
        self,
        command: str,
        *,
        cube: bool = False,
        seconds: tuple[float, float] = (START_SECONDS, ANSWER_SECONDS),
        settings: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.dialect = "0.1"
        self._name = _name(command)
        self._has_cube = cube
        self._start_seconds, self._answer_seconds = seconds
        self._settings = tuple(settings)
        self._command = command
        self._may_be_behind = False  # whether more may come of an earlier answer
        self._begin()

    def __str__(self) -> str:
        return self._name

    def _start(self) -> None:
        """Start the program, and see that it plays backgammon."""
        self._program = started(self._command)
        try:
            self._greet()
            if self._has_cube:
                self._probe_cube()
            else:
                self._asked(PROBE, self._start_seconds)
        except BaseException:
            self.close()
            raise

    def _probe_cube(self) -> None:
        for probe in (PROBE, *CUBE_PROBES):
            try:
                self._asked(probe, self._start_seconds)
            except OutsideError as error:
                raise OutsideError(
                    f"{error}; it does not play with the cube: play without it"
                ) from None

    def close(self) -> None:
        """Tell it to end, and see that it does."""
        try:
            self._program.send("quit")
        except ProgramError:
            pass  # it has ended already
        finally:
            self._program.close()

    def _answer(self, game: Game) -> OutsideAnswer:
        request = game.request
        assert request is not None
        if not isinstance(request, ChooseCheckerPlay) and not self._has_cube:
            raise ValueError(f"{self} plays without the cube only")
        if game.doubles > 1:
            raise ValueError(f"{self} cannot be asked about a beaver: play without them")
        return self._asked(request, self._answer_seconds)

    def _asked(self, request: Request, seconds: float) -> OutsideAnswer:
        """The program's answer, within so many seconds."""
        if self._may_be_behind or _begins(request):
            self._send("newgame")
            self._synchronize()
            self._may_be_behind = False
        match request:
            case ChooseCheckerPlay(_, roll):
                self._send(f"position {self._position(request)}")
                self._send(f"dice {roll.high} {roll.low}")
                self._send(self._go("chequer"))
                return self._play(request, seconds)
            case ChooseCubeAction():
                self._send(f"position xgid {_xgid(request)}")
                self._send(self._go("cube"))
                return self._word("bestcube ", _CUBE_WORDS, seconds, request)
            case _:
                self._send(_xgid(request))
                return self._word("", _DOUBLE_WORDS, seconds, request)

    def _position(self, request: ChooseCheckerPlay) -> str:
        """The position; with the score and the cube if that is in use."""
        if self._has_cube:
            return f"xgid {_xgid(request)}"
        return f"gnubgid {position_id(request.state.position)}"

    def _go(self, role: str) -> str:
        return f"go {role}" if self.dialect == "0.2" else f"go role {role}"

    def _word(
        self, before: str, words: Mapping[str, OutsideAnswer], seconds: float, request: Request
    ) -> OutsideAnswer:
        """The answer about the cube that is one of the words."""
        asked = _xgid(request)
        for line in self._answers(seconds, asked):
            if not line.startswith(("info ", "eval ")):
                if line.startswith(before) and line.removeprefix(before) in words:
                    return words[line.removeprefix(before)]
                raise self._illegal(f"{line[:80]!r} to {asked}")
        raise AssertionError("there are answers until there is an error")

    def _play(self, request: ChooseCheckerPlay, seconds: float) -> CheckerPlay:
        """The play in its answer."""
        state, roll = request.state, request.roll
        asked = f"{position_id(state.position)} with {roll.high}-{roll.low}"
        for line in self._answers(seconds, asked):
            word, _, text = line.partition(" ")
            if word == "bestmove":
                try:
                    return parse_ubgi_play(text, state.position, roll)
                except ValueError as error:
                    raise self._illegal(f"{line[:80]!r} to {asked}: {error}") from None
            if word == "error" or word.startswith("best"):
                raise self._illegal(f"{line[:80]!r} to {asked}")
        raise AssertionError("there are answers until there is an error")

    @property
    def transcript(self) -> Sequence[str]:
        """The last lines between the program and us; see Transcript."""
        return self._program.transcript

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
        for line in self._settings:
            self._send(line)
        refusal = self._synchronize()
        if refusal and self._settings:
            told = ", ".join(self._settings)
            raise self._error(f"answered {refusal[:80]!r} to its settings {told[:200]!r}")

    def _synchronize(self) -> str:
        """Wait until it has done all it was told; its first error, empty if there is none."""
        self._send("isready")
        refusal = ""
        for line in self._answers(self._start_seconds, "'isready'"):
            if line == "readyok":
                break
            if line.startswith("error"):
                refusal = refusal or line
        return refusal

    def _answers(self, seconds: float, question: str) -> Iterator[str]:
        """The program's lines; raises OutsideError if they do not end in so many seconds."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._program.read(end - time.monotonic()).strip()
            except SilentError:
                raise self._error(f"gave no answer to {question} in {seconds:g} s") from None
            except ProgramError as error:
                raise OutsideError(f"{error} (asked {question})") from None
            if line:
                yield line

    def _send(self, line: str) -> None:
        try:
            self._program.send(line)
        except ProgramError as error:
            raise OutsideError(str(error)) from None

    def _error(self, what: str) -> OutsideError:
        return OutsideError(f"{self._name} {what}")

    def _illegal(self, answer: str) -> IllegalAnswerError:
        self._may_be_behind = True
        return IllegalAnswerError(f"{self._name} answered {answer}")


def started(command: str) -> Program:
    """The program, nothing said to it yet; raises OutsideError if it cannot be started."""
    try:
        return Program(words_of(command), _name(command))
    except ProgramError as error:
        raise OutsideError(str(error)) from None


def _name(command: str) -> str:
    return f"the UBGI program {command!r}"


def _begins(request: Request) -> bool:
    """Whether a game has only begun: the checkers of the player asked stand as at first.

    He had none that the other side could have hit.
    """
    sign = -1 if isinstance(request, AnswerDouble) else 1
    now, first = (
        [max(sign * count, 0) for count in position.points]
        for position in (request.state.position, START)
    )
    return now == first


def _xgid(request: Request) -> str:
    """The request as an XGID, the player on roll below."""
    state = request.state
    return xgid_text(Xgid(state.position, match_id_fields(request), beavers=state.money.beavers))
