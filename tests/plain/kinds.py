"""The kind of a position, asked one checker at a time, and who is on roll in it."""

from tests.plain.games import plain_turned

PRIME = 4


def plain_kind(board):
    """The kind by name, and whether the player on roll is the side that it is named after."""
    other = plain_turned(board)
    for name, fits in DEFINITIONS.items():
        if fits(board):
            return name, True
        if fits(other):
            return name, False
    return "usual", True


def _points(board):
    """Points of the checkers of the player on roll, one by one."""
    return [point for point in range(26) for _ in range(int(board[point]))]


def _others(board):
    """Points of the other's checkers, as he counts them."""
    return _points(plain_turned(board))


def _made(board):
    points = _points(board)
    return {point for point in range(1, 25) if points.count(point) >= 2}


def _is_race(board):
    return max(_points(board)) + max(_others(board)) < 26


def _closes_out(board):
    return _made(board) >= {1, 2, 3, 4, 5, 6} and 25 in _others(board) and len(_others(board)) < 15


def _contains(board):
    has_to_pass = max(_others(board)) >= 13 and not _is_race(board)
    return has_to_pass and len(_others(board)) < 15 and len(_points(board)) == 15


def _is_on_the_bar(board):
    return _points(board).count(25) >= 2


def _plays_back_game(board):
    behind = sum(_points(board)) - sum(_others(board))
    return len(_made(board) & set(range(19, 25))) >= 2 and behind >= 30


def _traps(board):
    for first in range(1, 22):
        if _made(board) >= set(range(first, first + PRIME)):
            return max(_others(board)) > 25 - first
    return False


def _is_bearing_in(board):
    points = _points(board)
    home = sum(point <= 6 for point in points) + 15 - len(points)
    return max(points) <= 12 and home >= 10 and not _is_race(board)


def _plays_ace_point_game(board):
    behind = [point for point in _points(board) if point > 12]
    return len(behind) >= 2 and set(behind) == {24} and _is_bearing_in(plain_turned(board))


def _bears_in(board):
    return _is_bearing_in(board) and bool(_made(plain_turned(board)) & set(range(19, 25)))


def _saves_gammon(board):
    points, others = _points(board), _others(board)
    if not _is_race(board) or len(points) < 15 or len(others) == 15:
        return False
    own_pips = sum(max(point - 6, 0) for point in points) + min(*points, 6)
    others_pips = sum(max(point - 6, 0) for point in others)
    others_rolls = len(others) / 2 + others_pips * 6 / 49
    return abs(own_pips * 6 / 49 - others_rolls) <= 3


DEFINITIONS = {
    "closed out, checkers off": _closes_out,
    "containing a late hit": _contains,
    "several on the bar": _is_on_the_bar,
    "back game": _plays_back_game,
    "prime against prime": lambda board: _traps(board) and _traps(plain_turned(board)),
    "ace-point game": _plays_ace_point_game,
    "bear-in against an anchor": _bears_in,
    "saving a gammon": _saves_gammon,
    "race": _is_race,
}
