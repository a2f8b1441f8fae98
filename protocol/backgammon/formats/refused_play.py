"""Refused play: why a play that a person typed is not a legal one, in a sentence."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import (
    BAR,
    OFF,
    Chain,
    IllegalPlayError,
    parse_chains,
    parse_play,
)

HOME = 6


def refusal(text: str, position: Position, roll: Roll) -> str | None:
    """Why the text is no legal play of the roll, as far as can be told; None if it is one.

    position: before the play, seen by the mover.
    """
    try:
        parse_play(text, position, roll)
    except IllegalPlayError as error:
        return f"{error}: {_reason(parse_chains(text), position, roll)}"
    except ValueError as error:
        return str(error)
    return None


def _reason(chains: Sequence[Chain], position: Position, roll: Roll) -> str:
    """The reason why no legal play makes the chains."""
    points = position.points
    held = Counter({point: max(points[point], 0) for point in range(1, BAR + 1)})
    for chain in chains:
        held[chain[0]] -= 1
        held[chain[-1]] += 1
    short = [point for point, count in held.items() if count < 0 and point != OFF]
    if short:
        return f"there are not so many checkers on {_name(short[0])}"
    blocked = [point for chain in chains for point in chain[1:] if point and points[point] < -1]
    if blocked:
        return f"the other side holds {_name(blocked[0])}"
    if held[BAR]:
        return "a checker on the bar comes in first"
    is_home = not any(held[point] > 0 for point in range(HOME + 1, BAR))
    if not is_home and any(chain[-1] == OFF for chain in chains):
        return "checkers go off only when all are in the home board"
    return "more of the roll can be played" if _is_part(chains, roll) else "the dice do not go so"


def _is_part(chains: Sequence[Chain], roll: Roll) -> bool:
    """Whether some of the dice may make the chains; a checker may go off by more than it needs."""
    dice = [roll.high] * 4 if roll.is_double else [roll.high, roll.low]
    pips = [chain[0] - chain[-1] for chain in chains]
    ways = {roll.low, *accumulate(dice)}
    fit = [chain[-1] == OFF or way in ways for chain, way in zip(chains, pips, strict=True)]
    return all(fit) and len(chains) < len(dice) and sum(pips) < sum(dice)


def _name(point: int) -> str:
    return "the bar" if point == BAR else f"the {point} point"
