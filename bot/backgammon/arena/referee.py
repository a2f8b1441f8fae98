"""Referee: a game between two players here, asked in turn whatever the game asks."""

from collections.abc import Callable, Iterable

from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.arena.tally import GameResult
from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.decision import AnswerResignation, Decider, Request
from bot.backgammon.rules.game import Answer, Ending, Game, OpeningRoll, Result
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
    on_forfeit: Callable[[ForfeitError], None] = lambda forfeit: None,
) -> GameResult | None:
    """Play a game; its result for seat 0, None if the rolls run out.

    rolls: one for each turn, the first of them no double. first: the seat, 0 or 1, that begins.
    score: seen by seat 0, None in money games, where the money rules count. answers: a list to
    which all that was done is added, for a record. on_forfeit hears of a player that fails, which
    loses a single game. Raises ValueError if a player answers another question than was asked, or
    against the rules.
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
            lost = game.won(1 - (game.asked or 0), 1, Ending.RESIGNED)
            try:
                game = _decided(game, request, deciders, done)
            except ForfeitError as forfeit:
                on_forfeit(forfeit)
                game = lost
    return result_of_first(game)


def result_of_first(result: Result) -> GameResult:
    """The result as seat 0 sees it."""
    return GameResult(-result.points if result.winner else result.points, result.kind_counted)


def _opening(roll: Roll, first: int) -> OpeningRoll:
    """The roll as the seat that begins has rolled the higher die of it."""
    return OpeningRoll(roll.low, roll.high) if first else OpeningRoll(roll.high, roll.low)


def _decided(
    game: Game, request: Request, deciders: tuple[Decider, Decider], done: list[Answer]
) -> Game | Result:
    """The game after the decision of the player asked, and what follows from a resignation.

    A player whose resignation is declined does what he has decided on besides.
    """
    decision = deciders[game.asked or 0].decide(request)
    answer = answer_of(game, decision)
    after = game.after(answer)
    done.append(answer)
    if isinstance(after, Game) and isinstance(after.request, AnswerResignation):
        after = _decided(after, after.request, deciders, done)
        if isinstance(after, Game):
            done.append(answer_of(after, decision))
            return after.after(done[-1])
    return after
