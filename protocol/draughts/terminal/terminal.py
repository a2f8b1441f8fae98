"""Terminal: people and bots at a board of draughts, through a window or a pipe."""

from collections.abc import Callable
from typing import TextIO

from protocol.draughts.terminal.board_view import SIGNS, Look
from protocol.draughts.terminal.talk import Talk
from protocol.encoding import has_letters
from protocol.line_reader import LineReader, shows_colour

GREETING = "Type a move such as {}, its number (see moves), hint, or help."


def sit(make_talk: Callable[[], Talk], example: str, delay: float) -> None:
    """Let people and bots play until they leave.

    make_talk: the conversation. example: of a move. delay: seconds between what bots do. A bot that
    cannot be seated, or fails, ends the sitting with its error; the game is kept as far as it went.
    """
    reader = LineReader("moves")
    talk = make_talk()
    try:
        reader.converse(talk, GREETING.format(example), delay)
    except (KeyboardInterrupt, EOFError):
        print()


def look_for(stream: TextIO, *, ascii_only: bool, flipped: bool) -> Look:
    """Colours on a terminal unless NO_COLOR is set; letters where the stream has no signs."""
    has_signs = not ascii_only and has_letters(stream, "".join(SIGNS[True].values()))
    return Look(has_signs, shows_colour(stream), flipped)
