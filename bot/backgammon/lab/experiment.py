"""Experiment: something published, remade by one command, or a question that nobody asked.

Each is a file in this folder with a value EXPERIMENT, and its name stands in EXPERIMENTS.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from bot.backgammon.lab.attempt import Attempt, Scale, Value
from bot.backgammon.lab.findings import Findings

EXPERIMENTS = {
    "nbg-curve": "nbg_curve",
    "pulver-speed": "pulver_speed",
    "pulver-table": "pulver_table",
    "pulver-inputs": "pulver_inputs",
    "knock-out": "knock_out",
    "outputs": "outputs",
    "hypergammon": "hypergammon",
    "lambda": "traces",
}
"""The modules of this folder by the names of their experiments, in the order they are listed."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment: its source, its settings, how long it takes, and what others found.

    settings: at full scale, by name; small: those that differ at small scale; minutes: of one core,
    at small and at full scale; theirs: the published result, in a sentence; not_shown: what the
    small scale cannot show.
    """

    name: str
    title: str
    question: str
    source: str
    theirs: str
    settings: Mapping[str, Value]
    small: Mapping[str, Value]
    minutes: tuple[float, float]
    not_shown: str
    run: Callable[[Attempt], Findings]

    def settings_at(self, scale: Scale, changes: Mapping[str, str]) -> dict[str, Any]:
        """The settings at a scale, with changes as a person writes them: a text for each name.

        Raises ValueError for a name that is none of its settings, or a text that is no such value.
        """
        settings: dict[str, Any] = dict(self.settings)
        if scale is Scale.SMALL:
            settings |= self.small
        for name, text in changes.items():
            if name not in settings:
                raise ValueError(
                    f"{self.name} has no setting {name!r}; it has {', '.join(settings)}"
                )
            settings[name] = _read(name, text, settings[name])
        return settings


def _read(name: str, text: str, like: Any) -> Any:
    """A value of the same kind as another; several stand with commas between them."""
    try:
        if isinstance(like, tuple):
            return tuple(type(like[0])(part) for part in text.split(","))
        return type(like)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[
            type(like[0] if isinstance(like, tuple) else like)
        ]
        many = " each, with commas between them" if isinstance(like, tuple) else ""
        raise ValueError(f"{name} is {kind}{many}, not {text!r}") from None


def experiment(name: str) -> Experiment:
    """The experiment of that name; raises ValueError if there is none."""
    if name not in EXPERIMENTS:
        raise ValueError(f"no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    module = import_module(f"bot.backgammon.lab.{EXPERIMENTS[name]}")
    found = module.EXPERIMENT
    assert isinstance(found, Experiment)
    assert found.name == name
    return found
