"""The slow obvious twin of hypergammon: every position by the plain plays, again and again."""

from itertools import product

from tests.plain.plays import Board, plain_boards_after


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
