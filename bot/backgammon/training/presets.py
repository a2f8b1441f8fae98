"""Presets: settings to start from, and those that nobody has to give."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.backgammon.training.settings import LearnerName, Settings


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings that go together, by field, and what they are for and how long that takes."""

    purpose: str
    values: Mapping[str, Any]


PRESETS = {
    "quick": Preset(
        "a first look, 150,000 games and their tests in six minutes on two busy cores; on the way "
        "it passes the best networks of the theses of 2007 and 2010",
        {
            "games": 150_000,
            "hidden_units": 128,
            "trace": 0.3,
            "rates": (0.03, 0.01, 0.003, 0.001),
            "workers": 2,
            "test_every": 10_000,
        },
    ),
    "default": Preset(
        "a network as strong as td-256, 1,500,000 games, which took 32 minutes on one busy core",
        {
            "games": 1_500_000,
            "hidden_units": 256,
            "rates": (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002),
            "workers": 2,
        },
    ),
}

STANDARD = {
    LearnerName.TEMPORAL_DIFFERENCE: replace(Settings(), **PRESETS["default"].values),
    LearnerName.BACKPROPAGATION: replace(
        Settings(), learner=LearnerName.BACKPROPAGATION, **PRESETS["default"].values
    ),
    LearnerName.MUTATION: Settings(learner=LearnerName.MUTATION, hidden_units=40),
    LearnerName.LOOKAHEAD: Settings(
        learner=LearnerName.LOOKAHEAD,
        inputs="players-1",
        games=200_000,
        rates=(0.0005, 0.0003, 0.0001, 0.00003, 0.000003),
    ),
}
"""Settings in place of those not given: the preset default; for lookahead the games and rates that
phases-512-64 had."""


def preset(name: str) -> Preset:
    """The preset of that name; raises ValueError if there is none."""
    if name not in PRESETS:
        raise ValueError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]
