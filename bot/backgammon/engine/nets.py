"""Nets: what searches evaluate with, of an evaluator and a small network that prunes."""

from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.playing import NO_PLAYING_LAYERS
from bot.backgammon.kernels.siblings import Nets

PRUNER = "pruner-256"


def pruner_of(network: Network) -> Network | None:
    """The small network that chooses which replies this one evaluates; None if it is quick itself.

    One of several layers looks ahead two to three times as fast with it.
    """
    return load_network(PRUNER) if network.layers.second_biases.size else None


def nets_of(evaluator: CompositeEvaluator, pruner: Network | None) -> Nets:
    """The nets of an evaluator; pruner: see Search."""
    network = evaluator.network
    pruning = (NO_PLAYING_LAYERS, NO_FEATURES)
    if pruner is not None:
        pruning = (pruner.playing, pruner.playing_features)
    return Nets(network.playing, network.playing_features, *pruning, evaluator.databases)
