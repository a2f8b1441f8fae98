"""Record: a match or a money session as values, and how it is played again on the rules.

It has room for all that .mat and SGF files tell, and for what they leave out: resignations that
were declined, ties in the opening, and the choice to roll.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.backgammon.rules.game import Answer, Ending, Game, Result
from bot.backgammon.rules.match import MAX_LENGTH, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START

Points = tuple[int, int]
"""Points of seat 0 and of seat 1."""

Annotations = tuple[tuple[str, tuple[str, ...]], ...]
"""Notes beside a game that no rule asks for, as analysis: names and their values."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a match to a length, or of money games if there is none.

    Jacoby, beavers and automatic doubles, so many in the opening, count in money games with the
    cube; Crawford in matches with the cube. Raises ValueError for a length that no match has, and
    fewer automatic doubles than none.
    """

    length: int | None = None
    has_cube: bool = True
    crawford: bool = True
    jacoby: bool = True
    beavers: bool = False
    automatic_doubles: int = 0

    def __post_init__(self) -> None:
        if self.length is not None and not 1 <= self.length <= MAX_LENGTH:
            raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {self.length}")
        if self.automatic_doubles < 0:
            raise ValueError(f"no number of automatic doubles: {self.automatic_doubles}")

    @property
    def money(self) -> MoneyRules:
        """The rules of money games that a decision depends on; none counts without the cube."""
        if self.length is not None:
            return MoneyRules()
        return MoneyRules(self.jacoby and self.has_cube, self.beavers and self.has_cube)

    def new_game(self, points: Points = (0, 0), *, is_crawford: bool = False) -> Game:
        """A game before its opening roll, at these points of seat 0 and seat 1.

        Raises ValueError if there is no such score, or no Crawford game at it.
        """
        if is_crawford and not (self.length is not None and self.has_cube and self.crawford):
            raise ValueError("a Crawford game is for matches with the cube")
        if self.length is None:
            if min(points) < 0:
                raise ValueError(f"no score of a money session: {points[0]}-{points[1]}")
            score = None
        else:
            score = Score(self.length, *points, is_crawford)
        return Game(
            GameState(START, score=score, money=self.money),
            has_cube=self.has_cube,
            automatic_doubles=self.automatic_doubles,
        )

    @property
    def may_count_gammons_once(self) -> bool:
        """Whether a gammon may have counted once: in money games without the cube.

        GNU Backgammon keeps to the Jacoby rule there if it is on, though nobody can double.
        """
        return self.length is None and not self.has_cube

    def is_over(self, points: Points) -> bool:
        """Whether a player has the points of the match."""
        return self.length is not None and max(points) >= self.length

    def is_crawford_next(self, points: Points, result: Result) -> bool:
        """Whether the game after one at these points is the Crawford game."""
        if self.length is None or not (self.has_cube and self.crawford):
            return False
        won = -result.points if result.winner else result.points
        following = Score(self.length, *points).after(won)
        return following is not None and following.is_crawford


@dataclass(frozen=True, slots=True)
class Event:
    """An answer, or a position set up by hand that the game goes on from; a comment."""

    answer: Answer | Game
    comment: str = ""
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: the points before it, all that was done, and how it ended, None if it did not.

    A resignation that the events do not tell of stands in the result alone, as in .mat and SGF.
    """

    points: Points = (0, 0)
    is_crawford: bool = False
    events: tuple[Event, ...] = ()
    result: Result | None = None
    comment: str = ""
    annotations: Annotations = ()

    @property
    def points_after(self) -> Points:
        """The points once the game is over; those before it while it goes on."""
        after = list(self.points)
        if self.result:
            after[self.result.winner] += self.result.points
        return after[0], after[1]


