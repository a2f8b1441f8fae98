"""The slow obvious twin of the draughts rules: sets of squares, and the rules word by word.

A square is its number; a capture is written with every square it lands on and every piece it takes,
in order, so that "all" captures, which perft tables count too, are those with other pieces or in
another order.
"""

from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import Side, Variant

Way = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A start, the squares landed on, the pieces taken in order."""

UP = ((-1, -1), (-1, 1))
DOWN = ((1, -1), (1, 1))


def place_of(variant: Variant, square: int) -> tuple[int, int]:
    """Row and column of a square, both from 0."""
    row, place = divmod(square - 1, variant.row_length)
    return row, 2 * place + (row + 1) % 2


def ray(variant: Variant, square: int, direction: tuple[int, int]) -> list[int]:
    """Squares from a square to the edge, the square itself left out."""
    row, column = place_of(variant, square)
    found = []
    while True:
        row, column = row + direction[0], column + direction[1]
        if not (0 <= row < variant.rows and 0 <= column < variant.rows):
            return found
        found.append(row * variant.row_length + column // 2 + 1)


class PlainBoard:
    """Pieces of the player to move and of the other one."""

    def __init__(self, position: Position) -> None:
        self.variant = position.variant
        self.turn = position.turn
        self.men = set(squares_of(position.men(self.turn)))
        self.kings = set(squares_of(position.kings(self.turn)))
        self.others = set(squares_of(position.pieces(self.turn.other)))
        self.forward = UP if self.turn is Side.WHITE else DOWN

    def jumps(
        self, start: int, here: int, is_king: bool, taken: tuple[int, ...]
    ) -> list[tuple[int, list[int]]]:
        """The pieces that can be taken next, each with the squares behind it."""
        filled = (self.men | self.kings | self.others) - {start}
        backward = is_king or self.variant.men_capture_backward
        found = []
        for direction in UP + DOWN if backward else self.forward:
            squares = ray(self.variant, here, direction)
            if is_king:
                while squares and squares[0] not in filled:
                    squares.pop(0)
            if not squares or squares[0] not in self.others or squares[0] in taken:
                continue
            behind = []
            for square in squares[1:] if is_king else squares[1:2]:
                if square in filled:
                    break
                behind.append(square)
            if behind:
                found.append((squares[0], behind))
        return found

    def ways_on(
        self, start: int, here: int, is_king: bool, taken: tuple[int, ...]
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Every way to carry a capture to its end: squares landed on, pieces taken in order."""
        found = []
        for piece, behind in self.jumps(start, here, is_king, taken):
            now = (*taken, piece)
            going_on = [square for square in behind if self.jumps(start, square, is_king, now)]
            for square in going_on or behind:
                for path, pieces in self.ways_on(start, square, is_king, now):
                    found.append(((square, *path), pieces))
        return found or [((), taken)]

    def captures_by(self, squares: set[int], is_king: bool) -> list[Way]:
        """Every capture by the pieces on these squares."""
        return [
            (start, path, taken)
            for start in sorted(squares)
            for path, taken in self.ways_on(start, start, is_king, ())
            if taken
        ]

    def steps(self) -> list[Way]:
        """Every move that takes nothing."""
        filled = self.men | self.kings | self.others
        found = []
        for start in sorted(self.men):
            for direction in self.forward:
                for end in ray(self.variant, start, direction)[:1]:
                    if end not in filled:
                        found.append((start, (end,), ()))
        for start in sorted(self.kings):
            for direction in UP + DOWN:
                for end in ray(self.variant, start, direction):
                    if end in filled:
                        break
                    found.append((start, (end,), ()))
        return found


def plain_ways(position: Position) -> list[Way]:
    """Every way to make a legal move."""
    board = PlainBoard(position)
    by_kings = board.captures_by(board.kings, is_king=True)
    by_men = board.captures_by(board.men, is_king=False)
    if by_kings and position.variant.kings_capture_first:
        by_men = []
    captures = by_kings + by_men
    if captures and position.variant.takes_most:
        most = max(len(taken) for _, _, taken in captures)
        captures = [way for way in captures if len(way[2]) == most]
    return captures or board.steps()


def plain_moves(position: Position) -> set[tuple[int, int, tuple[int, ...]]]:
    """Every legal move: start, end and pieces taken, rising."""
    return {(start, path[-1], tuple(sorted(taken))) for start, path, taken in plain_ways(position)}


def plain_orders(position: Position) -> set[tuple[int, int, tuple[int, ...]]]:
    """Every legal move with the pieces in the order in which they are taken."""
    return {(start, path[-1], taken) for start, path, taken in plain_ways(position)}


def plain_after(position: Position, start: int, end: int, taken: tuple[int, ...]) -> Position:
    """The position after a move."""
    own, other = position.turn, position.turn.other
    men, kings = set(squares_of(position.men(own))), set(squares_of(position.kings(own)))
    if start in kings:
        kings = kings - {start} | {end}
    elif end in position.variant.far_row(own):
        men, kings = men - {start}, kings | {end}
    else:
        men = men - {start} | {end}
    others = [position.men(other), position.kings(other)]
    left = [set_of(square for square in squares_of(each) if square not in taken) for each in others]
    sides = {own: (set_of(men), set_of(kings)), other: tuple(left)}
    return Position(position.variant, other, *sides[Side.WHITE], *sides[Side.BLACK])


def plain_perft(position: Position, depth: int, orders: bool = False) -> int:
    """Number of leaves below a position; captures in another order count again if orders."""
    if depth == 0:
        return 1
    moves = plain_orders(position) if orders else plain_moves(position)
    return sum(
        plain_perft(plain_after(position, start, end, taken), depth - 1, orders)
        for start, end, taken in moves
    )
