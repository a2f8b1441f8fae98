"""Hub move: a step as 32-28, a capture with all the squares of the pieces that it takes.

PDN has landing squares in that place: its 28x19x10 is another move. Source: Scan 3.1, protocol.txt.
"""

import re
from collections.abc import Iterable

from bot.draughts.rules.move import Move

MAX_MOVE = 80
"""Signs of a move; one that takes 20 pieces has 65."""

_FORM = re.compile(r"(\d{1,2})(?:-(\d{1,2})|x(\d{1,2})((?:x\d{1,2})+))", re.ASCII)


def hub_move_text(move: Move) -> str:
    """The move as `32-28`, or `28x19x23`: from 28 to 19, taking 23."""
    if not move.captured:
        return f"{move.start}-{move.end}"
    return "x".join(map(str, (move.start, move.end, *move.captured)))


def parse_hub_move(text: str, moves: Iterable[Move]) -> Move:
    """The legal move that the text means, captured squares in any order.

    Raises ValueError with one sentence if it is unreadable or not among the moves.
    """
    found = _FORM.fullmatch(text) if len(text) <= MAX_MOVE else None
    if found is None:
        raise ValueError(f"{text[:40]!r} is no move: a step is 32-28, a capture 28x19x23")
    start, step_end, end, captured = found.groups()
    squares = sorted(map(int, captured[1:].split("x"))) if captured else []
    if len(set(squares)) < len(squares):
        raise ValueError(f"the move {text} takes a piece twice")
    move = Move(int(start), int(step_end or end), tuple(squares))
    for legal in moves:
        if legal == move:
            return legal
    raise ValueError(f"the move {text} is not legal")
