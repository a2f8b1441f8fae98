"""Move: one step, or a capture with all its jumps."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one square to another; captures are equal if they take the same pieces.

    captured: the squares of the pieces taken, rising. path: the squares on which a capture lands,
    the last one included, in one of the ways that take these pieces; empty for a step. The path
    does not count when moves are compared.
    """

    start: int
    end: int
    captured: tuple[int, ...] = ()
    path: tuple[int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if list(self.captured) != sorted(set(self.captured)):
            raise ValueError(f"captured squares rise and stand there once, not {self.captured}")
