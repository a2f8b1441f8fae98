"""Equities so many rolls ahead."""

import numpy as np
import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.spread import EDGES, Spread, spreads
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import ROLLS

EVALUATOR = CompositeEvaluator(random_network(8, seed=5), NO_DATABASES)
PLAYER = Engine(EVALUATOR, cube=False)


def after(position, roll):
    return PLAYER.decide(ChooseCheckerPlay(GameState(position), roll)).play.after


def plain(position, rolls):
    """Every equity so many rolls ahead and its chance, for the player on roll."""
    if rolls == 0:
        return [(1.0, PLAYER.chances(position).equity)]
    return [
        (roll.chance * chance, -equity)
        for roll in ROLLS
        for chance, equity in plain(turned(after(position, roll)), rolls - 1)
    ]


@pytest.mark.parametrize("rolls", [1, 2])
def test_spread_after_one_and_two_rolls_is_exact(rolls):
    chances, equities = map(np.array, zip(*plain(START, rolls), strict=True))
    found = spreads(START, EVALUATOR, rolls)[-1]
    assert found.rolls == rolls
    mean = (chances * equities).sum()
    assert found.mean == pytest.approx(mean, abs=1e-6)
    deviation = (chances * (equities - mean) ** 2).sum() ** 0.5
    assert found.deviation == pytest.approx(deviation, abs=1e-6)


def test_finished_game_keeps_its_equity():
    last = Position.of({1: 1}, {1: 2})
    for is_own, equity in ((True, 1.0), (False, -1.0)):
        for spread in spreads(last, EVALUATOR, 3, is_own=is_own):
            assert set(spread.equities) == {equity}


def test_game_that_the_play_before_has_ended_keeps_its_equity():
    lost = Position.of({1: 2}, {})
    for is_own, equity in ((True, -1.0), (False, 1.0)):
        for spread in spreads(lost, EVALUATOR, 3, is_own=is_own):
            assert set(spread.equities) == {equity}


@pytest.mark.parametrize("is_own", [True, False])
def test_game_that_is_over_keeps_its_equity_while_others_go_on(is_own):
    position = Position.of({1: 4}, {1: 3})  # who throws a double first wins, else the first at last
    *_, last = spreads(position, EVALUATOR, 3, is_own=is_own)
    equities, counts = np.unique(last.equities, return_counts=True)
    lost = 36 * 30 // 6
    assert dict(zip(equities if is_own else -equities, counts, strict=True)) == {
        -1.0: lost,
        1.0: 36 * 36 - lost,
    }


def test_games_that_end_with_the_fourth_roll_are_lost():
    *_, third, fourth = spreads(Position.of({1: 5}, {1: 4}), EVALUATOR, 4)
    assert set(third.equities) > set(fourth.equities) == {-1.0, 1.0}
    assert np.array_equal(third.equities == 1.0, fourth.equities == 1.0)


def test_shares_are_of_all_equities_those_outside_in_the_outer_ones():
    spread = Spread(1, np.array([-3.0, -0.1, 0.0, 3.0]))
    assert len(spread.shares) == len(EDGES) - 1
    assert (spread.shares[0], spread.shares[-1], sum(spread.shares)) == (0.25, 0.25, 1.0)


def test_number_of_rolls_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="1 to 20 rolls ahead, not 0"):
        spreads(START, EVALUATOR, 0)
