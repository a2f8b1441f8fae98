"""Doubling: what the two players have done with the cube in a game, and where it is now."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from bot.backgammon.rules.beaver import MOST_BEAVERS
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner


class Act(Enum):
    """What a player does with the cube; to roll is one if the player could have doubled."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    BEAVER = "beaver"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class CubeAct:
    """Who did what, after so many turns of the game."""

    player: int
    act: Act
    turn: int


@dataclass(frozen=True, slots=True)
class Doubling:
    """The cube; owner None is the middle, doubler who waits for an answer, dropper who gave up.

    While a double waits, the value is still the old one. beavers: how many doubles of this chain
    were beavers; each takes the double before it and asks the other side to play on at twice the
    value, and whoever beavered first keeps the cube.
    """

    value: int = 1
    owner: int | None = None
    doubler: int | None = None
    beavers: int = 0
    dropper: int | None = None

    @property
    def asked(self) -> int | None:
        """Who has to answer, None while nobody has."""
        return None if self.doubler is None or self.dropper is not None else 1 - self.doubler

    @property
    def value_offered(self) -> int:
        """What the cube shows: twice the value while a double waits."""
        return self.value if self.asked is None else 2 * self.value

    @property
    def answers(self) -> tuple[Act, ...]:
        """What can be answered where beavers are allowed, and beavers of beavers."""
        if self.asked is None:
            return ()
        grows = self.beavers < MOST_BEAVERS and 4 * self.value <= MAX_CUBE
        return (Act.TAKE, Act.DROP, Act.BEAVER) if grows else (Act.TAKE, Act.DROP)

    def after(self, player: int, act: Act) -> "Doubling":
        """The cube after an act that the rules allow."""
        match act:
            case Act.ROLL:
                return self
            case Act.DOUBLE:
                return Doubling(self.value, self.owner, doubler=player)
            case Act.TAKE:
                return Doubling(2 * self.value, self.owner if self.beavers else player)
            case Act.BEAVER:
                owner = self.owner if self.beavers else player
                return Doubling(2 * self.value, owner, player, self.beavers + 1)
            case Act.DROP:
                return Doubling(self.value, self.owner, self.doubler, self.beavers, player)

    def cube_of(self, player: int) -> Cube:
        """The cube as that player sees it."""
        if self.owner is None:
            return Cube(self.value)
        return Cube(self.value, CubeOwner.ON_ROLL if self.owner == player else CubeOwner.OTHER)


def doubling_after(acts: Iterable[CubeAct]) -> Doubling:
    """The cube after all acts of a game."""
    doubling = Doubling()
    for act in acts:
        doubling = doubling.after(act.player, act.act)
    return doubling
