"""Tables in the middle of a game, for the tests around them."""

from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.table import HUMAN, Setting, Table

PEOPLE = (HUMAN, HUMAN)

LAST_CHECKER = Position.of({1: 1}, {1: 15})
"""Player on roll has one checker left; the other side has all fifteen in its own home."""


def play_first(table, text):
    """Finish the turn with the play in the text."""
    table.answer(table.turn.with_text(text).play)


def opened(
    *acts, players=PEOPLE, length=None, points=(0, 0), is_crawford=False, money=None, **setting
):
    """A table with the cube where player 1 is on roll after the opening, and these acts."""
    money = money or MoneyRules(beavers=True)
    rules = Setting(players, length, cube=True, money=money, **setting)
    table = Table(rules, points, is_crawford=is_crawford)
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    for act in acts:
        table.answer(act)
    return table


def table_at(setting, position, roll, points=(0, 0), number=1):
    """A table where player 0 has to play the roll from the position."""
    if position == START and roll[0] > roll[1]:
        table = Table(setting, points, number)
        table.throw(*roll)
        return table
    start = setting.rules.new_game(points)
    state = GameState(position, score=start.state.score, money=start.state.money)
    game = Game(state, 0, Roll.of_dice(*roll), has_cube=setting.cube)
    return Table(setting, points, number, game=game)


def bearing_off_table(setting, points=(0, 0)):
    """A table where player 0 has just won a gammon."""
    table = table_at(setting, LAST_CHECKER, (2, 1), points)
    play_first(table, "1/off")
    return table
