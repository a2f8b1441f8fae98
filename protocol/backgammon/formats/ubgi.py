"""UBGI texts: a checker play as the engines of the Universal Backgammon Interface write it.

Source: bungogood/bgci, its checker and drafts 0.1 and 0.2; the draft 0.01 of the interface.
"""

from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import bare_play_text, parse_play

PASS = "pass"
"""The play of a roll that cannot be played."""


def ubgi_play_text(play: CheckerPlay) -> str:
    """The play as `bar/20 13/10`: each leg by itself, no stars, no counts; `pass` without legs."""
    return bare_play_text(play.legs) or PASS


def parse_ubgi_play(text: str, position: Position, roll: Roll) -> CheckerPlay:
    """The legal play that the text means; what other programs write is read as well.

    Raises ValueError with one sentence if it is unreadable, ambiguous or illegal.
    """
    return parse_play("" if text.strip() == PASS else text, position, roll)
