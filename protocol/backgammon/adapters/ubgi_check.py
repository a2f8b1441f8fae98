"""UBGI check: a program run through the conformance suite, `ubgi_conformance.toml` beside this.

The suite is data and says itself how it is read, so that other programs can run it.
"""

import contextlib
import re
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.backgammon.rules.legality import illegality, points_after
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import BAR, OFF
from protocol.backgammon.formats.position_id import parse_position_id
from protocol.backgammon.formats.ubgi import PASS
from protocol.wire.program import Program, ProgramError, words_of

SUITE = Path(__file__).with_name("ubgi_conformance.toml")
LEVELS = ("plays", "knows match and cube", "can be watched and stopped")
SECONDS = 60.0
"""Seconds that a program may take for any answer, the first included."""

STOP_SECONDS = 1.0
TALK_SHOWN = 200
"""Lines that are kept of the talk in one check."""

_NOT_OFFERED = ("bad_command", "unknown_command", "unsupported")
_KNOWN = re.compile(
    r"(id|proto|key|option|info|value|eval|error|bestmove|bestcube|bestturn) .*|ubgiok|readyok"
)
_LEG = re.compile(r"(bar|2[0-4]|1[0-9]|[1-9])/(off|2[0-4]|1[0-9]|[1-9])")
_PLAY = re.compile(rf"{PASS}|{_LEG.pattern}( {_LEG.pattern}){{0,3}}")
_NUMBERS = {"bar": str(BAR), "off": str(OFF)}
_TURN = re.compile(r"bestturn cube=(?:no)?double move=(.+)")


