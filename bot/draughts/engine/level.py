"""Level: how strong Blot plays draughts, by a name that people choose."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.draughts.engine.engine import Engine
from bot.draughts.evaluation.endings import load_endings
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.variant import Variant
from bot.weights import evaluation_file


@dataclass(frozen=True, slots=True)
class Level:
    """Limits of a search, and whether it has the learnt evaluation and the solved endings."""

    limits: Limits
    is_learnt: bool = True
    has_endings: bool = True

    def engine(
        self, variant: Variant, tell: Callable[[str], object], *, threads: int = 1
    ) -> Engine:
        """A player of this level; tell is told in a sentence if the endings must be solved first.

        Raises ValueError if the weights are missing or damaged.
        """
        return Engine(
            self.evaluation(variant),
            self.limits,
            endings=load_endings(variant, tell) if self.has_endings else None,
            threads=threads,
        )

    def evaluation(self, variant: Variant) -> PatternEvaluation:
        """The level's evaluation; raises ValueError if it is missing or damaged."""
        return (
            learnt_evaluation(variant) if self.is_learnt else PatternEvaluation.untrained(variant)
        )


LEVELS = {
    "easy": Level(Limits(depth=1), is_learnt=False, has_endings=False),
    "medium": Level(Limits(depth=3), has_endings=False),
    "hard": Level(Limits(depth=7)),
    "expert": Level(Limits(seconds=0.3)),
    "best": Level(Limits(seconds=3.0)),
}
"""The levels from the weakest on."""


def level(name: str) -> Level:
    """The level of that name; raises ValueError if there is none."""
    if name not in LEVELS:
        raise ValueError(f"no level {name!r}: it is one of {', '.join(LEVELS)}")
    return LEVELS[name]


def learnt_evaluation(variant: Variant) -> PatternEvaluation:
    """The evaluation that comes with Blot; raises ValueError if it is missing or damaged."""
    return PatternEvaluation.load(evaluation_file(f"draughts-{variant.name}"))
