"""The blockers player's order of preference, straight from its description."""

from tests.plain.plays import Board
from tests.plain.positions import plain_is_race, plain_pip_count


def plain_blockers_rank(before: Board, after: Board) -> tuple[int, ...]:
    """How much the blockers player likes a board after a play; more is better, the first first."""
    pips = plain_pip_count(after)
    if plain_is_race(before):
        on_board = sum(count for count in after if count > 0)
        outside = sum(count for count in after[7:] if count > 0)
        return -on_board, -outside, -pips
    blocks = [point for point in range(1, 25) if after[point] >= 2]
    pairs = [point for point in blocks if point + 1 in blocks]
    blots = [point for point in range(1, 25) if after[point] == 1]
    return len(blocks), len(pairs), -len(blots), -pips
