"""Level: how strong Blot plays, by a name that people choose."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.engine.nets import pruner_of
from bot.backgammon.engine.roller import LEAST_OF_DECISION, SHARE_OF_SEARCH, Roller, RollerSettings
from bot.backgammon.engine.rollout_trials import RolloutPlayer
from bot.backgammon.engine.search import NO_SEARCH, SearchSettings
from bot.backgammon.evaluation.bearoff import load_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, load_evaluator
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.weights import DEFAULT

AMPLE_SECONDS = 600.0
"""Time for a decision that is never used up."""


@dataclass(frozen=True, slots=True)
class Level:
    """Weights by name or file, how far they look ahead, and what they roll out after that."""

    weights: str = DEFAULT
    search: SearchSettings = NO_SEARCH
    roller: RollerSettings | None = None

    def evaluator(self, tell: Callable[[str], None]) -> CompositeEvaluator:
        """The evaluator; tell is told in a sentence if the bear-off databases must be built.

        Raises ValueError if there are no such weights.
        """
        return load_evaluator(self.weights, load_databases(tell))

    def engine(
        self,
        tell: Callable[[str], None],
        *,
        candidates: int | None = None,
        cube: bool = True,
        met: MatchEquityTable | None = None,
        stop: threading.Event | None = None,
        evaluator: CompositeEvaluator | None = None,
    ) -> Engine:
        """A player of this level, to be closed if it rolls out; see Engine.

        tell: told too when a process that rolls out died; see evaluator for the rest and for what
        is raised. evaluator: the level's own, made before; any number of engines may share it.
        """
        evaluator, search, roller = evaluator or self.evaluator(tell), self.search, None
        if self.roller is not None:
            roller = Roller(RolloutPlayer(self.weights), self.roller, tell)
            if self.roller.seconds is not None:
                search = replace(search, seconds=SHARE_OF_SEARCH * self.roller.seconds)
        return Engine(
            evaluator,
            search,
            candidates=candidates,
            pruner=pruner_of(evaluator.tree.network),
            cube=cube,
            met=met,
            roller=roller,
            stop=stop,
        )


LEVELS = {
    "easy": Level("easy"),
    "medium": Level("medium"),
    "hard": Level("hard"),
    "expert": Level(search=SearchSettings(3, FILTERS["normal"])),
    "best": Level(
        search=SearchSettings(3, (MoveFilter(0, 8, 0.16), MoveFilter(2, 3, 0.04))),
        roller=RollerSettings(),
    ),
}
"""The levels from the weakest on; expert looks 3 plies ahead where 2 plies leave plays close.

best rolls out what such a search leaves close.
"""


def level(name: str) -> Level:
    """The level of that name; raises ValueError if there is none."""
    if name not in LEVELS:
        raise ValueError(f"no level {name!r}: it is one of {', '.join(LEVELS)}")
    return LEVELS[name]


def quick_twin(level: Level) -> Level:
    """A level that runs the same code for an answer as this one, and takes little time."""
    ply = min(level.search.ply, 2)
    seconds = None if level.search.seconds is None else AMPLE_SECONDS
    roller = level.roller and replace(
        level.roller, trials=LEAST_OF_DECISION, truncate=1, workers=1, seconds=None
    )
    return Level(level.weights, replace(level.search, ply=ply, seconds=seconds), roller)
