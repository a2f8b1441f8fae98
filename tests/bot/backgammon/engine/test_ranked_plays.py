"""Plays that are rolled out, where no play can be worth more than the game."""

import numpy as np
import pytest

from bot.backgammon.engine.roller import LEAST_OF_DECISION
from bot.backgammon.engine.rollout_start import play_start
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from tests.bot.backgammon.engine.test_roller import MET, MONEY, engine_of, roller_of

WORTH = 0.99, 1.02, 1.04
"""What rollouts say of three plays, where the other side errs."""


@pytest.fixture
def said(monkeypatch):
    """Rollouts say these equities of the plays, or the last of them."""

    def trials(workers, player, settings, starts, first, end, **more):
        found = np.zeros((len(starts), 2, end - first, UTILITY + 1))
        for number in range(len(starts)):
            found[number, 0, :, UTILITY] = -WORTH[min(number, len(WORTH) - 1)]
        return found

    monkeypatch.setattr(RolloutWorkers, "trials", trials)


@pytest.mark.usefixtures("said")
def test_plays_of_the_most_that_a_play_is_worth_stay_in_the_order_of_the_search():
    starts = [play_start(MONEY, START, MET)] * len(WORTH)
    assert [play.number for play in roller_of().ranked(starts)] == [2, 1, 0]
    ranked = roller_of().ranked(starts, most=1.0)
    assert [play.number for play in ranked[:2]] == [1, 2]
    assert [play.equity for play in ranked] == pytest.approx([1.0, 1.0, 0.99])
    assert [play.loss for play in ranked] == pytest.approx([0.0, 0.0, 0.01])
    assert {play.rollout.trials for play in ranked} >= {LEAST_OF_DECISION}


@pytest.mark.usefixtures("said")
@pytest.mark.parametrize("off", [0, 1])
def test_no_play_is_worth_more_than_the_game_where_the_other_side_has_borne_off(off):
    position = Position.of({6: 5, 4: 5, 3: 5}, {6: 5, 4: 5, 3: 5 - off})
    state = GameState(position, money=MoneyRules(jacoby=False))
    best = engine_of().decide(ChooseCheckerPlay(state, Roll(2, 1))).candidates[0]
    assert best.equity == pytest.approx(1.0 if off else 1.04)
