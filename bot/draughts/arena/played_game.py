"""Played game: two players, a ballot, and all their moves to the end."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event

from bot.draughts.rules.decision import Limits, Player
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import Side, Variant

MAX_PLIES = 400
"""Plies after which a game counts as drawn: the Czech rules have few limits of their own."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to its end.

    moves: all of them, the ballot's too. result: None for a game broken off at MAX_PLIES, which
    counts as drawn. seconds, decisions: of White and of Black, the ballot left out. fault: why a
    player forfeited the game, empty if none did.
    """

    variant: Variant
    moves: tuple[Move, ...]
    result: Result | None
    seconds: tuple[float, float]
    decisions: tuple[int, int]
    fault: str = ""

    def points(self, side: Side) -> float:
        """Points of a side: 1 for a win, a half for a draw, 0 for a loss."""
        if self.result is None or self.result.winner is None:
            return 0.5
        return float(self.result.winner is side)


def played_game(
    players: tuple[Player, Player],
    variant: Variant,
    ballot: Sequence[Move],
    limits: tuple[Limits, Limits],
    stop: Event,
) -> PlayedGame:
    """A game that begins with a ballot; players and limits are White's and Black's.

    A player that fails or wants an illegal move forfeits it. Raises InterruptedError if the stop is
    set, and ValueError for a ballot that ends the game.
    """
    game: Game | Result = Game.start(variant)
    moves: list[Move] = []
    seconds, decisions = [0.0, 0.0], [0, 0]
    fault = ""
    for move in ballot:
        game = _going_on(game).after(move)
        moves.append(move)
    while isinstance(game, Game) and len(moves) < MAX_PLIES:
        number = 0 if game.position.turn is Side.WHITE else 1
        began = time.perf_counter()
        try:
            move = players[number].search(game, limits[number], stop, lambda _: None).move
            refusal = game.refusal(move)
        except (OSError, ValueError) as error:
            refusal = str(error) or type(error).__name__
        if stop.is_set():
            raise InterruptedError("the game was stopped")
        seconds[number] += time.perf_counter() - began
        decisions[number] += 1
        if refusal:
            fault = f"{game.position.turn.value} failed: {refusal}"
            game = game.forfeited()
        else:
            game = game.after(move)
            moves.append(move)
    result = game if isinstance(game, Result) else None
    times, counts = (seconds[0], seconds[1]), (decisions[0], decisions[1])
    return PlayedGame(variant, tuple(moves), result, times, counts, fault)


def _going_on(game: Game | Result) -> Game:
    if isinstance(game, Result):
        raise ValueError("the ballot goes on when the game is over")
    return game
