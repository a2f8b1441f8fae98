"""Levels by name."""

import multiprocessing
import threading
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine import roller
from bot.backgammon.engine.level import LEVELS, Level, level
from bot.backgammon.engine.nets import PRUNER
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import known_outcomes
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from bot.weights import listed_weights, weights_aliases
from tests.plain.networks import decided_network


def test_every_level_plays_with_weights_that_come_with_blot():
    names = {*listed_weights(), *weights_aliases()}
    assert {each.weights for each in LEVELS.values()} <= names


def test_levels_look_ever_further_ahead():
    plies = [each.search.ply for each in LEVELS.values()]
    assert plies == sorted(plies)
    assert level("expert").search.ply > 0


def test_engine_of_a_level_is_made_as_is_asked_for():
    away = np.arange(1.0, 65.0)
    simple = MatchEquityTable("simple", away / (away + away[:, np.newaxis]), 1 / (1 + away))
    asked = ChooseCubeAction(GameState(START, score=Score(7, 5, 3)))
    shallow = Level("easy", SearchSettings(1))
    with shallow.engine(print, candidates=3, met=simple) as engine:
        rows = engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1))).candidates
        assert len(rows) == 3
        assert rows[0].ply == 1
        assert engine.decide(asked).evaluation.mwc[2] == pytest.approx(4 / 5)
    stop = threading.Event()
    stop.set()
    with shallow.engine(print, cube=False, stop=stop) as engine:
        rows = engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1))).candidates
        assert {row.ply for row in rows} == {0}
        assert engine.decide(asked).evaluation is None


def test_every_level_knows_the_ends_of_games():
    boards = Position.of({6: 2}, {1: 2}).board[np.newaxis]
    for each in (Level("easy"), level("expert")):
        assert known_outcomes(boards, each.evaluator(print).databases)[1].all()


def test_engine_that_rolls_out_has_processes_until_it_is_closed():
    best = level("best")
    quick = replace(best, weights="easy", roller=replace(best.roller, workers=2))
    with quick.engine(print) as engine:
        assert not multiprocessing.active_children()
        engine.prepare()
        assert len(multiprocessing.active_children()) == 2
    assert not multiprocessing.active_children()


def test_level_that_rolls_out_has_a_worker_for_each_processor_it_may_use(monkeypatch):
    monkeypatch.setattr(roller, "processor_count", lambda: 3)
    with replace(level("best"), weights="easy").engine(print) as engine:
        assert engine._roller._workers.count == 3


def test_time_of_a_level_that_rolls_out_is_shared_with_its_search():
    best = level("best")
    hurried = replace(best, roller=replace(best.roller, seconds=2.0))
    for each, seconds in ((best, None), (hurried, 0.5)):
        assert each.engine(print)._search.settings == replace(best.search, seconds=seconds)


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_gammons_that_count_for_nothing_at_the_score_are_told_as_they_are(ply):
    """At 5 to 3 of 7 points; nothing but a double, 1 in 6, wins a backgammon."""
    position = Position.of({1: 4}, {1: 6, 3: 2, 6: 3, 14: 1, 15: 1, 16: 1, 19: 1})
    state = GameState(position, Cube(), Score(7, 5, 3))
    decision = Level(search=SearchSettings(ply)).engine(print).decide(ChooseCubeAction(state))
    assert decision.chances.win_backgammon == pytest.approx(1 / 6, abs=0.01)


def test_a_double_in_a_last_exchange_is_looked_into_though_it_leads_by_far():
    """With few checkers and contact a static double that is taken is 0.4 off."""
    position = Position.of({2: 1, 4: 1, 5: 1, 10: 1}, {1: 2, 3: 1, 5: 1, 24: 1})
    asked = AnswerDouble(GameState(position, money=MoneyRules(jacoby=False)))
    with level("expert").engine(print, candidates=1) as engine:
        assert engine.decide(asked).answer is DoubleAnswer.DROP
    with Level().engine(print, candidates=1) as engine:
        assert engine.decide(asked).answer is DoubleAnswer.TAKE


def test_a_double_in_a_late_contact_is_looked_into_however_far_it_leads():
    """Without looking ahead it is worth -0.34 for the doubler, and 0.49 by rollouts."""
    position = Position.of({4: 1, 5: 3}, {25: 1})
    asked = AnswerDouble(GameState(position, money=MoneyRules(jacoby=False, beavers=True)))
    with level("expert").engine(print, candidates=1) as engine:
        assert engine.decide(asked).answer is DoubleAnswer.TAKE
    with Level().engine(print, candidates=1) as engine:
        assert engine.decide(asked).answer is DoubleAnswer.BEAVER


def test_level_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no level 'god': it is one of easy, medium, hard"):
        level("god")


def test_level_without_weights_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"none\.npz"):
        Level(str(tmp_path / "none.npz"), SearchSettings(1)).engine(print)


@pytest.mark.parametrize(("units", "is_pruned"), [((6,), False), ((6, 4), True)])
def test_network_of_several_layers_is_pruned(tmp_path, units, is_pruned):
    file = tmp_path / "own.npz"
    decided_network(*units).save(file)
    level = Level(str(file), SearchSettings(1))
    pruners = [None, load_network(PRUNER)]
    searches = [Search(level.evaluator(print), level.search, pruner=each) for each in pruners]
    whole, pruned = (each.candidates(START.board, Roll(3, 1)).outcomes for each in searches)
    assert np.abs(pruned - whole).max() > 1e-5
    decision = level.engine(print, cube=False).decide(
        ChooseCheckerPlay(GameState(START), Roll(3, 1))
    )
    expected = searches[is_pruned].candidates(START.board, Roll(3, 1)).utilities.max()
    assert max(candidate.equity for candidate in decision.candidates) == pytest.approx(
        expected, abs=1e-6
    )
