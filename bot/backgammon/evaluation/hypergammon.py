"""Hypergammon: backgammon with one, two or three checkers a side, solved exactly.

The rules are backgammon's, but each side begins with three checkers on its 24, 23 and 22 points; a
side that has borne none of them off loses a gammon. Checkers that are not in the game count as off
on a board. Source: bkgm.com, Backgammon Variants, Hyper-backgammon; first solved by Hugh Sconyers.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from bot.backgammon.evaluation.bearoff import Tell
from bot.backgammon.kernels.boards import BAR, POINTS, Boards
from bot.backgammon.kernels.dice import ROLL_COUNT
from bot.backgammon.kernels.hypergammon import (
    BLOCKS,
    PLACES,
    Doubles,
    Sides,
    Ways,
    fill_side_numbers,
    fill_ways,
    sweep,
)
from bot.backgammon.rules.play import RollWorkspace
from bot.backgammon.rules.position import Position
from bot.kernels import user_cache, writing_problem
from bot.mapped import read_mapped, write_mapped

VERSION = 1
"""Goes up when the equities or their file change; a file of another version is left alone."""

TOLERANCE = 1e-10
"""Largest change of a last sweep."""

_KIND = "hypergammon equities"
_HOME_FROM = 19
_SWEEPS_BETWEEN_FILES = 5


def start_of(checkers: int) -> Position:
    """The starting position: so many checkers a side, from its 24 point down."""
    side = {24 - k: 1 for k in range(checkers)}
    return Position.of(side, side)


@dataclass(frozen=True, slots=True)
class Hypergammon:
    """Equities of rolling now, cubeless and for money, in all positions of so many checkers a side.

    equities: float64[n, n] by the number of the side on roll and of the other one; NaN where both
    would stand on one point. change: the largest of the last sweep.
    """

    checkers: int
    sides: Sides
    equities: Doubles
    change: float

    @property
    def positions(self) -> int:
        """Number of positions: pairs of sides, off checkers included, that share no point."""
        return int(np.count_nonzero(~np.isnan(self.equities)))

    def equities_of(self, boards: Boards) -> Doubles:
        """Equity of rolling now on each board; int8[n, 26] in, float64[n].

        Raises ValueError for more checkers of a side than there are in the game.
        """
        if max(np.maximum(side, 0).sum(1).max(initial=0) for side in (boards, -boards)) > (
            self.checkers
        ):
            raise ValueError(f"hypergammon has {self.checkers} checkers a side here, not more")
        numbers = np.empty((len(boards), 2), np.int64)
        fill_side_numbers(boards, self.sides.numbers, numbers)
        equities: Doubles = self.equities[numbers[:, 0], numbers[:, 1]]
        return equities


def sides_of(checkers: int) -> Sides:
    """All sides of so many checkers; raises ValueError unless they are one, two or three."""
    if not 1 <= checkers <= PLACES:
        raise ValueError(f"hypergammon is solved with 1 to {PLACES} checkers a side: {checkers}")
    rows = sorted(
        combinations_with_replacement(range(BAR, -1, -1), checkers),
        key=lambda places: (sum(places), places),
    )
    places = np.zeros((len(rows), PLACES), np.int16)
    places[:, :checkers] = rows
    numbers = np.full((POINTS,) * PLACES, -1, np.int16)
    numbers[tuple(places.T)] = np.arange(len(rows))
    block = np.zeros(len(rows), np.int16)
    blots = np.zeros((len(rows), PLACES), np.int32)
    hit = np.empty((len(rows), 1 << PLACES), np.int16)
    for number, row in enumerate(places.tolist()):
        for k, place in enumerate(row):
            if 0 < place < BAR and row.count(place) == 1:
                blots[number, k] = 1 << (BAR - place)
            elif 0 < place < BAR:
                block[number] = BAR - place
        for which in range(1 << PLACES):
            after = [BAR if which >> k & 1 and row[k] else row[k] for k in range(PLACES)]
            hit[number, which] = numbers[tuple(sorted(after, reverse=True))]
    return Sides(places, numbers, block, blots, hit)


def ways_of(sides: Sides) -> Ways:
    """Every play of every side and roll, by the point that the other side holds."""
    starts = np.empty(BLOCKS * len(sides.places) * ROLL_COUNT + 1, np.int64)
    workspace = RollWorkspace()
    plays = workspace.work, workspace.after, workspace.steps, workspace.keys
    nothing = Ways(starts, np.empty(0, np.int16), np.empty(0, np.int32))
    count = fill_ways(sides, *plays, nothing)
    ways = Ways(starts, np.empty(count, np.int16), np.empty(count, np.int32))
    fill_ways(sides, *plays, ways)
    return ways


def ended_equities(sides: Sides, checkers: int) -> Doubles:
    """Equities where the game is over, 0 where it goes on, NaN where both are on one point.

    The points are those of backgammon, see points_lost, for so many checkers.
    """
    places = sides.places[:, :checkers]
    held = np.zeros((len(places), POINTS), np.bool_)
    held[np.arange(len(places))[:, None], places] = True
    held = held[:, 1:BAR]
    shared = held.astype(np.float32) @ held[:, ::-1].T.astype(np.float32) > 0
    equities = np.where(shared, np.nan, 0.0)
    is_gammon = (places > 0).all(1)
    lost = 1.0 + is_gammon + (is_gammon & (places[:, 0] >= _HOME_FROM))
    equities[0, :], equities[:, 0] = lost, -lost
    equities[0, 0] = 0.0
    return equities


def solve(
    checkers: int, tell: Tell, begun: Hypergammon | None = None, keep: Path | None = None
) -> Hypergammon:
    """Sweep over all positions until nothing changes any more.

    begun: to go on from; keep: file to write every few sweeps, and at the end. Three checkers take
    minutes. Raises OSError if the file cannot be written.
    """
    sides = sides_of(checkers)
    tell(f"hypergammon with {checkers} checkers a side: plays of {len(sides.places):,} sides")
    ways = ways_of(sides)
    equities = ended_equities(sides, checkers) if begun is None else begun.equities
    count = 0
    while True:
        change = float(sweep(sides, ways, equities, begun is None and count == 0))
        count += 1
        tell(f"hypergammon: after sweep {count} no equity changes by more than {change:.1e}")
        solved = Hypergammon(checkers, sides, equities, change)
        is_done = change <= TOLERANCE
        if keep is not None and (is_done or count % _SWEEPS_BETWEEN_FILES == 0):
            arrays = {"equities": equities, "change": np.array([change])}
            write_mapped(keep, _KIND, VERSION, arrays)
        if is_done:
            return solved


def hypergammon_path(checkers: int = PLACES) -> Path:
    """The file of equities, in the user's cache folder."""
    return user_cache() / f"hypergammon-{VERSION}-{checkers}.tables"


def load_hypergammon(tell: Tell, checkers: int = PLACES) -> Hypergammon:
    """The solved game, mapped into memory; solved first if it is not, or the file is damaged.

    What an interrupted session has swept is gone on with. If nothing can be written, that is told.
    """
    path = hypergammon_path(checkers)
    begun = _found(path, checkers, tell)
    if begun is not None and begun.change <= TOLERANCE:
        return begun
    can_keep = writing_problem() is None
    if not can_keep:
        tell(f"cannot keep the {_KIND} {path}: {writing_problem()}")
    return solve(checkers, tell, begun, path if can_keep else None)


def _found(path: Path, checkers: int, tell: Tell) -> Hypergammon | None:
    sides = sides_of(checkers)
    try:
        arrays = read_mapped(path, _KIND, VERSION)
        if arrays["equities"].shape != (len(sides.places),) * 2:
            raise ValueError(f"the {_KIND} {path} have the wrong size")
        return Hypergammon(checkers, sides, arrays["equities"], float(arrays["change"][0]))
    except (FileNotFoundError, NotADirectoryError):
        return None  # the first time
    except (OSError, ValueError, KeyError) as error:
        tell(f"{error}; solving it again")
        return None
