"""What was given for a run, and the settings that it makes."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.training.given import Given, settings_given
from bot.backgammon.training.presets import PRESETS, STANDARD
from bot.backgammon.training.settings import Activation, LearnerName
from bot.backgammon.training.temporal_difference import TemporalDifference
from tests.plain.networks import decided_network

LOOKAHEAD = LearnerName.LOOKAHEAD


def test_nothing_given_is_the_preset_default():
    assert settings_given([]) == STANDARD[LearnerName.TEMPORAL_DIFFERENCE]
    assert settings_given([Given(PRESETS["default"].values)]) == settings_given([])


def test_lookahead_has_rates_of_its_own():
    rates = settings_given([Given({"learner": LOOKAHEAD})]).rates
    assert max(rates) < min(settings_given([]).rates[:4])


def test_later_places_count_more():
    places = [Given({"games": 1, "seed": 2}), Given({"games": 3}), Given({"games": 5})]
    settings = settings_given(places)
    assert (settings.games, settings.seed) == (5, 2)


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (
            [Given({"units": (3,)})],
            "^--units is for the learner lookahead, and this run's is td$",
        ),
        (
            [Given({"most_plies": 5}, "run.toml"), Given({"learner": LOOKAHEAD})],
            "^run.toml: max-plies is for the learner td, backpropagation or "
            "mutation, and this run's is lookahead$",
        ),
        (
            [Given(PRESETS["quick"].values, "--preset quick"), Given({"learner": LOOKAHEAD})],
            "^--preset quick: hidden is for the learner td",
        ),
        (
            [Given({"learner": LOOKAHEAD, "layouts": 0.0, "layout_trace": 0.5})],
            "^--layout-lambda changes nothing with layouts 0",
        ),
        (
            [Given({"learner": LOOKAHEAD, "layouts": 1.0, "trace": 0.5}, "run.toml")],
            "^run.toml: lambda changes nothing with layouts 1",
        ),
        (
            [Given({"contrast": 8.0}, "run.toml"), Given({"learner": LOOKAHEAD, "candidates": 1})],
            "^run.toml: contrast changes nothing with candidates 1",
        ),
        ([Given({"start": "nobody"})], "no weights 'nobody'"),
    ],
)
def test_what_would_change_nothing_is_refused_where_it_was_given(places, words):
    with pytest.raises(ValueError, match=words):
        settings_given(places)


def test_layers_not_given_are_those_of_the_network_to_start_from(tmp_path):
    assert settings_given([Given({"start": "td-128"})]).hidden_units == 128
    assert settings_given([Given({"start": "td-128", "hidden_units": 200})]).hidden_units == 200
    path = tmp_path / "start.npz"
    decided_network(6, 4, inputs=PLAYERS, phases=8).save(path)
    settings = settings_given([Given({"learner": LOOKAHEAD, "start": str(path)})])
    assert (settings.inputs, settings.units, settings.phases) == ("players-1", (6, 4), 8)
    settings = settings_given([Given({"learner": LOOKAHEAD, "start": str(path), "units": (9, 4)})])
    assert (settings.units, settings.phases) == ((9, 4), 8)


def test_run_goes_on_with_the_hidden_units_of_the_network_it_starts_from(tmp_path):
    start = tmp_path / "start.npz"
    network = random_network(4, 1, outputs=1, is_logistic=True)
    network.save(start)
    settings = settings_given([Given({"start": str(start)})])
    assert settings.activation == "logistic"
    learner = TemporalDifference(replace(settings, workers=1))
    assert all(map(np.array_equal, learner.network.layers, network.layers))
    assert learner.network.has_logistic_units
    with pytest.raises(ValueError, match="its hidden units are logistic, and this run's rectified"):
        TemporalDifference(replace(settings, workers=1, activation=Activation.RECTIFIED))


def test_settings_that_were_not_given_need_not_count():
    given = {"learner": LOOKAHEAD, "layouts": 0.0, "candidates": 1}
    settings = settings_given([Given(given)])
    assert (settings.layouts, settings.candidates) == (0.0, 1)
