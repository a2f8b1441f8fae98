"""Positions from self-play, each with its chances after one ply of exact lookahead.

Games are played one ply deep, and the plays that come close to the best are looked at as deep: all
of them are positions to learn from, side by side, as it is their differences that decide plays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import bearoff_outcomes
from bot.backgammon.kernels.boards import Boards, fill_copy, points_lost_of, turn_board
from bot.backgammon.kernels.dice import (
    ROLL_COUNT,
    Generator,
    next_below,
    next_dice,
    next_word,
    roll_number,
)
from bot.backgammon.kernels.expectations import fill_expectations
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.kernels.network import Floats
from bot.backgammon.kernels.outcomes import MONEY, equity_at
from bot.backgammon.kernels.outputs import turned_output
from bot.backgammon.kernels.search import (
    Flags,
    SearchWorkspace,
    Tools,
    evaluate_roll,
    fill_replies,
    search_tools,
)
from bot.backgammon.kernels.selfplay import START_BOARD
from bot.backgammon.kernels.siblings import Nets
from bot.kernels import inner, kernel
from bot.kernels.held import Held, held

_MAX_PLIES = 400
_MAX_RANDOM_OPENING = 12

MAX_CANDIDATES = 8
"""So many plays of a roll at most are looked at one ply deep."""

MARGIN = 0.08
"""Plays that much worse than the best, 0 plies deep, are not looked at deeper."""


class Mix(NamedTuple):
    """A mix of games that examples come from.

    layouts: share of them that begin with a layout; candidates: plays of a roll that are looked at
    one ply deep, from 1 to MAX_CANDIDATES; trace, layout_trace: share of what a position's target
    learns from the next one's, in other games and in those, 0 for one ply alone; start: the board
    of the others, int8[26]; is_layout: the start is a layout too, so that games from it begin with
    any roll and play on as those of layouts do.
    """

    layouts: float
    candidates: int
    trace: float
    layout_trace: float
    start: Boards = START_BOARD
    is_layout: bool = False


class ExampleWorkspace(NamedTuple):
    """Workspace of one thread that makes examples.

    replies: int8[21, 26] and is_exact: bool[21], see fill_replies. Of the candidates, in the first
    of MAX_CANDIDATES rows: candidates: int8[rows, 26], seen by the other player; worth:
    float64[rows], the other player's equity; is_known: bool[rows]; outcomes: float32[rows, 21, 5],
    his chances after each reply; expectations: float32[rows, 5].
    """

    replies: Boards
    is_exact: Flags
    candidates: Boards
    worth: NDArray[np.float64]
    is_known: Flags
    outcomes: Floats
    expectations: Floats


ExampleTools = tuple[Held[Tools], ExampleWorkspace]
"""The tools that evaluate plays and the workspace of one thread that makes examples."""


def example_tools(nets: Nets) -> Held[ExampleTools]:
    """The nets with a new workspace for one thread."""
    workspace = ExampleWorkspace(
        np.empty((ROLL_COUNT, 26), np.int8),
        np.empty(ROLL_COUNT, np.bool_),
        np.empty((MAX_CANDIDATES, 26), np.int8),
        np.empty(MAX_CANDIDATES, np.float64),
        np.empty(MAX_CANDIDATES, np.bool_),
        np.empty((MAX_CANDIDATES, ROLL_COUNT, 5), np.float32),
        np.empty((MAX_CANDIDATES, 5), np.float32),
    )
    return held((search_tools(nets), workspace))


@inner
def _pick_candidates(
    board: Boards, count: int, most: int, search: SearchWorkspace, workspace: ExampleWorkspace
) -> int:
    """Set the candidates to the best of the plays just evaluated, by falling equity; how many.

    Of plays with the same equity the first one stands for all. If there is no play the board as it
    is, int8[26], is the only one.
    """
    if count == 0:
        turn_board(board, workspace.candidates[0])
        workspace.is_known[0] = False
        return 1
    evaluated = search.siblings.evaluated
    picked = 0
    least = np.inf  # what the best play leaves the other player
    last = -np.inf
    while picked < most:
        chosen = -1
        best = least + MARGIN
        for play in range(count):
            equity = equity_at(evaluated.outcomes, play)
            if last < equity < best:
                best = equity
                chosen = play
        if chosen < 0:
            break
        turn_board(search.after[chosen], workspace.candidates[picked])
        workspace.is_known[picked] = evaluated.is_exact[chosen]
        fill_copy(evaluated.outcomes[chosen], workspace.expectations[picked])
        least = min(least, best)
        last = best
        picked += 1
    return picked


@inner
def _look_at_candidates(picked: int, tools: Held[Tools], workspace: ExampleWorkspace) -> None:
    """Set what each candidate is worth, and expected to come to, one ply deep."""
    for i in range(picked):
        if not workspace.is_known[i]:
            fill_replies(
                workspace.candidates[i],
                MONEY,
                tools,
                workspace.replies,
                workspace.outcomes[i],
                workspace.is_exact,
            )
            fill_expectations(workspace.outcomes[i : i + 1], workspace.expectations[i : i + 1])
        workspace.worth[i] = equity_at(workspace.expectations, i)


@inner
def _least(picked: int, amplitude: float, workspace: ExampleWorkspace, generator: Generator) -> int:
    """The candidate that leaves the other player least once noise up to the amplitude is added."""
    chosen = 0
    least = np.inf
    for i in range(picked):
        worth = workspace.worth[i]
        if amplitude > 0:
            worth -= amplitude * (next_word(generator) / 4294967296.0)
        if worth < least:
            least = worth
            chosen = i
    return chosen


@kernel
def _carry_back(
    seen: Floats,
    best: Floats,
    follows: NDArray[np.bool_],
    ends: NDArray[np.int64],
    steps: int,
    trace: float,
    targets: Floats,
) -> None:
    """Correct a game's targets by what came after; those of step t end before ends[t].

    seen[t]: how the best play of the roll after t looked when t was evaluated, the other player's
    chances 0 plies deep; best[t + 1]: those of the best play one ply deep, if follows[t]. What the
    deeper look changed is a sample of what looking two plies deep would have changed at t, without
    luck. The plays of a step, much alike, are all corrected by the sample that the one played
    brings. The samples are right on average only if they may leave the bounds of a chance.
    """
    change = np.zeros(5, np.float32)
    later = np.zeros(5, np.float32)
    for step in range(steps - 1, 0, -1):
        for chance in range(5):
            later[chance] = change[chance]
            change[chance] = 0.0
        if follows[step]:
            for chance in range(5):
                sample = trace * (best[step + 1, chance] + later[chance] - seen[step, chance])
                if chance == 0:
                    change[0] = -sample
                else:
                    change[turned_output(5, chance)] = sample
        for row in range(ends[step - 1], ends[step]):
            for chance in range(5):
                targets[row, chance] += change[chance]


@kernel
def _begin(board: Boards, mix: Mix, generator: Generator) -> tuple[int, bool]:
    """Set the board, int8[26], a game begins with; its random plies, and if it is usual.

    A game is usual, opened by two different dice, unless it begins with a layout.
    """
    if mix.is_layout:
        fill_copy(mix.start, board)
        return 0, False
    if next_word(generator) < mix.layouts * 4294967296.0:
        fill_layout(board, generator)
        return 0, False
    fill_copy(mix.start, board)
    random_plies = 0
    if next_below(generator, 3) == 0:
        random_plies = next_below(generator, _MAX_RANDOM_OPENING) + 1
    return random_plies, True


@inner
def _noise(generator: Generator) -> float:
    """None in half the games, else up to 0.02, 0.04, 0.08 or 0.16 points."""
    if next_below(generator, 2) > 0:
        return 0.0
    return float(0.02 * 2.0 ** next_below(generator, 4))


@kernel
def fill_examples(
    games: int,
    mix: Mix,
    tools: Held[ExampleTools],
    generator: Generator,
    boards: Boards,
    targets: Floats,
    places: NDArray[np.int8],
    counts: NDArray[np.int64],
) -> int:
    """Fill positions of games against itself and their chances after one ply; their number.

    boards: int8[n, 26], each seen by the player on roll; targets: float32[n, 5], that player's
    chances, see _carry_back; places: int8[n], 0 for the first of positions that plays of the same
    roll lead to, 1 for the next and so on; counts: int64[3], games, plies and games broken off are
    added; the generator changes.
    For variety some games begin with a layout made by chance, a third of the others open with up to
    twelve random plays, half the games choose among plays with noise up to 0.02 to 0.16 points, and
    one play in fifty is any legal one. A game ends where the bear-off databases know the rest; once
    there may be no room for one more ply there are no more.
    """
    searching, workspace = tools.values
    nets, search, _ = searching.values
    evaluated = search.siblings.evaluated
    known = np.empty(5, np.float32)
    board = np.empty(26, np.int8)
    seen = np.empty((_MAX_PLIES + 2, 5), np.float32)
    best = np.empty((_MAX_PLIES + 2, 5), np.float32)
    follows = np.zeros(_MAX_PLIES + 2, np.bool_)
    ends = np.zeros(_MAX_PLIES + 2, np.int64)
    filled = 0
    for _ in range(games):
        random_plies, is_usual = _begin(board, mix, generator)
        noise = _noise(generator)
        counts[0] += 1
        ends[0] = filled
        fill_copy(board, workspace.candidates[0])
        workspace.is_known[0] = bearoff_outcomes(board, nets.databases, workspace.expectations[0])
        picked = 1
        step = 0
        while True:
            _look_at_candidates(picked, searching, workspace)
            step += 1
            place = 0
            for i in range(picked):
                if not workspace.is_known[i]:
                    fill_copy(workspace.candidates[i], boards[filled])
                    fill_copy(workspace.expectations[i], targets[filled])
                    places[filled] = place
                    place += 1
                    filled += 1
            ends[step] = filled
            fill_copy(workspace.expectations[_least(picked, 0.0, workspace, generator)], best[step])
            chosen = _least(picked, noise, workspace, generator)
            follows[step] = False
            fill_copy(workspace.candidates[chosen], board)
            if points_lost_of(board, nets.checkers) > 0:
                break
            if bearoff_outcomes(board, nets.databases, known):
                break
            if step > _MAX_PLIES:
                counts[2] += 1
                break
            if filled + MAX_CANDIDATES > boards.shape[0]:
                break
            counts[1] += 1
            high, low = next_dice(generator, is_usual and step == 1)
            fill_copy(workspace.outcomes[chosen, roll_number(high, low)], seen[step])
            count = evaluate_roll(board, high, low, searching)
            if count > 0 and (step <= random_plies or next_below(generator, 50) == 0):
                played = next_below(generator, count)
                turn_board(search.after[played], workspace.candidates[0])
                workspace.is_known[0] = evaluated.is_exact[played]
                fill_copy(evaluated.outcomes[played], workspace.expectations[0])
                picked = 1
            else:
                follows[step] = True
                picked = _pick_candidates(board, count, mix.candidates, search, workspace)
        trace = mix.trace if is_usual else mix.layout_trace
        _carry_back(seen, best, follows, ends, step + 1, trace, targets)
        if filled + MAX_CANDIDATES > boards.shape[0]:
            break
    return filled
