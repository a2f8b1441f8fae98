"""Ranking: the moves of a position by what they are worth, all looked into equally deep."""

import math
import time
from dataclasses import replace
from threading import Event

from bot.draughts.engine.search import WON
from bot.draughts.rules.decision import Found, Limits, Player
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move

LEAST_DEPTH = 2
"""Plies of a ranking at least: a move, and a look at each answer."""

MAX_DEPTH = 60


def ranking(player: Player, game: Game, limits: Limits) -> tuple[Found, ...]:
    """All legal moves, the best first, each with its score for the side to move and its line.

    All are searched to one depth, by a player that tells scores: the deepest that was finished
    within the limits of depth and time, or two plies. Replies without a choice do not count. Raises
    ValueError if the game is over.
    """
    if game.result is not None:
        raise ValueError(f"the game is over: {game.result.ending.value}")
    seconds = limits.move_seconds
    end = math.inf if seconds is None else time.perf_counter() + seconds
    deepest = max(limits.depth or MAX_DEPTH, LEAST_DEPTH)
    ranked = [_valued(player, game, move, LEAST_DEPTH, math.inf) for move in game.moves]
    for depth in range(LEAST_DEPTH + 1, deepest + 1):
        ranked.sort(key=_worth, reverse=True)
        deeper = []
        for each in ranked:
            deeper.append(_valued(player, game, each.move, depth, end))
            if time.perf_counter() >= end:
                return tuple(ranked)
        ranked = deeper
    return tuple(sorted(ranked, key=_worth, reverse=True))


def _worth(found: Found) -> float:
    return -math.inf if found.score is None else found.score


def _valued(player: Player, game: Game, move: Move, depth: int, end: float) -> Found:
    """A move with its score at a depth in plies, itself included."""
    began = time.perf_counter()
    side, line = game.position.turn, [move]
    after = game.after(move)
    while isinstance(after, Game) and len(after.moves) == 1:
        line.append(after.moves[0])
        after = after.after(after.moves[0])
    if isinstance(after, Result):
        won = 0.0 if after.winner is None else WON - len(line) / 100
        score = won if after.winner in (None, side) else -won
        return Found(move, score, depth, line=tuple(line))
    left = end - began
    limits = Limits(depth=depth - 1, seconds=max(left, 0.001) if left < math.inf else None)
    below = player.search(after, limits, Event(), lambda _: None)
    if below.score is None:
        return Found(move, None, depth, line=(*line, *below.line))
    score = below.score if after.position.turn is side else -below.score
    if abs(score) > WON - 2:  # so many plies later
        score -= math.copysign(len(line) / 100, score)
    return replace(below, move=move, score=score, depth=depth, line=(*line, *below.line))
