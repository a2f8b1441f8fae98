"""Obvious counts on a board, a tuple of 26 as in tests/plain/plays.py."""

from tests.plain.plays import Board


def plain_pip_count(board: Board) -> int:
    """Pips of the player on roll."""
    return sum(point * board[point] for point in range(1, 26) if board[point] > 0)


def plain_is_race(board: Board) -> bool:
    """Whether all own checkers are past all of the other side's."""
    own = [point for point in range(26) if board[point] > 0]
    other = [point for point in range(26) if board[point] < 0]
    return not own or not other or max(own) < min(other)


def plain_points_lost(board: Board) -> int:
    """What the player on roll has lost, once the other side has no checkers left."""
    if any(count < 0 for count in board):
        return 0
    if sum(board) < 15:
        return 1
    return 3 if any(board[point] > 0 for point in range(19, 26)) else 2
