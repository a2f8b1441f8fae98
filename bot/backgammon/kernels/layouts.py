"""Layouts: checkers laid out by chance as games seldom leave them, for games to begin with."""

from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.backgammon.kernels.dice import Generator, next_below
from bot.kernels import inner, kernel

_HOME = 6
_BAR = 25
_LEAST_LEFT = 3


@inner
def _put(board: Boards, side: int, point: int, count: int) -> int:
    """Put checkers on a point as the side counts it, unless the other holds it; how many."""
    place = point if side == 0 else 25 - point
    sign = 1 - 2 * side
    if sign * int(board[place]) < 0:
        return 0
    board[place] += sign * count
    return count


@inner
def _scatter(
    board: Boards, side: int, left: int, first: int, last: int, generator: Generator
) -> None:
    """Put all that is left on points from first to last, up to three at a time."""
    while left > 0:
        point = first + next_below(generator, last - first + 1)
        left -= _put(board, side, point, min(1 + next_below(generator, 3), left))


@inner
def _put_army(board: Boards, side: int, generator: Generator) -> None:
    """Lay out a side anyhow: half have a prime of three to six points, one in four bears off.

    Up to three checkers are back or on the bar.
    """
    left = CHECKERS
    reach = 14
    if next_below(generator, 4) == 0:
        left -= 1 + next_below(generator, CHECKERS - _LEAST_LEFT)
        reach = _HOME
    elif next_below(generator, 3) > 0:
        length = 3 + next_below(generator, 4)
        first = 2 + next_below(generator, 7)
        for point in range(first, first + length):
            left -= _put(board, side, point, 2)
    back = next_below(generator, 4)
    while left > 0:
        point = 1 + next_below(generator, reach)
        if back > 0:
            point = 18 + next_below(generator, 8)
            back -= 1
        elif next_below(generator, 8) == 0:
            point = 1 + next_below(generator, 24)
        left -= _put(board, side, point, min(1 + next_below(generator, 3), left))


@inner
def _fill_back_game(board: Boards, side: int, generator: Generator) -> None:
    """The side holds two points in the other's home, now and then one of the lowest; it waits.

    Its other checkers are anywhere from the outfields to its own lowest points, so that the timing
    differs. The other side brings its checkers home, bears them in or has begun to bear them off.
    """
    left = CHECKERS
    lowest = 1 + next_below(generator, 4)
    left -= _put(board, side, 25 - lowest, 2 + next_below(generator, 3) // 2)
    if next_below(generator, 5) > 0:
        second = lowest + 1 + next_below(generator, _HOME - lowest)
        left -= _put(board, side, 25 - second, 2 + next_below(generator, 3) // 2)
    if next_below(generator, 3) == 0:
        left -= _put(board, side, 18 + next_below(generator, 8), 1)
    timing = next_below(generator, 4)
    _scatter(board, side, left, 1 + timing, _HOME + 4 * timing, generator)
    left = CHECKERS
    stage = next_below(generator, 4)
    if stage == 0:
        left -= next_below(generator, 8)
    late = next_below(generator, 5) if stage == 3 else 0
    for _ in range(late):
        left -= _put(board, 1 - side, 13 + next_below(generator, 13), 1)
    _scatter(board, 1 - side, left, 1, _HOME + 3 * stage, generator)


@inner
def _fill_late_hit(board: Boards, side: int, generator: Generator) -> None:
    """The side has borne off some checkers when up to three of its last are hit or left behind.

    The other has most of its home points, and a few checkers that are still on their way.
    """
    left = CHECKERS - 2 - next_below(generator, CHECKERS - _LEAST_LEFT - 1)
    for _ in range(min(1 + next_below(generator, 3), left)):
        is_hit = next_below(generator, 2) == 0
        left -= _put(board, side, _BAR if is_hit else 7 + next_below(generator, 18), 1)
    _scatter(board, side, left, 1, _HOME, generator)
    left = CHECKERS
    for point in range(1, _HOME + 1):
        if next_below(generator, 6) > 0:
            left -= _put(board, 1 - side, point, 2)
    _scatter(board, 1 - side, left, 1 + next_below(generator, 3), 24, generator)


@inner
def _fill_several_on_bar(board: Boards, side: int, generator: Generator) -> None:
    """The side has two to five checkers on the bar, the other most of its home points or a few.

    The rest of both sides is anywhere, often with a checker or two still in the other's home.
    """
    left = CHECKERS
    left -= _put(board, side, _BAR, 2 + next_below(generator, 2) * next_below(generator, 4))
    others = CHECKERS
    missing = 1 + next_below(generator, 4)
    for point in range(1, _HOME + 1):
        if next_below(generator, _HOME) >= missing:
            others -= _put(board, 1 - side, point, 2)
    if next_below(generator, 2) == 0:
        left -= _put(board, side, 19 + next_below(generator, _HOME), 1 + next_below(generator, 2))
    _scatter(board, side, left, 1, 12 + 6 * next_below(generator, 3), generator)
    _scatter(board, 1 - side, others, 1, 18 + 6 * next_below(generator, 2), generator)


@inner
def _put_prime(board: Boards, side: int, generator: Generator) -> None:
    """A prime of four to six points from the side's 3 to 6 point on, a few checkers far back."""
    left = CHECKERS
    first = 3 + next_below(generator, 4)
    for point in range(first, first + 4 + next_below(generator, 3)):
        left -= _put(board, side, point, min(2, left))
    for _ in range(min(1 + next_below(generator, 3), left)):
        left -= _put(board, side, 20 + next_below(generator, _BAR - 19), 1)
    _scatter(board, side, left, 1 + next_below(generator, 3), 20, generator)


@kernel
def fill_layout(board: Boards, generator: Generator) -> None:
    """Set a board, int8[26], to checkers laid out by chance; no point is held by both sides.

    Of sixteen six are back games or one held point against a bear-in, two a checker hit late, three
    have several on the bar, two a prime on either side; in the others each side is laid out anyhow,
    with primes and bear-offs among them. Such positions turn on timing or on a late shot, and games
    from the start seldom reach them.
    """
    board[:] = 0
    form = next_below(generator, 16)
    side = next_below(generator, 2)
    if form < 6:
        _fill_back_game(board, side, generator)
    elif form < 8:
        _fill_late_hit(board, side, generator)
    elif form < 11:
        _fill_several_on_bar(board, side, generator)
    elif form < 13:
        _put_prime(board, 0, generator)
        _put_prime(board, 1, generator)
    else:
        _put_army(board, 0, generator)
        _put_army(board, 1, generator)
