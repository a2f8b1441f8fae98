"""Perft: the number of leaves below a board, to prove and to time the move generator."""

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import BOARD, Boards, Rules, after, board_at, put_board
from bot.draughts.kernels.moves import JUMP, MAX_JUMPS, MAX_MOVES, MOVE, fill_moves, move_count
from bot.kernels import kernel


@kernel
def leaf_count(boards: Boards, rules: Rules, depth: int, nodes: NDArray[np.int64]) -> int:
    """Number of leaves at a depth of 1 or more below the first of the boards, int64[1, 4].

    Moves of the last ply are counted, not made; nodes, int64[1], is set to the boards looked at.
    """
    waiting = np.zeros((depth, BOARD), np.int64)
    moves = np.zeros((depth, MAX_MOVES, MOVE), np.int64)
    left = np.zeros(depth, np.int64)
    jumps = np.zeros((MAX_JUMPS, JUMP), np.int64)
    put_board(board_at(boards, 0), waiting, 0)
    leaves = 0
    looked = 1
    ply = 0
    if depth > 1:
        left[0] = fill_moves(board_at(waiting, 0), rules, moves[0], jumps)
    while ply >= 0:
        if ply == depth - 1:
            leaves += move_count(board_at(waiting, ply), rules, moves[ply], jumps)
            ply -= 1
        elif left[ply] == 0:
            ply -= 1
        else:
            left[ply] -= 1
            row = left[ply]
            board = board_at(waiting, ply)
            start, end = int(moves[ply, row, 0]), int(moves[ply, row, 1])
            board = after(board, start, end, int(moves[ply, row, 2]), rules)
            ply += 1
            looked += 1
            put_board(board, waiting, ply)
            if ply < depth - 1:
                left[ply] = fill_moves(board, rules, moves[ply], jumps)
    nodes[0] = looked
    return leaves
