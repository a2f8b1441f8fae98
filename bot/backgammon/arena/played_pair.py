"""Played pair: two money games, or two matches, with the same dice and the seats exchanged."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.backgammon.arena.game_actions import Action, game_records
from bot.backgammon.rules.record import GameRecord, Rules

KINDS_OF_WINS = {1: "single", 2: "gammon", 3: "backgammon"}
"""The kinds of a won game, and what each is worth at cube 1."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The end of a game, for us: points won, negative if lost, and its kind 1, 2 or 3."""

    points: int
    kind: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS_OF_WINS or self.points == 0:
            raise ValueError(f"no result of a game: {self.points} points, kind {self.kind}")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that the first of two players has on seat 0; luck: his less the other's, if known."""

    result: GameResult
    actions: tuple[Action, ...] = ()
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A game lost by the first player, 0, or the second one, because he failed, and why.

    transcript: the last lines between that player and us, if it is a program.
    """

    player: int
    reason: str
    transcript: tuple[str, ...] = ()


Contest = tuple[PlayedGame, ...]
"""A money game, or the games of a match."""


@dataclass(frozen=True, slots=True)
class PlayedPair:
    """Two contests with the same dice, the seats exchanged, and what failed in them.

    unfinished: contests broken off because they came to no end; such a pair does not count.
    """

    number: int
    contests: tuple[Contest, Contest]
    unfinished: int = 0
    faults: tuple[Fault, ...] = ()


def contest_records(contest: Sequence[PlayedGame], rules: Rules) -> list[GameRecord]:
    """The games of a contest with their events; raises ValueError if the rules do not allow it."""
    return game_records([(game.result.points, game.actions) for game in contest], rules)
