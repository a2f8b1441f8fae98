"""Self-play: games of a network against itself, counted and repeatable."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.dice import WORDS, Generator
from bot.backgammon.kernels.selfplay import BROKEN_OFF, GAMES, PLIES


@dataclass(slots=True)
class Tally:
    """Games and plies played, and games broken off at the ply limit; int64[3]."""

    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, np.int64))

    @property
    def games(self) -> int:
        """Games played, with those broken off."""
        return int(self.counts[GAMES])

    @property
    def plies(self) -> int:
        """Rolls thrown in all games."""
        return int(self.counts[PLIES])

    @property
    def broken_off(self) -> int:
        """Games that reached the ply limit."""
        return int(self.counts[BROKEN_OFF])


def new_generator(seed: int, stream: int = 0) -> Generator:
    """The state of a generator of dice; streams of one seed are independent of each other."""
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    words = np.random.SeedSequence((seed, stream)).generate_state(WORDS)
    return words.astype(np.int64)
