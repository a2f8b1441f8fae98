"""Endings: boards with few pieces, solved exactly, built once and kept in the user's cache.

A value counts plies to the end of the game with best play. Captures are compulsory and everything
else is as in the variant; what is not in the values are draws by counted moves and by repetition.
So a win here may take longer than the rules of a game leave time for: the search compares its plies
with the clocks. A king against a king, drawn at once in Czech draughts, is a draw here because
nobody can be forced, or a win where a capture is on, as the rules have it.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.draughts.kernels.endings import (
    LONGEST,
    MAX_PIECES,
    NEVER_DUE,
    Endings,
    Table,
    begin_table,
    count_wrong,
    go_back,
)
from bot.draughts.kernels.moves import new_jumps, new_moves
from bot.draughts.rules.board import rules_of
from bot.draughts.rules.variant import Variant
from bot.kernels import user_cache, writing_problem
from bot.mapped import read_mapped, write_mapped

VERSION = 1
"""Goes up when the tables or their file change; a file of another version is left alone."""

AT_FIRST_USE = {"international": 3, "czech": 4}
"""Pieces of the tables that are built when they are first needed; others take a command."""

_KIND = "draughts endings"
_SQUARES = 65

Tell = Callable[[str], object]
"""Told in a sentence what takes long."""


@cache
def no_endings() -> Endings:
    """Tables for no board at all."""
    return Endings(np.zeros(1, np.int8), _no_starts(), _binomials(), 0)


def endings_path(variant: Variant, pieces: int) -> Path:
    """The file in the user's cache folder."""
    return user_cache() / f"draughts-{variant.name}-{pieces}-{VERSION}.bin"


def has_endings(variant: Variant) -> bool:
    """Whether tables of a variant are there, so that none need be built at first use."""
    return any(
        endings_path(variant, pieces).exists()
        for pieces in (AT_FIRST_USE[variant.name], MAX_PIECES)
    )


def load_endings(variant: Variant, tell: Tell, pieces: int | None = None) -> Endings:
    """Tables of a variant from the cache folder; they are built if they are not there.

    pieces: of the largest boards, 2 to 4; if not given, the most that are there or that are built
    at first use. What is built is checked value by value before it is kept. A damaged file is built
    again. Where nothing can be kept, for which see writing_problem, they are built each time.
    """
    wanted = AT_FIRST_USE[variant.name] if pieces is None else pieces
    if pieces is None and endings_path(variant, MAX_PIECES).exists():
        wanted = MAX_PIECES
    path = endings_path(variant, wanted)
    try:
        return _with_values(read_mapped(path, _KIND, VERSION)["values"], variant, wanted)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, KeyError, ValueError) as error:
        tell(f"{error}: they are built again")
    tell(f"solving the endings of {variant.name} draughts with up to {wanted} pieces, once")
    endings = built_endings(variant, wanted)
    check_endings(variant, endings)
    try:
        write_mapped(path, _KIND, VERSION, {"values": endings.values})
    except OSError as error:
        if writing_problem() is None:
            tell(f"cannot keep the {_KIND} {path}: {error.strerror or error}")
    return endings


def built_endings(variant: Variant, pieces: int) -> Endings:
    """Solve all endings of up to so many pieces, 2 to 4; raises ValueError for another number."""
    if not 2 <= pieces <= MAX_PIECES:
        raise ValueError(f"endings have 2 to {MAX_PIECES} pieces, not {pieces}")
    size = _starts(variant, pieces)[1]
    endings = _with_values(np.zeros(size, np.int8), variant, pieces)
    for pair in _pairs(pieces):
        _solve(pair, variant, endings)
    return endings


def check_endings(variant: Variant, endings: Endings) -> int:
    """Number of the boards whose values are there, each of which follows from those a move on.

    So all are right; see count_wrong. Raises ValueError if any is not.
    """
    checked, wrong = 0, 0
    moves, jumps = new_moves(), new_jumps()
    for table in _tables(endings.most):
        counts = count_wrong(table, rules_of(variant), endings, moves, jumps)
        checked, wrong = checked + counts[0], wrong + counts[1]
    if wrong:
        raise ValueError(
            f"{wrong:,} values of the endings of {variant.name} draughts do not follow from others"
        )
    return checked


def table_sizes(variant: Variant, pieces: int) -> dict[Table, tuple[int, int]]:
    """The first row of each table and how many it has."""
    starts, _ = _starts(variant, pieces)
    return {table: (int(starts[table]), _size(table, variant)) for table in _tables(pieces)}


def _solve(pair: tuple[Table, ...], variant: Variant, endings: Endings) -> None:
    """Solve a table and the one of the same pieces with the other on move, backwards from the end.

    All that captures and new kings lead to is solved before.
    """
    rules = rules_of(variant)
    due = np.full(len(endings.values), NEVER_DUE, np.uint8)
    moves, jumps = new_moves(), new_jumps()
    for table in pair:
        begin_table(table, rules, endings, due)
    for distance in range(LONGEST + 1):
        left = 0
        for table in pair:
            left += go_back(table, distance, rules, endings, due, moves, jumps)
        if not left:
            return
    raise AssertionError(f"an ending of {variant.name} draughts takes over {LONGEST} plies")


def _tables(pieces: int) -> list[Table]:
    """All tables of up to so many pieces; each side has one at least."""
    counts = itertools.product(range(pieces), repeat=4)
    tables = [Table(*each) for each in counts]
    return [
        table
        for table in tables
        if sum(table) <= pieces and sum(table[:2]) >= 1 and sum(table[2:]) >= 1
    ]


def _pairs(pieces: int) -> Iterator[tuple[Table, ...]]:
    """The tables with those of the same pieces, in the order in which they are solved."""
    for table in sorted(_tables(pieces), key=lambda each: (sum(each), each[0] + each[2])):
        other = Table(*table[2:], *table[:2])
        if table == other:
            yield (table,)
        elif table < other:
            yield (table, other)


def _size(table: Table, variant: Variant) -> int:
    return math.prod(math.comb(variant.squares, number) for number in table)


def _starts(variant: Variant, pieces: int) -> tuple[NDArray[np.int64], int]:
    """The first row of each table, and the number of all rows."""
    starts = _no_starts()
    end = 0
    for table in _tables(pieces):
        starts[table] = end
        end += _size(table, variant)
    return starts, end


def _no_starts() -> NDArray[np.int64]:
    return np.full((MAX_PIECES + 1,) * 4, -1, np.int64)


@cache
def _binomials() -> NDArray[np.int64]:
    rows = [[math.comb(n, k) for k in range(MAX_PIECES + 1)] for n in range(_SQUARES)]
    return np.array(rows, np.int64)


def _with_values(values: NDArray[np.int8], variant: Variant, pieces: int) -> Endings:
    """Tables with their values; raises ValueError if those are too few or too many."""
    starts, size = _starts(variant, pieces)
    if len(values) != size:
        raise ValueError(f"the {_KIND} of {pieces} pieces have {size} values, not {len(values)}")
    return Endings(values, starts, _binomials(), pieces)
