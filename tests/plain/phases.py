"""The phase of a position, asked one checker at a time."""

RACE, CRASHED = 0, 7


def plain_phase(board):
    """The phase of a board seen by the player on roll, 26 numbers; both sides have checkers."""
    own = [point for point in range(26) for _ in range(int(board[point]))]
    other = [25 - point for point in range(26) for _ in range(-int(board[point]))]
    if max(own) + max(other) < 26:
        return RACE
    if min(_live(own), _live(other)) < 10:
        return CRASHED
    back = sum(point >= 19 for point in own)
    other_back = sum(point >= 19 for point in other)
    return 1 + (3 if back > 1 else 0) + min(other_back, 2)


def _live(points):
    """Checkers on the board, no more than two of them counted on each of the two last points."""
    return sum(point > 2 for point in points) + sum(min(points.count(n), 2) for n in (1, 2))
