"""Loss: the equity given away from which on a tutor speaks."""

STANDARD = 0.03
"""Equity from whose loss on the tutor speaks: what gnubg marks as doubtful."""

MAX_LOSS = 3.0
"""The most equity that a tutor can be told to let pass."""


def parse_loss(text: str) -> float:
    """The equity in a text; raises ValueError if it is none that anybody could lose."""
    try:
        loss = float(text)
    except ValueError:
        loss = -1.0
    if not 0 <= loss <= MAX_LOSS:
        raise ValueError(f"the tutor takes equity from 0 to {MAX_LOSS:g}, not {text[:40]!r}")
    return loss
