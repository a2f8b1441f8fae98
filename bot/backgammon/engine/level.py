"""Level: how strong Blot plays, by a name that people choose."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.backgammon.engine.engine import NO_SEARCH, Engine
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.search import SearchSettings, pruner_of
from bot.backgammon.evaluation.bearoff import load_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.evaluation.network import load_network
from bot.weights import DEFAULT

AMPLE_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Level:
    """Weights by name or file, and how far they look ahead."""

    weights: str = DEFAULT
    search: SearchSettings = NO_SEARCH

    def evaluator(self, tell: Callable[[str], None]) -> CompositeEvaluator:
        """The evaluator; tell is told in a sentence if the bear-off databases must be built.

        Raises ValueError if there are no such weights.
        """
        return CompositeEvaluator(load_network(self.weights), load_databases(tell))

    def engine(
        self,
        tell: Callable[[str], None],
        *,
        candidates: int | None = None,
        cube: bool = True,
        met: MatchEquityTable | None = None,
    ) -> Engine:
        """A player of this level; see Engine, and evaluator for what is told and raised."""
        evaluator = self.evaluator(tell)
        return Engine(
            evaluator,
            self.search,
            candidates=candidates,
            pruner=pruner_of(evaluator.network),
            cube=cube,
            met=met,
        )


LEVELS = {
    "easy": Level("easy"),
    "medium": Level("medium"),
    "hard": Level("hard"),
    "expert": Level(search=SearchSettings(3, FILTERS["normal"])),
    "best": Level(search=SearchSettings(3, FILTERS["large"])),
}
"""The levels from the weakest on; expert is the strongest under 50 ms a decision at the median.

best lets more plays through, for four times as long; checker_dev tells no difference (0.94 +- 0.16
thousandths of a point lost where expert loses 0.85 +- 0.12).
"""


def level(name: str) -> Level:
    """The level of that name; raises ValueError if there is none."""
    if name not in LEVELS:
        raise ValueError(f"no level {name!r}: it is one of {', '.join(LEVELS)}")
    return LEVELS[name]


def quick_twin(level: Level) -> Level:
    """A level that asks the same code for an answer, in little time."""
    ply = min(level.search.ply, 2)
    seconds = None if level.search.seconds is None else AMPLE_SECONDS
    return replace(level, search=replace(level.search, ply=ply, seconds=seconds))
