"""Level: how strong Blot plays, by a name that people choose."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.backgammon.bearoff import load_tables
from bot.backgammon.engine import NO_SEARCH, Engine
from bot.backgammon.evaluator import CompositeEvaluator
from bot.backgammon.met import MatchEquityTable
from bot.backgammon.move_filter import FILTERS
from bot.backgammon.network import Network
from bot.backgammon.search import Search, SearchSettings
from bot.weights import DEFAULT, load_network


@dataclass(frozen=True, slots=True)
class Level:
    """Weights by name or file, and how far they look ahead.

    pruner: weights of a small network that chooses which replies the others rate; a network of
    several layers or with features looks ahead two to three times as fast with one.
    """

    weights: str = DEFAULT
    search: SearchSettings = NO_SEARCH
    pruner: str | None = None

    def evaluator(self, tell: Callable[[str], None]) -> CompositeEvaluator:
        """What rates positions; tell is told in a sentence if the bear-off tables must be built.

        Raises ValueError if there are no such weights.
        """
        return CompositeEvaluator(load_network(self.weights), load_tables(tell))

    def engine(
        self,
        tell: Callable[[str], None],
        *,
        candidates: int | None = None,
        cube: bool = True,
        met: MatchEquityTable | None = None,
    ) -> Engine:
        """A player of this level; see Engine, and evaluator for what is told and raised."""
        return Engine(
            self.evaluator(tell),
            self.search,
            candidates=candidates,
            pruner=self._pruning(),
            cube=cube,
            met=met,
        )

    def searcher(self, tell: Callable[[str], None]) -> Search:
        """The same without cube and score; see evaluator for what is told and raised."""
        return Search(self.evaluator(tell), self.search, pruner=self._pruning())

    def _pruning(self) -> Network | None:
        return None if self.pruner is None else load_network(self.pruner)


LEVELS = {
    "easy": Level("easy"),
    "medium": Level("medium"),
    "hard": Level("hard"),
    "expert": Level(search=SearchSettings(2, FILTERS["large"])),
    "best": Level(search=SearchSettings(3, FILTERS["large"])),
}
"""The levels from the weakest on; expert is the strongest under 50 ms a decision at the median."""


def level(name: str) -> Level:
    """The level of that name; raises ValueError if there is none."""
    if name not in LEVELS:
        raise ValueError(f"no level {name!r}: it is one of {', '.join(LEVELS)}")
    return LEVELS[name]
