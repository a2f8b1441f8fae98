"""Account: who did what on a cluster, and what was done again."""

from collections import Counter
from dataclasses import dataclass, field

_NAMED = 4
"""Nodes that are named; of more it is only told how many did how much."""


@dataclass(slots=True)
class Account:
    """Account of a cluster's work: answers by node, and pieces done again by the reason."""

    answers: Counter[str] = field(default_factory=Counter)
    again: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        nodes = ", ".join(f"{node}: {count}" for node, count in sorted(self.answers.items()))
        if len(self.answers) > _NAMED:
            nodes = f"{min(self.answers.values())} to {max(self.answers.values())} each"
        again = ", ".join(f"{count} as {reason}" for reason, count in sorted(self.again.items()))
        done = counted("piece", self.answers.total())
        return (
            f"{done} on {counted('node', len(self.answers))} ({nodes}); "
            f"{f'done again: {again}' if again else 'none done again'}"
        )


def counted(noun: str, count: int) -> str:
    """So many of them, in words."""
    return f"{count:,} {noun}{'s' * (count != 1)}"
