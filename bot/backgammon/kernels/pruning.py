"""Pruning: of the plays of a roll, those that a large network is asked about.

A small network guesses what each is worth; those far behind its best are left out.
"""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.corrections import Evaluations
from bot.backgammon.kernels.network import Rows
from bot.backgammon.kernels.outcomes import Weights, worth_at
from bot.kernels import inner

MAX_PICKED = 8
"""So many plays of a roll the network evaluates at most, chosen by a pruning network."""

MARGIN = 0.1
"""Plays that a pruning network thinks worse than its best by more are not evaluated: in points, or,
where a game is not worth points, in halves of what a win is worth more than a loss."""


@inner
def pick_best(
    guessed: Evaluations, count: int, worth: Weights, worths: NDArray[np.float64], picked: Rows
) -> int:
    """Set picked to the plays that are to be evaluated, out of so many guessed; how many.

    worth: of a game to the player on roll after them; worths: float64[n], workspace.
    """
    least = np.inf
    for i in range(count):
        worths[i] = worth_at(guessed.outcomes, i, worth)
        least = min(least, worths[i])
    limit = least + MARGIN * worth[1] / 2.0
    found = 0
    worst = 0  # of those picked, once they are as many as may be
    for i in range(count):
        if worths[i] > limit:
            continue
        if found < MAX_PICKED:
            picked[found] = i
            found += 1
        elif worths[i] < worths[picked[worst]]:
            picked[worst] = i
        else:
            continue
        if found == MAX_PICKED:
            for k in range(MAX_PICKED):
                worst = k if worths[picked[k]] > worths[picked[worst]] else worst
    return found


@inner
def move_known_back(guessed: Evaluations, count: int, picked: Rows) -> int:
    """Move picked plays whose chances are exact behind the others, of so many; how many others."""
    left, i = count, 0
    while i < left:
        if guessed.is_exact[picked[i]]:
            left -= 1
            picked[i], picked[left] = picked[left], picked[i]
        else:
            i += 1
    return left
