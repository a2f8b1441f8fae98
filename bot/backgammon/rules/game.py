"""Game: a game of backgammon as a value, and every rule of how it goes on.

A game is asked for its `request`, and `after` an answer it is another game, or the result. The dice
are an answer like any other: whoever rolls them, a program or a person, hands them in.
"""

from dataclasses import dataclass, replace
from enum import Enum

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
    Request,
)
from bot.backgammon.rules.legality import illegality
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.roll import Roll

MAX_BEAVERS = 3
"""Beavers and raccoons after one double: as many as GNU Backgammon allows if not told otherwise."""


@dataclass(frozen=True, slots=True)
class OpeningRoll:
    """The first die of seat 0 and that of seat 1; whoever has the higher one plays both."""

    first: int
    second: int

    def __post_init__(self) -> None:
        Roll.of_dice(self.first, self.second)

    @property
    def is_tie(self) -> bool:
        """Whether nobody begins, and the opening is rolled again."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class Resignation:
    """The player on roll offers to lose 1, 2 or 3 times the cube.

    Raises ValueError for other points.
    """

    points: int

    def __post_init__(self) -> None:
        if self.points not in (1, 2, 3):
            raise ValueError(f"a resignation is for 1, 2 or 3 points, not {self.points}")


class ResignationAnswer(Enum):
    """An answer to a resignation."""

    ACCEPT = "accept"
    DECLINE = "decline"


Answer = (
    OpeningRoll | Roll | CheckerPlay | CubeAction | DoubleAnswer | Resignation | ResignationAnswer
)


class Ending(Enum):
    """A way for a game to end."""

    PLAYED = "all checkers borne off"
    DROPPED = "a double dropped"
    RESIGNED = "a resignation accepted"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: a single game is of kind 1, a gammon 2, a backgammon 3.

    winner is a seat, cube the value that counted. Under the Jacoby rule a gammon counts no more
    than a single game as long as nobody has doubled.
    """

    winner: int
    kind: int
    cube: int = 1
    ending: Ending = Ending.PLAYED
    counts_gammons: bool = True

    def __post_init__(self) -> None:
        if self.winner not in (0, 1) or self.kind not in (1, 2, 3):
            raise ValueError(f"no result: seat {self.winner} wins {self.kind} times the cube")

    @property
    def kind_counted(self) -> int:
        """Number of times that the cube was won."""
        return self.kind if self.counts_gammons else 1

    @property
    def points(self) -> int:
        """Points won, those included that a match does not need any more."""
        return self.cube * self.kind_counted