@dataclass(frozen=True, slots=True)
class Occasion:
    """The occasion of a match: place, time, and who wrote it down; empty where nobody said."""

    event: str = ""
    round: str = ""
    place: str = ""
    date: str = ""
    annotator: str = ""
    ratings: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or money session: who sat on seats 0 and 1, the rules, and the games in order.

    first_game: the number of the first of them, which is not 1 where the beginning is missing.
    """

    players: tuple[str, str]
    rules: Rules
    games: tuple[GameRecord, ...] = ()
    occasion: Occasion = Occasion()
    comment: str = ""
    first_game: int = 1


def replay(match: MatchRecord) -> Iterator[tuple[Game, Event]]:
    """Play the match again: each game as it stood, and the event that came then.

    Each game begins at its own score, which may have been set by hand; breaks_of tells of those.
    Raises ValueError with the numbers of game, as the match counts them, and move, from 1, at the
    first thing that cannot be; a move is a checker play and all that comes before it.
    """
    for number, game in enumerate(match.games, start=match.first_game):
        try:
            yield from _replayed(match.rules, game)
        except ValueError as error:
            raise ValueError(f"game {number}, {error}") from None


def breaks_of(match: MatchRecord) -> Iterator[str]:
    """A sentence for each game whose score does not follow from the game before it."""
    for number, (before, game) in enumerate(pairwise(match.games), start=match.first_game + 1):
        reason = break_before(match.rules, before, game.points, is_crawford=game.is_crawford)
        if reason:
            yield f"game {number} {reason}"


def break_before(
    rules: Rules, before: GameRecord, points: Points, *, is_crawford: bool
) -> str | None:
    """Why a game at these points, Crawford's or not, does not follow the one before, as a clause.

    None if it does; after a game without an end any score may follow.
    """
    if before.result is None:
        return None
    if points != before.points_after:
        told, due = (f"{a}-{b}" for a, b in (points, before.points_after))
        return f"begins at {told}, though the game before it ended at {due}"
    if is_crawford == rules.is_crawford_next(before.points, before.result):
        return None
    return f"is {'' if is_crawford else 'not '}the Crawford game, against the rule"


def _replayed(rules: Rules, record: GameRecord) -> Iterator[tuple[Game, Event]]:
    """Each moment of one game and the event that came then; raises ValueError with the move."""
    move = 1
    try:
        game: Game | Result = rules.new_game(record.points, is_crawford=record.is_crawford)
        for event in record.events:
            if isinstance(game, Result):
                raise ValueError("the game is over before it")
            before, game = game, game_after(game, event.answer)
            yield before, event
            move += isinstance(event.answer, CheckerPlay)
        _check_result(rules, game, record.result)
    except ValueError as error:
        raise ValueError(f"move {move}: {error}") from None


def game_after(game: Game, answer: Answer | Game) -> Game | Result:
    """The game after an answer, or as it was set up by hand; raises ValueError if it cannot be."""
    if not isinstance(answer, Game):
        return game.after(answer)
    rules = [(each.has_cube, each.state.money, _score_of_seat_0(each)) for each in (game, answer)]
    if rules[0] != rules[1]:
        raise ValueError("the position set up has other rules or another score")
    return answer


def _score_of_seat_0(game: Game) -> Score | None:
    score = game.state.score
    return score.turned() if score and game.turn else score


def _check_result(rules: Rules, game: Game | Result, result: Result | None) -> None:
    """Raise ValueError unless the game has come to this end, or one side may have resigned so."""
    if result is None:
        if isinstance(game, Result):
            raise ValueError("the game is over, its result is missing")
        return
    if isinstance(game, Game):
        if result.ending is not Ending.RESIGNED:
            raise ValueError("the game is not over")
        resigned = game.won(result.winner, result.kind, Ending.RESIGNED)
        game = replace(resigned, counts_gammons=result.counts_gammons)
    elif rules.may_count_gammons_once:
        game = replace(game, counts_gammons=result.counts_gammons)
    if (game.winner, game.points) != (result.winner, result.points):
        told, true = (f"{each.points} for seat {each.winner}" for each in (result, game))
        raise ValueError(f"the result is {true}, not {told}")
