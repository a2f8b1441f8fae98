"""gnubg_nn: GNU Backgammon's evaluator in this process, to measure beside; needs the extra judges.

Source: the package gnubg-nn, which is gnubg 0.15's evaluator with its networks and bear-offs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import BAR, Boards
from bot.backgammon.rules.outcome import Chances
from protocol.errors import WireError


class GnubgNnError(WireError):
    """gnubg_nn is not installed, or took a board for another one."""


def gnubg_nn_equities(
    boards: Boards, plies: int, on_evaluated: Callable[[int], None] = lambda evaluated: None
) -> NDArray[np.float64]:
    """Cubeless equities of the players on roll by gnubg_nn, so many plies deep; float64[n].

    boards: int8[n, 26], each read back from it first; on_evaluated: called with how many are
    evaluated. Raises GnubgNnError if it is not installed or takes a board for another one.
    """
    gnubg_nn = _module()
    equities = np.empty(len(boards))
    for i, board in enumerate(boards):
        sides = _sides(board)
        back = gnubg_nn.board_from_position_key(gnubg_nn.key_of_board(sides))
        if [list(side) for side in back] != sides:
            raise GnubgNnError(f"gnubg_nn took the board {board.tolist()} for {back}")
        equities[i] = Chances(*gnubg_nn.probabilities(sides, plies)).equity
        on_evaluated(i + 1)
    return equities


def is_installed() -> bool:
    """Whether gnubg_nn is installed and can be asked."""
    try:
        _module()
    except GnubgNnError:
        return False
    return True


def _module() -> Any:
    try:
        import gnubg_nn
    except ImportError:
        raise GnubgNnError("gnubg_nn is not installed: pip install 'blot-gammon[judges]'") from None
    return gnubg_nn


def _sides(board: Boards) -> list[list[int]]:
    """The board as it wants it: 25 counts of the other side, then of the player on roll."""
    other = [max(-int(board[BAR - point]), 0) for point in range(1, BAR + 1)]
    own = [max(int(board[point]), 0) for point in range(1, BAR + 1)]
    return [other, own]
