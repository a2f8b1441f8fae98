"""Table: two seats, the score, and the game between them, turn by turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

import numpy as np

from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, DoubleAnswer, Request
from bot.backgammon.rules.game import (
    Answer,
    Ending,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.match import MAX_LENGTH, GameState, MoneyRules
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules
from bot.backgammon.rules.roll import Roll
from bot.seed import MAX_SEED
from protocol.backgammon.table.turn import Turn

HUMAN = "human"
SEEDS = MAX_SEED + 1
"""The seeds that there are, from 0."""

GAMMONS_COUNT = MoneyRules(jacoby=False)
KINDS_OF_WINS = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


class Dice(Enum):
    """The source of the dice."""

    AUTO = "auto"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Setting:
    """The players, their seats and the rules: a match, or money games if there is no length.

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

    @property
    def rules(self) -> Rules:
        """The rules that the games are played by."""
        return Rules(
            self.length,
            has_cube=self.cube,
            jacoby=self.money.jacoby,
            beavers=self.money.beavers,
        )


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn that was played; position before it, seen by the mover, as the play is."""

    player: int
    position: Position
    roll: Roll
    play: CheckerPlay


class Table:
    """A game and the score around it; players are 0 and 1.

    game: as the rules see it, the last one if it is over; result: how it ended, None while it goes
    on; turn: the roll being played, with its legs so far. number counts the games of the match. A
    game given is one set up by hand. past: the games of the match or session before, as far as they
    are known.
    """

    def __init__(
        self,
        setting: Setting,
        points: tuple[int, int] = (0, 0),
        number: int = 1,
        *,
        is_crawford: bool = False,
        game: Game | None = None,
        past: tuple[GameRecord, ...] = (),
    ) -> None:
        if number < 1:
            raise ValueError(f"games are counted from 1, not {number}")
        self.setting = setting
        self.points = points
        self.number = number
        self.is_crawford = is_crawford
        self.past = past
        start = setting.rules.new_game(points, is_crawford=is_crawford)
        self.game = game or start
        self._set_up = game
        self.result: Result | None = None
        self.turn = _turn_of(self.game)
        self._past: list[tuple[Game, Answer]] = []

    @property
    def record(self) -> GameRecord:
        """The game so far, for others to play again."""
        answers = tuple(Event(answer) for _, answer in self._past)
        start = () if self._set_up is None else (Event(self._set_up),)
        return GameRecord(self.points, self.is_crawford, start + answers, self.result)

    @property
    def match(self) -> MatchRecord:
        """The match or session so far, this game included once it is begun."""
        games = (*self.past, self.record) if self._past or self._set_up else self.past
        first = self.number - len(self.past)
        return MatchRecord(self.setting.players, self.setting.rules, games, first_game=first)

    @property
    def turns(self) -> tuple[PlayedTurn, ...]:
        """The turns that are finished."""
        return tuple(
            PlayedTurn(game.turn or 0, game.state.position, game.roll, answer)
            for game, answer in self._past
            if isinstance(answer, CheckerPlay) and game.roll
        )

    @property
    def state(self) -> GameState:
        """The board and what is at stake after all finished turns, seen by the player on roll."""
        if self.result is None or self.result.ending is not Ending.PLAYED:
            return self.game.state
        before = self.game.state
        after = self.turns[-1].play.after
        return GameState(after, before.cube, before.score, before.money).turned()

    @property
    def position(self) -> Position:
        """The position after all finished turns, seen by the player on roll."""
        return self.state.position

    @property
    def now(self) -> Position:
        """The position with the legs of the turn being played, seen by the player on roll."""
        return self.turn.now if self.turn else self.position

    @property
    def mover(self) -> int:
        """The player on roll; before the opening roll, the first one."""
        if self.result and self.result.ending is Ending.PLAYED:
            return 1 - self.result.winner
        return self.game.turn or 0

    def stake(self, level: int) -> int:
        """Points that a single game, gammon (2) or backgammon (3) brings now."""
        return self.game.won(self.mover, level, Ending.RESIGNED).points

    @property
    def double_refusal(self) -> str | None:
        """Why the player on roll may not double here, None if he may."""
        return self.refusal(CubeAction.DOUBLE)

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double now, before the dice are rolled."""
        return self.double_refusal is None

    @property
    def answers(self) -> tuple[DoubleAnswer, ...]:
        """The answers that the player asked can give to the double that waits."""
        return tuple(answer for answer in DoubleAnswer if self.refusal(answer) is None)

    @property
    def score(self) -> tuple[int, int]:
        """Points of both players, those of this game included once it is over."""
        return self.record.points_after

    @property
    def is_match_over(self) -> bool:
        """Whether a player has the points of the match."""
        return self.setting.rules.is_over(self.score)

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to lose: a roll, or a point."""
        return self.game.turn is not None or any(self.points)

    @property
    def is_under_way(self) -> bool:
        """Whether there is something to go on with: begun, and no match that is over."""
        return self.is_begun and not self.is_match_over

    @property
    def question(self) -> Request:
        """The request to decide, the turn's legs undone; a cube action if the dice are next."""
        request = None if self.result else self.game.request
        return request or ChooseCubeAction(self.state)

    def refusal(self, answer: Answer) -> str | None:
        """Why the answer cannot be given now; None if it can.

        A dead cube is not turned here, although the rules let the player do so.
        """
        if self.result:
            return "the game is over"
        if answer is CubeAction.DOUBLE:
            return self.game.doubling_refusal
        return self.game.refusal(answer)

    def answer(self, answer: Answer) -> None:
        """Let the player asked answer so; raises ValueError with the reason if that cannot be."""
        if refusal := self.refusal(answer):
            raise ValueError(refusal)
        self.follow(answer)

    def follow(self, answer: Answer) -> None:
        """Go on as a game went that was played before, a dead cube turned too.

        Raises ValueError if the rules do not allow the answer.
        """
        before, after = self.game, self.game.after(answer)
        self._past.append((before, answer))
        if isinstance(after, Result):
            self.result = after
        else:
            self.game = after
        if isinstance(answer, Roll | OpeningRoll):
            self.turn = _turn_of(self.game)
        elif isinstance(answer, CheckerPlay):
            self.turn = None

    def throw(self, first: int, second: int) -> Turn:
        """Give the player on roll these dice; in the opening they are player 0's and player 1's.

        Raises ValueError for a tie in the opening, and while a double waits for its answer.
        """
        if self.game.turn is not None:
            self.answer(Roll.of_dice(first, second))
        elif first == second:
            raise ValueError(f"{first}-{second} is a tie: the opening is rolled again")
        else:
            self.answer(OpeningRoll(first, second))
        return Turn(self.position, Roll.of_dice(first, second))

    def thrown_dice(self) -> tuple[int, int]:
        """Two dice from the seed; always the same at this point of this game, no tie at first."""
        numbers = np.random.default_rng((self.setting.seed, self.number, len(self.turns)))
        while True:
            first, second = (int(die) for die in numbers.integers(1, 7, 2))
            if self.game.turn is not None or first != second:
                return first, second

    def resign(self, points: int, answer: ResignationAnswer = ResignationAnswer.ACCEPT) -> None:
        """The player on roll offers 1, 2 or 3 times the cube, and the other side answers so."""
        self.answer(Resignation(points))
        self.answer(answer)

    def take_back(self) -> str:
        """Undo the last thing a person did, and say in words what; ValueError if there is none.

        A leg; else a resignation; else the last turn in which a person had a choice, with what
        followed it, its roll kept. With dice typed in, the roll, or else the last turn. Nothing
        that came before a double, its answer, or a roll of a person who could have doubled.
        """
        undone, undo = self._undoing()
        undo()
        return undone

    @property
    def may_take_back(self) -> bool:
        """Whether there is something that `take_back` would undo."""
        try:
            self._undoing()
        except ValueError:
            return False
        return True

    def _undoing(self) -> tuple[str, Callable[[], None]]:
        """The thing to be undone next, in words, and the function that undoes it.

        Raises ValueError if there is nothing to take back.
        """
        if self.result and self.result.ending is Ending.RESIGNED:
            return "the resignation", partial(self._go_back, len(self._past) - 2, self.turn)
        if self.turn and self.turn.legs:
            return "the last leg", partial(setattr, self, "turn", self.turn.without_last_leg())
        if self.setting.dice is Dice.MANUAL:
            return self._undoing_dice()
        for place in range(len(self._past) - 1, -1, -1):
            game, answer = self._past[place]
            if self._is_person(game) and isinstance(answer, CheckerPlay) and answer.legs:
                self._refuse_after(place)
                return "the last turn", partial(self._go_back, place)
        raise ValueError("there is nothing to take back")

    def _undoing_dice(self) -> tuple[str, Callable[[], None]]:
        """The roll being played, or else the last turn with its roll, and what undoes it.

        Dice are typed in. Raises ValueError if there is nothing to take back.
        """
        kinds = [type(answer) for _, answer in self._past]
        plays = [place for place, kind in enumerate(kinds) if kind is CheckerPlay]
        places = [place for place, kind in enumerate(kinds) if kind in (Roll, OpeningRoll)]
        if not (places or self.turn):
            places = plays  # the one of the roll that the game was set up with
        if not places:
            raise ValueError("there is nothing to take back")
        undone = "the dice" if self.turn else "the last turn"
        if not self.turn:
            self._refuse_after(plays[-1])
        return undone, partial(self._go_back, places[-1])

    def _refuse_after(self, place: int) -> None:
        """Raise ValueError if the cube, or a roll in its place, has come after that place."""
        for game, answer in self._past[place + 1 :]:
            if answer is CubeAction.ROLL and self._is_person(game):
                raise ValueError("there is nothing to take back since the roll")
            if answer is CubeAction.DOUBLE:
                raise ValueError("there is nothing to take back since the cube")

    def _is_person(self, game: Game) -> bool:
        """Whether a person was on roll."""
        return self.setting.players[game.turn or 0] == HUMAN

    def _go_back(self, place: int, turn: Turn | None = None) -> None:
        """Forget everything from that place on; turn: the legs of then, if there were any."""
        self.game = self._past[place][0]
        del self._past[place:]
        self.result = None
        self.turn = turn or _turn_of(self.game)

    def next_game(self) -> "Table":
        """The table with the next game set up; a finished match begins anew."""
        if self.is_match_over:
            return self.new_match()
        is_crawford = self.result is not None and self.setting.rules.is_crawford_next(
            self.points, self.result
        )
        past = (*self.past, self.record)
        return Table(self.setting, self.score, self.number + 1, is_crawford=is_crawford, past=past)

    def new_match(self) -> "Table":
        """The table with the score back at nothing, a game set up, and dice of the next seed."""
        return Table(replace(self.setting, seed=(self.setting.seed + 1) % SEEDS))


def _turn_of(game: Game) -> Turn | None:
    """The roll to be played, nothing of it yet; None before the dice."""
    return Turn(game.state.position, game.roll) if game.roll else None
