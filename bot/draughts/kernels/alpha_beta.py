"""Search to a fixed depth, by alpha-beta or in full, that can be interrupted and gone on with.

The tree has a stack of its own, so that a search does so many nodes at a time: whoever asks for
them looks between two askings whether there is a reason to stop.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import (
    BOARD,
    DIRECTIONS,
    FORWARD,
    Board,
    Boards,
    Rules,
    after,
    board_at,
    neighbours,
    put_board,
)
from bot.draughts.kernels.moves import (
    MAX_MOVES,
    MOVE,
    Jumps,
    Moves,
    empty_squares,
    fill_moves,
    new_jumps,
)
from bot.draughts.kernels.simulated_value import Worths, simulated_value
from bot.draughts.kernels.state_table import States, place_of
from bot.kernels import inlined, inner

PLY, NODES, BEST = 0, 1, 2
"""Places of Tree.at: the ply that is looked at, -1 at the end; boards met; the best root move."""

_BEYOND = 2.0
"""A value that no board has."""


class Tree(NamedTuple):
    """The line that is looked at, one row a ply, the root's first.

    boards: int64[d + 1, 4]; moves: int64[d + 1, m, 3], of which counts are there and tried have
    been tried; best: value so far for the player to move; alpha, beta: the values between which it
    matters; discounts: what a value counts at a ply; drawn: whether a root move ends the game
    drawn; at: see PLY, NODES and BEST.
    """

    boards: Boards
    moves: Moves
    counts: NDArray[np.int64]
    tried: NDArray[np.int64]
    best: NDArray[np.float64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    discounts: NDArray[np.float64]
    drawn: NDArray[np.bool_]
    jumps: Jumps
    at: NDArray[np.int64]


class Seat(NamedTuple):
    """A player: depth in plies, 0 to move by chance; whether it prunes; its table of states.

    is_shuffled: whether equal moves are chosen from by chance, not the first.
    """

    depth: int
    is_pruned: bool
    is_shuffled: bool
    states: States


def new_tree(depth: int, discount: float) -> Tree:
    """Room for searches to a depth or less; discount: of a value for each ply."""
    plies = depth + 1
    return Tree(
        np.zeros((plies, BOARD), np.int64),
        np.zeros((plies, MAX_MOVES, MOVE), np.int64),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.int64),
        np.zeros(plies),
        np.zeros(plies),
        np.zeros(plies),
        np.power(discount, np.arange(plies, dtype=np.float64)),
        np.zeros(MAX_MOVES, np.bool_),
        new_jumps(),
        np.zeros(3, np.int64),
    )


@inlined
def can_move(board: Board, rules: Rules) -> bool:
    """Whether the player to move has a legal move."""
    empty = empty_squares(board, rules)
    others = board.other_men | board.other_kings
    found = 0
    for back in range(DIRECTIONS):
        # A king that has no free square beside it captures as a man does, if at all.
        beside = neighbours(empty, back, rules)
        behind = neighbours(beside & others, back, rules)
        found |= (beside | behind) & board.own_kings
        if back >= FORWARD:
            found |= beside & board.own_men
        if back >= FORWARD or rules.men_capture_backward:
            found |= behind & board.own_men
    return found != 0


@inlined
def _leaf_value(board: Board, rules: Rules, worths: Worths, states: States) -> float:
    """The value of a board that is not looked into, for the player to move."""
    if not can_move(board, rules):
        return -1.0
    if states.visits.shape[0] > 1:
        place = place_of(board, states)
        if states.visits[place] > 0:
            return states.values[place]  # type: ignore[no-any-return]
    return simulated_value(board, rules, worths)


@inlined
def _enter(tree: Tree, ply: int, number: int, alpha: float, beta: float) -> None:
    """Begin to look at a ply whose moves are there."""
    tree.counts[ply] = number
    tree.tried[ply] = 0
    tree.best[ply] = -_BEYOND
    tree.alpha[ply] = alpha
    tree.beta[ply] = beta


@inlined
def begin(tree: Tree, number: int) -> None:
    """Begin a search; the root's board, so many moves, and which of them draw, are in the tree."""
    _enter(tree, 0, number, -_BEYOND, _BEYOND)
    tree.at[PLY] = 0
    tree.at[NODES] = 0
    tree.at[BEST] = 0


@inner
def advance(tree: Tree, seat: Seat, rules: Rules, worths: Worths, most: int) -> bool:
    """Go on until the search ends, or has met so many boards in all; whether it has ended.

    The value of the root is in tree.best[0]. A position lost counts -1, and every value less by its
    ply, so that a win is not put off. Within the tree no draw is seen but of a root move.
    """
    ply, nodes = int(tree.at[PLY]), int(tree.at[NODES])
    depth = seat.depth
    while ply >= 0:
        if tree.tried[ply] == tree.counts[ply] or (
            seat.is_pruned and tree.best[ply] >= tree.beta[ply]
        ):
            value = -tree.best[ply]
            ply -= 1
            if ply < 0:
                break
        else:
            if nodes >= most:
                tree.at[PLY] = ply
                tree.at[NODES] = nodes
                return False
            row = tree.tried[ply]
            tree.tried[ply] += 1
            nodes += 1
            start, end = int(tree.moves[ply, row, 0]), int(tree.moves[ply, row, 1])
            board = board_at(tree.boards, ply)
            board = after(board, start, end, int(tree.moves[ply, row, 2]), rules)
            if ply == 0 and tree.drawn[row]:
                value = 0.0
            elif ply + 1 == depth:
                value = -tree.discounts[depth] * _leaf_value(board, rules, worths, seat.states)
            else:
                number = fill_moves(board, rules, tree.moves[ply + 1], tree.jumps)
                if number > 0:
                    put_board(board, tree.boards, ply + 1)
                    least = max(tree.alpha[ply], tree.best[ply])
                    _enter(tree, ply + 1, number, -tree.beta[ply], -least)
                    ply += 1
                    continue
                value = tree.discounts[ply + 1]
        if value > tree.best[ply]:
            tree.best[ply] = value
            if ply == 0:
                tree.at[BEST] = tree.tried[0] - 1
    tree.at[PLY] = -1
    tree.at[NODES] = nodes
    return True
