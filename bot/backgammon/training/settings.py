"""Settings: what decides which network a run of self-play brings out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any


class LearnerName(StrEnum):
    """How the network learns: from the next position, or from one ply of lookahead."""

    TEMPORAL_DIFFERENCE = "td"
    LOOKAHEAD = "lookahead"


class Schedule(StrEnum):
    """How the learning rate goes from the first rate to the last."""

    CONSTANT = "constant"
    LINEAR = "linear"
    STEPS = "steps"


BOUNDS = {
    "games": (1, 10**12),
    "hidden_units": (1, 4096),
    "seed": (0, 2**63 - 1),
    "most_plies": (1, 10**6),
    "workers": (1, 256),
    "test_every": (1, 10**12),
    "test_games": (2, 10**7),
    "promote_every": (1, 10**12),
    "window": (1_000, 10**8),
    "phases": (1, 8),
    "batch": (1, 10**6),
}
"""What whole numbers may be: beyond that it is a slip, or more than any machine has room for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides which network comes out.

    games: to play in all; trace: the lambda of TD(lambda), for the learner by lookahead how
    much of what the next position's target corrects is handed on to this one's; rates: of learning,
    in the order of their use; schedule: one rate throughout, straight lines between the rates, or
    each for an equal share of the games; most_plies: a longer game is broken off, which is counted;
    workers: processes that play at once; test_every: games between two tests; test_games: games of
    each.

    hidden_units and most_plies are for the learner by temporal difference; those below for
    the one by lookahead. inputs: name of the set; units: of each hidden layer; phases: of the game
    that have layers of their own above the first, 1 or 8; teacher: weights that look ahead first;
    start: weights to go on from, teacher as well; pruner: weights that choose the replies worth
    rating, none if empty; promote_every: games after which the student becomes the teacher; window:
    positions to draw from; batch: positions of a step; passes: how often a position is learnt, on
    average; averaging: of the weights, the share of the old average that a step keeps.
    """

    learner: LearnerName = LearnerName.TEMPORAL_DIFFERENCE
    games: int = 500_000
    hidden_units: int = 128
    trace: float = 0.0
    rates: tuple[float, ...] = (0.02, 0.01, 0.005, 0.002, 0.0005)
    schedule: Schedule = Schedule.LINEAR
    seed: int = 1
    most_plies: int = 2000
    workers: int = 1
    test_every: int = 100_000
    test_games: int = 10_000
    inputs: str = "players-1"
    units: tuple[int, ...] = (256, 64)
    phases: int = 1
    teacher: str = "default"
    start: str = ""
    pruner: str = "td-128"
    promote_every: int = 5_000
    window: int = 1_000_000
    batch: int = 256
    passes: float = 8.0
    averaging: float = 0.9995

    def __post_init__(self) -> None:
        for name, (least, most) in BOUNDS.items():
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name} is {least:,} to {most:,}, not {getattr(self, name):,}")
        if self.test_games % 2:
            raise ValueError(f"a test has pairs of games, so not {self.test_games} of them")
        if not 0 <= self.trace <= 1:
            raise ValueError(f"lambda lies between 0 and 1, not at {self.trace}")
        if not self.rates or not all(0 < rate < 10 for rate in self.rates):
            raise ValueError(f"learning rates are small and above 0, not {self.rates}")
        if not 1 <= len(self.units) <= 3 or not all(1 <= units <= 4096 for units in self.units):
            raise ValueError(f"a network has one to three layers of 1 to 4096 units: {self.units}")
        if not (0 < self.passes <= 1000 and 0 <= self.averaging < 1):
            raise ValueError("passes are above 0, and averaging keeps less than everything")
        if self.schedule is Schedule.CONSTANT and len(self.rates) > 1:
            raise ValueError("a constant schedule has one rate")

    def rate_at(self, games: int) -> float:
        """The learning rate once so many games have been played."""
        done = min(games / self.games, 1.0)
        if self.schedule is Schedule.LINEAR:
            place = done * (len(self.rates) - 1)
            before = min(int(place), len(self.rates) - 2)
            if before < 0:
                return self.rates[0]
            return self.rates[before] + (place - before) * (
                self.rates[before + 1] - self.rates[before]
            )
        return self.rates[min(int(done * len(self.rates)), len(self.rates) - 1)]


def settings_of(table: Mapping[str, Any], start: Settings | None = None) -> Settings:
    """Settings with what a table of names and values, as JSON or TOML give it, says otherwise.

    start: the settings to change, the standard ones if None. Raises ValueError for a name that is
    no setting or a value that none can have.
    """
    unknown = sorted(set(table) - set(Settings.__dataclass_fields__))
    if unknown:
        raise ValueError(
            f"no setting {unknown[0]!r}; known: {', '.join(Settings.__dataclass_fields__)}"
        )
    values = {name: _converted(name, value) for name, value in table.items()}
    return replace(start or Settings(), **values)


def _converted(name: str, value: Any) -> Any:
    """The value as the setting's type; raises ValueError if it cannot be one."""
    standard = getattr(Settings(), name)
    try:
        if isinstance(value, bool) or (isinstance(value, str) != isinstance(standard, str)):
            raise TypeError
        if isinstance(standard, tuple):
            return tuple(type(standard[0])(number) for number in value)
        if isinstance(standard, int) and int(value) != value:
            raise ValueError
        return type(standard)(value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"setting {name} cannot be {value!r}") from None


PRESETS = {
    "quick": Settings(
        games=150_000,
        hidden_units=128,
        trace=0.3,
        rates=(0.03, 0.01, 0.003, 0.001),
        workers=2,
        test_every=10_000,
    ),
    "default": Settings(
        games=1_500_000,
        hidden_units=256,
        rates=(0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002),
        workers=2,
    ),
}
"""Settings to start from: past the thesis nets of 2007 and 2010 in a minute; a strong network."""


def preset(name: str) -> Settings:
    """The preset of that name; raises ValueError if there is none."""
    if name not in PRESETS:
        raise ValueError(f"no preset {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def settings_in_file(path: Path, start: Settings) -> Settings:
    """Settings with what a TOML file changes; raises ValueError if it is unreadable or unknown."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return settings_of(table, start)
    except OSError as error:
        raise ValueError(f"cannot read settings from {path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"cannot read settings from {path}: {error}") from None
