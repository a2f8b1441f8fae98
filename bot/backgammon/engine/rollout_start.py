"""Rollout start: a state to play games from, and what they count for."""

from dataclasses import dataclass, replace

from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState
from bot.backgammon.rules.position import Position, turned


@dataclass(frozen=True, slots=True)
class Start:
    """A state to play games from, and what they count for.

    may_double: whether the player on roll may double before the first roll. unit: value of the cube
    that equities are told by: in money games points are divided by it, in a match equity -1 is to
    lose so many points and +1 to win them. met: None in money games; has_cube: without it the game
    is for money, and cubeless.
    """

    state: GameState
    may_double: bool
    unit: int
    met: MatchEquityTable | None = None
    has_cube: bool = True

    @property
    def doubles_left(self) -> int:
        """Turns of the cube that are left at most."""
        return (MAX_CUBE // self.state.cube.value).bit_length() - 1 if self.has_cube else 0

    @property
    def scale(self) -> float:
        """By how much utilities at the state's cube are to be multiplied."""
        return self.state.cube.value / self.unit if self.met is None else 1.0

    def cube_table(self, state: GameState, databases: BearoffDatabases) -> CubeTable:
        """The cube table from a state of these games on, without beavers."""
        if not self.has_cube:
            return CUBELESS
        state = replace(state, money=replace(state.money, beavers=False))
        return cube_table(state, self.met, databases)

    def utility(self, points: int) -> float:
        """Utility of the player on roll after a game that wins him points, or loses -points."""
        if self.met is None or self.state.score is None:
            return points / self.unit
        return 2 * self.met.mwc_after(self.state.score, points) - 1


def cubeless_start(position: Position) -> Start:
    """A start at which the player on roll has to roll, in a money game without the cube."""
    return Start(GameState(position), False, 1, has_cube=False)


def roll_start(state: GameState, met: MatchEquityTable | None = None) -> Start:
    """A start at which the player on roll rolls without doubling.

    Raises ValueError in a match without match equities.
    """
    return Start(state, False, state.cube.value, _met_for(state, met))


def take_start(state: GameState, met: MatchEquityTable | None = None) -> Start:
    """A start after a double of the player on roll and a take, be it with a dead cube.

    Raises ValueError if the rules forbid the double, and in a match without match equities.
    """
    if refused := state.doubling_illegality:
        raise ValueError(f"nobody doubles here: {refused.value}")
    return replace(roll_start(taken(state), met), unit=state.cube.value)


def play_start(
    state: GameState, after: Position, met: MatchEquityTable | None = None, *, has_cube: bool = True
) -> Start:
    """A start after a play, the other side to double or roll; what is found is seen by that side.

    after: as the player on roll of the state leaves it, seen by that player; has_cube: without it
    the start is a cubeless one. Raises ValueError in a match without match equities.
    """
    if not has_cube:
        return cubeless_start(turned(after))
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
