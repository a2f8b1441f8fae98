"""Independent judges of the rules, asked in our boards: gnubg-nn and bgsage.

Boards are tuples of 26 counts seen by the mover, as in tests/plain/plays.py.
"""

from functools import lru_cache

import bgsage
import gnubg_nn

from bot.backgammon.rules.roll import Roll
from tests.plain.plays import Board, plain_leg, plain_replay

Sides = list[list[int]]


def gnubg_sides(board: Board) -> Sides:
    """gnubg's board: 25 counts of the other side, then of the mover, each from its ace point on."""
    other = [max(-board[25 - point], 0) for point in range(1, 26)]
    own = [max(board[point], 0) for point in range(1, 26)]
    return [other, own]


def board_of_gnubg_sides(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> Board:
    """The board of gnubg's two sides."""
    other, own = sides
    inner = tuple(own[point - 1] - other[24 - point] for point in range(1, 25))
    return (-other[24], *inner, own[24])


@lru_cache(maxsize=200_000)
def _board_of_key(key: str) -> Board:
    return board_of_gnubg_sides(gnubg_nn.board_from_position_key(key))


def gnubg_boards_after(board: Board, high: int, low: int) -> set[Board]:
    """Boards after each legal play, by gnubg-nn."""
    return {_board_of_key(key) for key in gnubg_nn.moves(gnubg_sides(board), high, low)}


def gnubg_choice(board: Board, roll: Roll) -> Board:
    """The board after gnubg's best play at 0-ply."""
    legs = gnubg_nn.best_move(gnubg_sides(board), roll.high, roll.low, 0)
    return plain_replay(board, roll.high, roll.low, list(legs))


def gnubg_pubeval_choice(board: Board, roll: Roll) -> Board:
    """The board after pubeval's play in gnubg-nn, whose flat answer counts points from 0."""
    ends = gnubg_nn.pub_best_move(gnubg_sides(board), roll.high, roll.low)
    legs = [(ends[i] + 1, max(ends[i + 1] + 1, 0)) for i in range(0, len(ends), 2)]
    return plain_replay(board, roll.high, roll.low, legs)


def gnubg_pubeval_score(board: Board) -> float:
    """Pubeval's score of a board after the mover's play, with the weights for that board."""
    other, own = gnubg_sides(board)
    return gnubg_nn.pub_eval_score([own, other])


def bgsage_board(board: Board) -> list[int]:
    """bgsage's board: ours, but both bars count up."""
    return [-board[0], *board[1:]]


def board_of_bgsage(board: list[int]) -> Board:
    """The board of one of bgsage's."""
    return (-board[0], *board[1:])


def bgsage_boards_after(board: Board, high: int, low: int) -> set[Board]:
    """Boards after each legal play, by bgsage, which returns the board unchanged if there is none.

    Where the last checker can go off with either one die or two, bgsage also counts the play of
    one die; the rules ask for both, and so do gnubg-nn and we. Such a board is left out here.
    """
    rows = bgsage.possible_moves(bgsage_board(board), high, low)
    boards = {board_of_bgsage(row) for row in rows} - {board}
    return boards - _finished_with_one_die(board, high, low, boards)


def _finished_with_one_die(board: Board, high: int, low: int, boards: set[Board]) -> set[Board]:
    """The board after the larger die alone takes the last checker off, if both dice could."""
    source = next(point for point in range(25, 0, -1) if board[point] > 0)
    if high == low or board[source] > 1 or any(count > 0 for count in board[:source]):
        return set()
    if not low < source <= min(high, 6):
        return set()
    over = tuple(min(count, 0) for count in board)
    hit = plain_leg(board, source, low)
    return {over} if hit is not None and hit[0][0] < board[0] and len(boards) > 1 else set()


_PHASES = {0: "over", 1: "bear-off", 2: "bear-off", 3: "race", 4: "crunched", 5: "contact"}


def gnubg_phase(board: Board) -> str:
    """gnubg's word for the phase of the game."""
    return _PHASES[gnubg_nn.classify(gnubg_sides(board))]
