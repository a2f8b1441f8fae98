"""Published perft numbers of draughts, and a plain reader of positions written as FEN.

Source: dctl, test/src/algo/traversal/initial (after the "Perft" threads of the FMJD programmers'
forum); the Czech positions with kings are the specification's own.
"""

from typing import NamedTuple

from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side, Variant

START = ""
ALL_KINGS = ":".join(
    [
        "W",
        "W" + ",".join(f"K{square}" for square in range(31, 51)),
        "B" + ",".join(f"K{square}" for square in range(1, 21)),
    ]
)


class PerftTable(NamedTuple):
    """Numbers of leaves at depths 1, 2, 3 ... below a position.

    distinct: whether captures of the same pieces are counted once.
    """

    name: str
    variant: Variant
    fen: str
    distinct: bool
    leaves: tuple[int, ...]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


TABLES = (
    PerftTable(
        "international, distinct",
        INTERNATIONAL,
        START,
        True,
        _numbers(
            "9 81 658 4265 27117 167140 1049442 6483961 41022423 258895763 1665861398",
        ),
    ),
    PerftTable(
        "international, all",
        INTERNATIONAL,
        START,
        False,
        _numbers("9 81 658 4265 27117 167140 1049442 6483971 41022614 258935682 1666207133"),
    ),
    PerftTable(
        "Czech, distinct",
        CZECH,
        START,
        True,
        _numbers("7 49 302 1469 7361 36768 179740 845931 3963671 18368918 84967210 386262109"),
    ),
    PerftTable(
        "Czech, all",
        CZECH,
        START,
        False,
        _numbers("7 49 302 1469 7361 36768 179740 845931 3963671 18368918 84967210 386267783"),
    ),
    PerftTable(
        "Woldouby",
        INTERNATIONAL,
        "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38",
        True,
        _numbers(
            "6 12 30 73 215 590 1944 6269 22369 88050 377436 1910989 9872645 58360286 346184885"
        ),
    ),
    PerftTable(
        "kings with long captures",
        INTERNATIONAL,
        "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
        True,
        _numbers("14 55 1168 5432 87195 629010 9041010 86724219 1216917193"),
    ),
    PerftTable(
        "all kings",
        INTERNATIONAL,
        ALL_KINGS,
        True,
        _numbers("17 79 352 1399 7062 37589 217575 1333217 8558321 58381162 417920283"),
    ),
    PerftTable(
        "five against five, all",
        INTERNATIONAL,
        "W:B16,17,18,19,20:W31,32,33,34,35",
        False,
        _numbers("9 81 534 2538 9052 29999 98971 310315 1008317 3174159 10369533"),
    ),
    PerftTable(
        "five against five before the far row",
        INTERNATIONAL,
        "W:W6,7,8,9,10:B41,42,43,44,45",
        True,
        _numbers("9 81 795 7578 86351 936311 11448262 138362698 1799526674"),
    ),
    PerftTable(
        "a king behind its own man",
        CZECH,
        "W:WK29,22:B18,25,9",
        True,
        _numbers("1 3 9 39 223 1489 10970"),
    ),
    PerftTable(
        "kings of both sides",
        CZECH,
        "W:WK32,K28,21:B18,10,6,K1",
        True,
        _numbers("3 10 56 293 1740 9533 81357"),
    ),
    PerftTable(
        "king before two men that could capture",
        CZECH,
        "W:W21,22,K5:B17,18,14,7",
        True,
        _numbers("2 9 28 68 268 744 4329"),
    ),
    PerftTable(
        "king before men, for Black",
        CZECH,
        "B:B9,10,11,K30:W22,23,18,14",
        True,
        _numbers("3 6 67 255 1372 5590 34643"),
    ),
    PerftTable(
        "kings only",
        CZECH,
        "W:WK1,K2,K3:BK32",
        True,
        _numbers("21 134 1939 13849 185392 1248186 17354228"),
    ),
)


def plain_position(variant: Variant, fen: str) -> Position:
    """The position of a FEN without ranges; the empty text is the start."""
    if fen == START:
        return Position.start(variant)
    turn, *lists = fen.split(":")
    sets = {}
    for each in lists:
        squares = [text for text in each[1:].split(",") if text]
        kings = set_of(int(text[1:]) for text in squares if text[0] == "K")
        sets[each[0]] = set_of(int(text) for text in squares if text[0] != "K"), kings
    side = Side.WHITE if turn == "W" else Side.BLACK
    return Position(variant, side, *sets["W"], *sets["B"])
