"""The simple players' orders of preference, straight from their description."""

from tests.plain.plays import Board
from tests.plain.positions import plain_is_race, plain_pip_count


def plain_simple_rank(name: str, before: Board, after: Board) -> tuple[int, ...]:
    """How much a simple player likes a board after a play; more is better, the first first."""
    pips = plain_pip_count(after)
    if name == "blockers" and plain_is_race(before):
        on_board = sum(count for count in after if count > 0)
        outside = sum(count for count in after[7:] if count > 0)
        return -on_board, -outside, -pips
    blocks = [point for point in range(1, 25) if after[point] >= 2]
    pairs = [point for point in blocks if point + 1 in blocks]
    blots = [point for point in range(1, 25) if after[point] == 1]
    return len(blocks), len(pairs) if name != "simple-1" else 0, -len(blots), -pips