@dataclass(frozen=True, slots=True)
class Check:
    """Lines to send and what must come back; the suite explains each field."""

    level: int
    says: str
    send: tuple[str, ...]
    expect: str
    why: str
    dialect: str | None = None
    contains: str = ""
    line: str = ""
    codes: tuple[str, ...] = ()
    repeat: int = 1
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that was not passed, why, and the talk, with > before our lines and < before its."""

    check: Check
    reason: str
    talk: tuple[str, ...]


@dataclass(slots=True)
class Findings:
    """The findings on a program: its names and dialect, and which checks it passed.

    missing: of levels above 0, answered with an error.
    """

    identity: list[str] = field(default_factory=list)
    dialect: str = ""
    passed: list[Check] = field(default_factory=list)
    missing: list[Check] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def level(self) -> int | None:
        """The highest level all of whose checks are passed, and those of the levels below."""
        failed = [fault.check.level for fault in self.faults]
        failed += [check.level for check in self.missing]
        reached = min(failed, default=len(LEVELS)) - 1
        return None if reached < 0 else reached


class _FaultError(Exception):
    """The program has not done what it should, in a clause."""


def suite() -> tuple[Check, ...]:
    """The checks in their order."""
    rows: list[dict[str, Any]] = tomllib.loads(SUITE.read_text(encoding="utf-8"))["check"]
    for row in rows:
        row |= {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    return tuple(Check(**row) for row in rows)


def check_program(
    command: str,
    *,
    seconds: float = SECONDS,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Findings:
    """Run a program, as typed in a shell, through the suite.

    Raises ProgramError if the command cannot be read, or the program cannot be started.
    """
    findings = Findings()
    words = words_of(command)
    talk: _Talk | None = None
    try:
        for number, check in enumerate(suite()):
            if talk is None:
                talk = _Talk(Program(words), seconds)
                try:
                    talk.greet(findings)
                except (_FaultError, ProgramError) as error:
                    handshake = Check(0, "`ubgi` is answered up to `ubgiok`", ("ubgi",), "", "")
                    findings.faults.append(Fault(handshake, str(error), talk.shown))
                    break
            if check.dialect in (None, findings.dialect):
                is_alive = _carry_out(check, talk, findings)
                if not is_alive or check.expect == "end":
                    talk.program.close()
                    talk = None
            on_progress(number + 1)
    finally:
        if talk is not None:
            talk.program.close()
    return findings


def _carry_out(check: Check, talk: "_Talk", findings: Findings) -> bool:
    """Make one check and note what came of it; whether the program can be asked on."""
    talk.lines.clear()
    try:
        heard = talk.answers(check, findings.dialect)
        if _is_missing(check, heard):
            findings.missing.append(check)
        else:
            _JUDGES[check.expect](check, heard)
            findings.passed.append(check)
    except _FaultError as fault:
        findings.faults.append(Fault(check, str(fault), talk.shown))
    except ProgramError as error:
        findings.faults.append(Fault(check, str(error), talk.shown))
        return False
    return True


class _Talk:
    """A conversation with a program, all of it written down."""

    def __init__(self, program: Program, seconds: float) -> None:
        self.program = program
        self.lines: list[str] = []
        self._seconds = seconds

    @property
    def shown(self) -> tuple[str, ...]:
        """The talk so far, what is long cut."""
        return tuple(line[:120] for line in self.lines[:TALK_SHOWN])

    def greet(self, findings: Findings) -> None:
        """The handshake; what it tells is noted."""
        self.say("ubgi")
        heard = self.hear(lambda line: line in ("ubgiok", "readyok"))
        if heard[-1] == "readyok":
            raise _FaultError("this is dialect 0.01, which ends with `readyok`")
        findings.identity = [line for line in heard if line.startswith("id ")]
        protos = [line.removeprefix("proto ") for line in heard if line.startswith("proto ")]
        findings.dialect = protos[0] if protos else "0.1"
        self.say("isready")
        self.hear(lambda line: line == "readyok")

    def say(self, line: str) -> None:
        self.lines.append(f"> {line}")
        try:
            self.program.send(line)
        except ProgramError:
            with contextlib.suppress(_FaultError, ProgramError):
                self.hear(lambda _: False)  # what it said last is told, too
            raise

    def hear(self, is_last: Callable[[str], bool]) -> list[str]:
        """The program's lines up to the one wanted; raises ProgramError if that does not come."""
        end = time.monotonic() + self._seconds
        heard: list[str] = []
        while not heard or not is_last(heard[-1]):
            line = self.program.read(end - time.monotonic())
            self.lines.append(f"< {line}")
            heard.append(line)
            if not _KNOWN.fullmatch(line):
                raise _FaultError(f"{line[:80]!r} is no line of the protocol")
        return heard

    def answers(self, check: Check, dialect: str) -> list[str]:
        """The answers to the lines of a check, before the program says that it is ready."""
        heard: list[str] = []
        for number, text in enumerate(check.send):
            line = text * check.repeat
            if dialect == "0.1" and line.startswith("go "):
                line = f"go role {line.removeprefix('go ')}"
            self.say(line)
            has_its_time = line.startswith("go") and check.send[number + 1 :] != ("stop",)
            is_stopped = line == "stop" and check.expect == "stopped"
            if has_its_time or is_stopped:
                began = time.monotonic()
                heard += self.hear(lambda line: line.startswith(("best", "error")))
                if is_stopped and time.monotonic() - began > STOP_SECONDS:
                    raise _FaultError(f"no answer within {STOP_SECONDS:g} s after `stop`")
        if check.expect == "end":
            return self._ending(check)
        asked = sum(line.strip() == "isready" for line in check.send)
        self.say("isready")
        for left in range(asked, -1, -1):
            heard += self.hear(lambda line: line == "readyok")[: None if left else -1]
        return heard

    def _ending(self, check: Check) -> list[str]:
        """The lines that come before the program ends by itself."""
        if check.closes:
            self.program.close_input()
        status = self.program.wait(self._seconds)
        if status is None:
            raise _FaultError("it goes on")
        if status:
            raise _FaultError(f"it ends with status {status}")
        return []


