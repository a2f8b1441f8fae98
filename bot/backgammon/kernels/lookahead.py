"""Positions from self-play, each with its chances after one ply of exact lookahead."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import bearoff_outcomes
from bot.backgammon.kernels.boards import CHECKERS, Boards, fill_copy, points_lost
from bot.backgammon.kernels.dice import (
    ROLL_COUNT,
    Generator,
    next_below,
    next_dice,
    next_word,
    roll_number,
)
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.plays import MAX_PLAYS
from bot.backgammon.kernels.search import (
    SearchWorkspace,
    fill_evaluations,
    fill_expectations,
    fill_replies,
)
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import Rater, equity_at
from bot.kernels import kernel

_MAX_PLIES = 400
_MAX_RANDOM_OPENING = 12


@kernel
def _noisy_play(
    board: Boards,
    high: int,
    low: int,
    amplitude: float,
    rater: Rater,
    workspace: SearchWorkspace,
    outcomes: Floats,
    generator: Generator,
) -> int:
    """The best play once noise up to the amplitude is added to each; -1 if there is none.

    Any play at all if the amplitude is negative. Leaves the boards after the plays in
    workspace.after.
    """
    count = fill_evaluations(board, high, low, rater, workspace, outcomes)
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


@kernel
def fill_layout(board: Boards, generator: Generator) -> None:
    """Set a board, int8[26], to checkers laid out by chance; no point is held by both sides.

    Half the sides have a prime of three to six points. One in four has borne off up to twelve and
    has the others at home, save for up to three, hit or left behind. Such positions turn on timing
    or on a late shot, and games from the start seldom reach them.
    """
    board[:] = 0
    for side in range(2):
        sign = 1 - 2 * side
        left = CHECKERS
        reach = 14
        if next_below(generator, 4) == 0:
            left -= 1 + next_below(generator, 12)
            reach = 6
        elif next_below(generator, 3) > 0:
            length = 3 + next_below(generator, 4)
            first = 2 + next_below(generator, 7)
            for point in range(first, first + length):
                place = point if side == 0 else 25 - point
                if sign * board[place] >= 0:
                    board[place] += 2 * sign
                    left -= 2
        back = next_below(generator, 4)
        while left > 0:
            point = 1 + next_below(generator, reach)
            if back > 0:
                point = 18 + next_below(generator, 8)
                back -= 1
            elif next_below(generator, 8) == 0:
                point = 1 + next_below(generator, 24)
            count = min(1 + next_below(generator, 3), left)
            place = point if side == 0 else 25 - point
            if sign * board[place] >= 0:
                board[place] += count * sign
                left -= count


@kernel
def _carry_back(
    seen: Floats, follows: NDArray[np.bool_], trace: float, targets: Floats, first: int, end: int
) -> None:
    """Correct a game's targets, float32[end - first, 5] from first on, by what came after.

    seen[t], follows[t]: how the position after t looked when t was rated, its mover's chances
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
def _begin(board: Boards, generator: Generator) -> tuple[float, int, bool]:
    """Set the board, int8[26], a game begins with; its noise, random plies, and if it is usual.

    A game is usual, opened by two different dice, unless it begins with a layout.
    """
    board[:] = START_BOARD
    noise = 0.0
    if next_below(generator, 2) == 0:
        noise = 0.02 * 2.0 ** next_below(generator, 4)
    beginning = next_below(generator, 4)
    if beginning == 0:
        return noise, next_below(generator, _MAX_RANDOM_OPENING) + 1, True
    if beginning == 1:
        fill_layout(board, generator)
        return noise, 0, False
    return noise, 0, True


# Longer than a screen: what it keeps of a ply, a dozen arrays, would go from hand to hand.
@kernel
def fill_examples(
    games: int,
    trace: float,
    rater: Rater,
    workspace: SearchWorkspace,
    generator: Generator,
    boards: Boards,
    targets: Floats,
    counts: NDArray[np.int64],
) -> int:
    """Fill positions of games against itself and their chances after one ply; their number.

    trace: share of what a position's target learns from the next one's, 0 for one ply alone;
    boards: int8[n, 26], each seen by the player on roll; targets: float32[n, 5], that player's
    chances, see _carry_back; counts: int64[3], games, plies and games broken off are added; the
    generator changes.
    For variety a game in four begins with a layout made by chance, another in four opens with up to
    twelve random plays, half the games choose among plays with noise up to 0.02 to 0.16 points, and
    one play in fifty is any legal one. A game ends where the bear-off databases know the rest; once
    the boards are full there are no more.
    """
    replies = np.empty((ROLL_COUNT, 26), np.int8)
    outcomes = np.empty((1, ROLL_COUNT, 5), np.float32)
    is_exact = np.empty(ROLL_COUNT, np.bool_)
    ratings = np.empty((MAX_PLAYS, 5), np.float32)
    known = np.empty(5, np.float32)
    played = np.empty(26, np.int8)
    board = np.empty(26, np.int8)
    seen = np.empty((boards.shape[0], 5), np.float32)
    follows = np.empty(boards.shape[0], np.bool_)
    filled = 0
    for _ in range(games):
        first = filled
        noise, random_plies, is_usual = _begin(board, generator)
        counts[0] += 1
        ply = 0
        while filled < boards.shape[0]:
            if points_lost(board) > 0 or bearoff_outcomes(board, rater.databases, known):
                break
            if ply == _MAX_PLIES:
                counts[2] += 1
                break
            fill_copy(board, boards[filled])
            fill_replies(board, rater, workspace, replies, outcomes[0], is_exact)
            fill_expectations(outcomes, targets[filled : filled + 1])
            filled += 1
            counts[1] += 1
            high, low = next_dice(generator, is_usual and ply == 0)
            amplitude = noise
            if ply < random_plies or next_below(generator, 50) == 0:
                amplitude = -1.0
            roll = roll_number(high, low)
            seen[filled - 1] = outcomes[0, roll]
            if amplitude == 0:
                fill_copy(replies[roll], board)
                follows[filled - 1] = True
            else:
                play = _noisy_play(
                    board, high, low, amplitude, rater, workspace, ratings, generator
                )
                if play >= 0:
                    fill_copy(workspace.after[play], board)
                fill_copy(board, played)
                is_best = True
                for point in range(26):
                    board[point] = -int(played[25 - point])
                    is_best = is_best and board[point] == replies[roll, point]
                follows[filled - 1] = is_best
            ply += 1
        _carry_back(seen, follows, trace, targets, first, filled)
    return filled
