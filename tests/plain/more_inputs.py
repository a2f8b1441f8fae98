"""An input set with twenty features more than Blot's largest, and all of its inputs by hand."""

import numpy as np

from bot.backgammon.evaluation.inputs import PLAYERS, InputSet
from bot.backgammon.kernels.features import FEATURES, fill_features
from bot.kernels import inner
from tests.plain.features import plain_features
from tests.plain.networks import plain_classic_inputs

TWENTY = 20


@inner
def fill_more_features(board, values):
    """Fill 68 features of a board, the last twenty of which nearly every play changes."""
    phase = fill_features(board, values)
    for number in range(TWENTY):
        total = 0
        for point in range(26):
            total += int(board[point]) * ((point * (number + 3) + number) % 23)
        values[FEATURES + number] = total / 100.0
    return phase


def more_limits():
    """Fifteen checkers of a side on its heaviest point come to 15 times 22 hundredths."""
    twenty = np.repeat([[-3.3], [3.3]], TWENTY, axis=1)
    return np.concatenate([PLAYERS.limits(), twenty], axis=1)


MORE = InputSet("more", 1, PLAYERS.feature_count + TWENTY, fill_more_features, more_limits)


def plain_more_inputs(board):
    """The 264 inputs, float64, of one board seen by the player on roll."""
    twenty = [
        sum(
            int(count) * ((point * (number + 3) + number) % 23) for point, count in enumerate(board)
        )
        / 100
        for number in range(TWENTY)
    ]
    return np.concatenate([plain_classic_inputs(board), plain_features(board), twenty])
