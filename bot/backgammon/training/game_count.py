"""Game count: games and plies that a network has played against itself."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.selfplay import BROKEN_OFF, GAMES, PLIES


@dataclass(slots=True)
class GameCount:
    """Games and plies played, and games broken off at the ply limit; int64[3]."""

    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, np.int64))

    @property
    def games(self) -> int:
        """Games played, with those broken off."""
        return int(self.counts[GAMES])

    @property
    def plies(self) -> int:
        """Rolls in all games."""
        return int(self.counts[PLIES])

    @property
    def broken_off(self) -> int:
        """Games that reached the ply limit."""
        return int(self.counts[BROKEN_OFF])
