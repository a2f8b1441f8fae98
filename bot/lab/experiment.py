"""Experiment: something published, remade by one command, or a question that nobody asked.

Each is a file in the lab of its game with a value EXPERIMENT, and the game's Laboratory lists it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from bot.lab.attempt import Attempt, Scale, Value
from bot.lab.findings import Findings

SHARES = ("lambda", "noise")
"""How the names of settings begin that are 0 to 1."""

MAX_TIMES = 1_000
"""Times a whole number's value at full scale that a person may ask for at most."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment: its source, its settings, how long it takes, and what others found.

    settings: at full scale, by name; small: those that differ at small scale; minutes: of one core,
    at small and at full scale; theirs: the published result, in a sentence; not_shown: what the
    small scale cannot show; is_parallel: whether a cluster has something to do in it.
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
    is_parallel: bool = False

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
            settings[name] = _read(name, text, self.settings[name])
        return settings


def _read(name: str, text: str, like: Any) -> Any:
    """A value of the same kind as the one at full scale; several have commas between them."""
    has_many = isinstance(like, tuple)
    one = like[0] if has_many else like
    try:
        values = [type(one)(part) for part in (text.split(",") if has_many else [text])]
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[type(one)]
        many = " each, with commas between them" if has_many else ""
        raise ValueError(f"{name} is {kind}{many}, not {text!r}") from None
    for value in values:
        if isinstance(value, int) and not has_many and not 1 <= value <= MAX_TIMES * like:
            # games, seeds, units: none of them can be none
            raise ValueError(f"{name} is 1 to {MAX_TIMES * like:,}, not {value:,}")
        if name.startswith(SHARES) and not 0.0 <= value <= 1.0:
            raise ValueError(f"{name} is 0 to 1, not {value:g}")
        if isinstance(value, float) and not 0.0 <= value < math.inf:
            raise ValueError(f"{name} is 0 or more, not {value:g}")
    return tuple(values) if has_many else values[0]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """The experiments of a game.

    command: that makes them; package: of their files; modules: in it, by the names of the
    experiments, in the order they are listed; beginning: of the page that tells of them all.
    """

    command: str
    package: str
    modules: Mapping[str, str]
    beginning: str

    def experiment(self, name: str) -> Experiment:
        """The experiment of that name; raises ValueError if there is none."""
        if name not in self.modules:
            raise ValueError(f"no experiment {name!r}; there are {', '.join(self.modules)}")
        found = import_module(f"{self.package}.{self.modules[name]}").EXPERIMENT
        assert isinstance(found, Experiment)
        assert found.name == name
        return found
