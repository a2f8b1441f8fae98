import numpy as np
import pytest

from bot.draughts.kernels.perft import leaf_count
from bot.draughts.rules.board import boards_of, rules_of
from bot.draughts.rules.perft import perft
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH
from bot.kernels.kernel import COMPILES
from tests.plain.draughts import plain_perft
from tests.plain.perft_tables import TABLES, plain_position

MOST = 9_000_000 if COMPILES else 400


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_leaves_are_as_many_as_published(table):
    position = plain_position(table.variant, table.fen)
    expected = [leaves for leaves in table.leaves if leaves <= MOST]
    found = [perft(position, depth + 1, table.distinct)[0] for depth in range(len(expected))]
    assert found == expected


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_plain_twin_counts_the_same(table):
    position = plain_position(table.variant, table.fen)
    expected = [leaves for leaves in table.leaves if leaves <= 100]
    found = [plain_perft(position, depth + 1, not table.distinct) for depth in range(len(expected))]
    assert found == expected


def test_boards_looked_at_are_all_but_the_leaves():
    start = Position.start(CZECH)
    nodes = np.zeros(1, np.int64)
    assert leaf_count(boards_of([start]), rules_of(CZECH), 3, nodes) == 302
    assert nodes[0] == 1 + 7 + 49
    assert perft(start, 1) == (7, 1)


def test_depth_is_at_least_one():
    with pytest.raises(ValueError, match="a depth is 1 or more, not 0"):
        perft(Position.start(CZECH), 0)
