"""Notation: a checker play in text, as GNU Backgammon writes and reads it.

Points are the mover's; `bar` and `off` stand for 25 and 0.
Source: GNU Backgammon 1.07, drawboard.c, FormatMove and ParseMove; compared with the program.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from bot.backgammon.rules.legality import illegality, points_after
from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll

BAR = 25
OFF = 0
MAX_LEGS = 4
MAX_DIE = 6
MAX_TEXT = 200
"""No play needs a longer text."""

POINT_OF_WORD = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF} | {str(n): n for n in range(26)}
CHAIN = re.compile(r"(?P<points>[a-z0-9]+(?:/[a-z0-9]+)+)(?:\((?P<count>[1-4])\))?")
DICE = re.compile(r"([1-6])[\s,-]*([1-6])")

Chain = tuple[int, ...]
"""Points that one checker touches, its source first: 24, 18, 15."""


def play_text(play: CheckerPlay, position: Position) -> str:
    """The play as sent to GNU Backgammon, leg by leg: `bar/22 24/18*`; at most 31 characters.

    position: before the play, seen by the mover. Empty for a play without legs.
    """
    blots = _blots(position)
    return " ".join(_chain_text((leg.source, leg.target), blots) for leg in play.legs)


def bare_play_text(legs: Iterable[Leg]) -> str:
    """The legs one by one, without stars: `bar/22 24/18`."""
    return " ".join(f"{point_text(leg.source)}/{point_text(leg.target)}" for leg in legs)


def point_text(point: int) -> str:
    """The point as plays name it."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def short_play_text(play: CheckerPlay, position: Position) -> str:
    """The play as people read it, the legs of a checker joined: `24/18*/15 8/5(2)`.

    position: before the play, seen by the mover. Empty for a play without legs. A point on the
    way is named where a checker is hit.
    """
    blots = _blots(position)
    texts = []
    for chain, same in groupby(_joined_chains(play.legs, blots)):
        count = len(list(same))
        texts.append(_chain_text(chain, blots) + (f"({count})" if count > 1 else ""))
    return " ".join(texts)


