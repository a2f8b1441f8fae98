"""Settings: what decides which network a run of self-play brings out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Schedule(StrEnum):
    """How the learning rate goes from the first rate to the last."""

    CONSTANT = "constant"
    LINEAR = "linear"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides which network comes out.

    games: to play in all; trace: the lambda of TD(lambda); rates: of learning, in the order of
    their use; schedule: one rate throughout, straight lines between the rates, or each for an equal
    share of the games; most_plies: a longer game is broken off, which is counted.
    """

    games: int = 500_000
    hidden_units: int = 128
    trace: float = 0.0
    rates: tuple[float, ...] = (0.02, 0.01, 0.005, 0.002, 0.0005)
    schedule: Schedule = Schedule.LINEAR
    seed: int = 1
    most_plies: int = 2000

    def __post_init__(self) -> None:
        if self.games < 1 or self.hidden_units < 1 or self.most_plies < 1:
            raise ValueError("games, hidden units and the ply limit are at least 1")
        if not 0 <= self.trace <= 1:
            raise ValueError(f"lambda lies between 0 and 1, not at {self.trace}")
        if not self.rates or not all(0 < rate < 10 for rate in self.rates):
            raise ValueError(f"learning rates are small and above 0, not {self.rates}")
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


def settings_of(table: Mapping[str, Any]) -> Settings:
    """Settings from a table of names and values, as JSON or TOML give it; checks what is in it."""
    unknown = sorted(set(table) - set(Settings.__dataclass_fields__))
    if unknown:
        raise ValueError(
            f"no setting {unknown[0]!r}; known: {', '.join(Settings.__dataclass_fields__)}"
        )
    values = dict(table)
    if "rates" in values:
        values["rates"] = tuple(float(rate) for rate in values["rates"])
    if "schedule" in values:
        values["schedule"] = Schedule(values["schedule"])
    return Settings(**values)
