"""Decision: what an engine may be asked, and what it answers."""

from dataclasses import dataclass
from enum import Enum

from bot.backgammon.match import GameState
from bot.backgammon.outcome import Chances
from bot.backgammon.play import CheckerPlay
from bot.backgammon.roll import Roll


@dataclass(frozen=True, slots=True)
class ChooseCheckerPlay:
    """The player on roll has thrown: which play?"""

    state: GameState
    roll: Roll


@dataclass(frozen=True, slots=True)
class ChooseCubeAction:
    """The player on roll may double before throwing."""

    state: GameState


@dataclass(frozen=True, slots=True)
class AnswerDouble:
    """The player on roll has doubled; the other side is asked. state is the doubler's."""

    state: GameState


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """The player on roll offers to lose 1, 2 or 3 times the cube; the other side is asked."""

    state: GameState
    points: int

    def __post_init__(self) -> None:
        if self.points not in (1, 2, 3):
            raise ValueError(f"a resignation is for 1, 2 or 3 times the cube, not {self.points}")


Request = ChooseCheckerPlay | ChooseCubeAction | AnswerDouble | AnswerResignation


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """A play, the chances after it and its equity, both for the mover, rated so many plies deep."""

    play: CheckerPlay
    chances: Chances
    equity: float
    ply: int = 0


@dataclass(frozen=True, slots=True)
class PlayDecision:
    """The play chosen, no legs if the roll allows none; all legal plays rated, the best first.

    Plays rated deeper stand before all others.
    """

    play: CheckerPlay
    rated: tuple[RatedPlay, ...]


class CubeAction(Enum):
    """What the player on roll does before throwing."""

    ROLL = "roll"
    DOUBLE = "double"


class DoubleAnswer(Enum):
    """What the other side does with a double."""

    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """Roll or double; chances are the player's on roll."""

    action: CubeAction
    chances: Chances


@dataclass(frozen=True, slots=True)
class DoubleDecision:
    """Take, drop or beaver; chances are those of the side that answers."""

    answer: DoubleAnswer
    chances: Chances


@dataclass(frozen=True, slots=True)
class ResignationDecision:
    """Whether the offer is accepted; chances are those of the side that answers."""

    accepted: bool
    chances: Chances


Decision = PlayDecision | CubeDecision | DoubleDecision | ResignationDecision
