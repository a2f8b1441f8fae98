"""The slow obvious twin of hypergammon: every position by the plain plays, again and again.

And gnubg's own solution, which its program makehyper computes.
"""

import shutil
import subprocess
from itertools import product
from math import comb
from pathlib import Path

import numpy as np

from tests.plain.plays import Board, plain_boards_after

MAKEHYPER = shutil.which("makehyper") or "/usr/games/makehyper"


def plain_turned(board: Board) -> Board:
    return tuple(-count for count in reversed(board))


def plain_points_lost(board: Board, checkers: int) -> int:
    """Points lost by the player on roll, with so many checkers in the game; 0 while it goes on."""
    if any(count < 0 for count in board):
        return 0
    if sum(board) < checkers:
        return 1
    return 3 if any(board[point] for point in range(19, 26)) else 2


def plain_equity(board: Board, equities: dict[Board, float]) -> float:
    """Equity of rolling now, by those of the positions after it, seen by who is on roll then."""
    total = 0.0
    for one, two in product(range(1, 7), repeat=2):
        after = plain_boards_after(board, max(one, two), min(one, two)) or {board}
        total += max(-equities[plain_turned(each)] for each in after)
    return total / 36


def plain_one_checker_game(sweeps: int) -> dict[Board, float]:
    """Equities of all positions with a checker a side, after so many sweeps over all of them."""
    equities: dict[Board, float] = {}
    turns: dict[Board, list[list[Board]]] = {}
    for own, other in product(range(1, 26), range(26)):
        if own + other == 25 and other != 0 and own != 25:
            continue
        board = [0] * 26
        board[own] += 1
        if other:
            board[25 - other] -= 1
        position = tuple(board)
        equities[position] = -float(plain_points_lost(position, 1))
        if other:
            turns[position] = [
                [plain_turned(each) for each in plain_boards_after(position, max(dice), min(dice))]
                or [plain_turned(position)]
                for dice in product(range(1, 7), repeat=2)
            ]
    for _ in range(sweeps):
        for position, rolls in turns.items():
            equities[position] = sum(max(-equities[each] for each in roll) for roll in rolls) / 36
    return {position: equities[position] for position in turns}


def some_positions(checkers: int, count: int, seed: int) -> list[Board]:
    """Positions by chance in which both sides have a checker left and no point is shared."""
    numbers = np.random.default_rng(seed)
    found: list[Board] = []
    while len(found) < count:
        own, other = numbers.integers(0, 26, (2, checkers))
        points = [0] * 26
        for point in own[own > 0]:
            points[point] += 1
        if any(points[25 - point] > 0 for point in other if 0 < point < 25):
            continue
        for point in other[other > 0]:
            points[25 - point] -= 1
        if min(points) < 0 < max(points):
            found.append(tuple(points))
    return found


def _number(bits: int, length: int, ones: int) -> int:
    """gnubg's number of a side; source: GNU Backgammon, positionid.c, PositionF."""
    if length == ones:
        return 0
    if bits >> (length - 1) & 1:
        return comb(length - 1, ones) + _number(bits, length - 1, ones - 1)
    return _number(bits, length - 1, ones)


def makehyper_number(places: list[int], checkers: int) -> int:
    """gnubg's number of the side with its checkers on these places, 25 the bar and 0 off."""
    bit = 24 + sum(place > 0 for place in places)
    bits = 1 << bit
    for point in range(1, 25):
        bit -= places.count(point) + 1
        bits |= 1 << bit
    return _number(bits, 25 + checkers, 25)


def makehyper_equities(checkers: int, folder: Path) -> np.ndarray:
    """gnubg's cubeless equities, by its own numbers of the side on roll and the other.

    Source: GNU Backgammon, bearoff.c, BearoffEvalHypergammon: five chances of three bytes each.
    """
    command = [MAKEHYPER, "-n", "-c", str(checkers), "-f", "hyper.bd", "-t", "1e-6"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    sides = comb(25 + checkers, checkers)
    rows = np.fromfile(folder / "hyper.bd", np.uint8)[40:].reshape(sides, sides, 28)
    parts = rows[:, :, :15].reshape(sides, sides, 5, 3).astype(np.int64)
    win, *others = np.moveaxis(parts @ [1, 256, 65536] / (2**24 - 1), 2, 0)
    return 2 * win - 1 + others[0] + others[1] - others[2] - others[3]
