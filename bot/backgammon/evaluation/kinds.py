"""Kinds: what sort of game a position is, by the names that players use.

A position is of the first kind in the order of KINDS that it fits, usual if it fits none. Most
kinds have two sides, as who plays a back game and who plays against it; the player on roll is one
of them, and an evaluator's bias differs between them.
"""

from collections.abc import Callable
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.boards import BAR, CHECKERS, Boards
from bot.backgammon.rules.position import pip_counts, turned_boards

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_HOME = slice(1, 7)
_OTHER_HOME = slice(19, 25)
_PIPS_BEHIND = 30
_LEAST_PRIME = 4
_LEAST_HOME = 10
_PIPS_PER_ROLL = 49 / 6
_CLOSE_ROLLS = 3


class Kind(StrEnum):
    """A sort of game."""

    CLOSED_OUT = "closed out, checkers off"
    LATE_HIT = "containing a late hit"
    ON_THE_BAR = "several on the bar"
    BACK_GAME = "back game"
    PRIMES = "prime against prime"
    ACE_POINT = "ace-point game"
    BEAR_IN = "bear-in against an anchor"
    GAMMON = "saving a gammon"
    RACE = "race"
    USUAL = "usual"


def kinds_of(boards: Boards) -> tuple[Numbers, Flags]:
    """The number of each board's kind in KINDS, and whether the player on roll is its first side.

    boards: int8[n, 26], of games that are not over. The first side is the one that the kind is
    named after, see the definitions; where both sides are alike, or both are the first, it is the
    player on roll.
    """
    turned = turned_boards(boards)
    numbers = np.full(len(boards), KINDS.index(Kind.USUAL))
    is_first = np.ones(len(boards), np.bool_)
    for number, fits in reversed([*enumerate(_DEFINITIONS.values())]):
        own, other = fits(boards), fits(turned)
        numbers[own | other] = number
        is_first[own | other] = own[own | other]
    return numbers, is_first


def have_two_anchors(boards: Boards) -> Flags:
    """Whether either side holds two points in the other's home board or more; int8[n, 26] in.

    So does who plays a back game, and hardly anybody else: two usual positions in a hundred.
    """
    return _holds_two_anchors(boards) | _holds_two_anchors(turned_boards(boards))


def _closes_out(boards: Boards) -> Flags:
    """He has closed his home board on a checker on the bar, and the other has borne some off."""
    closed: Flags = np.all(boards[:, _HOME] >= 2, axis=1)
    closed &= (boards[:, 0] < 0) & (_off(turned_boards(boards)) > 0)
    return closed


def _contains_late_hit(boards: Boards) -> Flags:
    """The other has borne checkers off and has one, hit since, to bring round; he has none off."""
    has_to_pass: Flags = np.any(boards[:, :13] < 0, axis=1) & _has_contact(boards)
    has_to_pass &= (_off(turned_boards(boards)) > 0) & (_off(boards) == 0)
    return has_to_pass


def _is_on_the_bar(boards: Boards) -> Flags:
    """He has two checkers on the bar or more."""
    on_bar: Flags = boards[:, BAR] >= 2
    return on_bar


def _plays_back_game(boards: Boards) -> Flags:
    """He holds two points in the other's home board or more, and is far behind in the race."""
    behind = pip_counts(boards) - pip_counts(turned_boards(boards))
    flags: Flags = _holds_two_anchors(boards) & (behind >= _PIPS_BEHIND)
    return flags


def _holds_two_anchors(boards: Boards) -> Flags:
    flags: Flags = (boards[:, _OTHER_HOME] >= 2).sum(axis=1) >= 2
    return flags


def _primes_against_prime(boards: Boards) -> Flags:
    """Each has a prime of four points or more, and a checker of the other behind it."""
    return _traps(boards) & _traps(turned_boards(boards))


def _plays_ace_point_game(boards: Boards) -> Flags:
    """He holds the other's ace point and nothing else behind, with the other bearing in or off."""
    is_alone: Flags = (
        (boards[:, 24] >= 2) & np.all(boards[:, 13:24] <= 0, axis=1) & (boards[:, BAR] <= 0)
    )
    is_alone &= _is_bearing_in(turned_boards(boards))
    return is_alone


