"""Table: two seats, the score, and the game between them, turn by turn."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from bot.backgammon.arena.match_format import MAX_SEED
from bot.backgammon.rules.beaver import chain_question
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.match import MAX_LENGTH, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.doubling import Act, CubeAct, Doubling, doubling_after
from protocol.backgammon.table.turn import Turn

HUMAN = "human"
GAMMONS_COUNT = MoneyRules(jacoby=False)
LEVELS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


class Dice(Enum):
    """Where the dice come from."""

    AUTO = "auto"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Setting:
    """Who sits where and what is played: a match, or money games if there is no length.

    money counts in money games with the cube only; without the cube gammons always count.
    """

    players: tuple[str, str]
    length: int | None = None
    dice: Dice = Dice.AUTO
    seed: int = 0
    cube: bool = False
    money: MoneyRules = GAMMONS_COUNT

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
    """Who won what: level 1, a gammon 2, a backgammon 3, and the points that it brought.

    is_drop: whether the other side dropped a double.
    """

    winner: int
    level: int
    points: int
    is_drop: bool = False


class Table:
    """A game and the score around it; players are 0 and 1."""

    def __init__(
        self,
        setting: Setting,
        points: tuple[int, int] = (0, 0),
        game: int = 1,
        *,
        is_crawford: bool = False,
    ) -> None:
        length = setting.length
        if min(points) < 0 or game < 1 or (length is not None and max(points) >= length):
            raise ValueError(f"no score of a {stake_text(length)}: {points[0]}-{points[1]}")
        if is_crawford:
            if length is None or not setting.cube:
                raise ValueError("a Crawford game is for matches with the cube")
            Score(length, *points, is_crawford)
        self.setting = setting
        self.points = points
        self.game = game
        self.is_crawford = is_crawford
        self.acts: list[CubeAct] = []
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
    def doubling(self) -> Doubling:
        """The cube, as the acts of this game have left it."""
        return doubling_after(self.acts)

    @property
    def counts_gammons(self) -> bool:
        """Whether a gammon brings more than a single game: not before a double under Jacoby."""
        is_jacoby = self.setting.cube and self.setting.length is None and self.setting.money.jacoby
        return not is_jacoby or self.doubling.owner is not None

    def stake(self, level: int) -> int:
        """Points that a single game, gammon (2) or backgammon (3) brings now."""
        return self.doubling.value * (level if self.counts_gammons else 1)

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double now, before the dice are thrown."""
        return self.double_refusal is None

    @property
    def double_refusal(self) -> str | None:
        """Why the player on roll may not double, None if he may."""
        if self.result:
            return "the game is over"
        if self.on_roll is None:
            return "the opening roll comes first"
        if not self.setting.cube:
            return "this game is played without the cube"
        if self.doubling.asked is not None:
            return "the double waits for its answer"
        if self.turn:
            return "doubling comes before the dice"
        bar = self._state.doubling_bar
        return None if bar is None else bar.value

    @property
    def answers(self) -> tuple[Act, ...]:
        """What the player asked can do about the double that waits."""
        may_beaver = self.setting.length is None and self.setting.money.beavers
        return tuple(act for act in self.doubling.answers if act is not Act.BEAVER or may_beaver)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        doubling = self.doubling
        if doubling.dropper is not None:
            return Result(1 - doubling.dropper, 1, doubling.value, is_drop=True)
        level = self.resigned or (-points_won(self.position) if self.turns else 0)
        if not level:
            return None
        return Result(1 - self.mover, level, self.stake(level))

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
    def question(self) -> ChooseCheckerPlay | ChooseCubeAction | AnswerDouble:
        """What is to be decided, seen by the player on roll, the turn's legs undone.

        In a chain of beavers what the side that is not on roll is asked, see rules.beaver.
        """
        if self.turn:
            return ChooseCheckerPlay(self._state, self.turn.roll)
        if self.doubling.asked is None or self.result:
            return ChooseCubeAction(self._state)
        if not self.doubling.beavers:
            return AnswerDouble(self._state)
        first_value = self.doubling.value >> self.doubling.beavers
        return chain_question(self._state, first_value=first_value)

    @property
    def asks_beavered(self) -> bool:
        """Whether the player on roll has to answer a beaver."""
        return bool(self.doubling.beavers) and self.doubling.asked == self.mover

    @property
    def _state(self) -> GameState:
        score = None
        if self.setting.length is not None and not self.is_match_over:
            own, other = self.points[self.mover], self.points[1 - self.mover]
            score = Score(self.setting.length, own, other, self.is_crawford)
        money = self.setting.money if self.setting.cube else GAMMONS_COUNT
        if score:
            money = MoneyRules()
        return GameState(self.position, self.doubling.cube_of(self.mover), score, money)

    def act(self, act: Act) -> None:
        """Let the player whose turn it is roll, double, or answer a double.

        Raises ValueError with the reason if the rules do not allow it.
        """
        asked = self.doubling.asked
        if act in (Act.ROLL, Act.DOUBLE):
            if refusal := self.double_refusal:
                raise ValueError(f"no doubling now: {refusal}")
            asked = self.mover
        elif asked is None:
            raise ValueError(f"there is no double to {act.value}")
        elif act not in self.answers:
            raise ValueError("a beaver is not allowed here")
        self.acts.append(CubeAct(asked, act, len(self.turns)))

    def throw(self, first: int, second: int) -> Turn:
        """Give the player on roll these dice; in the opening they are player 0's and player 1's.

        Raises ValueError for a tie in the opening, and while a double waits for its answer.
        """
        if self.doubling.asked is not None:
            raise ValueError("the double waits for its answer")
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
        """The player on roll loses the game for 1, 2 or 3 times the cube."""
        if points not in LEVELS:
            raise ValueError(f"a resignation is for 1, 2 or 3 points, not {points}")
        self.resigned = points

    def take_back(self) -> str:
        """Undo the last thing a person did, and say in words what; ValueError if there is none.

        A leg; else a resignation; else the last turn in which a person had a choice, with what
        followed it, its roll kept. With dice typed in, the roll, or else the last turn. Nothing
        that came before a double, its answer, or a roll of a person who could have doubled.
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
                self._refuse_before_acts(i)
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
        self._refuse_before_acts(len(self.turns) - 1)
        self._go_back(len(self.turns) - 1)
        if not self.turns:
            self.on_roll = None
        return "the last turn"

    def _refuse_before_acts(self, number: int) -> None:
        """Raise ValueError if the cube has been used since that turn."""
        for act in self.acts:
            if act.turn > number:
                done = "roll" if act.act is Act.ROLL else "cube"
                raise ValueError(f"there is nothing to take back since the {done}")

    def _go_back(self, number: int) -> None:
        """Forget all turns from that number on; its player is on roll again, without a roll."""
        self.on_roll = self.turns[number].player
        del self.turns[number:]
        self.turn = None

    def next_game(self) -> "Table":
        """The table with the next game set up; a finished match begins anew."""
        if self.is_match_over:
            return self.new_match()
        is_crawford = False
        if self.setting.length is not None and self.setting.cube and self.result:
            won = self.result.points * (1 if self.result.winner == 0 else -1)
            score = Score(self.setting.length, *self.points, self.is_crawford).after(won)
            is_crawford = bool(score and score.is_crawford)
        return Table(self.setting, self.score, self.game + 1, is_crawford=is_crawford)

    def new_match(self) -> "Table":
        """The table with the score back at nothing and a game set up."""
        return Table(self.setting, game=self.game + 1)


def stake_text(length: int | None) -> str:
    """What is played, in words."""
    return "money session" if length is None else f"match to {length}"
