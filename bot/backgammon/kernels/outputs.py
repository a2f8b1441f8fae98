"""Outputs of a network, always for the player on roll, and the five chances they stand for.

Five: the chances themselves. One: a win. Two: a win, and one of the other player. Four: these, then
a gammon won by either. Fewer than five are learnt as they are; all else knows five chances alone,
of which the equity is what the fewer outputs say. The outputs are those of Tesauro, Temporal
difference learning and TD-Gammon (1995), and of the theses named in the README.
"""

import numpy as np
from numpy.typing import NDArray

from bot.kernels import inner, kernel

Floats = NDArray[np.float32]

OUTPUT_COUNTS = (1, 2, 4, 5)


@kernel
def fill_lost(points: int, outputs: Floats) -> None:
    """Set the outputs of a player who has lost 1, 2 or 3 points; float32[1, 2, 4 or 5]."""
    count = outputs.shape[0]
    outputs[:] = 0.0
    if count == 2 or count == 4:
        outputs[1] = 1.0
    if count >= 4 and points >= 2:
        outputs[3] = 1.0
    if count == 5 and points >= 3:
        outputs[4] = 1.0


@inner
def turned_output(count: int, output: int) -> int:
    """The place among so many outputs where one's event stands as the other player sees it.

    Of five, a gammon won stands where a gammon lost does, and a backgammon likewise.
    """
    if count % 2 == 0:
        return output ^ 1
    if output == 0:
        return 0
    return output + 2 if output <= 2 else output - 2


@kernel
def turn_outputs(outputs: Floats) -> None:
    """Change outputs, float32[1, 2, 4 or 5], into those of the other player."""
    count = outputs.shape[0]
    if count % 2 == 1:
        outputs[0] = 1.0 - outputs[0]
    for output in range(count):
        turned = turned_output(count, output)
        if turned > output:
            kept = outputs[output]
            outputs[output] = outputs[turned]
            outputs[turned] = kept


@inner
def spread_outputs(count: int, chances: Floats) -> None:
    """Change the first one, two or four of float32[5], outputs, into five chances of their equity.

    The difference of both players' wins is the equity of a game without gammons.
    """
    if count == 5:
        return
    win_gammon = chances[2] if count == 4 else np.float32(0.0)
    lose_gammon = chances[3] if count == 4 else np.float32(0.0)
    if count > 1:
        chances[0] = np.float32(0.5) * (np.float32(1.0) + chances[0] - chances[1])
    chances[1] = win_gammon
    chances[2] = 0.0
    chances[3] = lose_gammon
    chances[4] = 0.0
