"""Bear-off: exact endings, from databases that are built once and kept."""

from collections.abc import Callable
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.bearoff_file import VERSION, read_databases, write_databases
from bot.backgammon.kernels.bearoff import (
    CUBE_STATES,
    HOME,
    BearoffDatabases,
    Rolls,
    fill_bearoff_equities,
    fill_bearoff_outcomes,
)
from bot.backgammon.kernels.bearoff_databases import (
    MAX_AFTERS,
    MAX_ROLLS,
    fill_afters,
    fill_legs,
    fill_packed,
    fill_rolls,
    fill_two_sided,
)
from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.backgammon.kernels.dice import ROLL_COUNT
from bot.backgammon.rules.outcome import OUTPUTS, Equities, Outcomes
from bot.kernels import user_cache, writing_problem

Known = NDArray[np.bool_]
Tell = Callable[[str], None]
"""Told in a sentence what takes time."""

TWO_SIDED_CHECKERS = 6


def home_positions(checkers: int) -> int:
    """Number of positions of at most so many checkers on the six points of a home board."""
    return comb(HOME + checkers, HOME)


def bearoff_path(checkers: int = CHECKERS, two_sided_checkers: int = TWO_SIDED_CHECKERS) -> Path:
    """The file of databases of this size, in the user's cache folder."""
    return user_cache() / f"bearoff-{VERSION}-{checkers}-{two_sided_checkers}.tables"


def load_databases(
    tell: Tell,
    checkers: int = CHECKERS,
    two_sided_checkers: int = TWO_SIDED_CHECKERS,
    *,
    rebuild: bool = False,
) -> BearoffDatabases:
    """The databases, mapped into memory; built first if there are none, or they are damaged.

    Takes a second or two then, after compiling, and 20 ms otherwise. Processes that build at the
    same time write the same file one after the other. tell: called with a sentence before they are
    built, and if the file cannot be kept, unless no file can, for which see writing_problem.
    checkers: the most that a side has in the one-sided databases; two_sided_checkers: the most that
    each side has in the two-sided one. Raises ValueError as build_databases does.
    """
    path = bearoff_path(checkers, two_sided_checkers)
    if not rebuild:
        try:
            return _sized_databases(path, checkers, two_sided_checkers)
        except (FileNotFoundError, NotADirectoryError):
            pass  # the first time: they are built below
        except (OSError, ValueError) as error:
            tell(f"{error}; building them again")
    databases = build_databases(tell, checkers, two_sided_checkers)
    try:
        write_databases(databases, path)
        return read_databases(path)
    except OSError as error:
        if writing_problem() is None:
            tell(f"cannot keep the bear-off databases {path}: {error.strerror or error}")
        return databases


def _sized_databases(path: Path, checkers: int, two_sided_checkers: int) -> BearoffDatabases:
    databases = read_databases(path)
    sizes = len(databases.all_off.fewest), len(databases.wins)
    if sizes != (home_positions(checkers), home_positions(two_sided_checkers)):
        raise ValueError(f"the bear-off databases {path} have the wrong size")
    return databases


def build_databases(
    tell: Tell, checkers: int = CHECKERS, two_sided_checkers: int = TWO_SIDED_CHECKERS
) -> BearoffDatabases:
    """Databases for so many checkers of one side, and of both.

    Raises ValueError for sizes other than 1 to 15 checkers and 1 to 8 of both sides, not more.
    """
    if not 1 <= checkers <= CHECKERS:
        raise ValueError(f"a one-sided database has 1 to {CHECKERS} checkers, not {checkers}")
    most = min(checkers, _MAX_TWO_SIDED)
    if not 1 <= two_sided_checkers <= most:
        raise ValueError(f"a two-sided database has 1 to {most} checkers, not {two_sided_checkers}")
    positions, pairs = home_positions(checkers), home_positions(two_sided_checkers)
    tell(f"building bear-off databases: {positions:,} positions of one side")
    legs = np.empty((positions, 7, HOME), np.int32)
    fill_legs(legs)
    all_off = _rolls(legs, 1)
    first_off = _rolls(legs, home_positions(CHECKERS - 1))
    tell(f"building bear-off databases: {pairs} x {pairs} positions of both sides")
    starts = np.empty(ROLL_COUNT * pairs + 1, np.int32)
    afters = np.empty(ROLL_COUNT * pairs * MAX_AFTERS, np.int32)
    fill_afters(legs[:pairs], starts, afters)
    wins = np.empty((pairs, pairs), np.float32)
    equities = np.empty((pairs, pairs, CUBE_STATES), np.float32)
    fill_two_sided(starts, afters, wins, equities)
    return BearoffDatabases(all_off, first_off, wins, equities)


_MAX_TWO_SIDED = 8
"""Two-sided databases of eight checkers take 150 MB, of nine 400 MB."""


def _rolls(legs: NDArray[np.int32], finished: int) -> Rolls:
    """The rolls needed to reach a number below finished, from every position."""
    positions = len(legs)
    chances = np.empty((positions, MAX_ROLLS))
    fill_rolls(legs, finished, chances, np.empty(positions))
    starts = np.empty(positions + 1, np.int32)
    fewest = np.empty(positions, np.uint8)
    packed = np.empty(positions * MAX_ROLLS, np.float32)
    length = fill_packed(chances, starts, fewest, packed)
    return Rolls(starts, fewest, packed[:length].copy())


def _no_databases() -> BearoffDatabases:
    nothing = Rolls(np.zeros(1, np.int32), np.empty(0, np.uint8), np.empty(0, np.float32))
    wins = np.empty((0, 0), np.float32)
    return BearoffDatabases(nothing, nothing, wins, np.empty((0, 0, CUBE_STATES), np.float32))


NO_DATABASES = _no_databases()
"""Databases that know no position."""


def known_outcomes(boards: Boards, databases: BearoffDatabases) -> tuple[Outcomes, Known]:
    """Chances of the player on roll where the databases know the board, and where that is.

    boards: int8[n, 26]. Returns float32[n, 5], zeros where the databases do not apply, and bool[n].
    """
    outcomes = np.zeros((len(boards), OUTPUTS), np.float32)
    is_known = np.empty(len(boards), np.bool_)
    fill_bearoff_outcomes(boards, databases, outcomes, is_known)
    return outcomes, is_known


def known_equities(boards: Boards, databases: BearoffDatabases) -> tuple[Equities, Known]:
    """Money equities of rolling now where the two-sided database has the board, and where it has.

    boards: int8[n, 26]. Returns float32[n, 3] for a cube that is centred, owned by the player on
    roll and by the other side, in points at cube 1, zeros where it has not, and bool[n].
    """
    equities = np.zeros((len(boards), CUBE_STATES), np.float32)
    is_known = np.empty(len(boards), np.bool_)
    fill_bearoff_equities(boards, databases, equities, is_known)
    return equities, is_known
