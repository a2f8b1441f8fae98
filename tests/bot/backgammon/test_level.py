"""Levels by name."""

import numpy as np
import pytest

from bot.backgammon.level import LEVELS, Level, level
from bot.backgammon.network import random_network
from bot.backgammon.position import START
from bot.backgammon.roll import Roll
from bot.backgammon.search import SearchSettings
from bot.weights import listed_weights, weights_aliases


def test_every_level_plays_with_weights_that_come_with_blot():
    names = {*listed_weights(), *weights_aliases()}
    assert {each.weights for each in LEVELS.values()} <= names


def test_levels_look_ever_further_ahead():
    plies = [each.search.ply for each in LEVELS.values()]
    assert plies == sorted(plies)
    assert level("expert").search.ply > 0


def test_level_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no level 'god': it is one of easy, medium, hard"):
        level("god")


def test_level_without_weights_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"none\.npz"):
        Level(str(tmp_path / "none.npz"), SearchSettings(1)).engine(print)


def test_level_prunes_with_the_network_it_names(tmp_path):
    random_network(3, 7).save(tmp_path / "ignorant.npz")
    searches = [
        Level("easy", SearchSettings(1), pruner=pruner).searcher(print)
        for pruner in (None, "easy", str(tmp_path / "ignorant.npz"))
    ]
    plain, same, other = (search.ratings(START.board, Roll(3, 1)).outcomes for search in searches)
    assert same == pytest.approx(plain, abs=2e-6)
    assert np.abs(other - plain).max() > 1e-5
