"""Wishes: what a person at a board in the browser has chosen beside the game itself."""

from dataclasses import dataclass

from bot.backgammon.engine.level import LEVELS
from protocol.backgammon.table.loss import MAX_LOSS

MAX_DELAY = 10.0
STANDARD_DELAY = 0.5
ADVICE = "expert"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The choices of a person beside the game itself.

    tutor: the equity from whose loss on the tutor speaks, None for never; auto: whether forced
    plays and harmless bear-offs are made without asking; delay: seconds between what others do;
    advice: the level of hints and of the tutor.
    """

    tutor: float | None = None
    auto: bool = True
    delay: float = STANDARD_DELAY
    advice: str = ADVICE

    def __post_init__(self) -> None:
        if self.tutor is not None and not 0 <= self.tutor <= MAX_LOSS:
            raise ValueError(f"tutor: equity from 0 to {MAX_LOSS:g} or null, not {self.tutor}")
        if not 0 <= self.delay <= MAX_DELAY:
            raise ValueError(f"delay: 0 to {MAX_DELAY:g} seconds, not {self.delay}")
        if self.advice not in LEVELS:
            raise ValueError(f"advice: one of {', '.join(LEVELS)}, not {self.advice[:40]!r}")
