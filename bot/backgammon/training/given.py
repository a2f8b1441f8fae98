"""Given: the settings that somebody gave, where, and the run's settings that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.backgammon.evaluation.network import load_network
from bot.backgammon.training.presets import STANDARD
from bot.backgammon.training.settings import Activation, LearnerName, Settings, option_of


@dataclass(frozen=True, slots=True)
class Given:
    """Settings given in one place: values by field; place: a file, say; empty for options."""

    values: Mapping[str, Any]
    place: str = ""

    def called(self, name: str) -> str:
        """One of the settings, as the one who gave it knows it."""
        return f"{self.place}: {option_of(name)}" if self.place else f"--{option_of(name)}"


def settings_given(places: Sequence[Given]) -> Settings:
    """The settings of a run: a later place counts more than an earlier one.

    What was not given is the learner's standard; inputs and layers are those of the network to
    start from, if there is one. Raises ValueError for settings that cannot be together, and for
    one that was given and would change nothing.
    """
    settings = settings_chosen(places)
    if settings.start:
        settings = replace(settings, **(_shape_of(settings) | _values(places)))
    return settings


def settings_chosen(places: Sequence[Given]) -> Settings:
    """The settings before a network to start from has its say; no file is read for them.

    Raises ValueError as settings_given does.
    """
    values = _values(places)
    settings = replace(STANDARD[values.get("learner", LearnerName.TEMPORAL_DIFFERENCE)], **values)
    for given in places:
        for name in given.values:
            objection = settings.objection_to(name)
            if objection:
                raise ValueError(f"{given.called(name)} {objection}")
    return settings


def _values(places: Sequence[Given]) -> dict[str, Any]:
    """The values given, by field."""
    values: dict[str, Any] = {}
    for given in places:
        values |= given.values
    return values


def _shape_of(settings: Settings) -> dict[str, Any]:
    """The settings that tell the inputs and layers of the network to start from."""
    network = load_network(settings.start)
    units = tuple(each for each in network.units if each)
    shape: dict[str, Any] = {"inputs": str(network.inputs)}
    if settings.learner is LearnerName.LOOKAHEAD:
        return {**shape, "units": units, "phases": network.phases}
    activation = Activation.LOGISTIC if network.has_logistic_units else Activation.RECTIFIED
    shape |= {"hidden_units": units[0], "outputs": network.outputs, "activation": activation}
    return shape
