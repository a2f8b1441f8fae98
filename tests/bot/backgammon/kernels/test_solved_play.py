import numpy as np
import pytest

from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.hypergammon import solve, start_of
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.dice import next_dice
from bot.backgammon.kernels.solved_play import (
    Shortfall,
    Solved,
    add_shortfall,
    fill_perfect_points,
)
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import turned
from bot.backgammon.rules.roll import ROLLS, Roll
from bot.generator import new_generator
from tests.plain.hypergammon import plain_points_lost


@pytest.fixture(scope="module")
def one():
    """The game with a checker a side."""
    return solve(1, lambda _: None)


def solved_of(game):
    return Solved(start_of(game.checkers).board, game.sides.numbers, game.equities)


def network_equity(network, position):
    outcomes = NetworkEvaluator(network).outcomes(position.board[np.newaxis])
    return float(cubeless_equities(outcomes)[0])


def left(network, position, plies):
    """Equity of the player on roll by the network, so many plies deep."""
    lost = plain_points_lost(position.points, 1)
    if lost:
        return -lost
    if plies == 0:
        return network_equity(network, position)
    total = 0.0
    for roll in ROLLS:
        after = [turned(play.after) for play in legal_plays(position, roll)] or [turned(position)]
        chance = (1 if roll.high == roll.low else 2) / 36
        total += chance * max(-left(network, each, plies - 1) for each in after)
    return total


def plain_shortfall(network, game, seed, plies):
    """Equity given away and absolute errors of one game, by values instead of arrays."""
    generator, position = new_generator(seed), start_of(1)
    lost_by_play, errors, ply = 0.0, [], 0

    def exact(position):
        return float(game.equities_of(position.board[np.newaxis])[0])

    while plain_points_lost(position.points, 1) == 0:
        if ply:
            errors.append(abs(network_equity(network, position) - exact(position)))
        roll = Roll(*next_dice(generator, ply == 0))
        replies = [turned(play.after) for play in legal_plays(position, roll)]
        position = turned(position)
        if replies:
            position = min(replies, key=lambda reply: left(network, reply, plies))
            lost_by_play += exact(position) - min(map(exact, replies))
        ply += 1
    return lost_by_play, sum(errors), len(errors)


@pytest.mark.parametrize("plies", [0, 1])
def test_shortfall_is_what_plays_give_away_and_evaluations_are_off(one, plies):
    network = random_network(4, 5)
    for seed in (1, 2):
        shortfall = Shortfall(np.zeros((1, 2)), np.zeros((1, 2), np.int64))
        arguments = network.layers, network.features, solved_of(one), shortfall
        add_shortfall(plies, 1000, new_generator(seed), *arguments)
        lost_by_play, error, positions = plain_shortfall(network, one, seed, plies)
        assert shortfall.counts[0, 1] == positions
        assert shortfall.sums[0] == pytest.approx([lost_by_play, error], abs=1e-4)


def test_perfect_play_wins_what_the_solved_game_says(one):
    points = np.empty(20_000, np.int8)
    fill_perfect_points(new_generator(3), solved_of(one), points)
    rolls = [roll for roll in ROLLS if roll.high > roll.low]
    replies = [
        [turned(play.after).board for play in legal_plays(start_of(1), roll)] for roll in rolls
    ]
    expected = np.mean([max(-one.equities_of(np.array(each))) for each in replies])
    error = points.std() / len(points) ** 0.5
    assert abs(points.mean() - expected) < 4 * error
    assert set(np.abs(points).tolist()) <= {2, 3}
