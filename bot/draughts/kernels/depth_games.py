"""Whole games of players that search to a fixed depth or move by chance, with the draw rules.

A game can stand still in the middle of a search and be gone on with, so that Python hears Ctrl-C.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.alpha_beta import BEST, NODES, PLY, Seat, Tree, advance, begin, can_move
from bot.draughts.kernels.boards import Board, Boards, Rules, after, board_at, count, put_board
from bot.draughts.kernels.moves import MOVE, fill_moves
from bot.draughts.kernels.simulated_value import Worths
from bot.kernels import inner
from bot.kernels.generator import Generator, next_below

MAX_PLIES = 2000
"""Plies after which a game is broken off and counted as drawn."""

KINGS, THREE, TWO, SINCE = 0, 1, 2, 3
"""Places of a row of clocks: plies by kings only; against three, and two, pieces, -1 if never; the
ply after the last capture or man's move."""

CLOCKS = 4

DECISIONS, ONLY, SEARCHED, MET = 0, 1, 2, 3
"""Places of a row of counts: moves made, of these only moves, searches, boards met in searches."""

COUNTS = 4

GOES_ON = 1.0
"""The worth of the end of a game that is not over yet."""


class DrawLimits(NamedTuple):
    """A variant's DrawRules as kernels see them, with -1 for a rule it has not."""

    repetitions: int
    king_moves: int
    one_against_three: int
    one_against_two: int
    kings_alone: bool


class Play(NamedTuple):
    """A game's course: the boards before each ply, the clocks, the counts of either seat.

    boards: int64[p + 1, 4]; clocks: int64[p + 1, 4]; counts: int64[2, 4]; ply: int64[1], that which
    is played next.
    """

    boards: Boards
    clocks: NDArray[np.int64]
    counts: NDArray[np.int64]
    ply: NDArray[np.int64]


@inner
def pieces_against_a_king(board: Board) -> int:
    """Number of pieces, with a king among them, against a king alone; 0 in other endings."""
    own_men, own_kings, other_men, other_kings = board
    if own_men == 0 and count(own_kings) == 1 and other_kings != 0:
        return count(other_men | other_kings)
    if other_men == 0 and count(other_kings) == 1 and own_kings != 0:
        return count(own_men | own_kings)
    return 0


@inner
def put_clocks(clocks: NDArray[np.int64], ply: int, is_quiet: bool, board: Board) -> None:
    """Write the clocks of a ply of 1 or more, by those before; is_quiet: a king moved, took none.

    board: at that ply.
    """
    clocks[ply, KINGS] = clocks[ply - 1, KINGS] + 1 if is_quiet else 0
    clocks[ply, SINCE] = clocks[ply - 1, SINCE] if is_quiet else ply
    pieces = pieces_against_a_king(board)
    for place in range(THREE, TWO + 1):
        plies = clocks[ply - 1, place]
        stands = pieces == 3 if place == THREE else pieces == 1 or pieces == 2
        clocks[ply, place] = plies + 1 if plies >= 0 else (0 if stands else -1)


@inner
def is_drawn(board: Board, play: Play, ply: int, limits: DrawLimits, rules: Rules) -> bool:
    """Whether the rules draw the game at a ply whose clocks and board are given."""
    clocks = play.clocks
    if clocks[ply, KINGS] >= limits.king_moves:
        return True
    if limits.one_against_three >= 0 and clocks[ply, THREE] >= limits.one_against_three:
        return True
    if limits.one_against_two >= 0 and clocks[ply, TWO] >= limits.one_against_two:
        return True
    times = 1
    for earlier in range(ply - 2, clocks[ply, SINCE] - 1, -2):
        if (
            play.boards[earlier, 0] == board.own_men
            and play.boards[earlier, 1] == board.own_kings
            and play.boards[earlier, 2] == board.other_men
            and play.boards[earlier, 3] == board.other_kings
        ):
            times += 1
    if times >= limits.repetitions:
        return True
    if limits.kings_alone and pieces_against_a_king(board) == 1:
        return not _meet(board, rules)
    return False


@inner
def _meet(board: Board, rules: Rules) -> bool:
    """Whether of two kings that are alone on the board one can capture the other."""
    # A king captures another on its diagonal unless that stands on the border.
    one, other = board.own_kings, board.other_kings
    return _sees(one, other, rules) or _sees(other, one, rules)


