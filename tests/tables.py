"""Tables in the middle of a game, for the tests around them."""

from bot.backgammon.rules.play import Leg
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.table import PlayedTurn, Table
from protocol.backgammon.table.turn import Turn

LAST_CHECKER = Position((0, 1, *(0,) * 22, -15, 0))
"""Player on roll has one checker left; the other side has all fifteen in its own home."""


def play_first(table, text):
    """Finish the turn with the play in the text."""
    table.finish_turn(table.turn.with_text(text).play)


def table_at(setting, position, roll, points=(0, 0), game=1):
    """A table where player 0 has to play the roll from the position."""
    table = Table(setting, points, game)
    table.on_roll = 0
    table.turn = Turn(position, Roll.of_dice(*roll))
    return table


def bearing_off_table(setting, points=(0, 0)):
    """A table where player 0 has just won a gammon."""
    table = table_at(setting, LAST_CHECKER, (2, 1), points)
    turn = table.turn.with_leg(Leg(1, 0))
    table.turns.append(PlayedTurn(0, LAST_CHECKER, turn.roll, turn.play))
    table.turn, table.on_roll = None, 1
    return table