def _bears_in_against_anchor(boards: Boards) -> Flags:
    """His checkers have come as far as his outer board, and the other has an anchor at home."""
    has_anchor: Flags = np.any(boards[:, _HOME] <= -2, axis=1)
    has_anchor &= _is_bearing_in(boards)
    return has_anchor


def _saves_gammon(boards: Boards) -> Flags:
    """The race is lost; to bear one off takes about as long as the other's bearing off."""
    distances = np.maximum(np.arange(BAR + 1) - 6, 0)
    own = np.maximum(boards, 0)
    foremost = np.argmax(boards > 0, axis=1)
    # The last step of all, off with the foremost checker: from the six point if that is not home.
    rolls = (own @ distances + np.minimum(foremost, 6)) / _PIPS_PER_ROLL
    other = turned_boards(boards)
    others_rolls = np.maximum(other, 0).sum(axis=1) / 2 + np.maximum(other, 0) @ distances / (
        _PIPS_PER_ROLL
    )
    is_race = ~_has_contact(boards) & (_off(boards) == 0) & (_off(other) > 0)
    flags: Flags = is_race & (np.abs(rolls - others_rolls) <= _CLOSE_ROLLS)
    return flags


def _is_race(boards: Boards) -> Flags:
    """No checker has to pass one of the other side any more."""
    return ~_has_contact(boards)


_DEFINITIONS: dict[Kind, Callable[[Boards], Flags]] = {
    Kind.CLOSED_OUT: _closes_out,
    Kind.LATE_HIT: _contains_late_hit,
    Kind.ON_THE_BAR: _is_on_the_bar,
    Kind.BACK_GAME: _plays_back_game,
    Kind.PRIMES: _primes_against_prime,
    Kind.ACE_POINT: _plays_ace_point_game,
    Kind.BEAR_IN: _bears_in_against_anchor,
    Kind.GAMMON: _saves_gammon,
    Kind.RACE: _is_race,
}
"""Whether the player on roll is the first side of each kind; bool[n] of int8[n, 26]."""

KINDS = (*_DEFINITIONS, Kind.USUAL)

SIDES = {
    Kind.CLOSED_OUT: ("closing out", "closed out"),
    Kind.LATE_HIT: ("containing", "hit"),
    Kind.ON_THE_BAR: ("on the bar", "against it"),
    Kind.BACK_GAME: ("playing it", "against it"),
    Kind.ACE_POINT: ("playing it", "against it"),
    Kind.BEAR_IN: ("bearing in", "against it"),
    Kind.GAMMON: ("saving it", "winning it"),
}
"""Deeds of the player on roll if he is a kind's first side, and if the other is; both sides
are alike in the kinds that are left out."""


def _off(boards: Boards) -> Numbers:
    """Checkers the player on roll has borne off."""
    off: Numbers = CHECKERS - np.maximum(boards, 0).sum(axis=1)
    return off


def _has_contact(boards: Boards) -> Flags:
    rearmost = BAR - np.argmax(boards[:, ::-1] > 0, axis=1)
    flags: Flags = np.argmax(boards < 0, axis=1) < rearmost
    return flags


def _is_bearing_in(boards: Boards) -> Flags:
    """All checkers are at home or in the outer board, the most at home or off, and in contact."""
    past: Flags = np.all(boards[:, 13:] <= 0, axis=1)
    home = _off(boards) + np.maximum(boards[:, _HOME], 0).sum(axis=1)
    past &= (home >= _LEAST_HOME) & _has_contact(boards)
    return past


def _traps(boards: Boards) -> Flags:
    """He has a prime of the least length or more in front of a checker of the other."""
    made = boards >= 2
    is_behind = np.cumsum(boards < 0, axis=1) > 0
    flags = np.zeros(len(boards), np.bool_)
    for first in range(1, BAR - _LEAST_PRIME + 1):
        prime = np.all(made[:, first : first + _LEAST_PRIME], axis=1)
        flags |= prime & is_behind[:, first - 1]
    return flags
