"""Self-play: a game of an evaluation against itself, from which it learns.

A game goes on until its ending is known. Every position is searched a few plies deep. The leaf of
the best line is what is learnt: its score is moved towards the mean of what later positions came
to, the nearer the more (TD-leaf with lambda). A game can stand still in the middle of a search and
be gone on with, so that Python hears Ctrl-C.
Source: J. Baxter, A. Tridgell and L. Weaver, KnightCap (1998).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Boards, Rules, after, board_at, put_board
from bot.draughts.kernels.endings import ending_value, piece_count
from bot.draughts.kernels.moves import fill_moves
from bot.draughts.kernels.pattern_learning import Learning, chance, learn_board
from bot.draughts.kernels.patterns import SCORE, evaluation
from bot.draughts.kernels.search import (
    BEST,
    KEY,
    LINE,
    NODES,
    PAST,
    PAST_KEYS,
    QUIET,
    SURE,
    WIN,
    Knowledge,
    Tree,
    begin,
    go_on,
)
from bot.draughts.kernels.table import Table
from bot.kernels import inlined, inner, kernel

MAX_PLIES = 240
"""Plies after which a game is drawn."""

MAX_KING_PLIES = 30
"""Plies by kings only after which a game is drawn; less than in play, as nothing is learnt then."""

COURSE = 4
PLY, SEED, OPENING, DEPTH = range(COURSE)
"""Places of a course: the ply that is played next; the seed of what was last by chance; plies at
random in the beginning; the depth that is being searched, 0 between searches."""

_MASK = 0x7FFFFFFFFFFFFFFF


class Lesson(NamedTuple):
    """Settings of a game that is learnt from.

    depth: of the search, in plies. trace: lambda. rate: of learning. opening: most plies at random
    in the beginning. random_every: a move is random once in so many.
    """

    depth: int
    trace: float
    rate: float
    opening: int
    random_every: int


class Record(NamedTuple):
    """A game for learning.

    leaves: int64[240, 4]; chances: float64[240] of who began; marks: int64[240, 2], for each ply
    the sign of who moves at the leaf, 0 if nothing is learnt from it, and whether the move was
    random; course: int64[4], see PLY, SEED, OPENING and DEPTH.
    """

    leaves: Boards
    chances: NDArray[np.float64]
    marks: NDArray[np.int64]
    course: NDArray[np.int64]


@inlined
def _advanced(seed: int) -> int:
    """The next number of a sequence; its upper bits are random. Source: Knuth's MMIX."""
    return (seed * 6364136223846793005 + 1442695040888963407) & _MASK


@inlined
def _below(seed: int, limit: int) -> int:
    return (seed >> 33) % limit


@inner
def _search_on(
    tree: Tree, known: Knowledge, table: Table, depth: int, course: NDArray[np.int64], nodes: int
) -> bool:
    """Search the root to a depth, or until so many nodes more are opened; whether it is searched.

    The best line is then left in the tree.
    """
    most = int(tree.state[NODES]) + nodes
    while go_on(tree, known, table, most):
        if course[DEPTH] == depth:
            return True
        course[DEPTH] += 1
        begin(tree, int(course[DEPTH]), -WIN, WIN)
    return False


@inner
def _put_leaf(row: int, tree: Tree, rules: Rules, record: Record) -> None:
    """Write the board at the end of the best line."""
    board = board_at(tree.frames, 0)
    for i in range(int(tree.frames[0, LINE])):
        move = tree.lines[0, i]
        board = after(board, int(move[0]), int(move[1]), int(move[2]), rules)
    put_board(board, record.leaves, row)


@inner
def _learn(
    plies: int, outcome: float, known: Knowledge, lesson: Lesson, record: Record, learning: Learning
) -> None:
    """Go through a game from its end, whose outcome is the chance of who began."""
    target = outcome
    for ply in range(plies - 1, -1, -1):
        now = record.chances[ply]
        if record.marks[ply, 1] != 0:
            target = now
        sign = int(record.marks[ply, 0])
        if sign != 0 and target != now:
            board = board_at(record.leaves, ply)
            error = sign * (target - now)
            learn_board(board, error, lesson.rate, known.rules, known.patterns, learning)
        target = (1 - lesson.trace) * now + lesson.trace * target


@kernel
def begin_game(seed: int, tree: Tree, table: Table, lesson: Lesson, record: Record) -> None:
    """Let a game begin at the root of a tree, which it writes over."""
    table[:] = 0
    tree.history[:] = 0
    tree.state[NODES] = 0
    seed = _advanced(_advanced(seed))
    record.course[PLY] = 0
    record.course[SEED] = seed
    record.course[OPENING] = 1 + _below(seed, lesson.opening)
    record.course[DEPTH] = 0


@kernel
def learn_from_game(
    tree: Tree,
    known: Knowledge,
    table: Table,
    lesson: Lesson,
    record: Record,
    learning: Learning,
    nodes: int,
) -> bool:
    """Go on with a game that was begun until it is over, and learn from it; whether it is.

    It stands still as soon as the search of one position opens so many nodes more.
    """
    rules = known.rules
    frames, state, course = tree.frames, tree.state, record.course
    outcome = 0.5
    while course[PLY] < MAX_PLIES and frames[0, QUIET] < MAX_KING_PLIES:
        ply = int(course[PLY])
        board = board_at(frames, 0)
        mover = 1 if ply % 2 == 0 else -1
        if course[DEPTH] == 0:
            if fill_moves(board, rules, tree.moves[1], tree.jumps) == 0:
                outcome = 0.5 - mover / 2
                break
            if piece_count(board) <= known.endings.most:
                outcome = 0.5 + mover * np.sign(ending_value(board, rules, known.endings)) / 2
                break
            course[SEED] = _advanced(int(course[SEED]))
            is_random = ply < course[OPENING] or _below(course[SEED], lesson.random_every) == 0
            record.marks[ply, 1] = int(is_random)
            course[DEPTH] = 1
            begin(tree, 1, -WIN, WIN)
        if not _search_on(tree, known, table, lesson.depth, course, nodes):
            return False
        course[DEPTH] = 0
        score = int(frames[0, BEST])
        _put_leaf(ply, tree, rules, record)
        sign = mover if frames[0, LINE] % 2 == 0 else -mover
        is_sure = abs(score) >= SURE
        worth = mover * (WIN if score > 0 else -WIN) if is_sure else mover * score
        record.chances[ply] = chance(max(-30.0, min(30.0, worth / SCORE)))
        at_leaf = evaluation(board_at(record.leaves, ply), rules, known.patterns)
        record.marks[ply, 0] = sign if sign * at_leaf == mover * score else 0
        row, move = 0, tree.lines[0, 0]
        if record.marks[ply, 1] != 0:
            number = fill_moves(board, rules, tree.moves[1], tree.jumps)
            course[SEED] = _advanced(int(course[SEED]))
            row = _below(course[SEED], number)
            move = tree.moves[1, row]
        start, end, captured = int(move[0]), int(move[1]), int(move[2])
        is_quiet = captured == 0 and board.own_kings & start != 0
        past = int(state[PAST]) if is_quiet else 0
        tree.past[min(past, PAST_KEYS - 1)] = frames[0, KEY]
        state[PAST] = min(past + 1, PAST_KEYS) if is_quiet else 0
        frames[0, QUIET] = frames[0, QUIET] + 1 if is_quiet else 0
        put_board(after(board, start, end, captured, rules), frames, 0)
        course[PLY] += 1
    _learn(int(course[PLY]), outcome, known, lesson, record, learning)
    return True
