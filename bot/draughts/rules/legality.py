"""Legality: the moves that the rules allow in a position, and why they refuse another."""

from functools import lru_cache

from bot.draughts.kernels.boards import Board, Rules
from bot.draughts.kernels.moves import MAX_MOVES, fill_moves, new_jumps, new_moves
from bot.draughts.rules.board import boards_of, own_squares, rules_of
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import Side


@lru_cache(maxsize=1024)
def legal_moves(position: Position) -> tuple[Move, ...]:
    """The legal moves, by start, end and captured squares; none if the player to move has lost."""
    rules = rules_of(position.variant)
    row = boards_of([position])[0].tolist()
    board = Board(*row)
    capacity = MAX_MOVES
    while True:
        moves, jumps = new_moves(capacity), new_jumps()
        number = fill_moves(board, rules, moves, jumps)
        if number < capacity:
            break
        capacity *= 2
    found = [_move(position, board, rules, *each) for each in moves[:number].tolist()]
    return tuple(sorted(found, key=lambda move: (move.start, move.end, move.captured)))


def _move(position: Position, board: Board, rules: Rules, start: int, end: int, taken: int) -> Move:
    """The move whose sets of squares a kernel wrote."""

    def numbers(squares: int) -> tuple[int, ...]:
        return tuple(squares_of(own_squares(squares, position.variant, position.turn)))

    path: tuple[int, ...] = ()
    if taken:
        pieces = board.own_men | board.own_kings | board.other_men | board.other_kings
        empty = rules.squares & ~pieces | start
        flies = bool(start & board.own_kings)
        path = _landings(start, end, taken, empty, flies, rules) or ()
    landings = tuple(numbers(square)[0] for square in path)
    return Move(numbers(start)[0], numbers(end)[0], numbers(taken), landings)


def _landings(
    here: int, end: int, left: int, empty: int, flies: bool, rules: Rules
) -> tuple[int, ...] | None:
    """Squares on which a capture lands that takes all the pieces left; None if there is no way."""
    for shift in (-rules.long, -rules.short, rules.short, rules.long):
        piece = _shifted(here, shift)
        while flies and piece & empty:
            piece = _shifted(piece, shift)
        if not piece & left:
            continue
        rest = left ^ piece
        square = _shifted(piece, shift)
        while square & empty:
            if not rest and square == end:
                return (square,)
            onward = _landings(square, end, rest, empty, flies, rules) if rest else None
            if onward:
                return (square, *onward)
            square = _shifted(square, shift) if flies else 0
    return None


def _shifted(square: int, shift: int) -> int:
    return square << shift if shift > 0 else square >> -shift


def position_after(position: Position, move: Move) -> Position:
    """The position after a move with the other player to move; whether it is legal is not asked."""
    variant, own, other = position.variant, position.turn, position.turn.other
    start, end = set_of([move.start]), set_of([move.end])
    men, kings = position.men(own), position.kings(own)
    if kings & start:
        kings = kings & ~start | end
    elif move.end in variant.far_row(own):
        men, kings = men & ~start, kings | end
    else:
        men = men & ~start | end
    left = ~set_of(move.captured)
    moved = (men, kings)
    waiting = (position.men(other) & left, position.kings(other) & left)
    white, black = (moved, waiting) if own is Side.WHITE else (waiting, moved)
    return Position(variant, other, *white, *black)


def illegality(move: Move, position: Position) -> str | None:
    """Why the rules do not allow the move, as a clause; None if they do."""
    moves = legal_moves(position)
    if move in moves:
        return None
    if not moves:
        return "no move is left"
    own, rules = position.turn, position.variant
    if move.start not in squares_of(position.pieces(own)):
        return f"there is no {own.value} piece on {move.start}"
    if not moves[0].captured:
        if move.captured:
            return "there is nothing to capture"
        return f"no step leads from {move.start} to {move.end}"
    if not move.captured:
        return "a capture is compulsory"
    is_king = move.start in squares_of(position.kings(own))
    if rules.kings_capture_first and not is_king and _kings_capture(position):
        return "a king can capture, so a king must"
    if any(_goes_on(move, each) for each in moves):
        return "the capture goes on"
    most = len(moves[0].captured)
    if rules.takes_most and len(move.captured) < most:
        return f"{most} pieces must be taken, not {len(move.captured)}"
    taken = " and ".join(map(str, move.captured))
    return f"no capture from {move.start} to {move.end} takes {taken}"


def _kings_capture(position: Position) -> bool:
    kings = position.kings(position.turn)
    return any(kings & set_of([move.start]) for move in legal_moves(position) if move.captured)


def _goes_on(move: Move, longer: Move) -> bool:
    return move.start == longer.start and set(move.captured) < set(longer.captured)
