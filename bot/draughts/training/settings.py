"""Settings: everything that decides what a run of self-play learns."""

from dataclasses import dataclass

from bot.draughts.rules.variant import VARIANTS


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run.

    variant: by name. games: to play in all. depth: of the search, in plies. decay: lambda, the part
    of a target that comes from later than the next position. rate: of learning at first; it falls
    evenly to last_rate. opening: most plies at random in the beginning of a game; whim: afterwards
    a move is random once in so many. endings: pieces of the endings that are solved, 0 or 2 to 4,
    and end a game. The same settings give the same weights.
    """

    variant: str
    games: int = 20_000
    depth: int = 3
    decay: float = 0.9
    rate: float = 0.03
    last_rate: float = 0.003
    opening: int = 10
    whim: int = 40
    endings: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"no draughts {self.variant!r}: it is {' or '.join(VARIANTS)}")
        if min(self.games, self.depth, self.opening, self.whim) < 1:
            raise ValueError("games, depth, opening and whim are 1 or more")
        if not 0 <= self.decay <= 1:
            raise ValueError(f"decay is from 0 to 1, not {self.decay:g}")
        if not 0 < self.last_rate <= self.rate:
            raise ValueError("rates are above 0, and the last one is not above the first")
        if self.endings not in (0, 2, 3, 4):
            raise ValueError(f"endings of 0 or of 2 to 4 pieces are solved, not {self.endings}")
        if self.depth > 20:
            raise ValueError(f"a game at {self.depth} plies would never end: take 20 at most")
        if not 0 <= self.seed < 2**31:
            raise ValueError(f"a seed is from 0 to {2**31 - 1}, not {self.seed}")
