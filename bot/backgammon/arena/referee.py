"""Referee: a game between two players here, asked in turn whatever the game asks."""

from collections.abc import Callable, Iterable

from bot.backgammon.arena.played_pair import GameResult
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.decision import AnswerResignation, Decider, Request
from bot.backgammon.rules.game import Answer, Ending, Game, OpeningRoll, Resignation, Result
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll


def play_game(
    deciders: tuple[Decider, Decider],
    rolls: Iterable[Roll],
    *,
    first: int,
    score: Score | None = None,
    money: MoneyRules | None = None,
    has_cube: bool = True,
    answers: list[Answer] | None = None,
    on_forfeit: Callable[[int, ForfeitError], None] = lambda seat, forfeit: None,
) -> GameResult | None:
    """Play a game; its result for seat 0, None if the rolls run out.

    rolls: one for each turn, the first of them no double. first: the seat, 0 or 1, that begins.
    score: seen by seat 0, None in money games, where the money rules count. answers: a list to
    which all that was done is added, for a record. on_forfeit hears of the seat of a player that
    fails, answers another question than was asked, or against the rules, which loses a single game.
    """
    state = GameState(START, score=score, money=money or MoneyRules())
    done: list[Answer] = [] if answers is None else answers
    game: Game | Result = Game(state, has_cube=has_cube)
    dice = iter(rolls)
    while isinstance(game, Game):
        request = game.request
        if request is None:
            roll = next(dice, None)
            if roll is None:
                return None
            done.append(_opening(roll, first) if game.turn is None else roll)
            game = game.after(done[-1])
        else:
            asked = game
            try:
                game = _decided(asked, request, deciders, done)
            except _FailedSeatError as failed:
                on_forfeit(failed.seat, failed.forfeit)
                game = asked.won(1 - failed.seat, 1, Ending.RESIGNED)
    return result_of_first(game)


def result_of_first(result: Result) -> GameResult:
    """The result as seat 0 sees it."""
    return GameResult(-result.points if result.winner else result.points, result.kind_counted)


class _FailedSeatError(Exception):
    """The player on a seat has failed."""

    def __init__(self, seat: int, forfeit: ForfeitError) -> None:
        self.seat = seat
        self.forfeit = forfeit


def _opening(roll: Roll, first: int) -> OpeningRoll:
    """The roll as the seat that begins has rolled the higher die of it."""
    return OpeningRoll(roll.low, roll.high) if first else OpeningRoll(roll.high, roll.low)


def _decided(
    game: Game, request: Request, deciders: tuple[Decider, Decider], done: list[Answer]
) -> Game | Result:
    """The game after the decision of the player asked, and what follows from a resignation.

    A player whose resignation is declined does what he has decided on besides; one who has told
    nothing besides fails then.
    """
    seat = game.asked or 0
    try:
        decision = deciders[seat].decide(request)
    except ForfeitError as forfeit:
        if forfeit.resigns > game.declined:
            offered: list[Answer] = [Resignation(forfeit.resigns)]
            waiting = game.after(offered[0])
            assert isinstance(waiting, Game)
            assert waiting.request is not None
            after = _decided(waiting, waiting.request, deciders, offered)
            if isinstance(after, Result):
                done += offered
                return after
        raise _FailedSeatError(seat, forfeit) from None
    try:
        answer = answer_of(game, decision)
        after = game.after(answer)
    except ValueError as error:
        raise _FailedSeatError(
            seat, ForfeitError(f"an answer against the rules: {error}")
        ) from None
    done.append(answer)
    if isinstance(after, Game) and isinstance(after.request, AnswerResignation):
        after = _decided(after, after.request, deciders, done)
        if isinstance(after, Game):
            done.append(answer_of(after, decision))
            return after.after(done[-1])
    return after