class AmbiguousPlayError(ValueError):
    """A text that may be a play that hits or one that does not."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text[:40]!r} is ambiguous: name the point where it hits")


class IllegalPlayError(ValueError):
    """A text that can be read as a play, which the roll does not allow."""


def parse_play(text: str, position: Position, roll: Roll) -> CheckerPlay:
    """The legal play that the text means, read as tolerantly as GNU Backgammon does.

    Blanks or commas between moves, `24/20/16`, `8/5(2)`, `bar` or `b` or 25, `off` or `o` or 0, any
    order and case; `*` is ignored, hops may be joined, and `8 5 6 5` and `8-5 6-5` work. A point
    passed in silence is hit only if the roll cannot be played otherwise. Empty text is the play
    without legs. Raises ValueError with one sentence if the text is unreadable, ambiguous or
    illegal.
    """
    chains = parse_chains(text)
    plays = legal_plays(position, roll)
    if not plays and not chains:
        return CheckerPlay((), position)
    meant = [play for play in plays if _means(chains, play, position)]
    if not meant:
        rolled = f"{roll.high}-{roll.low}"
        if not plays:
            raise ValueError(f"{text[:40]!r} cannot be played: {rolled} allows no play")
        if not chains:
            raise ValueError(f"a play is missing: {rolled} can be played")
        raise IllegalPlayError(f"{text[:40]!r} is not a legal play of {rolled}")
    fewest_on_bar = max(play.after.points[0] for play in meant)
    quiet = [play for play in meant if play.after.points[0] == fewest_on_bar]
    if len(quiet) > 1:
        raise AmbiguousPlayError(text)
    return quiet[0]


def parse_legs(text: str, position: Position, roll: Roll) -> CheckerPlay:
    """The play in a match file: its legs in their order if the text has each alone.

    Anything else is read, and refused, as by parse_play.
    """
    chains = parse_chains(text)
    points = position.points
    legs = []
    for chain in chains:
        if len(chain) > 2 or chain[0] - chain[1] > MAX_DIE or points[chain[0]] < 1:
            return parse_play(text, position, roll)
        legs.append(Leg(*chain))
        points = points_after(points, legs[-1])
    play = CheckerPlay(tuple(legs), Position(points))
    return play if illegality(play, position, roll) is None else parse_play(text, position, roll)


def parse_dice(text: str) -> tuple[int, int]:
    """Two dice in the order typed: `31`, `3 1`, `3-1` or `3,1`; raises ValueError otherwise."""
    found = DICE.fullmatch(text.strip())
    if not found:
        raise ValueError(f"no two dice from 1 to 6, such as 31 or 3-1: {text.strip()[:40]!r}")
    return int(found[1]), int(found[2])


def _blots(position: Position) -> set[int]:
    """Points where one checker of the other side stands alone."""
    return {point for point in range(1, BAR) if position.points[point] == -1}


def _chain_text(chain: Chain, blots: set[int]) -> str:
    """The points of a chain, a star where a blot is hit; blots hit are taken out of the set."""
    text = point_text(chain[0])
    for point in chain[1:]:
        text += "/" + point_text(point)
        if point in blots:
            text += "*"
            blots.remove(point)
    return text


def _joined_chains(legs: Iterable[Leg], blots: set[int]) -> Sequence[Chain]:
    """The legs, from the highest source down, those of one checker joined."""
    loose = sorted(((leg.source, leg.target) for leg in legs), reverse=True)
    chains: list[Chain] = []
    while loose:
        chain: Chain = loose.pop(0)
        for leg in loose.copy():
            if leg[0] == chain[-1]:
                loose.remove(leg)
                kept = chain if chain[-1] in blots else chain[:-1]
                chain = (*kept, leg[1])
        chains.append(chain)
    return chains


def parse_chains(text: str) -> list[Chain]:
    """The chains in the text, each as often as it is counted; whether they are legal is not asked.

    Raises ValueError with one sentence if the text is unreadable.
    """
    plain = text.lower().replace("*", "").replace(",", " ").replace("-", "/")
    words = re.sub(r"\s*([/(])\s*", r"\1", plain).split()
    chains: list[Chain] = []
    source: str | None = None
    for word in words:
        if "/" in word and source is None:
            chains.extend(_counted_chain(word, text))
        elif "/" in word:
            raise _unreadable(source or word, text)
        elif source is None:
            source = word
        else:
            chains.extend(_counted_chain(f"{source}/{word}", text))
            source = None
    if source is not None or len(text) > MAX_TEXT or len(chains) > MAX_LEGS:
        raise _unreadable(source or text, text)
    return chains


def _counted_chain(word: str, text: str) -> list[Chain]:
    found = CHAIN.fullmatch(word)
    if not found:
        raise _unreadable(word, text)
    points = [POINT_OF_WORD.get(point, -1) for point in found["points"].split("/")]
    falls = all(source > target for source, target in pairwise(points))
    if -1 in points or not falls:
        raise _unreadable(word, text)
    return [tuple(points)] * int(found["count"] or 1)


def _unreadable(part: str, text: str) -> ValueError:
    """The error that quotes the text, and the part of it if it stands there as it was read."""
    where = f"{part[:20]!r} in " if part in text else ""
    return ValueError(f"cannot read {where}the play {text[:40]!r}")


def _means(chains: Iterable[Chain], play: CheckerPlay, position: Position) -> bool:
    """Whether the play moves the mover's checkers as the chains do and hits at every point named.

    A point named that the other side holds cannot be meant.
    """
    own = [max(count, 0) for count in position.points]
    for chain in chains:
        own[chain[0]] -= 1
        own[chain[-1]] += chain[-1] != OFF
        if any(play.after.points[point] < 0 for point in chain[1:] if point != OFF):
            return False
    return own == [max(count, 0) for count in play.after.points]
