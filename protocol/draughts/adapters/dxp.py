"""DXP: the messages of DamExchange, by which draughts programs play each other over TCP.

International draughts only. Source: mesander.nl/damexchange; Scan 3.1, dxp.cpp.
"""

import re
from dataclasses import dataclass

from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import INTERNATIONAL, Side
from protocol.draughts.formats.hub_position import hub_position_text, parse_hub_position
from protocol.encoding import shown
from protocol.errors import MalformedLineError

MAX_MESSAGE = 127
"""Signs of a message."""

VERSION = 1
"""The version of the protocol."""

ACCEPTED, OTHER_VERSION, REFUSED = 0, 1, 2
"""Codes of an answer to a request; all but 0 refuse it."""

UNKNOWN, LOST, DRAWN, WON = 0, 1, 2, 3
"""Reasons for an end, as its sender sees the game."""

COLOURS = {"W": Side.WHITE, "Z": Side.BLACK}
"""The letters of the sides; Z is Dutch for black."""

NAME_WIDTH = 32

_LETTERS = {side: letter for letter, side in COLOURS.items()}
_TO_DUTCH, _FROM_DUTCH = str.maketrans("bB", "zZ"), str.maketrans("zZ", "bB")
_FORMS = {
    "R": r"(\d\d)(.{32})([WZ])([ \d.]{3})([ \d]{3})(?:A|B([WZ])([wzWZe]{50})).*",
    "A": r"(.{0,32})(\d)\s*",
    "M": r"([ \d]{4})([ \d]\d)([ \d]\d)(\d\d)((?:\d\d)*)\s*",
    "E": r"(\d)(\d)\s*",
    "C": r"((?s:.*))",
    "B": r"([ \d]{3})([WZ])\s*",
    "K": r"(\d)\s*",
}


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A request for a game: the asker's name, the other's side, minutes and moves for each side.

    moves: 0 to play to the end. start: None for the usual position.
    """

    name: str
    side: Side
    minutes: float
    moves: int = 0
    start: Position | None = None
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Accept:
    """An answer to a request, with the name of who gives it; code 0 accepts."""

    name: str
    code: int = ACCEPTED


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move, and the whole seconds that it took; the path of a capture is not told."""

    move: Move
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game: the reason as the sender sees it, and whether it is the last game."""

    reason: int = UNKNOWN
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """Words for whoever watches."""

    text: str


@dataclass(frozen=True, slots=True)
class BackRequest:
    """A request to go back to the position before a move of a side."""

    number: int
    side: Side


@dataclass(frozen=True, slots=True)
class BackAccept:
    """An answer to that; code 0 accepts."""

    code: int


Message = GameRequest | Accept | MoveMade | GameEnd | Chat | BackRequest | BackAccept


def message_text(message: Message) -> str:
    """The message without the zero byte at its end; raises ValueError if it has no room."""
    text = _text(message)
    if len(text) > MAX_MESSAGE or not (text.isascii() and text.isprintable()):
        raise ValueError(f"a message has at most {MAX_MESSAGE} ASCII signs: {text[:40]!r}")
    return text


def parse_message(text: str) -> Message:
    """The message in the text, without the zero byte at its end.

    Raises MalformedLineError, a WireError with one sentence, if it is none.
    """
    form = _FORMS.get(text[:1])
    if form is None:
        raise MalformedLineError("the type of a message", text)
    found = re.fullmatch(form, text[1:], re.ASCII) if len(text) <= MAX_MESSAGE else None
    if found is None:
        raise MalformedLineError(f"the message of type {text[0]}", text)
    try:
        return _message(text[0], found)
    except ValueError as error:
        raise MalformedLineError(f"the message of type {text[0]} ({error})", text) from None


def _message(kind: str, found: re.Match[str]) -> Message:
    """The message of a kind; raises ValueError, as a clause, for what a form lets through."""
    match kind:
        case "R":
            return _request(found)
        case "A":
            return Accept(shown(found[1].strip()), int(found[2]))
        case "M":
            squares = [int(pair) for pair in re.findall(r"\d\d", found[5])]
            if len(squares) != int(found[4]):
                raise ValueError(f"{found[4]} pieces are said to be taken, {len(squares)} told")
            move = Move(int(found[2]), int(found[3]), tuple(sorted(squares)))
            return MoveMade(move, int(found[1].strip() or 0))
        case "E":
            return GameEnd(int(found[1]), found[2] != "0")
        case "C":
            return Chat(found[1])
        case "B":
            return BackRequest(int(found[1]), COLOURS[found[2]])
        case _:
            return BackAccept(int(found[1]))


def _request(found: re.Match[str]) -> GameRequest:
    version, name, side, minutes, moves, turn, squares = found.groups()
    start = None
    if squares:
        start = parse_hub_position((turn + squares).translate(_FROM_DUTCH), INTERNATIONAL)
    return GameRequest(
        shown(name.strip()),
        COLOURS[side],
        float(minutes),
        int(moves.strip() or 0),
        start,
        int(version),
    )


def _text(message: Message) -> str:
    match message:
        case GameRequest():
            head = f"R{message.version:02}{_name(message.name)}{_LETTERS[message.side]}"
            limits = f"{_minutes(message.minutes)}{_number(message.moves, 3)}"
            return head + limits + ("A" if message.start is None else _start_text(message.start))
        case Accept(name, code):
            return f"A{_name(name)}{_number(code, 1)}"
        case MoveMade(move, seconds):
            squares = (move.start, move.end, len(move.captured), *move.captured)
            return f"M{min(seconds, 9999):04}" + "".join(_number(each, 2) for each in squares)
        case GameEnd(reason, is_last):
            return f"E{_number(reason, 1)}{int(is_last)}"
        case Chat(text):
            return f"C{text}"
        case BackRequest(number, side):
            return f"B{_number(number, 3)}{_LETTERS[side]}"
        case BackAccept(code):
            return f"K{_number(code, 1)}"


def _start_text(start: Position) -> str:
    if start.variant != INTERNATIONAL:
        raise ValueError("DamExchange is for international draughts")
    return f"B{hub_position_text(start).translate(_TO_DUTCH)}"


def _name(name: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in name)[:NAME_WIDTH].ljust(
        NAME_WIDTH
    )


def _number(number: int, width: int) -> str:
    if not 0 <= number < 10**width:
        raise ValueError(f"{number} does not fit into {width} digit(s)")
    return f"{number:0{width}}"


def _minutes(minutes: float) -> str:
    """Minutes in three signs; a fraction, which some programs read, as .25 or 1.5."""
    if minutes == int(minutes):
        return _number(int(minutes), 3)
    text = f"{minutes:.2f}".removeprefix("0")[:3]
    if float(text) != minutes:
        raise ValueError(f"{minutes:g} minutes do not fit into 3 signs")
    return text
