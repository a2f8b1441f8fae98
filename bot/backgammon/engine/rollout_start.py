"""Rollout start: a state to play games from, and what they count for."""

from dataclasses import dataclass, replace

from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.match import Cube, CubeOwner, GameState
from bot.backgammon.rules.position import Position


@dataclass(frozen=True, slots=True)
class Start:
    """A state to play games from, and what they count for.

    may_double: whether the player on roll may double before the first roll; unit: the cube that
    utilities count for, in money games, and that losing and winning is equity -1 and 1, in matches.
    met: None in money games.
    """

    state: GameState
    may_double: bool
    unit: int
    met: MatchEquityTable | None = None

    def utility(self, points: int) -> float:
        """Utility of the player on roll after a game that wins him points, or loses -points."""
        if self.met is None or self.state.score is None:
            return points / self.unit
        return 2 * self.met.mwc_after(self.state.score, points) - 1


def roll_start(state: GameState, met: MatchEquityTable | None = None) -> Start:
    """The player on roll rolls at once; raises ValueError in a match without match equities."""
    return Start(state, False, state.cube.value, _met_for(state, met))


def take_start(state: GameState, met: MatchEquityTable | None = None) -> Start:
    """The player on roll has doubled and the other taken; raises ValueError if he may not double.

    Also raises it in a match without match equities.
    """
    if state.doubling_bar is not None:
        raise ValueError(f"nobody doubles here: {state.doubling_bar.value}")
    return replace(roll_start(taken(state), met), unit=state.cube.value)


def play_start(state: GameState, after: Position, met: MatchEquityTable | None = None) -> Start:
    """The other side is to double or roll after a play; turn what is found of it.

    after: as the player on roll of the state leaves it, seen by him. Raises ValueError in a match
    without match equities.
    """
    theirs = replace(state, position=after).turned()
    return Start(theirs, True, state.cube.value, _met_for(theirs, met))


def taken(state: GameState) -> GameState:
    """The state after a double and a take."""
    return replace(state, cube=Cube(2 * state.cube.value, CubeOwner.OTHER))


def _met_for(state: GameState, met: MatchEquityTable | None) -> MatchEquityTable | None:
    if state.score is None:
        return None
    if met is None:
        raise ValueError("a match needs match equities")
    return met
