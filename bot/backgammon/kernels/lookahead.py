"""Positions from self-play, each with its chances after one ply of exact lookahead."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import bearoff_outcomes
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost_of
from bot.backgammon.kernels.dice import (
    ROLL_COUNT,
    Generator,
    next_below,
    next_dice,
    next_word,
    roll_number,
)
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.plays import MAX_PLAYS
from bot.backgammon.kernels.search import (
    Flags,
    SearchWorkspace,
    fill_evaluations,
    fill_expectations,
    fill_replies,
    search_workspace,
)
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import Nets, equity_at
from bot.kernels import inner, kernel

_MAX_PLIES = 400
_MAX_RANDOM_OPENING = 12

MAX_CANDIDATES = 4
"""So many plays at most are looked at one ply deep when a game is played so."""

MARGIN = 0.08
"""Plays that much worse than the best, 0 plies deep, are not looked at deeper."""


class Mix(NamedTuple):
    """A mix of games that examples come from.

    layouts: share of them that begin with a layout; layout_ply: how deep plays are chosen there, 0
    or 1; trace, layout_trace: share of what a position's target learns from the next one's, in
    other games and in those, 0 for one ply alone; start: the board of the others, int8[26].
    """

    layouts: float
    layout_ply: int
    trace: float
    layout_trace: float
    start: Boards = START_BOARD


class ExampleWorkspace(NamedTuple):
    """Workspace of one thread that makes examples.

    replies: int8[21, 26], outcomes: float32[21, 5] and is_exact: bool[21], see fill_replies;
    evaluations: float32[MAX_PLAYS, 5], chances after each play, 0 plies deep; candidates:
    int8[MAX_CANDIDATES, 26], seen by the other player, worth: float64[MAX_CANDIDATES], the other
    player's equity, and is_known: bool[MAX_CANDIDATES]; deep_replies, deep_outcomes: as replies and
    outcomes, after a candidate; expectation: float32[1, 5].
    """

    search: SearchWorkspace
    replies: Boards
    outcomes: Floats
    is_exact: Flags
    evaluations: Floats
    candidates: Boards
    worth: NDArray[np.float64]
    is_known: Flags
    deep_replies: Boards
    deep_outcomes: Floats
    expectation: Floats


def example_workspace(nets: Nets) -> ExampleWorkspace:
    """A new workspace for one thread."""
    return ExampleWorkspace(
        search_workspace(nets),
        np.empty((ROLL_COUNT, 26), np.int8),
        np.empty((ROLL_COUNT, 5), np.float32),
        np.empty(ROLL_COUNT, np.bool_),
        np.empty((MAX_PLAYS, 5), np.float32),
        np.empty((MAX_CANDIDATES, 26), np.int8),
        np.empty(MAX_CANDIDATES, np.float64),
        np.empty(MAX_CANDIDATES, np.bool_),
        np.empty((ROLL_COUNT, 26), np.int8),
        np.empty((1, ROLL_COUNT, 5), np.float32),
        np.empty((1, 5), np.float32),
    )


@kernel
def _noisy_play(
    board: Boards,
    high: int,
    low: int,
    amplitude: float,
    nets: Nets,
    workspace: ExampleWorkspace,
    generator: Generator,
) -> int:
    """The best play once noise up to the amplitude is added to each; -1 if there is none.

    Any play at all if the amplitude is negative. Leaves the boards after the plays in
    the search workspace's after.
    """
    outcomes = workspace.evaluations
    count = fill_evaluations(board, high, low, nets, workspace.search, outcomes)
    if count == 0:
        return -1
    if amplitude < 0:
        return next_below(generator, count)
    chosen = 0
    least = np.inf
    for play in range(count):
        noise = amplitude * (next_word(generator) / 4294967296.0)
        equity = equity_at(outcomes, play) - noise
        if equity < least:
            least = equity
            chosen = play
    return chosen


@inner
def _pick_candidates(count: int, workspace: ExampleWorkspace) -> int:
    """Set the candidates to the best of the plays evaluated, by falling equity; how many.

    Of plays with the same equity the first one stands for all.
    """
    evaluations = workspace.evaluations
    picked = 0
    least = np.inf  # what the best play leaves the other player
    last = -np.inf
    while picked < MAX_CANDIDATES:
        chosen = -1
        best = least + MARGIN
        for play in range(count):
            equity = equity_at(evaluations, play)
            if last < equity < best:
                best = equity
                chosen = play
        if chosen < 0:
            break
        for point in range(26):
            after = int(workspace.search.after[chosen, 25 - point])
            workspace.candidates[picked, point] = -after
        workspace.worth[picked] = best
        workspace.is_known[picked] = workspace.search.siblings.is_exact[chosen]
        least = min(least, best)
        last = best
        picked += 1
    return picked


@kernel
def _fill_deep_play(
    board: Boards, high: int, low: int, nets: Nets, workspace: ExampleWorkspace
) -> None:
    """Set the board to that after the best play, one ply deep, seen by the other player."""
    count = fill_evaluations(board, high, low, nets, workspace.search, workspace.evaluations)
    candidates = workspace.candidates
    picked = 1
    if count > 0:
        picked = _pick_candidates(count, workspace)
    else:
        for point in range(26):
            candidates[0, point] = -int(board[25 - point])
    chosen = 0
    if picked > 1:
        for i in range(picked):
            if not workspace.is_known[i]:
                fill_replies(
                    candidates[i],
                    nets,
                    workspace.search,
                    workspace.deep_replies,
                    workspace.deep_outcomes[0],
                    workspace.is_exact,
                )
                fill_expectations(workspace.deep_outcomes, workspace.expectation)
                workspace.worth[i] = equity_at(workspace.expectation, 0)
            if workspace.worth[i] < workspace.worth[chosen]:
                chosen = i
    fill_copy(candidates[chosen], board)


@kernel
def _carry_back(
    seen: Floats, follows: NDArray[np.bool_], trace: float, targets: Floats, first: int, end: int
) -> None:
    """Correct a game's targets, float32[end - first, 5] from first on, by what came after.

    seen[t], follows[t]: how the position after t looked when t was evaluated, its mover's chances
    0 plies deep, and whether the game went on there, with the best play. What a deeper look at it
    changed is a sample of what looking two plies deep would have changed at t, without luck. The
    samples are right on average only if they may leave the bounds of a chance, so they do.
    """
    for position in range(end - 2, first - 1, -1):
        if not follows[position]:
            continue
        for chance in range(5):
            change = trace * (targets[position + 1, chance] - seen[position, chance])
            if chance == 0:
                targets[position, 0] -= change
            else:
                targets[position, 1 + (chance + 1) % 4] += change


@kernel
def _begin(board: Boards, mix: Mix, generator: Generator) -> tuple[float, int, bool]:
    """Set the board, int8[26], a game begins with; its noise, random plies, and if it is usual.

    A game is usual, opened by two different dice, unless it begins with a layout. Noise would undo
    what a deeper look at the plays is for.
    """
    if next_word(generator) < mix.layouts * 4294967296.0:
        fill_layout(board, generator)
        noise = _noise(generator)
        return noise if mix.layout_ply == 0 else 0.0, 0, False
    fill_copy(mix.start, board)
    random_plies = 0
    if next_below(generator, 3) == 0:
        random_plies = next_below(generator, _MAX_RANDOM_OPENING) + 1
    return _noise(generator), random_plies, True


@inner
def _noise(generator: Generator) -> float:
    """None in half the games, else up to 0.02, 0.04, 0.08 or 0.16 points."""
    if next_below(generator, 2) > 0:
        return 0.0
    return float(0.02 * 2.0 ** next_below(generator, 4))


# Longer than a screen: what it keeps of a ply, a dozen arrays, would go from hand to hand.
@kernel
def fill_examples(
    games: int,
    mix: Mix,
    nets: Nets,
    workspace: ExampleWorkspace,
    generator: Generator,
    boards: Boards,
    targets: Floats,
    counts: NDArray[np.int64],
) -> int:
    """Fill positions of games against itself and their chances after one ply; their number.

    boards: int8[n, 26], each seen by the player on roll; targets: float32[n, 5], that player's
    chances, see _carry_back; counts: int64[3], games, plies and games broken off are added; the
    generator changes.
    For variety some games begin with a layout made by chance, a third of the others open with up to
    twelve random plays, half the games choose among plays with noise up to 0.02 to 0.16 points, and
    one play in fifty is any legal one. A game ends where the bear-off databases know the rest; once
    the boards are full there are no more.
    """
    known = np.empty(5, np.float32)
    board = np.empty(26, np.int8)
    played = np.empty(26, np.int8)
    seen = np.empty((boards.shape[0], 5), np.float32)
    follows = np.empty(boards.shape[0], np.bool_)
    replies, outcomes = workspace.replies, workspace.outcomes
    filled = 0
    for _ in range(games):
        first = filled
        noise, random_plies, is_usual = _begin(board, mix, generator)
        is_deep = not is_usual and mix.layout_ply > 0
        counts[0] += 1
        ply = 0
        while filled < boards.shape[0]:
            if points_lost_of(board, nets.checkers) > 0:
                break
            if bearoff_outcomes(board, nets.databases, known):
                break
            if ply == _MAX_PLIES:
                counts[2] += 1
                break
            fill_copy(board, boards[filled])
            fill_replies(board, nets, workspace.search, replies, outcomes, workspace.is_exact)
            fill_expectations(outcomes[np.newaxis], targets[filled : filled + 1])
            filled += 1
            counts[1] += 1
            high, low = next_dice(generator, is_usual and ply == 0)
            amplitude = noise
            if ply < random_plies or next_below(generator, 50) == 0:
                amplitude = -1.0
            roll = roll_number(high, low)
            fill_copy(outcomes[roll], seen[filled - 1])
            if amplitude == 0:
                # a better play than the one seen is a gain that the trace hands on, like luck's
                follows[filled - 1] = True
                if is_deep:
                    _fill_deep_play(board, high, low, nets, workspace)
                else:
                    fill_copy(replies[roll], board)
            else:
                play = _noisy_play(board, high, low, amplitude, nets, workspace, generator)
                if play >= 0:
                    fill_copy(workspace.search.after[play], board)
                fill_copy(board, played)
                is_best = True
                for point in range(26):
                    board[point] = -int(played[25 - point])
                    is_best = is_best and board[point] == replies[roll, point]
                follows[filled - 1] = is_best
            ply += 1
        trace = mix.trace if is_usual else mix.layout_trace
        _carry_back(seen, follows, trace, targets, first, filled)
    return filled
