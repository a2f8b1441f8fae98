"""Wishes: what a person at a board in the browser has chosen beside the game, kept in a file."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from bot.archive import write_whole
from bot.draughts.engine.alpha_beta import MAX_DEPTH
from bot.draughts.engine.level import LEVELS

MAX_DELAY = 10.0
STANDARD_DELAY = 0.5
ADVICE = "expert"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The choices of a person beside the game itself.

    delay: seconds between what bots do; advice: the level of hints; auto: whether a person's only
    moves are made without asking; white, black: plies that bots of a level look ahead in place of
    their own limits, None for these.
    """

    delay: float = STANDARD_DELAY
    advice: str = ADVICE
    auto: bool = False
    white: int | None = None
    black: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= MAX_DELAY:
            raise ValueError(f"delay: 0 to {MAX_DELAY:g} seconds, not {self.delay}")
        if self.advice not in LEVELS:
            raise ValueError(f"advice: one of {', '.join(LEVELS)}, not {self.advice[:40]!r}")
        for depth in (self.white, self.black):
            if depth is not None and not 1 <= depth <= MAX_DEPTH:
                raise ValueError(f"depth: 1 to {MAX_DEPTH} plies, not {depth}")

    @classmethod
    def load(cls, path: Path) -> "Wishes":
        """The wishes in a file; the usual ones where there are none that can be read."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return cls(**{field.name: found[field.name] for field in fields(cls)})
        except (OSError, ValueError, TypeError, KeyError):
            return cls()

    def save(self, path: Path) -> None:
        """Write them to a file; raises OSError in a sentence if that fails."""
        text = json.dumps(asdict(self))
        write_whole(path, lambda file: file.write(text.encode()))
