"""Endings that are solved."""

from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from bot.draughts.evaluation.endings import (
    built_endings,
    check_endings,
    endings_path,
    load_endings,
    no_endings,
    table_sizes,
)
from bot.draughts.kernels.boards import Board
from bot.draughts.kernels.endings import IMPOSSIBLE, board_of, ending_value, row_of, value_of_moves
from bot.draughts.kernels.moves import new_jumps, new_moves
from bot.draughts.rules.board import boards_of, rules_of
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from bot.kernels.kernel import COMPILES


def two_pieces(variant, kinds):
    """All positions of one white and one black piece, White to move."""
    for white, black in permutations(range(variant.squares), 2):
        sets = [0, 0, 0, 0]
        sets[kinds[0]] = 1 << white
        sets[2 + kinds[1]] = 1 << black
        try:
            yield Position(variant, Side.WHITE, *sets)
        except ValueError:  # a man where it would be a king
            continue


def as_white(position):
    """The position turned round if Black is to move in it."""
    if position.turn is Side.WHITE:
        return position
    count = position.variant.squares

    def turned(squares):
        return int(f"{squares:0{count}b}"[::-1], 2)

    sets = (position.black_men, position.black_kings, position.white_men, position.white_kings)
    return Position(position.variant, Side.WHITE, *map(turned, sets))


def plain_values(variant):
    """Values of all positions of two pieces, from passes over all of them."""
    nexts = {}
    for kinds in product(range(2), repeat=2):
        for position in two_pieces(variant, kinds):
            moves = legal_moves(position)
            nexts[position] = [as_white(position_after(position, move)) for move in moves]
    values = {}
    is_news = True
    while is_news:
        found = {}
        for position, after in nexts.items():
            if position in values:
                continue
            # a position that is not there has no piece of who is to move
            theirs = [values.get(each, 0 if each in nexts else -1) for each in after]
            lost = [-value for value in theirs if value < 0]
            if lost:
                found[position] = min(lost)
            elif all(value > 0 for value in theirs):
                found[position] = -max(theirs, default=-1) - 2
        values |= found
        is_news = bool(found)
    return {position: values.get(position, 0) for position in nexts}


@pytest.mark.slow
def test_endings_of_two_pieces_are_those_of_a_plain_solver():
    endings = built_endings(CZECH, 2)
    for position, value in plain_values(CZECH).items():
        board = Board(*boards_of([position])[0].tolist())
        assert ending_value(board, rules_of(CZECH), endings) == value


@pytest.mark.slow
@pytest.mark.parametrize("variant", [CZECH, INTERNATIONAL], ids=lambda variant: variant.name)
def test_a_value_follows_from_those_after_the_moves(variant):
    pieces = 3 if COMPILES else 2
    endings, rules = built_endings(variant, pieces), rules_of(variant)
    random, moves, jumps = Random(1), new_moves(), new_jumps()
    values = set()
    for table, (start, size) in table_sizes(variant, pieces).items():
        for rank in random.sample(range(size), min(size, 300)):
            value = int(endings.values[start + rank])
            if value != IMPOSSIBLE:
                board = board_of(rank, table, rules, endings)
                assert row_of(board, rules, endings) == start + rank
                assert value_of_moves(board, rules, endings, moves, jumps) == value
                values.add(value)
    assert {-1, 0, 1} <= values


@pytest.mark.slow
@pytest.mark.parametrize("shift", [-1, 2])
def test_a_wrong_value_is_found(shift):
    endings, rules = built_endings(CZECH, 2), rules_of(CZECH)
    kings = Position(CZECH, Side.WHITE, 0, 1 << 30, 0, 1 << 2)
    row = row_of(Board(*boards_of([kings])[0].tolist()), rules, endings)
    assert check_endings(CZECH, endings) == np.count_nonzero(endings.values != IMPOSSIBLE)
    endings.values[row] += shift
    with pytest.raises(ValueError, match="values of the endings of czech draughts do not follow"):
        check_endings(CZECH, endings)


def test_every_row_is_one_board():
    endings, rules = built_endings(CZECH, 2), rules_of(CZECH)
    for table, (start, size) in table_sizes(CZECH, 2).items():
        for rank in range(0, size, 7):
            if endings.values[start + rank] != IMPOSSIBLE:
                board = board_of(rank, table, rules, endings)
                assert row_of(board, rules, endings) == start + rank


def test_endings_are_built_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    told = []
    built = load_endings(CZECH, told.append, 2)
    assert told == ["solving the endings of czech draughts with up to 2 pieces, once"]
    read = load_endings(CZECH, told.append, 2)
    assert len(told) == 1
    assert (built.values == read.values).all()


def test_a_damaged_file_is_built_again(tmp_path, monkeypatch):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    path = endings_path(CZECH, 2)
    path.parent.mkdir(parents=True)
    path.write_bytes(bytes(5000))
    told = []
    endings = load_endings(CZECH, told.append, 2)
    assert "damaged" in told[0]
    assert np.count_nonzero(endings.values > 0) > 100


def test_where_nothing_can_be_kept_nothing_is_said_of_that(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr("bot.draughts.evaluation.endings.writing_problem", lambda: "no folder")
    told = []
    assert len(load_endings(CZECH, told.append, 2).values)
    assert told == ["solving the endings of czech draughts with up to 2 pieces, once"]


def test_other_numbers_of_pieces_are_refused():
    with pytest.raises(ValueError, match="endings have 2 to 4 pieces, not 5"):
        built_endings(CZECH, 5)


def test_no_endings_are_of_no_pieces():
    assert no_endings().most == 0
