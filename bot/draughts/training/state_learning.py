"""State learning: a table of states from games of a player by chance against the thesis's best.

Source: J. Knoflíček, thesis (Brno 2011), known at second hand: one side moves by chance and learns,
the other plays its best, and they change sides after each game.
"""

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays
from bot.draughts.arena.depth_games import RANDOM, DepthGames, DepthPlayer, Repeated
from bot.draughts.engine.alpha_beta import DISCOUNT, MAX_DEPTH, AlphaBetaSettings
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.variant import VARIANTS
from bot.draughts.training.settings import MAX_COUNT

SIDES = ("white", "black")


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Settings of a run; games: in all; depth: of the side that plays its best.

    is_shared: one table for both sides, else White and Black have each their own, learnt in the
    games in which they moved by chance. is_asked: whether the best asks its table. is_backward:
    whether a game's last position learns first, so that one game is enough to value all of them;
    else only those learn, one a game, whose successors have a value already. discount: share of a
    value that is left a ply earlier; ours, like the order, as the thesis's are not known to us.
    """

    variant: str = "czech"
    games: int = 100_000
    depth: int = 2
    is_shared: bool = True
    is_asked: bool = True
    is_backward: bool = True
    discount: float = DISCOUNT
    seed: int = 1

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"no variant {self.variant!r}; there are {', '.join(VARIANTS)}")
        if not 1 <= self.games <= MAX_COUNT:
            raise ValueError(f"a run has 1 to {MAX_COUNT:,} games, not {self.games:,}")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"the best looks 1 to {MAX_DEPTH} plies deep, not {self.depth}")
        if not 0 < self.discount < 1:
            raise ValueError(f"a discount is more than 0 and less than 1, not {self.discount:g}")
        if self.seed < 0:
            raise ValueError(f"a seed is 0 or more, not {self.seed}")


class StateLearning:
    """Tables that learn, game by game, the same ones for the same settings.

    results: of the side that plays its best.
    """

    def __init__(self, settings: LearningSettings) -> None:
        self.settings = settings
        self.results = Repeated()
        variant = VARIANTS[settings.variant]
        white = StateTable(variant)
        self._use((white, white if settings.is_shared else StateTable(variant)))

    def _use(self, tables: tuple[StateTable, StateTable]) -> None:
        """Play and learn with these tables."""
        self.tables = tables
        settings, variant = self.settings, VARIANTS[self.settings.variant]
        best_settings = AlphaBetaSettings(settings.depth, discount=settings.discount)
        best = [
            DepthPlayer(best_settings, table if settings.is_asked else None) for table in tables
        ]
        chance = DepthPlayer(RANDOM)
        self._games = (
            DepthGames(variant, chance, best[1], settings.seed),
            DepthGames(variant, best[0], chance, settings.seed),
        )

    @property
    def states(self) -> int:
        """Number of states that have a value, in both tables if there are two."""
        white, black = self.tables
        return len(white) if white is black else len(white) + len(black)

    def advance(self, games: int) -> None:
        """Play so many games more, and learn from each."""
        for _ in range(games):
            number = self.results.games
            learner = number % 2
            played = self._games[learner].play(number)
            self.tables[learner].learn(
                played.boards,
                played.end,
                self.settings.discount,
                is_backward=self.settings.is_backward,
            )
            self.results.add([(played, learner == 1)])

    def state(self) -> dict[str, NDArray[Any]]:
        """All that advance changes, as arrays by name."""
        tables = self.tables[:1] if self.settings.is_shared else self.tables
        state = {
            f"{side}_{name}": array
            for side, table in zip(SIDES, tables, strict=False)
            for name, array in table.arrays().items()
        }
        return state | {"results": np.array(astuple(self.results), np.float64)}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is none of such settings."""
        variant = VARIANTS[self.settings.variant]
        sides = SIDES[:1] if self.settings.is_shared else SIDES
        tables = [
            StateTable.of(variant, {name.removeprefix(f"{side}_"): state[name] for name in state})
            for side in sides
            if all(f"{side}_{name}" in state for name in ("keys", "values", "visits"))
        ]
        numbers = state.get("results", np.zeros(0))
        kinds = [type(value) for value in astuple(Repeated())]
        if len(tables) != len(sides) or numbers.shape != (len(kinds),):
            raise ValueError("it holds no such tables and results")
        self.results = Repeated(*(kind(each) for kind, each in zip(kinds, numbers, strict=True)))
        self._use((tables[0], tables[-1]))
