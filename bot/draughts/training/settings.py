"""Settings: everything that decides what a run of self-play learns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bot.draughts.rules.variant import VARIANTS
from bot.seed import MAX_SEED

Made = TypeVar("Made")

MAX_COUNT = 10**9
"""Games, plies and moves at most: no run plays so many."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run.

    variant: by name. games: to play in all. depth: of the search, in plies. trace: lambda, the part
    of a target that comes from later than the next position. rate: of learning at first; it falls
    evenly to last_rate. opening: most plies at random in the beginning of a game; random_every:
    after them one move in so many is random. endings: pieces of the endings that are solved, 0 or 2
    to 4, and end a game. The same settings give the same weights.
    """

    variant: str
    games: int = 20_000
    depth: int = 3
    trace: float = 0.9
    rate: float = 0.03
    last_rate: float = 0.003
    opening: int = 10
    random_every: int = 40
    endings: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"no draughts {self.variant!r}: it is {' or '.join(VARIANTS)}")
        for name in ("games", "depth", "opening", "random_every"):
            if not 1 <= (value := getattr(self, name)) <= MAX_COUNT:
                raise ValueError(f"{option(name)} is 1 to {MAX_COUNT:,}, not {value:,}")
        if not 0 <= self.trace <= 1:
            raise ValueError(f"{option('trace')} is from 0 to 1, not {self.trace:g}")
        if not 0 < self.rate <= 1:
            raise ValueError(f"the rate is above 0 and at most 1, not {self.rate:g}")
        if not 0 < self.last_rate <= self.rate:
            raise ValueError(
                f"the last rate is above 0 and at most the first, {self.rate:g}, not "
                f"{self.last_rate:g}"
            )
        if self.endings not in (0, 2, 3, 4):
            raise ValueError(f"endings of 0 or of 2 to 4 pieces are solved, not {self.endings}")
        if self.depth > 20:
            raise ValueError(f"a game at {self.depth} plies would never end: take 20 at most")
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"a seed is from 0 to {MAX_SEED}, not {self.seed}")


def option(name: str) -> str:
    """How a setting is called on the command line."""
    return "--lambda" if name == "trace" else f"--{name.replace('_', '-')}"


def settings_in(
    path: Path, header: Mapping[str, Any], make: Callable[..., Made], other: tuple[str, str]
) -> Made:
    """The settings in the header of a checkpoint.

    other: a setting that only the other kind of run has, and the command that goes on with it.
    Raises ValueError if the run is one of those, or its settings are none.
    """
    name, command = other
    found = header.get("settings")
    if not isinstance(found, dict):
        raise ValueError(f"{path} cannot be gone on with: it has no settings")
    if name in found:
        raise ValueError(f"{path} is of another command, which goes on with it: {command}")
    try:
        return make(**found)
    except TypeError:
        raise ValueError(
            f"{path} cannot be gone on with: its settings are not those of this Blot"
        ) from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be gone on with: {error}") from None
