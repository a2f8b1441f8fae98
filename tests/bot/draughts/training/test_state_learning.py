import numpy as np
import pytest

from bot.draughts.training.state_learning import LearningSettings, StateLearning


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


def learnt(games, **settings):
    learning = StateLearning(LearningSettings(depth=1, **settings))
    learning.advance(games)
    return learning


def test_the_same_seed_learns_the_same():
    assert_same(learnt(4).state(), learnt(4).state())
    assert len(learnt(2, seed=2).state()["white_values"]) != len(learnt(2).state()["white_values"])


@pytest.mark.parametrize("is_shared", [True, False])
def test_learning_goes_on_from_a_state_as_if_it_had_not_stopped(is_shared):
    whole = learnt(5, is_shared=is_shared)
    first = learnt(3, is_shared=is_shared)
    second = StateLearning(first.settings)
    second.restore(first.state())
    second.advance(2)
    assert second.results == whole.results
    assert_same(second.state(), whole.state())


def test_every_position_of_a_game_is_learnt_when_the_last_learns_first():
    learning = learnt(1)
    assert learning.states == learning.results.plies


def test_one_position_of_the_first_game_is_learnt_when_the_first_learns_first():
    assert learnt(1, is_backward=False).states == 1


def test_both_sides_learn_in_turn_each_in_its_own_table():
    learning = StateLearning(LearningSettings(depth=1, is_shared=False))
    learning.advance(1)
    white, black = learning.tables
    assert len(white) > 0 == len(black)
    learning.advance(1)
    assert len(black) > 0
    assert learning.states == len(white) + len(black)


def test_one_table_serves_both_sides():
    learning = learnt(2)
    assert learning.tables[0] is learning.tables[1]


def test_the_best_beats_the_side_that_moves_by_chance():
    learning = StateLearning(LearningSettings(depth=2))
    learning.advance(10)
    assert learning.results.games == 10
    assert learning.results.score.mean > 0.8


def test_a_table_that_is_not_asked_changes_no_game():
    asked, unasked = (learnt(6, is_asked=each) for each in (True, False))
    again = learnt(6, is_asked=False, is_backward=False)
    assert unasked.results == again.results
    assert asked.results.games == unasked.results.games


def test_a_state_of_other_settings_is_refused():
    with pytest.raises(ValueError, match="no such tables and results"):
        StateLearning(LearningSettings(is_shared=False)).restore(learnt(1).state())


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"variant": "english"}, "no variant 'english'; there are international, czech"),
        ({"games": 0}, "1 to 1,000,000,000 games, not 0"),
        ({"games": 10**23}, "1 to 1,000,000,000 games, not 100,000,"),
        ({"depth": 0}, "1 to 60 plies deep, not 0"),
        ({"discount": 1.0}, "less than 1, not 1"),
        ({"seed": -1}, "0 or more, not -1"),
    ],
)
def test_settings_out_of_range_are_refused(settings, reason):
    with pytest.raises(ValueError, match=reason):
        LearningSettings(**settings)
