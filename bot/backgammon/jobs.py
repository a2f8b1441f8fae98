"""Jobs: the kernels that belong together, each called once so that it is compiled.

All arrays are as small as can be, and of the types that the real ones have.
"""

from functools import cache

import numpy as np

from bot.backgammon.arena.baselines import BASELINES, baseline, pubeval_weights
from bot.backgammon.engine.nets import nets_of
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.cube import cube_table, rolled_values
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import CLASSIC, INPUT_SETS, PLAYERS, inputs_of
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.adam import step_by_adam
from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.boards import POINTS, has_contact, points_lost, side_checkers
from bot.backgammon.kernels.cube import fill_node_values, level_of, turned_state
from bot.backgammon.kernels.dice import ROLL_COUNT, next_below, next_dice
from bot.backgammon.kernels.expectations import fill_expectations, fill_rolled
from bot.backgammon.kernels.inputs import NO_FEATURES
from bot.backgammon.kernels.learning import BACKWARD, Method
from bot.backgammon.kernels.lookahead import Mix, example_tools, fill_examples
from bot.backgammon.kernels.network_duel import NETWORK, Duellist, play_pairs
from bot.backgammon.kernels.outcomes import MONEY
from bot.backgammon.kernels.phases import fill_phases
from bot.backgammon.kernels.rollout import (
    COLUMNS,
    NODES,
    TrialLimits,
    TrialStart,
    add_chances,
    add_luck,
    fill_replies_to,
    fill_trials,
    is_decided,
    luck_of,
    next_roll,
    no_replies,
)
from bot.backgammon.kernels.search import (
    fill_lookahead,
    fill_nodes,
    fill_replies_of,
    search_tools,
)
from bot.backgammon.kernels.selfplay import learn_by_selfplay, learn_from_games, play_games
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.rules.play import RollWorkspace, legal_plays, play_count
from bot.backgammon.rules.position import Position, pip_counts, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.compilation import Job
from bot.generator import new_generator

_ENDING = Position((0, 1, *(0,) * 22, -1, 0))
"""A checker against a checker, so that nothing takes long."""

_NETWORK = random_network(1, 0)
_EVALUATOR = CompositeEvaluator(_NETWORK)
_NETS = nets_of(_EVALUATOR, None)
_tools = cache(lambda: search_tools(_NETS))
_CUBE = cube_table(GameState(_ENDING))
_BOARD = _ENDING.board
_BOARDS = _BOARD[np.newaxis]
_ROLL = Roll(3, 1)
_METHOD = Method(BACKWARD, 0.1, 0.5)
_STATES = _CUBE.may_double.shape[1]


def _boards() -> None:
    turned_boards(_BOARDS)
    pip_counts(_BOARDS)
    points_lost(_BOARD)
    has_contact(_BOARD)
    home_numbers(_BOARD)
    turned_state(_CUBE.root)
    level_of(_CUBE.root)
    fill_node_values(np.zeros(_STATES), 0, _CUBE, np.zeros(_STATES))
    next_dice(new_generator(0), True)
    next_below(new_generator(0), 2)


def _baselines() -> None:
    for name in BASELINES:
        baseline(name, 0).choose(_ENDING, _ROLL)


def _evaluation() -> None:
    assert PLAYERS.playing_features.size  # their kernels are compiled for it
    rolled_values(_BOARDS, _EVALUATOR.outcomes(_BOARDS), 0, _CUBE)


def _candidates() -> None:
    Search(_EVALUATOR, SearchSettings()).candidates(_BOARD, _ROLL, cube=_CUBE).ranked()


def _search() -> None:
    outcomes, rolled = np.zeros((1, OUTPUTS), np.float32), np.zeros((1, _STATES))
    fill_lookahead(_BOARDS, 1, 0, (MONEY, MONEY), _CUBE, _tools(), outcomes, rolled)
    fill_nodes(rolled, 1, _CUBE, np.empty_like(rolled))


def _replies() -> None:
    play_count(_BOARDS, RollWorkspace())
    replies = np.empty((1, ROLL_COUNT, POINTS), np.int8)
    outcomes = np.empty((1, ROLL_COUNT, OUTPUTS), np.float32)
    is_exact, values = np.empty((1, ROLL_COUNT), np.bool_), np.zeros((1, ROLL_COUNT, _STATES))
    fill_replies_of(_BOARDS, 0, MONEY, _CUBE, _tools(), replies, outcomes, is_exact, values)
    fill_expectations(outcomes, np.empty((1, OUTPUTS), np.float32))
    fill_rolled(values, _CUBE, np.zeros((1, _STATES)))


