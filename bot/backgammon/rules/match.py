"""Match: what is at stake around a position - score, Crawford, cube and money rules."""

from dataclasses import dataclass
from enum import Enum

from bot.backgammon.rules.position import Position, turned

MAX_CUBE = 4096
MAX_LENGTH = 64
"""GNU Backgammon plays no longer matches."""


class CubeOwner(Enum):
    """The side that may double next."""

    CENTRED = "centred"
    ON_ROLL = "player on roll"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube; a centred cube above 1 comes from automatic doubles in money games.

    Raises ValueError for a value that is no power of two up to 4096, and an owner of a cube at 1.
    """

    value: int = 1
    owner: CubeOwner = CubeOwner.CENTRED

    def __post_init__(self) -> None:
        if not 1 <= self.value <= MAX_CUBE or self.value & (self.value - 1):
            raise ValueError(f"a cube shows a power of two up to {MAX_CUBE}, not {self.value}")
        if self.value == 1 and self.owner is not CubeOwner.CENTRED:
            raise ValueError("a cube at 1 is owned by nobody")

    def turned(self) -> "Cube":
        """The cube as the other side sees it."""
        is_centred = self.owner is CubeOwner.CENTRED
        return self if is_centred else Cube(self.value, _OTHERS[self.owner])


_OTHERS = {
    CubeOwner.ON_ROLL: CubeOwner.OTHER,
    CubeOwner.OTHER: CubeOwner.ON_ROLL,
}


@dataclass(frozen=True, slots=True)
class Score:
    """Points of both sides in a match to a length; seen by the player on roll.

    Raises ValueError for a score at which no game is played, and a Crawford game at another than
    that where one side alone is a point short.
    """

    length: int
    own: int
    other: int
    is_crawford: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.length <= MAX_LENGTH:
            raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {self.length}")
        if not (0 <= self.own < self.length and 0 <= self.other < self.length):
            raise ValueError(f"no score of a match to {self.length}: {self.own}-{self.other}")
        if self.is_crawford and (self.away == 1) == (self.other_away == 1):
            raise ValueError(f"no Crawford game at {self.own}-{self.other} to {self.length}")

    @property
    def away(self) -> int:
        """Points the player on roll still needs."""
        return self.length - self.own

    @property
    def other_away(self) -> int:
        """Points the other side still needs."""
        return self.length - self.other

    def turned(self) -> "Score":
        """The score as the other side sees it."""
        return Score(self.length, self.other, self.own, self.is_crawford)

    def after(self, points: int) -> "Score | None":
        """The score of the next game, seen by the same side, after it won points or lost -points.

        None if the match is over. The game after a side came within a point is the Crawford game.
        """
        own, other = self.own + max(points, 0), self.other + max(-points, 0)
        if max(own, other) >= self.length:
            return None
        most = self.length - 1
        is_crawford = (own == most) != (other == most) and most not in (self.own, self.other)
        return Score(self.length, own, other, is_crawford)


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """Rules of a money session that no position shows."""

    jacoby: bool = True
    beavers: bool = False


class DoublingRefusal(Enum):
    """Why the player on roll is not asked whether he doubles."""

    OTHERS_CUBE = "the cube is the other side's"
    CRAWFORD = "it is the Crawford game"
    DEAD = "the cube's value is enough to win the match"
    LIMIT = "the cube goes no higher"


@dataclass(frozen=True, slots=True)
class GameState:
    """All that a decision depends on but the dice; seen by the player on roll.

    While a double waits for its answer the player on roll is the doubler, and the cube is as it
    was before the double. score is None in money games; money counts only there.
    """

    position: Position
    cube: Cube = Cube()
    score: Score | None = None
    money: MoneyRules = MoneyRules()

    def turned(self) -> "GameState":
        """The state as the other side sees it, which is then the one on roll."""
        score = self.score and self.score.turned()
        return GameState(turned(self.position), self.cube.turned(), score, self.money)

    @property
    def has_possible_cube(self) -> bool:
        """Whether doubles that gain something can have brought the cube there at this score.

        In a match each double leaves the other side as the owner; nobody doubles in the Crawford
        game, and nothing is gained with a cube that is enough to win.
        """
        score, cube = self.score, self.cube
        if score is None or cube.value == 1:
            return True
        if score.is_crawford or cube.owner is CubeOwner.CENTRED:
            return False
        doubler, owner = score.other_away, score.away
        if cube.owner is CubeOwner.OTHER:
            doubler, owner = owner, doubler
        return cube.value < 2 * doubler and cube.value < 4 * owner

    @property
    def may_beaver(self) -> bool:
        """Whether the other side may beaver if the player on roll doubles now."""
        return self.score is None and self.money.beavers and 4 * self.cube.value <= MAX_CUBE

    @property
    def doubling_refusal(self) -> DoublingRefusal | None:
        """Why the player on roll may not double, or gains nothing by it; None if he may."""
        if refusal := self.doubling_illegality:
            return refusal
        is_dead = self.score and self.cube.value >= self.score.away
        return DoublingRefusal.DEAD if is_dead else None

    @property
    def doubling_illegality(self) -> DoublingRefusal | None:
        """Why the rules forbid the player on roll to double; they do not for a dead cube."""
        if self.cube.owner is CubeOwner.OTHER:
            return DoublingRefusal.OTHERS_CUBE
        if self.score and self.score.is_crawford:
            return DoublingRefusal.CRAWFORD
        return DoublingRefusal.LIMIT if self.cube.value >= MAX_CUBE else None
