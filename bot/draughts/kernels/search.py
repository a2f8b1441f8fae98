"""Search: principal variations, with the tree's nodes on a stack that can be left and gone on with.

A node is a row of frames. It is opened, its moves are made one after the other, each at the
smallest window and depth that may do, and when none is left its value goes up. There is no
recursion, so that a search stops after any node, and Python can look at clocks and flags.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.boards import Rules, after, board_at, count, put_board, turned
from bot.draughts.kernels.endings import Endings, ending_value, piece_count
from bot.draughts.kernels.moves import (
    Jumps,
    fill_captures,
    fill_steps,
    men_that_capture,
    step_count,
)
from bot.draughts.kernels.ordering import (
    History,
    fill_order,
    next_move,
    reward,
    row_of,
    step_number,
)
from bot.draughts.kernels.patterns import Patterns, evaluation
from bot.draughts.kernels.table import (
    EXACT,
    LOWER,
    NOTHING,
    UPPER,
    Entry,
    found,
    key_of,
    remember,
    unpacked,
)
from bot.draughts.kernels.table import Table as Transpositions
from bot.kernels import inlined, inner, kernel

MAX_PLY = 128
"""Frames; a line that gets so long ends in an evaluation."""

WIN = 30_000
"""Score of a won game; a win in n plies is n less."""

SURE = WIN - 2 * MAX_PLY
"""Least score of a game that is won for sure."""

UNSEARCHED = -(1 << 20)
"""Value of a node that is not known yet."""

FRAME = 21
(
    KEY,
    QUIET,
    DEPTH,
    ALPHA,
    BETA,
    FIRST_ALPHA,
    BEST,
    BEST_ROW,
    COUNT,
    TRIED,
    ROW,
    STAGE,
    PENDING,
    LINE,
    KILLER,
    OTHER_KILLER,
    CAPTURES,
) = range(4, FRAME)
"""Columns of a frame behind the board: its key; plies by kings up to here; depth; the window, and
alpha as it was at first; the best value and its row; number of moves and of those tried; the one
being tried, at what stage, and the stage to try it again at; length of the line; two steps that
were too good for sisters; number of captures."""

FIRST, WIDE, NARROW, REDUCED = range(4)
"""Stages at which a move is tried: not yet, with the whole window, with none, and less deep."""

STATE = 9
(
    PLY,
    NODES,
    AGE,
    IS_PLAIN,
    PAST,
    KING_MOVES,
    DRAWN_AT,
    ONE_AGAINST_THREE,
    ONE_AGAINST_TWO,
) = range(STATE)
"""Columns of a state: the frame to open next; nodes opened; age for the table; whether no move is
reduced and only values of the same depth are taken from the table; number of keys in the past;
plies by kings only that draw; ply from which a clock that runs has drawn; plies in which a king
alone must have lost against three pieces, and against two or one."""

PAST_KEYS = 128

NEVER = 1 << 20
"""Plies after which no draw is counted."""


class Tree(NamedTuple):
    """A search that stands still.

    frames: int64[128, 21]; moves: int64[128, m, 3]; order: int64[128, m]; lines: int64[128, 129,
    3], the best line from each frame on; history: int64[4096]; past: int64[128], keys of the
    positions before the root, oldest first; state: int64[9]; jumps: workspace.
    """

    frames: NDArray[np.int64]
    moves: NDArray[np.int64]
    order: NDArray[np.int64]
    lines: NDArray[np.int64]
    history: History
    past: NDArray[np.int64]
    state: NDArray[np.int64]
    jumps: Jumps


class Knowledge(NamedTuple):
    """All that a search knows of a game."""

    rules: Rules
    patterns: Patterns
    endings: Endings


@inlined
def _is_repeated(ply: int, tree: Tree) -> bool:
    """Whether the board stood there before, in the tree or the game, with the same player on move.

    A board is seen by the player to move, so only those an even number of plies ago are.
    """
    frames, past = tree.frames, int(tree.state[PAST])
    key, back = int(frames[ply, KEY]), 4
    while back <= int(frames[ply, QUIET]):
        if back <= ply:
            if int(frames[ply - back, KEY]) == key:
                return True
        elif back - ply <= past and int(tree.past[past - (back - ply)]) == key:
            return True
        back += 2
    return False


@inlined
def _known_ending(ply: int, tree: Tree, known: Knowledge) -> int:
    """Score of a board with few pieces, 0 if counted moves run out before the win.

    UNSEARCHED if moves by kings only may, as a piece that is given away resets them.
    """
    board = board_at(tree.frames, ply)
    value = ending_value(board, known.rules, known.endings)
    if value == 0:
        return 0
    distance = value if value > 0 else -value - 1
    own, other = count(board.own_men | board.own_kings), count(board.other_men | board.other_kings)
    own_is_alone = own == 1 and board.own_kings != 0 and board.other_kings != 0
    if own_is_alone or (other == 1 and board.own_kings != 0 and board.other_kings != 0):
        limit = ONE_AGAINST_THREE if own + other == 4 else ONE_AGAINST_TWO
        if distance > int(tree.state[limit]):
            return 0
    if ply + distance > int(tree.state[DRAWN_AT]):
        return 0
    if int(tree.frames[ply, QUIET]) + distance > int(tree.state[KING_MOVES]):
        return UNSEARCHED
    return WIN - ply - distance if value > 0 else ply + distance - WIN


@inlined
def _is_threatened(ply: int, tree: Tree, known: Knowledge) -> bool:
    """Whether the other could capture if it were the other's move; rows of moves are used."""
    board = turned(board_at(tree.frames, ply), known.rules)
    if board.own_kings == 0:
        return men_that_capture(board, known.rules) != 0
    return fill_captures(board, known.rules, tree.moves[ply], tree.jumps) > 0


