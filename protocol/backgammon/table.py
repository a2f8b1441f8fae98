"""Table: two seats, the score, and the game between them, turn by turn."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from bot.backgammon.decision import ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.match import MAX_LENGTH, GameState, MoneyRules, Score
from bot.backgammon.outcome import points_won
from bot.backgammon.play import CheckerPlay
from bot.backgammon.position import START, Position, turned
from bot.backgammon.roll import Roll
from protocol.backgammon.turn import Turn

HUMAN = "human"
MAX_SEED = 2**31 - 1
LEVELS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


class Dice(Enum):
    """Where the dice come from."""

    AUTO = "auto"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Setting:
    """Who sits where and what is played: a match, or money games if there is no length."""

    players: tuple[str, str]
    length: int | None = None
    dice: Dice = Dice.AUTO
    seed: int = 0

    def __post_init__(self) -> None:
        if self.length is not None and not 1 <= self.length <= MAX_LENGTH:
            raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {self.length}")
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"a seed is 0 to {MAX_SEED}, not {self.seed}")


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """Who played which roll how; position before it, seen by the mover, as the play is."""

    player: int
    position: Position
    roll: Roll
    play: CheckerPlay


@dataclass(frozen=True, slots=True)
class Result:
    """Who won, and points at cube 1: 1, a gammon 2, a backgammon 3."""

    winner: int
    points: int


class Table:
    """A game and the score around it; players are 0 and 1, and there is no cube."""

    def __init__(self, setting: Setting, points: tuple[int, int] = (0, 0), game: int = 1) -> None:
        length = setting.length
        if min(points) < 0 or game < 1 or (length is not None and max(points) >= length):
            raise ValueError(f"no score of a {stake_text(length)}: {points[0]}-{points[1]}")
        self.setting = setting
        self.points = points
        self.game = game
        self.turns: list[PlayedTurn] = []
        self.on_roll: int | None = None
        self.turn: Turn | None = None
        self.resigned: int | None = None

    @property
    def position(self) -> Position:
        """The position after all finished turns, seen by the player on roll."""
        return turned(self.turns[-1].play.after) if self.turns else START

    @property
    def now(self) -> Position:
        """The position with the legs of the turn being played, seen by the player on roll."""
        return self.turn.now if self.turn else self.position

    @property
    def mover(self) -> int:
        """The player on roll; before the opening roll, the first one."""
        return self.on_roll or 0

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        if self.resigned is not None:
            return Result(1 - self.mover, self.resigned)
        if not self.turns:
            return None
        points = -points_won(self.position)
        return Result(1 - self.mover, points) if points else None

    @property
    def score(self) -> tuple[int, int]:
        """Points of both players, those of this game included once it is over."""
        score = list(self.points)
        if self.result:
            score[self.result.winner] += self.result.points
        return score[0], score[1]

    @property
    def is_match_over(self) -> bool:
        """Whether a player has the points of the match."""
        return self.setting.length is not None and max(self.score) >= self.setting.length

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to lose: a throw, or a point."""
        return self.on_roll is not None or any(self.points)

    @property
    def question(self) -> ChooseCheckerPlay | ChooseCubeAction:
        """What the player on roll is asked, seen by that player, the turn's legs undone."""
        score = None
        if self.setting.length is not None and not self.is_match_over:
            own, other = self.points[self.mover], self.points[1 - self.mover]
            score = Score(self.setting.length, own, other)
        state = GameState(self.position, score=score, money=MoneyRules(jacoby=False))
        return ChooseCheckerPlay(state, self.turn.roll) if self.turn else ChooseCubeAction(state)

    def throw(self, first: int, second: int) -> Turn:
        """Give the player on roll these dice; in the opening they are player 0's and player 1's.

        Raises ValueError for a tie in the opening.
        """
        if self.on_roll is None:
            if first == second:
                raise ValueError(f"{first}-{second} is a tie: the opening is thrown again")
            roll = Roll.of_dice(first, second)
            self.on_roll = 0 if first == roll.high else 1
        self.turn = Turn(self.position, Roll.of_dice(first, second))
        return self.turn

    def thrown_dice(self) -> tuple[int, int]:
        """Two dice from the seed; always the same at this point of this game, no tie at first."""
        numbers = np.random.default_rng((self.setting.seed, self.game, len(self.turns)))
        while True:
            first, second = (int(die) for die in numbers.integers(1, 7, 2))
            if self.on_roll is not None or first != second:
                return first, second

    def finish_turn(self, play: CheckerPlay) -> None:
        """Play the roll so; the other player is on roll."""
        if self.turn is None or self.on_roll is None:
            raise ValueError("no roll to play")
        self.turns.append(PlayedTurn(self.on_roll, self.turn.position, self.turn.roll, play))
        self.turn = None
        self.on_roll = 1 - self.on_roll

    def resign(self, points: int) -> None:
        """The player on roll loses the game for 1, 2 or 3 points."""
        if points not in LEVELS:
            raise ValueError(f"a resignation is for 1, 2 or 3 points, not {points}")
        self.resigned = points

    def take_back(self) -> str:
        """Undo the last thing a person did, and say in words what; ValueError if there is none.

        A leg; else a resignation; else the last turn in which a person had a choice, with what
        followed it, its roll kept. With dice typed in, the roll, or else the last turn.
        """
        if self.resigned is not None:
            self.resigned = None
            return "the resignation"
        if self.turn and self.turn.legs:
            self.turn = self.turn.without_last_leg()
            return "the last leg"
        if self.setting.dice is Dice.MANUAL:
            return self._take_back_dice()
        for i in range(len(self.turns) - 1, -1, -1):
            last = self.turns[i]
            if self.setting.players[last.player] == HUMAN and last.play.legs:
                self._go_back(i)
                self.turn = Turn(last.position, last.roll)
                return "the last turn"
        raise ValueError("there is nothing to take back")

    def _take_back_dice(self) -> str:
        if self.turn:
            self.turn = None
            if not self.turns:
                self.on_roll = None
            return "the dice"
        if not self.turns:
            raise ValueError("there is nothing to take back")
        self._go_back(len(self.turns) - 1)
        if not self.turns:
            self.on_roll = None
        return "the last turn"

    def _go_back(self, number: int) -> None:
        """Forget all turns from that number on; its player is on roll again, without a roll."""
        self.on_roll = self.turns[number].player
        del self.turns[number:]
        self.turn = None

    def next_game(self) -> "Table":
        """The table with the next game set up; a finished match begins anew."""
        points = (0, 0) if self.is_match_over else self.score
        return Table(self.setting, points, self.game + 1)

    def new_match(self) -> "Table":
        """The table with the score back at nothing and a game set up."""
        return Table(self.setting, game=self.game + 1)


def stake_text(length: int | None) -> str:
    """What is played, in words."""
    return "money session" if length is None else f"match to {length}"
