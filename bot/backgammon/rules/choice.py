"""Choice: each thing that a player of a recorded match had to decide, and what he did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import Event, MatchRecord, game_after, replay


@dataclass(frozen=True, slots=True)
class Choice:
    """A question that a seat was asked in a match, and its answer.

    game and move count from 1; a move is a checker play and all that comes before it. event: the
    place of the answer among the game's events. answer: None for a roll that was never played,
    because the player resigned or the record ends; event is the last one then. beavers: how many
    came between a double and its answer, which the doubler gives after an odd number of them.
    """

    game: int
    move: int
    event: int
    seat: int
    request: ChooseCheckerPlay | ChooseCubeAction | AnswerDouble
    answer: CheckerPlay | CubeAction | DoubleAnswer | None
    beavers: int = 0

    @property
    def roller(self) -> int:
        """The seat of the player on roll, which is not the one that answers a double."""
        is_answer = isinstance(self.request, AnswerDouble)
        return 1 - self.seat if is_answer and self.beavers % 2 == 0 else self.seat

    @property
    def is_opening(self) -> bool:
        """Whether the roll is one of the first of a game, which either player may have won.

        Source: GNU Backgammon, analysis.c, LuckAnalysis.
        """
        request = self.request
        if not isinstance(request, ChooseCheckerPlay):
            return False
        return request.state.position == START and not request.roll.is_double


def choices_of(match: MatchRecord) -> tuple[Choice, ...]:
    """The choices of a match in their order, as GNU Backgammon counts them.

    Who might have doubled and rolled has chosen not to, but before the first play of a game or if
    he never played the roll. The take or drop that ends beavers answers the double they began with,
    whoever says it; beavers themselves and resignations are left out.
    Raises ValueError with the numbers of game and move if the match breaks the rules.
    """
    moments = replay(match)
    found: list[Choice] = []
    for number, record in enumerate(match.games, start=match.first_game):
        found += _choices(number, list(islice(moments, len(record.events))))
    next(moments, None)  # what is wrong at the end of the last game is said here
    return tuple(found)


def _choices(number: int, moments: Sequence[tuple[Game, Event]]) -> Iterator[Choice]:
    """The choices of one game."""
    move = 1
    doubled: tuple[int, AnswerDouble] | None = None
    for place, (game, event) in enumerate(moments):
        seat, request = game.turn or 0, game.request
        match event.answer:
            case CheckerPlay() if isinstance(request, ChooseCheckerPlay):
                state = request.state
                if _might_double(game):
                    action = ChooseCubeAction(state)
                    yield Choice(number, move, place, seat, action, CubeAction.ROLL)
                yield Choice(number, move, place, seat, request, event.answer)
                move += 1
            case CubeAction.DOUBLE:
                doubled = seat, AnswerDouble(game.state)
                yield Choice(number, move, place, seat, ChooseCubeAction(game.state), event.answer)
            case DoubleAnswer.TAKE | DoubleAnswer.DROP if doubled is not None:
                doubler, question = doubled
                who = doubler if game.doubles % 2 == 0 else 1 - doubler
                yield Choice(number, move, place, who, question, event.answer, game.doubles - 1)
    left = _left_unplayed(*moments[-1]) if moments else None
    if left is not None and left.roll:
        asked = ChooseCheckerPlay(left.state, left.roll)
        yield Choice(number, move, len(moments) - 1, left.turn or 0, asked, None)


def _left_unplayed(game: Game, event: Event) -> Game | None:
    """The game with the roll that was thrown last if its last event leaves it unplayed."""
    if isinstance(event.answer, CheckerPlay):
        return None
    after = game_after(game, event.answer)
    return after if isinstance(after, Game) and after.roll else game


def _might_double(game: Game) -> bool:
    """Whether the roller of these dice could have doubled before them."""
    may = game.has_cube and game.state.doubling_refusal is None
    return may and game.state.position != START
