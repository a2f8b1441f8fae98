"""Cube games: what Blot's games against itself come to, 0 plies deep, for money or at a score."""

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.engine.rollout_trials import Seat
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.cube_games import CubeGames, fill_cube_games
from bot.backgammon.kernels.rollout import no_replies
from bot.backgammon.rules.match import MAX_LENGTH, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.generator import new_generator

Flags = NDArray[np.bool_]

MONEY = GameState(START, money=MoneyRules(jacoby=False))


def cube_games(
    state: GameState,
    met: MatchEquityTable | None,
    count: int,
    seed: int,
    seat: Seat,
    *,
    stream: int = 0,
) -> CubeGames:
    """Games from the start; the first player is the state's player on roll.

    The state's position is not looked at. At a score the same dice are played twice with the sides
    swapped; for money both sides want the same, and the other game would be the same.
    Raises ValueError if a game has no end.
    """
    games = CubeGames(np.zeros(count, np.int8), np.zeros(count), np.zeros(count, np.bool_))
    cube = cube_table(state, met, seat.evaluator.databases)
    seats = 1 if state.score is None else 2
    generator = new_generator(seed, stream)
    replies = no_replies()
    fill_cube_games(cube, generator, seat.tools, replies, seats, games)
    if not games.points.all():
        raise ValueError(f"{np.sum(games.points == 0)} games were not finished")
    return games


def state_at(away: int, other_away: int, *, is_crawford: bool = False) -> GameState:
    """Before a game at such away scores; the first player's first."""
    score = Score(MAX_LENGTH, MAX_LENGTH - away, MAX_LENGTH - other_away, is_crawford)
    return GameState(START, score=score)


def mean_and_error(values: NDArray[np.generic]) -> tuple[float, float]:
    """Mean of a value per game at a score and its standard error, pairs being the samples."""
    pairs = values.reshape(-1, 2).mean(axis=1)
    return float(pairs.mean()), float(pairs.std(ddof=1) / len(pairs) ** 0.5)


def share_and_error(part: Flags, whole: Flags) -> tuple[float, float]:
    """Share of the games of the whole that are in the part, and its standard error; bool[n].

    Raises ValueError if the whole has no game.
    """
    games = int(whole.sum())
    if not games:
        raise ValueError(f"none of {len(whole)} games came out so that a share is known: play more")
    share = float((part & whole).sum()) / games
    return share, (share * (1 - share) / games) ** 0.5