@inlined
def _value_in_table(value: int, ply: int) -> int:
    """A score that counts plies from here, if it is sure, not from the root; -ply undoes it."""
    if value >= SURE:
        return value + ply
    return value - ply if value <= -SURE else value


@inner
def _open_node(ply: int, tree: Tree, known: Knowledge, table: Transpositions) -> int:
    """Make a node ready to be searched; its value if that is known without, else UNSEARCHED."""
    frames, state = tree.frames, tree.state
    board = board_at(frames, ply)
    key = key_of(board)
    frames[ply, KEY] = key
    frames[ply, LINE] = 0
    depth = int(frames[ply, DEPTH])
    best = -1
    if ply > 0:
        if _is_repeated(ply, tree):
            return 0
        if piece_count(board) <= known.endings.most:
            score = _known_ending(ply, tree, known)
            if score != UNSEARCHED:
                return score
    is_drawn = ply > 0 and (frames[ply, QUIET] >= state[KING_MOVES] or ply >= state[DRAWN_AT])
    alpha, beta = int(frames[ply, ALPHA]), int(frames[ply, BETA])
    data = found(key, table) if depth >= 0 and not is_drawn else NOTHING
    if data != NOTHING:
        entry = unpacked(data)
        best = entry.move
        value = _value_in_table(entry.value, -ply)
        deep = entry.depth == depth if state[IS_PLAIN] != 0 else entry.depth >= depth
        bounds = (value >= beta and entry.bound & LOWER != 0) or (
            value <= alpha and entry.bound & UPPER != 0
        )
        if ply > 0 and deep and bounds and beta - alpha == 1:
            return value
    number = fill_captures(board, known.rules, tree.moves[ply], tree.jumps)
    frames[ply, CAPTURES] = number
    if number == 0 and step_count(board, known.rules) == 0:
        return ply - WIN
    if is_drawn:
        return 0
    is_calm = number == 0 and depth <= 0 and ply > 0
    if ply == MAX_PLY - 1 or (is_calm and not (depth == 0 and _is_threatened(ply, tree, known))):
        return evaluation(board, known.rules, known.patterns)
    if number == 0:
        number = fill_steps(board, known.rules, tree.moves[ply])
    killers = int(frames[ply, KILLER]), int(frames[ply, OTHER_KILLER])
    fill_order(board, tree.moves[ply], number, best, killers, tree.history, tree.order[ply])
    frames[ply, COUNT] = number
    frames[ply, FIRST_ALPHA] = alpha
    frames[ply, BEST] = -WIN
    frames[ply, BEST_ROW] = -1
    frames[ply, TRIED] = 0
    frames[ply, PENDING] = FIRST
    if ply < MAX_PLY - 2:
        frames[ply + 2, KILLER] = 0
        frames[ply + 2, OTHER_KILLER] = 0
    return UNSEARCHED


@inlined
def _reduction(ply: int, depth: int, tree: Tree) -> int:
    """Plies by which a move is searched less deep at first."""
    frames = tree.frames
    tried = int(frames[ply, TRIED])
    if tree.state[IS_PLAIN] != 0 or frames[ply, CAPTURES] != 0 or depth < 3:
        return 0
    if frames[ply, BETA] - frames[ply, FIRST_ALPHA] > 1:
        return 1 if tried >= 3 else 0
    if tried == 0:
        return 0
    return 2 + depth // 8 if depth >= 4 and tried >= 3 else 1


@inner
def _make_next_move(ply: int, tree: Tree, rules: Rules) -> bool:
    """Make the next move of a node, so that the next frame can be opened; False if none is left."""
    frames = tree.frames
    number, tried = int(frames[ply, COUNT]), int(frames[ply, TRIED])
    stage = int(frames[ply, PENDING])
    depth = int(frames[ply, DEPTH])
    if stage == FIRST:
        if tried == number or frames[ply, BEST] >= frames[ply, BETA]:
            return False
        frames[ply, ROW] = next_move(tree.order[ply], tried, number)
        stage = WIDE if tried == 0 else NARROW
        if stage == NARROW and _reduction(ply, depth, tree) > 0:
            stage = REDUCED
    frames[ply, STAGE] = stage
    row = int(frames[ply, ROW])
    board = board_at(frames, ply)
    start, end = int(tree.moves[ply, row, 0]), int(tree.moves[ply, row, 1])
    captured = int(tree.moves[ply, row, 2])
    put_board(after(board, start, end, captured, rules), frames, ply + 1)
    is_by_king = captured == 0 and board.own_kings & start != 0
    frames[ply + 1, QUIET] = frames[ply, QUIET] + 1 if is_by_king else 0
    is_forced = number == 1 and tree.state[IS_PLAIN] == 0 and ply > 0
    left = depth if is_forced and depth > 0 else depth - 1
    frames[ply + 1, DEPTH] = left - (_reduction(ply, depth, tree) if stage == REDUCED else 0)
    alpha = int(frames[ply, ALPHA])
    frames[ply + 1, ALPHA] = -int(frames[ply, BETA]) if stage == WIDE else -alpha - 1
    frames[ply + 1, BETA] = -alpha
    return True


