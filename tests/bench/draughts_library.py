"""Legal moves by another draughts library, asked for by check_draughts_moves in its environment.

Reads positions as FEN, one a line, and writes their moves: start, end and captured squares of each
with blanks between, semicolons between moves. It imports nothing of this project, as both libraries
install a package of the same name and neither belongs to our environment.

    python draughts_library.py py-draughts international < positions
"""

import sys
from collections.abc import Iterable, Iterator


def flipped(square: int) -> int:
    """Number of a square of 8 x 8 when squares are numbered from White's side, and back."""
    row, place = divmod(square - 1, 4)
    return (7 - row) * 4 + place + 1


def py_draughts_moves(variant: str, fen: str) -> Iterator[tuple[int, int, Iterable[int]]]:
    """Moves by py-draughts, which numbers squares from 0."""
    from draughts import RussianBoard, StandardBoard

    kind = StandardBoard if variant == "international" else RussianBoard
    for move in kind.from_fen(fen).legal_moves:
        captured = (square + 1 for square in move.captured_list)
        yield move.square_list[0] + 1, move.square_list[-1] + 1, captured


def pydraughts_moves(variant: str, fen: str) -> Iterator[tuple[int, int, Iterable[int]]]:
    """Moves by pydraughts, which numbers Russian squares from White's side."""
    from draughts import Board

    turned = variant == "russian"
    if turned:
        turn, white, black = fen.split(":")
        lists = []
        for each in (white, black):
            squares = [square for square in each[1:].split(",") if square]
            lists.append(each[0] + ",".join(map(_flipped_text, squares)))
        fen = ":".join([turn, *lists])
    board = Board(variant="russian" if turned else "standard", fen=fen)
    number = flipped if turned else int
    # Its own conversion of squares takes a third of the time and changes none on 10 x 10.
    moves, captures = board._legal_moves_board() if turned else board._game.legal_moves()
    for steps, captured in zip(moves, captures, strict=True):
        taken = [number(square) for square in captured if square is not None]
        yield number(steps[0][0]), number(steps[-1][1]), taken


def _flipped_text(square: str) -> str:
    prefix = "K" if square[0] == "K" else ""
    return prefix + str(flipped(int(square.removeprefix("K"))))


def main() -> None:
    """Answer every line."""
    library, variant = sys.argv[1:]
    moves_of = {"py-draughts": py_draughts_moves, "pydraughts": pydraughts_moves}[library]
    for line in sys.stdin:
        moves = sorted(
            {(start, end, *sorted(taken)) for start, end, taken in moves_of(variant, line.strip())}
        )
        print(";".join(" ".join(map(str, move)) for move in moves))


if __name__ == "__main__":
    main()
