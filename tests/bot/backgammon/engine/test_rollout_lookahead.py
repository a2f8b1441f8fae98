"""Trials whose players look ahead, held to plain ones; and what is kept from trial to trial."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine import rollout_trials
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_start import cubeless_start, play_start, roll_start
from bot.backgammon.engine.rollout_trials import (
    RolloutSettings,
    double_margin,
    piece_of_rollout,
    seat_of,
)
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position
from tests.bot.backgammon.engine.test_rollout_trials import (
    ENDINGS,
    MET,
    NOVICE,
    evaluator,
    hold_to_plain_ones,
)

SHORT = Position.of({18: 1, 2: 2, 1: 2}, {22: 1, 3: 2, 2: 1})


def played(own, other, score=None):
    """A start after a play, which leaves the other side to double or roll."""
    state = GameState(Position.of(own, other), score=score)
    return play_start(state, state.position, MET)


STARTS = {
    "for money": play_start(GameState(SHORT), SHORT, MET),
    "at a score": play_start(GameState(SHORT, score=Score(5, 2, 3)), SHORT, MET),
    "doubles are taken": played({11: 1, 9: 1}, {5: 2, 7: 1}),
    "doubles are taken late": played({4: 1, 9: 1}, {7: 2, 10: 2}, Score(5, 2, 3)),
    "doubles are taken and dropped": played({1: 1, 10: 1}, {12: 1, 6: 1}, Score(9, 4, 3)),
    "who would double rolls": roll_start(GameState(Position.of({3: 1, 5: 1}, {7: 2, 14: 1}))),
}


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("is_reduced", [True, False])
def test_trials_with_lookahead_agree_with_plain_ones(name, is_reduced):
    engine = Engine(evaluator(False), SearchSettings(1), candidates=1, met=MET)
    limits = RolloutSettings(3, truncate=4, ply=1, is_reduced=is_reduced)
    hold_to_plain_ones(STARTS[name], limits, engine)


@pytest.mark.parametrize("position", [SHORT, ENDINGS[1]])
@pytest.mark.parametrize("is_reduced", [True, False])
def test_trials_with_lookahead_without_the_cube_agree_with_plain_ones(position, is_reduced):
    engine = Engine(evaluator(False), SearchSettings(1), candidates=1, cube=False)
    limits = RolloutSettings(2, truncate=4, ply=1, is_reduced=is_reduced)
    hold_to_plain_ones(cubeless_start(position), limits, engine)


@pytest.mark.parametrize(
    ("no_double", "double_take", "margin"),
    [(0.2, -0.3, 0.5), (0.2, 0.6, 0.4), (0.2, 0.9, 0.1), (0.7, 1.2, 0.2), (1.3, 1.05, 0.3)],
)
def test_a_double_far_from_both_its_decisions_is_not_looked_into(no_double, double_take, margin):
    table = cube_table(GameState(START, money=MoneyRules(jacoby=False)))
    rolled = np.array([no_double, 0.0, double_take / 2])
    assert double_margin(rolled, table) == pytest.approx(margin)


def test_doubles_in_trials_are_looked_into_where_they_are_close(monkeypatch):
    margins = set()
    rolled = Search.rolled

    def spied(search, board, cube, *, margin=None):
        margins.add(margin)
        return rolled(search, board, cube, margin=margin)

    monkeypatch.setattr(Search, "rolled", spied)
    start = roll_start(GameState(START, money=MoneyRules(jacoby=False)))
    list(rollouts([start], NOVICE, RolloutSettings(2, truncate=3, ply=1)))
    assert margins == {double_margin}


def test_players_that_look_ahead_prune_and_keep_the_replies_they_saw(monkeypatch):
    network = evaluator(False).network
    monkeypatch.setattr(rollout_trials, "Search", lambda *asked, **more: more)
    monkeypatch.setattr(rollout_trials, "pruner_of", lambda network: network)
    seat = rollout_trials.Seat(NOVICE, SearchSettings(1))
    assert seat.search == {"pruner": network, "keeps_replies": True}


def test_copies_of_a_match_equity_table_are_one_to_what_is_kept():
    settings = RolloutSettings(2, truncate=1, seed=77)
    start = roll_start(GameState(START, score=Score(5, 2, 3)), MET)
    games = seat_of(NOVICE, settings.search).games
    before = games.cache_info().misses
    for _ in range(2):
        start = replace(start, met=copy.deepcopy(MET))
        piece_of_rollout(NOVICE, settings, start, 0, 2)
    assert games.cache_info().misses == before + 1