def _is_missing(check: Check, heard: Sequence[str]) -> bool:
    """Whether the program says that it has no such thing, or need not say what it has."""
    if not check.level or check.codes:
        return False
    if check.expect == "info" and not any(line.startswith("info ") for line in heard):
        return True
    return any(line.startswith(tuple(f"error {code}" for code in _NOT_OFFERED)) for line in heard)


def _judge_play(check: Check, heard: Sequence[str]) -> None:
    moves = [line.removeprefix("bestmove ") for line in heard if line.startswith("best")]
    if not moves or len(moves) != sum(line.startswith("go") for line in check.send):
        raise _FaultError("there is no `bestmove`, or more than were asked for")
    _require(not any(line.startswith("error") for line in heard), "there is an error too")
    for text in moves:
        _judge_text(check, text)


def _judge_text(check: Check, text: str) -> None:
    """Whether a play is written as it should be, and legal leg by leg."""
    position, roll = _asked(check)
    _require(_PLAY.fullmatch(text) is not None, f"{text[:60]!r} is not written leg by leg")
    ends = [(_NUMBERS.get(a, a), _NUMBERS.get(b, b)) for a, b in _LEG.findall(text)]
    points = position.points
    try:
        legs = tuple(Leg(int(source), int(target)) for source, target in ends)
        for leg in legs:
            points = points_after(points, leg)
        play = CheckerPlay(legs, Position(points))
        refusal = illegality(play, position, roll)
    except ValueError as error:
        refusal = str(error)
    _require(refusal is None, f"{text!r} with {roll.high}-{roll.low}: {refusal}")
    if check.contains and not re.search(rf"\b{check.contains}\b", text):
        raise _FaultError(f"{text!r} does not say {check.contains!r}")


def _asked(check: Check) -> tuple[Position, Roll]:
    """The position and the dice that the check sends last."""
    positions = [line.split()[-1] for line in check.send if line.startswith("position ")]
    dice = [line.split()[1:] for line in check.send if line.startswith("dice ")]
    return parse_position_id(positions[-1]), Roll.of_dice(*map(int, dice[-1]))


def _judge_cube(check: Check, heard: Sequence[str]) -> None:
    answers = [line for line in heard if not line.startswith("info ")]
    is_cube = len(answers) == 1 and answers[0] in ("bestcube double", "bestcube nodouble")
    _require(is_cube, "the answer is `bestcube double` or `bestcube nodouble`")


def _judge_turn(check: Check, heard: Sequence[str]) -> None:
    answers = [_TURN.fullmatch(line) for line in heard if not line.startswith("info ")]
    if len(answers) != 1 or answers[0] is None:
        raise _FaultError("the answer is `bestturn cube=double|nodouble move=LEGS`")
    _judge_text(check, answers[0][1])


def _judge_error(check: Check, heard: Sequence[str]) -> None:
    errors = [line.split(maxsplit=2)[1:2] for line in heard if line.startswith("error ")]
    _require(len(errors) == len(heard) == 1, "one `error` line is due, and nothing else")
    _require(errors != [[]], "a code stands behind `error`")
    is_named = not check.codes or errors[0][0] in check.codes
    _require(is_named, f"the code is {' or '.join(check.codes)}")


def _judge_nothing(check: Check, heard: Sequence[str]) -> None:
    _require(not heard, "nothing is due")


def _judge_line(check: Check, heard: Sequence[str]) -> None:
    is_right = heard and all(re.fullmatch(check.line, line) for line in heard)
    _require(bool(is_right), f"`{check.line}` is due")


def _require(holds: bool, clause: str) -> None:
    if not holds:
        raise _FaultError(clause)


_JUDGES: dict[str, Callable[[Check, Sequence[str]], None]] = {
    "play": _judge_play,
    "stopped": _judge_play,
    "info": _judge_play,
    "cube": _judge_cube,
    "turn": _judge_turn,
    "error": _judge_error,
    "nothing": _judge_nothing,
    "line": _judge_line,
    "end": lambda check, heard: None,
}
"""The judges of answers, by what the check expects."""
