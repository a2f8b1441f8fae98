"""Baselines' choices: one row among the boards after a roll's legal plays.

Each takes what fill_plays left, count at least 1, and returns a row below count.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import BAR, CHECKERS, Boards, has_contact
from bot.backgammon.kernels.dice import Generator, next_below
from bot.kernels import kernel

PubevalWeights = NDArray[np.float32]

BLOCKS, TOGETHER, BLOCKERS = range(3)
"""Plans of simple players: blocks; blocks kept together; the same, and another plan for a race."""

PUBEVAL_INPUTS = 122
PUBEVAL_WIN = 99999999.0
"""Pubeval's score of a position with all checkers off."""

_FIRST_OTHER_BAR = 120
_OWN_OFF = 121


@kernel
def random_choice(count: int, state: Generator) -> int:
    """Any row, all equally likely; state: int64[4], changed."""
    return next_below(state, count)


@kernel
def pubeval_score(after: Boards, weights: PubevalWeights) -> float:
    """Pubeval's score of one board after a play, int8[26] seen by the mover; higher is better.

    weights: float32[122]. From point 24 down to 1 there are five inputs each: the other side's
    blot, own blot, two or more own checkers, exactly three, and half of those above three; then
    half of the other side's checkers on the bar, and a fifteenth of those borne off. Summed in
    single precision and in Tesauro's order.
    Source: Tesauro, pubeval.c (1993), functions setx and pubeval.
    """
    score = np.float32(0)
    checkers = 0
    for point in range(24, 0, -1):
        count = int(after[point])
        first = 5 * (24 - point)
        if count > 0:
            checkers += count
            if count == 1:
                score += weights[first + 1]
            else:
                score += weights[first + 2]
                if count == 3:
                    score += weights[first + 3]
                elif count > 3:
                    score += weights[first + 4] * np.float32(0.5 * (count - 3))
        elif count == -1:
            score += weights[first]
    checkers += int(after[BAR])
    if checkers == 0:
        return PUBEVAL_WIN
    score += weights[_FIRST_OTHER_BAR] * np.float32(-0.5 * int(after[0]))
    score += weights[_OWN_OFF] * (np.float32(CHECKERS - checkers) / np.float32(15))
    return float(score)


@kernel
def pubeval_choice(
    board: Boards, after: Boards, count: int, contact: PubevalWeights, race: PubevalWeights
) -> int:
    """The row pubeval scores highest, the first of equals.

    board: int8[26] before the play: with contact there, contact weights evaluate every play;
    after: int8[>= count, 26]; contact, race: float32[122].
    """
    weights = contact if has_contact(board) else race
    best = 0
    best_score = pubeval_score(after[0], weights)
    for i in range(1, count):
        score = pubeval_score(after[i], weights)
        if score > best_score:
            best = i
            best_score = score
    return best


@kernel
def _block_score(after: Boards, worth_of_pair: int) -> int:
    """More blocks first, then more pairs of neighbouring blocks, fewer blots, fewer pips.

    worth_of_pair: 1, or 0 for a player who looks at no pairs.
    """
    blocks = 0
    pairs = 0
    blots = 0
    pips = 25 * int(after[BAR])
    for point in range(1, 25):
        count = int(after[point])
        if count <= 0:
            continue
        pips += count * point
        if count == 1:
            blots += 1
        else:
            blocks += 1
            if after[point - 1] >= 2:
                pairs += worth_of_pair
    return ((8 * blocks + pairs) * 16 + CHECKERS - blots) * 512 - pips


@kernel
def _race_score(after: Boards) -> int:
    """More checkers off first, then more in the home, then fewer pips."""
    on_board = 0
    outside = 0
    pips = 0
    for point in range(1, 26):
        count = int(after[point])
        if count > 0:
            on_board += count
            pips += count * point
            if point > 6:
                outside += count
    return -(16 * on_board + outside) * 512 - pips


@kernel
def simple_choice(plan: int, board: Boards, after: Boards, count: int) -> int:
    """The row a simple player takes, the first of equals.

    plan: one of the above; board: int8[26] before the play, which tells contact from race; after:
    int8[>= count, 26].
    """
    contact = plan != BLOCKERS or has_contact(board)
    worth_of_pair = 0 if plan == BLOCKS else 1
    best = 0
    best_score = 0
    for i in range(count):
        score = _block_score(after[i], worth_of_pair) if contact else _race_score(after[i])
        if i == 0 or score > best_score:
            best = i
            best_score = score
    return best