def _luck() -> None:
    replies = no_replies()
    next_roll(np.zeros(2, np.int64), 0, new_generator(0))
    fill_replies_to((0, 1), _BOARD, 0, _CUBE.root, _CUBE, _tools(), replies)
    add_luck(replies.outcomes, 0, True, np.zeros(COLUMNS))
    add_chances(replies.outcomes[0], True, np.zeros(COLUMNS))
    luck_of(replies.values, 0)
    is_decided(_BOARD, 0, _CUBE.root, 0, _CUBE)


def _rollout() -> None:
    is_decided(_BOARD, 0, _CUBE.root, 0, _CUBE)
    start = TrialStart(_BOARD, np.zeros(OUTPUTS, np.float32), True, 1, _CUBE)
    throws, generators = np.zeros((1, 2), np.int64), new_generator(0)[np.newaxis]
    trials = np.zeros((2, 1, COLUMNS))
    limits = TrialLimits(1, 0, True)
    fill_trials(start, limits, throws, generators, _tools(), no_replies(NODES), trials)


def _selfplay() -> None:
    layers, counts = random_network(1, 0).layers, np.zeros(3, np.int64)
    learn_by_selfplay(0, 1, _METHOD, new_generator(0), _BOARD, layers, NO_FEATURES, counts)


def _shared_selfplay() -> None:
    positions, layers = np.empty((0, POINTS), np.int8), random_network(1, 0).layers
    plies, points = np.empty((2, 0), np.int32)
    play_games(new_generator(0), _BOARD, layers, NO_FEATURES, positions, plies, points)
    counts = np.zeros(3, np.int64)
    learn_from_games(positions, plies, points, _METHOD, layers, NO_FEATURES, counts)


def _tests() -> None:
    for inputs in INPUT_SETS.values():
        inputs_of(_BOARDS, inputs)
    player = Duellist(NETWORK, _NETWORK.layers, _NETWORK.features)
    points = np.empty((0, 2), np.int8)
    play_pairs(1, _BOARD, new_generator(0), player, player, pubeval_weights(), points)


def _lookahead() -> None:
    tools, targets = example_tools(_NETS), np.empty((1, OUTPUTS), np.float32)
    counts, mix = np.zeros(3, np.int64), Mix(0.25, 4, 0.5, 0.5)
    places = np.empty(1, np.int8)
    side_checkers(mix.start)
    fill_examples(0, mix, tools, new_generator(0), _BOARDS.copy(), targets, places, counts)
    inputs_of(_BOARDS, CLASSIC)
    fill_phases(_BOARDS, np.zeros(1, np.int64))
    step_by_adam(np.zeros(1, np.float32), 0.1, 0.5, *np.zeros((4, 1), np.float32))


_EVALUATED_PLAYS = "evaluation of plays"

JOBS = {
    "boards": Job(_boards, 1.0),
    "plays": Job(lambda: legal_plays(_ENDING, _ROLL), 2.0),
    "baselines": Job(_baselines, 3.0),
    "evaluation": Job(_evaluation, 5.0),
    _EVALUATED_PLAYS: Job(_tools, 4.9),
    "candidates": Job(_candidates, 1.7, _EVALUATED_PLAYS),
    "search": Job(_search, 1.9, _EVALUATED_PLAYS),
    "replies": Job(_replies, 1.5, _EVALUATED_PLAYS),
    "luck": Job(_luck, 1.3, _EVALUATED_PLAYS),
    "rollout": Job(_rollout, 1.8, _EVALUATED_PLAYS),
    "bear-off databases": Job(lambda: build_databases(lambda text: None, 1, 1), 4.0),
    "self-play": Job(_selfplay, 8.0),
    "self-play of several": Job(_shared_selfplay, 9.0),
    "tests": Job(_tests, 9.0),
    "lookahead training": Job(_lookahead, 1.8, _EVALUATED_PLAYS),
}
"""Jobs by the names that people see; their seconds are about those of an AMD EPYC (Zen 5) core."""