@dataclass(frozen=True, slots=True)
class Game:
    """A game at the moment at which somebody has to answer, or the dice have to be rolled.

    state: what is on the board and at stake, seen by the player on roll; while a double waits, the
    cube is as it was before the double. turn: the seat of the player on roll, None before the
    opening roll, when the state is seat 0's. roll: what is to be played. is_rolling: whether the
    player has chosen not to double. doubles: how many wait for an answer, 1 for a double, 2 for a
    beaver, 3 for a raccoon. resigned: points offered, 0 for none; declined: the most that was
    declined in this position. automatic_doubles: how many ties in the opening still turn the cube,
    in money games. Raises ValueError for a moment that no game has.
    """

    state: GameState
    turn: int | None = None
    roll: Roll | None = None
    is_rolling: bool = False
    doubles: int = 0
    resigned: int = 0
    declined: int = 0
    has_cube: bool = True
    automatic_doubles: int = 0

    def __post_init__(self) -> None:
        waits = (self.roll is not None, self.is_rolling, self.doubles > 0)
        if self.turn not in (None, 0, 1):
            raise ValueError(f"a seat is 0 or 1, not {self.turn}")
        if self.turn is None and (any(waits) or self.resigned or self.declined):
            raise ValueError("the opening roll comes before anything else")
        if sum(waits) > 1 or (self.doubles and self.resigned):
            raise ValueError("one thing is asked at a time")
        if not 0 <= self.doubles <= 1 + MAX_BEAVERS:
            raise ValueError(f"a double is beavered up to {MAX_BEAVERS} times")
        if self.doubles > 1 and self.state.cube.owner is not CubeOwner.OTHER:
            raise ValueError("who beavers first owns the cube")
        if not (0 <= self.resigned <= 3 and 0 <= self.declined <= 3):
            raise ValueError("a resignation is for 1, 2 or 3 points")
        points = self.state.position.points
        if not max(points) > 0 > min(points):
            raise ValueError("the game is over in this position")

    @classmethod
    def asking(cls, request: Request, turn: int) -> "Game":
        """The game met in the middle, at a request; turn is the seat of the player on roll."""
        match request:
            case ChooseCheckerPlay(state, roll):
                return cls(state, turn, roll)
            case ChooseCubeAction(state):
                return cls(state, turn)
            case AnswerDouble(state):
                return cls(state, turn, doubles=1)
            case AnswerResignation(state, points):
                return cls(state, turn, resigned=points)

    @property
    def request(self) -> Request | None:
        """The request to the seat that is asked; None if only the dice can go on.

        A beaver asks what a redouble to the same value asks: whoever doubled, the opponent of the
        player on roll keeps the cube, so each further double only raises the stake.
        """
        if self.resigned:
            return AnswerResignation(self.state, self.resigned)
        if self.doubles:
            money = replace(self.state.money, beavers=self.may_beaver)
            cube = self.state.cube
            if self.doubles > 1:
                cube = Cube(cube.value, CubeOwner.ON_ROLL)
            return AnswerDouble(replace(self.state, cube=cube, money=money))
        if self.roll:
            return ChooseCheckerPlay(self.state, self.roll)
        return ChooseCubeAction(self.state) if self.may_double else None

    @property
    def asked(self) -> int | None:
        """The seat to answer or to roll the dice; None for the opening roll, which is both's."""
        if self.turn is None:
            return None
        return 1 - self.turn if self.resigned or self.doubles % 2 else self.turn

    @property
    def is_beavered(self) -> bool:
        """Whether the player on roll is to answer: the other side has beavered his double."""
        return self.doubles > 0 and self.asked == self.turn

    @property
    def cube_owner(self) -> int | None:
        """The seat that may double next; None while the cube is in the middle."""
        owner = self.state.cube.owner
        if self.turn is None or owner is CubeOwner.CENTRED:
            return None
        return self.turn if owner is CubeOwner.ON_ROLL else 1 - self.turn

    @property
    def cube_shown(self) -> int:
        """The value on the cube: the doubled one while a double waits."""
        return self.state.cube.value * (2 if self.doubles else 1)

    @property
    def counts_gammons(self) -> bool:
        """Whether a gammon brings more than a single game: under Jacoby after a double only.

        The rule is one of money games with the cube; without the cube gammons count.
        """
        is_jacoby = self.has_cube and self.state.score is None and self.state.money.jacoby
        return not is_jacoby or self.state.cube.owner is not CubeOwner.CENTRED

    @property
    def doubling_refusal(self) -> str | None:
        """Why the player on roll is not asked whether he doubles, as a clause; None if he is.

        With a dead cube he has nothing to gain, and is not asked although the rules let him double.
        """
        refused = self.state.doubling_refusal
        return self.refusal(CubeAction.DOUBLE) or (refused.value if refused else None)

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double now, and has something to gain."""
        return self.doubling_refusal is None

    @property
    def may_beaver(self) -> bool:
        """Whether the double that waits may be answered with a double."""
        return self.refusal(DoubleAnswer.BEAVER) is None

    def won(self, winner: int, kind: int, ending: Ending) -> Result:
        """The result if the game ended now with so many times the cube."""
        return Result(winner, kind, self.state.cube.value, ending, self.counts_gammons)

    def refusal(self, answer: Answer) -> str | None:
        """Why the rules do not allow the answer now, as a clause; None if they do."""
        match answer:
            case DoubleAnswer():
                return self._double_answer_refusal(answer)
            case ResignationAnswer():
                return None if self.resigned else f"there is no resignation to {answer.value}"
            case OpeningRoll():
                return "the opening roll is made already" if self.turn is not None else None
        if self.turn is None:
            return "the opening roll comes first"
        if self.resigned:
            return "the resignation waits for its answer"
        if self.doubles:
            return "the double waits for its answer"
        match answer:
            case Resignation(points):
                is_new = points > self.declined
                return None if is_new else "as much was declined in this position"
            case CubeAction():
                return self._cube_action_refusal(answer)
            case Roll():
                return "the dice are rolled already" if self.roll else None
            case CheckerPlay():
                if self.roll is None:
                    return "the dice are not rolled yet"
                return illegality(answer, self.state.position, self.roll)
            case _:
                return f"no game is answered with {answer!r:.80}"

    def _cube_action_refusal(self, action: CubeAction) -> str | None:
        """Why there is no choice between rolling and doubling; a dead cube may be turned."""
        if not self.has_cube:
            return "this game is played without the cube"
        state = self.state
        doubles = action is CubeAction.DOUBLE
        if refused := state.doubling_illegality if doubles else state.doubling_refusal:
            return refused.value
        if self.roll:
            return "doubling comes before the dice"
        return "the player has chosen to roll" if self.is_rolling else None

    def _double_answer_refusal(self, answer: DoubleAnswer) -> str | None:
        if not self.doubles:
            return f"there is no double to {answer.value}"
        if answer is not DoubleAnswer.BEAVER:
            return None
        if self.state.score is not None or not self.state.money.beavers:
            return "a beaver is not allowed here"
        if self.doubles > MAX_BEAVERS:
            return f"a double is beavered up to {MAX_BEAVERS} times"
        return "the cube goes no higher" if 4 * self.state.cube.value > MAX_CUBE else None

    def after(self, answer: Answer) -> "Game | Result":
        """The game after an answer, or the result if that ends it.

        Raises ValueError with the reason if the rules do not allow the answer.
        """
        if refusal := self.refusal(answer):
            raise ValueError(refusal)
        match answer:
            case OpeningRoll():
                return self._opened(answer)
            case Roll():
                return replace(self, roll=answer, is_rolling=False)
            case CheckerPlay():
                return self._played(answer)
            case CubeAction.ROLL:
                return replace(self, is_rolling=True)
            case CubeAction.DOUBLE:
                return replace(self, doubles=1)
            case DoubleAnswer():
                return self._double_answered(answer)
            case Resignation(points):
                return replace(self, resigned=points)
            case ResignationAnswer.ACCEPT:
                return self.won(1 - self._roller, self.resigned, Ending.RESIGNED)
            case ResignationAnswer.DECLINE:
                return replace(self, resigned=0, declined=self.resigned)

    @property
    def _roller(self) -> int:
        return self.turn or 0

    def _opened(self, opening: OpeningRoll) -> "Game":
        """The game after the opening roll; after a tie it is rolled again, with the cube turned."""
        if opening.is_tie:
            turns_cube = self.automatic_doubles > 0 and self.has_cube and self.state.score is None
            if not turns_cube or 2 * self.state.cube.value > MAX_CUBE:
                return self
            state = replace(self.state, cube=Cube(2 * self.state.cube.value))
            return replace(self, state=state, automatic_doubles=self.automatic_doubles - 1)
        roll = Roll.of_dice(opening.first, opening.second)
        if opening.first > opening.second:
            return replace(self, turn=0, roll=roll)
        return replace(self, state=self.state.turned(), turn=1, roll=roll)

    def _played(self, play: CheckerPlay) -> "Game | Result":
        """The game with the other side on roll, or the result if the last checker went off."""
        if not max(play.after.points) > 0:
            return self.won(self._roller, points_won(play.after), Ending.PLAYED)
        before = self.state
        state = GameState(play.after, before.cube, before.score, before.money).turned()
        return replace(self, state=state, turn=1 - self._roller, roll=None, declined=0)

    def _double_answered(self, answer: DoubleAnswer) -> "Game | Result":
        if answer is DoubleAnswer.DROP:
            doubler = self._roller if self.doubles % 2 else 1 - self._roller
            return self.won(doubler, 1, Ending.DROPPED)
        cube = Cube(2 * self.state.cube.value, CubeOwner.OTHER)
        doubles = self.doubles + 1 if answer is DoubleAnswer.BEAVER else 0
        return replace(self, state=replace(self.state, cube=cube), doubles=doubles, declined=0)
