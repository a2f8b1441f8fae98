"""Backpropagation: the outcome of a game as the target of every position in it."""

from bot.backgammon.training.temporal_difference import TemporalDifference


class Backpropagation(TemporalDifference):
    """A network playing itself that learns each game, once it is over, by its outcome alone.

    The positions are learnt from the last to the first, a step each; nothing is learnt from a game
    broken off. Games, workers and checkpoints are those of TemporalDifference.
    """

    name = "backpropagation"
