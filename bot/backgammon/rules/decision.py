"""Decision: what an engine may be asked, and what it answers."""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.roll import Roll


@dataclass(frozen=True, slots=True)
class ChooseCheckerPlay:
    """The player on roll has rolled: which play?"""

    state: GameState
    roll: Roll


@dataclass(frozen=True, slots=True)
class ChooseCubeAction:
    """The player on roll may double before rolling."""

    state: GameState


@dataclass(frozen=True, slots=True)
class AnswerDouble:
    """The player on roll has doubled; the other side is asked. state is the doubler's."""

    state: GameState


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """The player on roll offers to lose; the other side is asked.

    points: 1, 2 or 3 times the cube, as a single game, a gammon or a backgammon counts. Raises
    ValueError for other points.
    """

    state: GameState
    points: int

    def __post_init__(self) -> None:
        if self.points not in (1, 2, 3):
            raise ValueError(f"a resignation is for 1, 2 or 3 times the cube, not {self.points}")


Request = ChooseCheckerPlay | ChooseCubeAction | AnswerDouble | AnswerResignation


def refused(request: object) -> ValueError:
    """The error for what is no request, to be raised by whoever was asked to decide it."""
    kinds = ", ".join(kind.__name__ for kind in get_args(Request))
    return ValueError(f"a request is one of {kinds}, not {request!r:.80}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A play, the chances after it and its equity, both for the mover, seen so many plies deep.

    equity: cubeless points, or cubeful if the engine plays with the cube: points at the present
    cube in money games; in a match, what lies between losing the cube's value at -1 and winning it
    at +1, as GNU Backgammon counts. mwc: match-winning chance, None outside of matches and without
    the cube. trials: games of the rollout that all this is of, after a search so deep; 0 if of the
    search alone; error: standard error of its equity.
    """

    play: CheckerPlay
    chances: Chances
    equity: float
    ply: int = 0
    mwc: float | None = None
    trials: int = 0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class PlayDecision:
    """The play chosen, no legs if the roll allows none; the legal plays, the best first.

    Candidates evaluated deeper stand before all others. resigns: 1, 2 or 3 times the cube that the
    player offers to lose instead of playing on, 0 if not. margin: by how much equity the play is
    better than the next one evaluated as deep, listed or not; infinite if there is none.
    """

    play: CheckerPlay
    candidates: tuple[Candidate, ...]
    resigns: int = 0
    margin: float = math.inf


class CubeAction(Enum):
    """An action of the player on roll before the dice."""

    ROLL = "roll"
    DOUBLE = "double"


class DoubleAnswer(Enum):
    """An answer to a double."""

    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"


TIE = 1e-5
"""Equities that differ by no more are the same. Source: GNU Backgammon, eval.c, isOptional."""


class ProperAction(Enum):
    """The best actions of both sides before a roll; optional is a double that changes nothing."""

    NO_DOUBLE_BEAVER = "no double, beaver"
    NO_DOUBLE_TAKE = "no double, take"
    DOUBLE_BEAVER = "double, beaver"
    DOUBLE_TAKE = "double, take"
    DOUBLE_DROP = "double, drop"
    OPTIONAL_BEAVER = "optional double, beaver"
    OPTIONAL_TAKE = "optional double, take"
    OPTIONAL_DROP = "optional double, drop"
    TOO_GOOD_TAKE = "too good to double, take"
    TOO_GOOD_DROP = "too good to double, drop"


@dataclass(frozen=True, slots=True)
class CubeEvaluation:
    """Cubeful equities of what can be done before a roll, all for the player on roll.

    Points at the present cube in money games; in a match as in Candidate, and mwc has the
    match-winning chances of the same three, None outside of matches. may_beaver: whether the other
    side could beaver. may_win_gammon: whether there is a gammon to play on for.
    """

    no_double: float
    double_take: float
    double_drop: float
    mwc: tuple[float, float, float] | None = None
    may_beaver: bool = False
    may_win_gammon: bool = True

    @property
    def beavers(self) -> bool:
        """Whether the other side should beaver a double."""
        return self.may_beaver and self.double_take < 0

    @property
    def doubled(self) -> float:
        """Equity of doubling, answered as is best for the other side; a beaver counts it twice."""
        return min((2 if self.beavers else 1) * self.double_take, self.double_drop)

    @property
    def action_margin(self) -> float:
        """Equity by which it is better to double than to roll, or the reverse; 0 or more."""
        return abs(self.doubled - self.no_double)

    @property
    def answer_margin(self) -> float:
        """Equity by which the other side's best answer to a double is better than its next one."""
        margin = abs(self.double_take - self.double_drop)
        return min(margin, abs(self.double_take)) if self.may_beaver else margin

    @property
    def proper(self) -> ProperAction:
        """The best actions of both sides; who is offered a double that makes no difference takes.

        A sure win without gammons is cashed, although playing on would be worth the same. Source:
        GNU Backgammon, eval.c, FindBestCubeDecision.
        """
        takes = self.double_take <= self.double_drop
        beavers = self.beavers
        if self.action_margin <= TIE:
            if not takes:
                is_free = self.may_win_gammon
                return ProperAction.OPTIONAL_DROP if is_free else ProperAction.DOUBLE_DROP
            return ProperAction.OPTIONAL_BEAVER if beavers else ProperAction.OPTIONAL_TAKE
        if self.doubled >= self.no_double:
            if not takes:
                return ProperAction.DOUBLE_DROP
            return ProperAction.DOUBLE_BEAVER if beavers else ProperAction.DOUBLE_TAKE
        if self.no_double > self.double_drop:
            return ProperAction.TOO_GOOD_TAKE if takes else ProperAction.TOO_GOOD_DROP
        return ProperAction.NO_DOUBLE_BEAVER if beavers else ProperAction.NO_DOUBLE_TAKE


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """Roll or double; chances are those of the player on roll.

    evaluation: None if the engine plays without the cube or may not double. resigns: see
    PlayDecision. mwc: match-winning chance of rolling, None outside of matches and without the
    cube. trials: games of the rollout that the evaluation is of, 0 if of a search.
    """

    action: CubeAction
    chances: Chances
    evaluation: CubeEvaluation | None = None
    resigns: int = 0
    mwc: float | None = None
    trials: int = 0


@dataclass(frozen=True, slots=True)
class DoubleDecision:
    """Take, drop or beaver; chances are those of the side that answers.

    evaluation: the doubler's, as in CubeDecision; trials: of what a take is worth. is_for_roller:
    True if the answer is meant for the player on roll, who is asked about a beaver; if False, his
    answer is to be worked out from the evaluation.
    """

    answer: DoubleAnswer
    chances: Chances
    evaluation: CubeEvaluation | None = None
    trials: int = 0
    is_for_roller: bool = False


@dataclass(frozen=True, slots=True)
class ResignationDecision:
    """Whether the offer is accepted; chances are those of the side that answers.

    margin: how much better the answer is than the other one, in points, or twice the match-winning
    chance; 0 or more. mwc: match-winning chance of the side that answers if it declines, None
    outside of matches and without the cube.
    """

    accepted: bool
    chances: Chances
    margin: float = math.inf
    mwc: float | None = None


Decision = PlayDecision | CubeDecision | DoubleDecision | ResignationDecision

Dice = NDArray[np.int8]
"""Rolls as int8[n, 2], the higher die first."""

GAMES_AT_ONCE = 512
"""Number of games that the quickest player plays at once."""


class Decider(Protocol):
    """A decider answers requests: an Engine, or a player in its place."""

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's.

        Raises ValueError if it is none.
        """


@runtime_checkable
class BatchDecider(Decider, Protocol):
    """A decider who also plays many games at once, faster, blind to cube and score."""

    @property
    def games_at_once(self) -> int:
        """Number of games to play at once; fewer if an answer takes long."""

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board, as its mover sees it.

        boards: int8[n, 26] seen by the player on roll. Returns int8[n, 26], a new array; the same
        board where the roll allows no play.
        """
