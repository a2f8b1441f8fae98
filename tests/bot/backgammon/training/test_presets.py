"""Presets, and what counts if nothing is given."""

from dataclasses import replace

import pytest

from bot.backgammon.training.presets import PRESETS, STANDARD, preset
from bot.backgammon.training.settings import LearnerName, Settings


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_makes_settings_and_says_what_for(name):
    settings = replace(Settings(), **preset(name).values)
    assert f"{settings.games:,} games" in preset(name).purpose
    assert not any(map(settings.objection_to, preset(name).values))


def test_standard_settings_are_those_of_their_learner():
    assert all(STANDARD[learner].learner is learner for learner in LearnerName)
    assert STANDARD[LearnerName.TEMPORAL_DIFFERENCE].games == PRESETS["default"].values["games"]


def test_unknown_preset_is_told_the_known_ones():
    with pytest.raises(ValueError, match="no preset 'slow'; there are quick, default"):
        preset("slow")
