"""Settings: what they may be, and which rate and which options they mean."""

from dataclasses import replace

import pytest

from bot.backgammon.engine.nets import PRUNER
from bot.backgammon.training.settings import LearnerName, Schedule, Settings, option_of


def test_lookahead_prunes_as_searches_do_unless_told_otherwise():
    assert Settings().pruner == PRUNER


def test_linear_schedule_goes_straight_between_rates():
    settings = Settings(games=100, rates=(0.3, 0.1, 0.0001), schedule=Schedule.LINEAR)
    assert [settings.rate_at(games) for games in (0, 25, 50, 100, 500)] == pytest.approx(
        [0.3, 0.2, 0.1, 0.0001, 0.0001]
    )


def test_linear_schedule_may_end_at_0():
    settings = Settings(games=4_000_000, rates=(0.05, 0.0))
    for games in (0, 1_000_000, 4_000_000):
        assert settings.rate_at(games) == pytest.approx(0.05 * (4_000_000 - games) / 4_000_000)


def test_steps_have_equal_shares_of_the_games():
    settings = Settings(games=90, rates=(0.3, 0.2, 0.1), schedule=Schedule.STEPS)
    assert [settings.rate_at(games) for games in (0, 29, 30, 60, 90)] == [0.3, 0.3, 0.2, 0.1, 0.1]


def test_constant_schedule_has_one_rate():
    assert Settings(rates=(0.1,), schedule=Schedule.CONSTANT).rate_at(10**9) == 0.1
    with pytest.raises(ValueError, match="one rate: give it with --rates"):
        Settings(rates=(0.1, 0.2), schedule=Schedule.CONSTANT)


def test_rate_of_a_schedule_by_trials_is_not_known_from_games():
    with pytest.raises(ValueError, match="not known from the games"):
        Settings(schedule=Schedule.TRIALS).rate_at(5)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"games": 0}, "--games is 1 to 1,000,000,000,000, not 0"),
        ({"hidden_units": 10**9}, "--hidden is 1 to 4,096, not 1,000,000,000"),
        ({"most_plies": 0}, "--max-plies is 1 to 1,000,000, not 0"),
        ({"seed": -1}, "--seed is 0 to"),
        ({"workers": 0}, "--workers is 1 to 256"),
        ({"test_games": 15}, "pairs of games, so --test-games is even, not 15"),
        ({"trace": 1.5}, "--lambda is 0 to 1, not 1.5"),
        ({"trace": float("nan")}, "--lambda is 0 to 1, not nan"),
        ({"rates": (0.1, -0.1)}, "--rates are learning rates above 0"),
        ({"rates": (0.0,)}, "--rates are learning rates above 0"),
        ({"rates": (0.1, 0.0, 0.1)}, "the last of several perhaps 0, not"),
        ({"rates": ()}, "--rates are learning rates above 0"),
        ({"units": (4, 4, 4, 4)}, "--units are one to three layers"),
        ({"units": (0,)}, "--units are one to three layers"),
        ({"units": (4, 4, 4, 4)}, "units, not 4 4 4 4$"),
        ({"rates": (0.0,)}, "the last of several perhaps 0, not 0$"),
        ({"rates": ()}, "perhaps 0, not none$"),
        ({"phases": 3}, "--phases is 1 or 8, not 3"),
        ({"passes": 0.0}, "--passes is above 0"),
        ({"averaging": 1.0}, "--averaging is at least 0 and below 1, not 1"),
        (
            {"learner": LearnerName.LOOKAHEAD, "schedule": Schedule.TRIALS},
            "schedule trials is for the learner td, backpropagation or mutation, and this run's",
        ),
        ({"outputs": 3}, "--outputs are 1, 2, 4 or 5, not 3"),
        ({"trace": 2.0}, "--lambda is 0 to 1, not 2"),
        ({"noise": 0.0}, "--noise is above 0 and at most 1, not 0"),
        ({"step": 1.5}, "--step is above 0 and at most 1, not 1.5"),
        ({"duel_games": 5}, "a duel has pairs of games, so --duel-games is even, not 5"),
        (
            {"learner": LearnerName.MUTATION, "games": 1_005},
            "whole duels, of 10 games each, so --games is a multiple of that, not 1,005",
        ),
        (
            {"learner": LearnerName.MUTATION, "test_every": 99},
            "--test-every is a multiple of that, not 99",
        ),
        ({"start": "a\udc80b"}, "--start is kept in files as UTF-8, which 'a"),
    ],
)
def test_impossible_settings_are_refused_by_the_name_of_their_option(values, words):
    with pytest.raises(ValueError, match=words):
        Settings(**values)


def test_setting_of_the_other_learner_changes_nothing():
    by_td, by_lookahead = Settings(), Settings(learner=LearnerName.LOOKAHEAD)
    told = "is for the learner lookahead, and this run's is td"
    assert by_td.objection_to("units") == told
    assert by_lookahead.objection_to("units") == ""
    assert by_lookahead.objection_to("hidden_units") == (
        "is for the learner td, backpropagation or mutation, and this run's is lookahead"
    )
    by_mutation = Settings(learner=LearnerName.MUTATION)
    assert "with the schedule trials alone" in by_mutation.objection_to("rates")
    assert by_td.objection_to("noise").startswith("is for the learner mutation")
    assert by_td.objection_to("start") == by_lookahead.objection_to("start") == ""


def test_options_are_named_as_the_field_names_things():
    names = ("trace", "hidden_units", "most_plies", "test_every", "games")
    assert [option_of(name) for name in names] == [
        *("lambda", "hidden", "max-plies", "test-every", "games")
    ]


def test_recursive_rate_is_multiplied_by_the_share_of_games_left_after_each():
    settings = Settings(games=50, rates=(0.05,), schedule=Schedule.RECURSIVE)
    rate = 0.05
    for games in range(1, 51):
        rate *= (50 - games) / 50
        assert settings.rate_at(games) == pytest.approx(rate)
    assert replace(settings, games=4_000_000).rate_at(10_000) < 1e-6
