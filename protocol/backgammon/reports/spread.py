"""Spread report: how far equity is spread so many rolls ahead, in text and for JSON."""

from collections.abc import Sequence
from typing import Any

from bot.backgammon.engine.spread import EDGES, Spread

DIGITS = 5
TITLE = "Cubeless equity so many rolls ahead; how often between these edges, in percent:"


def spread_lines(name: str, spreads: Sequence[Spread]) -> list[str]:
    """A table of at most 80 columns; name: whose, a play or a position."""
    edges = "".join(f"{edge:+5.1f}" for edge in EDGES[::2])
    lines = [f"{name:<16}{'mean':>7}{'st.dev.':>9} {edges}"]
    for each in spreads:
        pairs = zip(each.shares[::2], each.shares[1::2], strict=True)
        shares = "".join(f"{100 * (one + other):5.0f}" for one, other in pairs)
        rolls = f"{each.rolls} roll{'s' * (each.rolls > 1)}"
        lines.append(f"  {rolls:<14}{each.mean:+7.3f}{each.deviation:9.3f}    {shares}")
    return lines


def spread_values(spreads: Sequence[Spread]) -> dict[str, Any]:
    """The spreads for a program; shares: of the equities between two edges each."""
    return {
        "edges": list(EDGES),
        "rolls": [
            {
                "rolls": each.rolls,
                "mean": round(each.mean, DIGITS),
                "deviation": round(each.deviation, DIGITS),
                "shares": [round(share, DIGITS) for share in each.shares],
            }
            for each in spreads
        ],
    }
