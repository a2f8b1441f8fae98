"""Turns of games to try things on: a board, seen by the player on roll, and a roll.

Boards are tuples as in tests/plain/plays.py.
"""

import random
from collections.abc import Callable, Iterator

from bot.backgammon.arena.baselines import Baseline
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.plays import Board

Turn = tuple[Board, Roll]
Choice = Callable[[Board, Roll], Board]


def plain_turned(board: Board) -> Board:
    """The board as the other player sees it."""
    return tuple(-board[25 - point] for point in range(26))


def choice_of(player: Baseline) -> Choice:
    """The board after the play a player chooses."""
    return lambda board, roll: player.choose(Position(board), roll).after.points


def turns_of_games(choice: Choice, turns: int, seed: int) -> Iterator[Turn]:
    """So many turns of games in which both sides choose alike, from the start on."""
    rng = random.Random(seed)
    board = START.points
    for _ in range(turns):
        roll = Roll.of_dice(rng.randint(1, 6), rng.randint(1, 6))
        yield board, roll
        after = choice(board, roll)
        board = plain_turned(after) if max(after) > 0 else START.points


def scattered_turns(turns: int, seed: int) -> Iterator[Turn]:
    """So many turns with the checkers thrown on the board: piles, bars of both sides, few left."""
    rng = random.Random(seed)
    for _ in range(turns):
        points = list(range(1, 25))
        rng.shuffle(points)
        own = sorted(points[: rng.randint(1, 12)] + [25] * (rng.random() < 0.3))
        others = points[12 : 12 + rng.randint(1, 12)] + [0] * (rng.random() < 0.3)
        if rng.random() < 0.3:  # crunched or bearing off
            own = [point for point in own if point <= 6] or own[:1]
        board = [0] * 26
        for point in rng.choices(own, k=rng.randint(1, 15)):
            board[point] += 1
        for point in rng.choices(others, k=rng.randint(1, 15)):
            board[point] -= 1
        yield tuple(board), rng.choice(ROLLS)
