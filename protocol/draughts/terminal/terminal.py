"""Terminal: people and bots at a board of draughts, through a window or a pipe."""

import os
import sys
import time
from collections.abc import Callable
from io import TextIOWrapper
from typing import TextIO

from protocol.draughts.terminal.board_view import SIGNS, Look
from protocol.draughts.terminal.talk import Talk
from protocol.line_reader import LineReader

GREETING = "Type a move such as {}, its number in the list (moves), hint, or help."


def sit(make_talk: Callable[[], Talk], example: str, delay: float = 0.0) -> None:
    """Let people and bots play until they leave.

    make_talk: the conversation; its ValueError leaves at once. example: of a move. delay: seconds
    between what bots do. A bot that fails ends the sitting with its ValueError; the game is kept.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    reader = LineReader("moves")
    talk = make_talk()
    reader.talk = talk
    if reader.is_terminal:
        print("\n".join(filter(None, (GREETING.format(example), reader.advice))))
    try:
        with reader.resuming():
            while not talk.is_left:
                if talk.waits:
                    talk.receive(reader.ask(talk.prompt()))
                else:
                    talk.step()
                    if delay and not talk.waits:
                        time.sleep(delay)
    except (KeyboardInterrupt, EOFError):
        print()


def look_for(stream: TextIO, *, ascii_only: bool, flipped: bool) -> Look:
    """Colours on a terminal unless NO_COLOR is set; letters where the stream has no signs."""
    wants_colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        "".join(SIGNS[True].values()).encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        ascii_only = True
    return Look(not ascii_only, wants_colour and stream.isatty(), flipped)
