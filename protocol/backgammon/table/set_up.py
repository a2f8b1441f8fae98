"""Set up: a table whose game begins in the middle, at a request."""

from dataclasses import replace

from bot.backgammon.rules.decision import AnswerResignation, Request
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import Cube
from bot.backgammon.rules.record import MatchRecord, replay
from protocol.backgammon.table.table import Setting, Table


def table_set_up(
    setting: Setting,
    request: Request,
    turn: int,
    points: tuple[int, int] = (0, 0),
    number: int = 1,
) -> Table:
    """The table where the request is to be answered; turn is the seat of the player on roll.

    points: of the session, and those of the match, in the order of the seats. Raises ValueError
    with a sentence if the setting, the points and the request do not belong together.
    """
    if isinstance(request, AnswerResignation):
        raise ValueError("no game begins where a resignation waits for its answer")
    score = request.state.score
    is_crawford = score is not None and score.is_crawford
    game = Game.asking(request, turn)
    if not setting.cube and (game.doubles or game.state.cube != Cube()):
        raise ValueError(f"the cube is turned to {game.cube_shown}: the game is played with it")
    state = replace(game.state, money=setting.rules.money)
    game = replace(game, state=state, has_cube=setting.cube)
    table = Table(setting, points, number, is_crawford=is_crawford, game=game)
    list(replay(MatchRecord(setting.players, setting.rules, (table.record,))))
    return table
