"""Two plies ahead with the cube."""

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import build_databases, known_equities
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.lab.cube.efficiency import fixed, table_at
from bot.backgammon.lab.cube.tree import cube_tree, expected, leafless_tree, looked_ahead, static
from bot.backgammon.rules.position import Position
from tests.plain.networks import decided_network

ENDINGS = np.array(
    [Position.of({6: 1, 5: 1}, {4: 2}).points, Position.of({6: 2}, {1: 1}).points], np.int8
)


def test_owned_cube_is_the_others_after_a_roll():
    values = np.tile(np.array([0.1, 0.2, 0.3]), (21, 1))
    assert expected(values) == pytest.approx(np.array([-0.1, -0.3, -0.2]))


def test_looking_ahead_in_a_bearoff_that_the_table_knows_agrees_with_it():
    evaluator = CompositeEvaluator(decided_network(4), build_databases(lambda text: None, 3, 3))
    tree = cube_tree(ENDINGS, evaluator)
    values = looked_ahead(tree, table_at(fixed(0.68), evaluator.databases))
    exact = known_equities(ENDINGS, evaluator.databases)[0]
    assert values == pytest.approx(exact, abs=1e-5)


def test_static_values_need_no_leaves():
    evaluator = CompositeEvaluator(decided_network(4))
    cube = table_at(fixed(0.68))
    tree = leafless_tree(ENDINGS, cube_tree(ENDINGS, evaluator).root_chances)
    assert static(tree, cube) == pytest.approx(static(cube_tree(ENDINGS, evaluator), cube))
