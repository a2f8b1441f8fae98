"""Random player: any legal move, each as likely as the others."""

import random
from threading import Event

from bot.draughts.rules.decision import Found, Limits, Tell
from bot.draughts.rules.game import Game


class RandomPlayer:
    """A player that moves at random; its moves come from its seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def search(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """Any legal move, whatever the limits; raises ValueError if the game is over."""
        if game.result is not None:
            raise ValueError(f"the game is over: {game.result.ending.value}")
        return Found(self._random.choice(game.moves))
