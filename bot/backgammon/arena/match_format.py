"""MatchFormat: what two players have agreed to play."""

from dataclasses import dataclass

from bot.backgammon.rules.match import MAX_LENGTH, MoneyRules
from bot.backgammon.rules.record import Rules
from bot.seed import MAX_SEED

MAX_GAMES = 10_000_000
"""Games, or matches, at most: a tournament plans all its pieces before it begins."""


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """The games to play: money games, or matches if there is a length.

    Jacoby and beavers count in money games with the cube only: no gammons before the cube was
    turned, and a double may be answered with a double.
    """

    games: int
    length: int | None = None
    cube: bool = False
    jacoby: bool = False
    beavers: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MAX_GAMES:
            raise ValueError(f"play 1 to {MAX_GAMES:,} games, not {self.games:,}")
        if self.length is not None and not 1 <= self.length <= MAX_LENGTH:
            raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {self.length}")
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"a seed is 0 to {MAX_SEED}, not {self.seed}")
        for name, is_set in (("jacoby", self.jacoby), ("beavers", self.beavers)):
            if is_set and self.length is not None:
                raise ValueError(f"--{name} is a rule of money games; leave it out with --length")
            if is_set and not self.cube:
                raise ValueError(f"--{name} is a rule of the cube; it counts only with --cube")

    @property
    def money(self) -> MoneyRules:
        """The rules of money games."""
        return MoneyRules(self.jacoby, self.beavers)

    @property
    def rules(self) -> Rules:
        """The rules of each match, or of the money games."""
        return Rules(self.length, has_cube=self.cube, jacoby=self.jacoby, beavers=self.beavers)

    def __str__(self) -> str:
        cube = "with the cube" if self.cube else "cubeless"
        if self.length is not None:
            matches = "1 match" if self.games == 1 else f"{self.games} matches"
            return f"{matches} to {self.length}, {cube}, seed {self.seed}"
        games = "1 money game" if self.games == 1 else f"{self.games} money games"
        rules = ", Jacoby rule" * self.jacoby + ", beavers" * self.beavers
        return f"{games}, {cube}{rules}, seed {self.seed}"
