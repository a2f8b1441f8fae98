"""bgammon: the events of bgammon.org as JSON, and the boards among them.

Whoever reads is player 1, whose checkers count up and move down; 26 is our bar, 27 the opponent's.
Source: tslocum/bgammon, PROTOCOL.md, event.go, game.go, board.go and pkg/server/game.go.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.server_board import ServerBoard
from protocol.errors import MalformedLineError

SPACES, OWN_BAR, OTHER_BAR = 28, 26, 27
CRAWFORD = 1
"""The state of the Crawford rule while it is in force."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BgammonBoard:
    """A board, and what else its event tells.

    winner: a seat, None while the game goes on. is_partial: whether checkers were moved in this
    turn. is_played: whether nothing is left to be moved. dice: ours and the opponent's of the
    opening, 0 for what is not rolled. rating: ours and the opponent's.
    """

    board: ServerBoard
    winner: int | None
    is_partial: bool
    is_played: bool
    dice: tuple[int, int]
    rating: tuple[int, int]


def parse_event(line: str) -> Event:
    """The event of a line; raises MalformedLineError if it is none."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        raise MalformedLineError("JSON", line) from None
    if not isinstance(event, dict) or not isinstance(event.get("Type"), str):
        raise MalformedLineError("an event's Type", line)
    return event


def text_of(event: Event, name: str) -> str:
    """The text in a field, empty if there is none."""
    value = event.get(name, "")
    return value if isinstance(value, str) else ""


def number_of(event: Event, name: str) -> int:
    """The whole number in a field; raises MalformedLineError if there is none."""
    value = event.get(name)
    if type(value) is not int or abs(value) > 1_000_000:
        raise MalformedLineError(name, repr(event))
    return value


def parse_bgammon_board(event: Event) -> BgammonBoard:
    """The board of a board event; raises MalformedLineError with what is wrong."""
    players = [_table(event, f"Player{number}") for number in (1, 2)]
    numbers = _numbers(event, "Board", SPACES)
    turn = {0: None, 1: 0, 2: 1}.get(number_of(event, "Turn"))
    winner = {0: None, 1: 0, 2: 1}.get(number_of(event, "Winner"))
    dice = number_of(event, "Roll1"), number_of(event, "Roll2")
    points = number_of(players[0], "Points"), number_of(players[1], "Points")
    try:
        position = Position((numbers[OTHER_BAR], *numbers[1:25], numbers[OWN_BAR]))
        board = ServerBoard(
            text_of(players[1], "Name"),
            number_of(event, "Points"),
            points,
            position,
            turn,
            Roll.of_dice(*dice) if turn is not None and any(dice) else None,
            number_of(event, "DoubleValue"),
            {0: None, 1: 0, 2: 1}.get(number_of(event, "DoublePlayer")),
            event.get("DoubleOffered") is True,
            number_of(event, "Crawford") == CRAWFORD,
        )
    except ValueError as error:
        raise MalformedLineError(f"Board ({error})", repr(event)) from None
    return BgammonBoard(
        board,
        winner,
        bool(event.get("Moves")),
        not event.get("Available"),
        dice,
        (number_of(players[0], "Rating"), number_of(players[1], "Rating")),
    )


def _table(event: Event, name: str) -> Event:
    value = event.get(name)
    if not isinstance(value, dict):
        raise MalformedLineError(name, repr(event))
    return value


def _numbers(event: Event, name: str, count: int) -> list[int]:
    values = event.get(name)
    if not isinstance(values, list) or len(values) != count:
        raise MalformedLineError(name, repr(event))
    if not all(type(value) is int and abs(value) <= 15 for value in values):
        raise MalformedLineError(name, repr(event))
    return values
