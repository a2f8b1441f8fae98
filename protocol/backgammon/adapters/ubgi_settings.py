"""UBGI settings: what a controller may set, as keys of dialect 0.2 and options of dialect 0.1."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.engine.search import MAX_THREADS, SearchSettings
from bot.weights import weights_file

MAX_PLY = 4
"""The deepest as UBGI counts, the root included; gnubg and our other commands count one less."""

NAMES = tuple(name for name, level in LEVELS.items() if level.roller is None)
"""Levels that a controller may choose: rollouts could not be stopped at once."""

OWN = "own"
"""Shown for move filters that have no name."""

OFF = "off"


@dataclass(frozen=True, slots=True)
class UbgiSettings:
    """The strength to play with: a level, changed in parts by what was set after it."""

    level: Level = field(default_factory=lambda: LEVELS["expert"])
    name: str = "expert"
    eval_mode: str = "auto"

    @property
    def search(self) -> SearchSettings:
        """Settings of its search."""
        return self.level.search

    def searching(self, **changes: object) -> "UbgiSettings":
        """The settings with another search; raises ValueError if there is no such search."""
        search = replace(self.level.search, **changes)  # type: ignore[arg-type]
        return replace(self, level=replace(self.level, search=search))


@dataclass(frozen=True, slots=True)
class Setting:
    """A key and its option: what may be set, how it is read and what it does.

    choices: the values, if they are words; limits: the least and the most, if they are numbers.
    is_strength: whether the play depends on it. put raises ValueError, with a clause.
    """

    key: str
    option: str
    about: str
    shown: Callable[[UbgiSettings], str]
    put: Callable[[UbgiSettings, str], UbgiSettings]
    choices: tuple[str, ...] = ()
    limits: tuple[int, int] | None = None
    is_strength: bool = True

    def key_line(self, settings: UbgiSettings) -> str:
        """The line of dialect 0.2: `key engine.ply int 1..4 4 plies, the root included`."""
        kind, domain = "string", "*"
        if self.choices:
            kind, domain = "enum", "|".join(self.choices)
        elif self.limits:
            kind, domain = "int", "{}..{}".format(*self.limits)
        mark = "" if self.is_strength else " !"
        return f"key {self.key} {kind} {domain} {self.shown(settings)}{mark} {self.about}"

    def option_line(self, settings: UbgiSettings) -> str:
        """The line of dialect 0.1: `option name Ply type spin default 4 min 1 max 4`."""
        kind = "combo" if self.choices else "spin" if self.limits else "string"
        line = f"option name {self.option} type {kind} default {self.shown(settings)}"
        if self.limits:
            line += " min {} max {}".format(*self.limits)
        return line + "".join(f" var {choice}" for choice in self.choices)

    def set(self, settings: UbgiSettings, value: str) -> UbgiSettings:
        """The settings with a value from the other side; raises ValueError if it may not be."""
        if self.choices and value not in self.choices:
            raise ValueError(f"{value[:40]!r} is none of {', '.join(self.choices)}")
        if self.limits:
            least, most = self.limits
            is_number = value.isascii() and value.isdigit() and len(value) < 10
            if not (is_number and least <= int(value) <= most):
                raise ValueError(f"{value[:40]!r} is not {least} to {most}")
        return self.put(settings, value)


def _with_level(settings: UbgiSettings, name: str) -> UbgiSettings:
    """The level of that name, with the threads and the time that were set."""
    search = replace(
        LEVELS[name].search, threads=settings.search.threads, seconds=settings.search.seconds
    )
    return replace(settings, name=name, level=replace(LEVELS[name], search=search))


def _with_weights(settings: UbgiSettings, name: str) -> UbgiSettings:
    weights_file(name)
    return replace(settings, level=replace(settings.level, weights=name))


def _filter_name(settings: UbgiSettings) -> str:
    names: dict[tuple[MoveFilter, ...], str] = {row: name for name, row in FILTERS.items()}
    return names.get(settings.search.filters, OWN)


def _seconds_text(settings: UbgiSettings) -> str:
    seconds = settings.search.seconds
    return OFF if seconds is None else f"{seconds:g}"


def _with_seconds(settings: UbgiSettings, text: str) -> UbgiSettings:
    if text == OFF:
        return settings.searching(seconds=None)
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"{text[:40]!r} is neither a number of seconds nor {OFF}")
    return settings.searching(seconds=seconds)


_ROWS = (
    Setting(
        "game.variant",
        "Variant",
        "the game",
        lambda settings: "backgammon",
        lambda settings, value: settings,
        choices=("backgammon",),
    ),
    Setting(
        "engine.level",
        "Level",
        "weights, ply and filter by name",
        lambda settings: settings.name,
        _with_level,
        choices=NAMES,
    ),
    Setting(
        "engine.weights",
        "Weights",
        "a network by its name or file",
        lambda settings: settings.level.weights,
        _with_weights,
    ),
    Setting(
        "engine.ply",
        "Ply",
        "plies looked ahead, the root included",
        lambda settings: str(settings.search.ply + 1),
        lambda settings, value: settings.searching(ply=int(value) - 1),
        limits=(1, MAX_PLY),
    ),
    Setting(
        "engine.filter",
        "Filter",
        "which plays are looked into",
        _filter_name,
        lambda settings, value: settings.searching(filters=FILTERS[value]),
        choices=tuple(FILTERS),
    ),
    Setting(
        "engine.seconds",
        "Seconds",
        "look ever deeper for so long, or off",
        _seconds_text,
        _with_seconds,
    ),
    Setting(
        "engine.eval_mode",
        "EvalMode",
        "auto is cubeful where a session, an XGID or a match ID tells of a cube",
        lambda settings: settings.eval_mode,
        lambda settings, value: replace(settings, eval_mode=value),
        choices=("auto", "cubeless", "cubeful"),
    ),
    Setting(
        "engine.threads",
        "Threads",
        "threads that look ahead at once",
        lambda settings: str(settings.search.threads),
        lambda settings, value: settings.searching(threads=int(value)),
        limits=(1, MAX_THREADS),
        is_strength=False,
    ),
)

SETTINGS: Mapping[str, Setting] = {row.key: row for row in _ROWS}
"""The settings, by their keys in dialect 0.2."""

OPTIONS: Mapping[str, Setting] = {row.option.lower(): row for row in _ROWS}
"""The settings, by their names in dialect 0.1 in small letters: case does not count there."""
