"""Agreement: what two analysts say of the same choices, and rollouts of those they dispute."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict, Verdict, cube_loss
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import RolledOutCube, Rollout
from bot.backgammon.engine.rollout_start import (
    Start,
    play_start,
    roll_start,
    take_start,
)
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.kernels.rollout import Samples
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import ChooseCheckerPlay, CubeAction, DoubleAnswer
from bot.backgammon.rules.play import CheckerPlay
from bot.estimate import NORMAL_95, standard_error

Best = CheckerPlay | CubeAction | DoubleAnswer
"""The choice that an analyst would have made."""


@dataclass(frozen=True, slots=True)
class Opinions:
    """A choice with the verdicts of two analysts."""

    choice: Choice
    first: Verdict
    second: Verdict

    @property
    def is_play(self) -> bool:
        """Whether both judged an unforced play."""
        both = self.first, self.second
        return all(isinstance(one, PlayVerdict) and one.is_unforced for one in both)

    @property
    def is_cube(self) -> bool:
        """Whether a choice with the cube is close to either."""
        both = self.first, self.second
        return any(isinstance(one, CubeVerdict) and one.is_close for one in both)

    @property
    def is_same(self) -> bool:
        """Whether both would have chosen the same."""
        one, other = best_of(self.first), best_of(self.second)
        if isinstance(one, CheckerPlay) and isinstance(other, CheckerPlay):
            return one.after == other.after
        return one == other

    @property
    def losses(self) -> tuple[float, float]:
        """Equity that the other one's choice gives away, by each."""
        return (
            loss_by(self.first, best_of(self.second)),
            loss_by(self.second, best_of(self.first)),
        )


def best_of(verdict: Verdict) -> Best:
    """The choice that loses nothing; raises ValueError where there is nothing to choose."""
    if isinstance(verdict, PlayVerdict):
        if not verdict.candidates:
            raise ValueError("there is no play to choose")
        return verdict.candidates[0].play
    evaluation = verdict.evaluation
    if isinstance(verdict.answer, CubeAction):
        doubles = evaluation.doubled > evaluation.no_double
        return CubeAction.DOUBLE if doubles else CubeAction.ROLL
    answers = [DoubleAnswer.TAKE, DoubleAnswer.DROP]
    if evaluation.may_beaver:
        answers.append(DoubleAnswer.BEAVER)
    return min(answers, key=lambda answer: cube_loss(evaluation, answer))


def loss_by(verdict: Verdict, best: Best) -> float:
    """Equity that a choice gives away by a verdict; a play it does not list, so much at least."""
    if isinstance(verdict, CubeVerdict):
        assert not isinstance(best, CheckerPlay)
        return cube_loss(verdict.evaluation, best)
    assert isinstance(best, CheckerPlay)
    rows = verdict.candidates
    listed = [row.equity for row in rows if row.play.after == best.after]
    return rows[0].equity - (listed[0] if listed else min(row.equity for row in rows))


def opinions_of(
    first: Sequence[tuple[Choice, Verdict]], second: Sequence[tuple[Choice, Verdict]]
) -> list[Opinions]:
    """The choices that both judged, in the first one's order."""
    other = {_place(choice): verdict for choice, verdict in second}
    return [
        Opinions(choice, verdict, other[_place(choice)])
        for choice, verdict in first
        if _place(choice) in other
    ]


def disputed(opinions: Sequence[Opinions], threshold: float) -> list[Opinions]:
    """The choices of which both say that the other's gives away more than so much equity."""
    counted = (one for one in opinions if one.is_play or one.is_cube)
    return [one for one in counted if min(one.losses) > threshold]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer of a rollout to a disputed choice.

    edge: equity that the first one's choice is worth more than the second's; error: of it.
    """

    edge: float
    error: float
    trials: int

    @property
    def right(self) -> int | None:
        """The analyst who was right, 0 or 1; None if chance may be all of it.

        Errors are below 5 % as for Estimate.text_95.
        """
        if abs(self.edge) <= NORMAL_95 * self.error:
            return None
        return 0 if self.edge > 0 else 1


def ruling_on(
    opinions: Opinions,
    player: RolloutPlayer,
    settings: RolloutSettings,
    *,
    has_cube: bool = True,
    met: MatchEquityTable | None = None,
) -> Ruling:
    """Roll out both choices with the same dice; raises as rollouts does.

    A drop costs what the first one says. met: match equities, Blot's own if None.
    """
    request, met = opinions.choice.request, met or blot_table()
    bests = best_of(opinions.first), best_of(opinions.second)
    state = request.state
    if isinstance(request, ChooseCheckerPlay):
        afters = [best.after for best in bests if isinstance(best, CheckerPlay)]
        starts = [play_start(state, after, met, has_cube=has_cube) for after in afters]
        worths = [each.turned().equities for each in _last(starts, player, settings)]
    else:
        known = _last([roll_start(state, met), take_start(state, met)], player, settings)
        cube = RolledOutCube(*known, may_beaver=state.may_beaver)
        assert isinstance(opinions.first, CubeVerdict)
        drop = opinions.first.evaluation.double_drop
        worths = [_worths(best, cube, drop) for best in bests]
    edges = worths[0] - worths[1]
    return Ruling(float(edges.mean()), standard_error(edges) or 0.0, len(edges))


def _worths(best: Best, cube: RolledOutCube, drop: float) -> Samples:
    """Equity of an action, or of an answer, to who chooses it; float64[n].

    drop: what a double that is dropped is worth to the doubler.
    """
    taken = cube.double_take.equities
    dropped = np.full_like(taken, drop)
    match best:
        case CubeAction.ROLL:
            return cube.no_double.equities
        case CubeAction.DOUBLE:
            if taken.mean() > drop:
                return dropped
            return 2 * taken if cube.evaluation.beavers else taken
        case DoubleAnswer.DROP:
            return -dropped
        case DoubleAnswer.BEAVER:
            return -2 * taken
        case _:
            return -taken


def _last(
    starts: Sequence[Start], player: RolloutPlayer, settings: RolloutSettings
) -> tuple[Rollout, ...]:
    *_, known = rollouts(starts, player, settings)
    return known


def _place(choice: Choice) -> tuple[int, int, int, type]:
    return choice.game, choice.move, choice.seat, type(choice.request)