@inner
def _sees(one: int, other: int, rules: Rules) -> bool:
    """Whether a king alone captures another."""
    for shift in (rules.short, rules.long):
        up, down = one << shift, one >> shift
        while up & rules.squares != 0:
            if up == other and (up << shift) & rules.squares != 0:
                return True
            up <<= shift
        while down & rules.squares != 0:
            if down == other and (down >> shift) & rules.squares != 0:
                return True
            down >>= shift
    return False


@inner
def shuffle(tree: Tree, number: int, generator: Generator) -> None:
    """Bring the first moves of the root into an order by chance."""
    moves = tree.moves
    for i in range(number - 1, 0, -1):
        j = next_below(generator, i + 1)
        for k in range(MOVE):
            kept = moves[0, i, k]
            moves[0, i, k] = moves[0, j, k]
            moves[0, j, k] = kept


@inner
def _board_after(tree: Tree, row: int, rules: Rules) -> Board:
    """The board after a root move."""
    start, end = int(tree.moves[0, row, 0]), int(tree.moves[0, row, 1])
    return after(board_at(tree.boards, 0), start, end, int(tree.moves[0, row, 2]), rules)


@inner
def _is_quiet(tree: Tree, row: int) -> bool:
    """Whether a root move is a king's and takes nothing."""
    return bool(tree.moves[0, row, 2] == 0 and tree.moves[0, row, 0] & tree.boards[0, 1] != 0)


@inner
def _mark_draws(
    tree: Tree, number: int, play: Play, ply: int, limits: DrawLimits, rules: Rules
) -> None:
    """Set tree.drawn for the moves of the root, which are made at this ply."""
    for row in range(number):
        board = _board_after(tree, row, rules)
        put_clocks(play.clocks, ply + 1, _is_quiet(tree, row), board)
        tree.drawn[row] = is_drawn(board, play, ply + 1, limits, rules) and can_move(board, rules)


@inner
def begin_game(play: Play, trees: tuple[Tree, Tree]) -> None:
    """Let a game begin at the first board of the play, and no search be under way."""
    play.ply[0] = 0
    for tree in trees:
        tree.at[PLY] = -1


@inner
def go_on(
    play: Play,
    seats: tuple[Seat, Seat],
    trees: tuple[Tree, Tree],
    rules: Rules,
    limits: DrawLimits,
    worths: Worths,
    generator: Generator,
    random_plies: int,
    most: int,
) -> tuple[int, float]:
    """Go on with a game until it ends, or one search more has met so many boards.

    Returns the plies of the game, and what its end is worth. That is for the player to
    move there: -1 if he has lost, 0 if the game is drawn, -0.5 if it was broken off, and GOES_ON if
    it has not ended. The first seat is White's; trees: one for each, with room for its depth.
    random_plies: plies by chance in the beginning, which count as no decisions.
    """
    for ply in range(play.ply[0], play.boards.shape[0] - 1):
        side = ply % 2
        seat, tree = seats[side], trees[side]
        counts = play.counts[side]
        if tree.at[PLY] < 0:
            board = board_at(play.boards, ply)
            number = fill_moves(board, rules, tree.moves[0], tree.jumps)
            if number == 0:
                return ply, -1.0
            if ply > 0 and is_drawn(board, play, ply, limits, rules):
                return ply, 0.0
            put_board(board, tree.boards, 0)
            is_random = ply < random_plies
            if not is_random:
                counts[DECISIONS] += 1
                counts[ONLY] += number == 1
            if number > 1 and (is_random or seat.depth == 0 or seat.is_shuffled):
                shuffle(tree, number, generator)
            if number > 1 and not is_random and seat.depth > 0:
                _mark_draws(tree, number, play, ply, limits, rules)
                begin(tree, number)
        row = 0
        if tree.at[PLY] >= 0:
            if not advance(tree, seat, rules, worths, tree.at[NODES] + most):
                play.ply[0] = ply
                return ply, GOES_ON
            row = tree.at[BEST]
            counts[SEARCHED] += 1
            counts[MET] += tree.at[NODES]
        board = _board_after(tree, row, rules)
        put_clocks(play.clocks, ply + 1, _is_quiet(tree, row), board)
        put_board(board, play.boards, ply + 1)
    return play.boards.shape[0] - 1, -0.5
