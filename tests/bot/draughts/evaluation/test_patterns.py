"""The evaluation by patterns."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from bot.draughts.evaluation.patterns import PatternEvaluation, long_diagonal, twins
from bot.draughts.kernels.patterns import MOVE
from bot.draughts.rules.board import own_squares
from bot.draughts.rules.position import Position, squares_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from tests.draughts_strategies import positions
from tests.plain.draughts import place_of
from tests.plain.draughts_deepening import plain_score


def random_evaluation(variant, seed=1):
    generator = np.random.default_rng(seed)
    start = PatternEvaluation.untrained(variant)
    regions = generator.integers(-300, 300, start.regions.shape).astype(np.int16)
    return PatternEvaluation(variant, regions, generator.integers(-2000, 2000, (5, 2)))


RANDOM = {variant: random_evaluation(variant) for variant in VARIANTS.values()}


@given(position=positions())
def test_a_score_is_the_sum_of_what_stands_in_the_regions(position):
    evaluation = RANDOM[position.variant]
    assert evaluation.score(position) == plain_score(evaluation, position) / 100


@given(position=positions())
def test_the_untrained_evaluation_turned_has_the_opposite_score(position):
    evaluation = PatternEvaluation.untrained(position.variant)
    evaluation.terms[MOVE] = 0
    waiting = replace(position, turn=position.turn.other)
    # weights are in thousandths, each perhaps rounded the other way, and the division rounds down
    rounded = 0.001 * len(evaluation.regions) + 0.011
    assert evaluation.score(position) == pytest.approx(-evaluation.score(waiting), abs=rounded)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_the_long_diagonal_goes_from_corner_to_corner(variant):
    squares = list(squares_of(own_squares(long_diagonal(variant), variant, Side.WHITE)))
    assert len(squares) == variant.rows
    assert all(sum(place_of(variant, square)) == variant.rows - 1 for square in squares)


def test_a_content_turned_twice_is_the_same():
    turned = twins()
    assert (turned[turned] == np.arange(len(turned))).all()
    assert turned[0] == 0
    assert turned[1] == 2 * 3**7


def test_a_man_ahead_is_worth_about_a_man():
    position = Position.start(CZECH)
    less = replace(position, black_men=position.black_men & ~(1 << 5))
    evaluation = PatternEvaluation.untrained(CZECH)
    assert evaluation.score(less) - evaluation.score(position) == pytest.approx(1, abs=0.2)


def test_an_evaluation_comes_back_from_its_file(tmp_path):
    evaluation = replace(RANDOM[CZECH], history={"games": 7})
    evaluation.save(tmp_path / "weights.npz")
    found = PatternEvaluation.load(tmp_path / "weights.npz")
    assert (found.regions == evaluation.regions).all()
    assert (found.terms == evaluation.terms).all()
    assert (found.variant, found.history) == (CZECH, {"games": 7})


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "weights.npz"
    path.write_bytes(b"PK not an archive")
    with pytest.raises(ValueError, match=r"weights\.npz is no draughts evaluation"):
        PatternEvaluation.load(path)


def test_weights_of_the_other_variant_are_refused():
    evaluation = RANDOM[CZECH]
    with pytest.raises(ValueError, match="international draughts has"):
        PatternEvaluation(INTERNATIONAL, evaluation.regions, evaluation.terms)
