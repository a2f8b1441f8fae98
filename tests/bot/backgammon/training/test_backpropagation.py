"""Backpropagation: games of the learner by temporal difference, learnt by their outcome alone."""

from dataclasses import replace

import numpy as np

from bot.backgammon.training.settings import LearnerName, Settings
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(
    learner=LearnerName.BACKPROPAGATION, games=60, hidden_units=8, rates=(0.05, 0.01), seed=4
)


def test_outcomes_are_learnt_as_td_1_learns_games_backwards():
    one = TemporalDifference(SMALL)
    td = replace(SMALL, learner=LearnerName.TEMPORAL_DIFFERENCE)
    other, different = (TemporalDifference(replace(td, trace=trace)) for trace in (1.0, 0.9))
    for learner in (one, other, different):
        learner.advance(6)
    assert one.tally.broken_off == 0
    assert all(map(np.array_equal, one.network.layers, other.network.layers))
    assert not np.array_equal(one.network.layers.last, different.network.layers.last)


def test_games_broken_off_are_counted_and_teach_nothing():
    learner = TemporalDifference(replace(SMALL, most_plies=3))
    before = learner.network.layers
    learner.advance(10)
    assert (learner.tally.games, learner.tally.plies, learner.tally.broken_off) == (10, 30, 10)
    assert all(map(np.array_equal, before, learner.network.layers))