@inner
def _take_in_value(ply: int, value: int, tree: Tree) -> None:
    """Take in the value of the move that was tried, or have it tried again."""
    frames = tree.frames
    stage, alpha, beta = int(frames[ply, STAGE]), int(frames[ply, ALPHA]), int(frames[ply, BETA])
    if value > alpha and stage == REDUCED:
        frames[ply, PENDING] = NARROW
        return
    if alpha < value < beta and stage == NARROW:
        frames[ply, PENDING] = WIDE
        return
    row = int(frames[ply, ROW])
    frames[ply, PENDING] = FIRST
    frames[ply, TRIED] += 1
    if value > frames[ply, BEST]:
        frames[ply, BEST] = value
        frames[ply, BEST_ROW] = row
        if value > alpha:
            frames[ply, ALPHA] = value
            lines, length = tree.lines, int(frames[ply + 1, LINE])
            for part in range(3):
                lines[ply, 0, part] = tree.moves[ply, row, part]
            for i in range(length):
                for part in range(3):
                    lines[ply, i + 1, part] = lines[ply + 1, i, part]
            frames[ply, LINE] = length + 1
    if value >= beta and frames[ply, CAPTURES] == 0:
        _reward_step(ply, tree)


@inlined
def _reward_step(ply: int, tree: Tree) -> None:
    """Remember that a step was too good, and that those before it were not."""
    frames = tree.frames
    row = int(frames[ply, ROW])
    step = step_number(int(tree.moves[ply, row, 0]), int(tree.moves[ply, row, 1]))
    if step != frames[ply, KILLER]:
        frames[ply, OTHER_KILLER] = frames[ply, KILLER]
        frames[ply, KILLER] = step
    bonus = 64 * max(int(frames[ply, DEPTH]), 1) ** 2
    reward(tree.history, step, bonus)
    for i in range(int(frames[ply, TRIED]) - 1):
        other = row_of(int(tree.order[ply, i]))
        start, end = int(tree.moves[ply, other, 0]), int(tree.moves[ply, other, 1])
        reward(tree.history, step_number(start, end), -bonus)


@inlined
def _close_node(ply: int, tree: Tree, table: Transpositions) -> int:
    """Write what was found out about a node into the table; returns its value."""
    frames = tree.frames
    value, depth = int(frames[ply, BEST]), int(frames[ply, DEPTH])
    if depth >= 0:
        bound = EXACT
        if value >= frames[ply, BETA]:
            bound = LOWER
        elif value <= frames[ply, FIRST_ALPHA]:
            bound = UPPER
        move = int(frames[ply, BEST_ROW])
        entry = Entry(move, min(depth, 200), bound, _value_in_table(value, ply))
        remember(int(frames[ply, KEY]), entry, int(tree.state[AGE]), table)
    return value


@inner
def go_on(tree: Tree, known: Knowledge, table: Transpositions, nodes: int) -> bool:
    """Search on until so many nodes are opened in all; whether the root's value is known.

    The value is then the root's BEST, and the best line the first of the lines.
    """
    state = tree.state
    ply = int(state[PLY])
    while int(state[NODES]) < nodes:
        state[NODES] += 1
        value = _open_node(ply, tree, known, table)
        while value != UNSEARCHED or not _make_next_move(ply, tree, known.rules):
            if value == UNSEARCHED:
                value = _close_node(ply, tree, table)
            if ply == 0:
                state[PLY] = 0
                return True
            ply -= 1
            _take_in_value(ply, -value, tree)
            value = UNSEARCHED
        ply += 1
    state[PLY] = ply
    return False


@inner
def begin(tree: Tree, depth: int, alpha: int, beta: int) -> None:
    """Let a search begin again at the root, with a depth and a window; nothing is found yet."""
    root = tree.frames[0]
    root[DEPTH], root[ALPHA], root[BETA], root[LINE] = depth, alpha, beta, 0
    tree.state[PLY] = 0


@kernel
def search_slice(tree: Tree, known: Knowledge, table: Transpositions, nodes: int) -> bool:
    """Search on until so many nodes are opened in all; see go_on."""
    return go_on(tree, known, table, nodes)


@kernel
def begin_search(tree: Tree, depth: int, alpha: int, beta: int) -> None:
    """Let a search begin again at the root; see begin."""
    begin(tree, depth, alpha, beta)
