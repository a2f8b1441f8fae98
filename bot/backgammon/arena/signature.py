"""Signature: how an engine plays, in one number."""

import hashlib
import json

from bot.backgammon.engine.engine import Engine
from bot.backgammon.kernels.dice import next_dice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeDecision,
    DoubleDecision,
    PlayDecision,
)
from bot.backgammon.rules.dice import new_generator
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import Roll

GAMES = 16
MOST_PLIES = 200
SEED = 1


def signature(engine: Engine) -> int:
    """A number of seven digits that changes with any play or cube decision of fixed games.

    The engine plays both sides of money games, their dice given by a seed; at every turn it is also
    asked whether it doubles and whether it takes, but the cube stays where it is. No equity goes
    in, only choices: machines that round alike to about six digits agree, unless the two best plays
    of a roll lie even closer together.
    """
    choices = hashlib.sha256()
    for game in range(GAMES):
        for choice in _choices(engine, game):
            choices.update(json.dumps(choice).encode())
    return 1_000_000 + int.from_bytes(choices.digest()[:8], "big") % 9_000_000


def _choices(engine: Engine, game: int) -> list[list[object]]:
    """What was decided at each turn of a game: double, take, and the points after the play."""
    generator = new_generator(SEED, game)
    position = START
    choices: list[list[object]] = []
    for ply in range(MOST_PLIES):
        state = GameState(position)
        double = engine.decide(ChooseCubeAction(state))
        take = engine.decide(AnswerDouble(state))
        play = engine.decide(ChooseCheckerPlay(state, Roll(*next_dice(generator, ply == 0))))
        assert isinstance(double, CubeDecision)
        assert isinstance(take, DoubleDecision)
        assert isinstance(play, PlayDecision)
        after = play.play.after
        choices.append([double.action.value, take.answer.value, *after.points])
        if after.checkers == 0:
            break
        position = turned(after)
    return choices
