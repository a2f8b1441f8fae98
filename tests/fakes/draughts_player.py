"""Players of draughts for the tests of protocols: they know the rules and nothing else."""

import random

from bot.draughts.rules.decision import Found
from bot.draughts.rules.game import Game


class FirstMove:
    """Plays the first legal move, tells two depths on the way, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def search(self, game, limits, stop, tell):
        if not game.moves:
            raise ValueError("the game is over")
        self.asked.append((game, limits))
        move = game.moves[0]
        after = game.after(move)
        line = (move, after.moves[0]) if isinstance(after, Game) else (move,)
        for depth in (1, 2):
            tell(Found(move, 0.25 * depth, depth, 1000 * depth, 0.5, line))
        return Found(move, 0.5, 2, 2000, 0.5, line)


class UntilStopped(FirstMove):
    """Thinks until it is stopped, for at most so many seconds."""

    def __init__(self, seconds=20.0):
        super().__init__()
        self.seconds = seconds

    def search(self, game, limits, stop, tell):
        found = super().search(game, limits, stop, tell)
        if not stop.wait(self.seconds):
            raise AssertionError("nobody stopped the search")
        return found


class RandomMove:
    """Plays any legal move."""

    def __init__(self, seed):
        self.numbers = random.Random(seed)

    def search(self, game, limits, stop, tell):
        return Found(self.numbers.choice(game.moves))


class Scripted:
    """Plays these moves, one after the other."""

    def __init__(self, moves):
        self.moves = list(moves)

    def search(self, game, limits, stop, tell):
        return Found(self.moves.pop(0))


class Broken:
    """Fails, or plays what is not legal."""

    def __init__(self, move=None):
        self.move = move

    def search(self, game, limits, stop, tell):
        if self.move is None:
            raise RuntimeError("a mistake")
        return Found(self.move)
