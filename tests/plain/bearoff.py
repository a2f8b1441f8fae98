"""The obvious twin of the bear-off databases, in numpy, exactly or in gnubg's 16-bit units.

A home is a tuple of six counts, the ace point's first. A position's number is its place among all
homes ordered by the checkers left, then by those above the ace point, and so on. With gnubg=True
every number is rounded as makebearoff rounds it, so that its databases come out to the last bit.
"""

import shutil
import subprocess
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

Home = tuple[int, ...]

MAKEBEAROFF = shutil.which("makebearoff") or "/usr/games/makebearoff"
UNITS = 65_535
MAX_ROLLS = 32
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
WEIGHTS = np.array([1 if high == low else 2 for high, low in ROLLS])


def plain_homes(checkers: int) -> list[Home]:
    """All homes of at most so many checkers, by number."""
    homes = [
        home
        for rest in product(range(checkers + 1), repeat=5)
        if sum(rest) <= checkers
        for home in ((ace, *rest) for ace in range(checkers + 1 - sum(rest)))
    ]
    return sorted(homes, key=lambda home: [sum(home[point:]) for point in range(6)])


def plain_home_legs(home: Home, die: int) -> list[Home]:
    """The homes one leg of the die leads to, the rearmost first; itself if no checker is left."""
    sources = [point for point in range(6, 0, -1) if home[point - 1]]
    if not sources:
        return [home]
    after = []
    for source in sources:
        if source < die and source < max(sources):
            continue
        counts = list(home)
        counts[source - 1] -= 1
        if source > die:
            counts[source - die - 1] += 1
        after.append(tuple(counts))
    return after


def plain_home_afters(home: Home, high: int, low: int) -> set[Home]:
    """The homes a roll can lead to."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = set()
    for dice in orders:
        front = {home}
        for die in dice:
            front = {after for here in front for after in plain_home_legs(here, die)}
        found |= front
    return found


@dataclass
class PlainBearoff:
    """Homes of so many checkers, and the places one leg leads to."""

    checkers: int
    homes: list[Home] = field(init=False)
    number: dict[Home, int] = field(init=False)

    def __post_init__(self):
        self.homes = plain_homes(self.checkers)
        self.number = {home: place for place, home in enumerate(self.homes)}

    def _legs(self) -> list[np.ndarray]:
        """By die, from 1: the numbers one leg leads to, int[n, 6], the first one repeated."""
        legs = []
        for die in range(1, 7):
            rows = [[self.number[to] for to in plain_home_legs(h, die)] for h in self.homes]
            legs.append(np.array([(row + row[:1] * 6)[:6] for row in rows]))
        return legs

    def rolls(self, finished: int = 1, *, gnubg: bool = False) -> np.ndarray:
        """Chance of each number of rolls, [n, 32], until a number below finished is reached.

        Every roll is played to the least mean. Positions of one pip count are done at once: each
        leg leads to fewer pips, and the best way to play k legs is the best first leg with the best
        k - 1 after it.
        """
        legs = self._legs()
        numbers = np.arange(len(self.homes))
        pips = np.array(self.homes) @ np.arange(1, 7)
        chances = np.zeros((len(numbers), MAX_ROLLS))
        chances[:finished, 0] = UNITS if gnubg else 1
        means = np.zeros(len(numbers))
        best = np.tile(numbers, (5, 7, 1))  # by legs to play and die

        def least(here: np.ndarray, die: int, then: np.ndarray) -> np.ndarray:
            after = then[legs[die - 1][here]]
            return after[np.arange(len(here)), means[after].argmin(axis=1)]

        for level in range(1, pips.max() + 1):
            here = numbers[(pips == level) & (numbers >= finished)]
            for die, count in product(range(1, 7), range(1, 5)):
                best[count, die, here] = least(here, die, best[count - 1, die])
            total = np.zeros((len(here), MAX_ROLLS))
            for (high, low), weight in zip(ROLLS, WEIGHTS, strict=True):
                after = best[4, high, here]
                if high != low:
                    after = least(here, high, best[1, low])
                    other = least(here, low, best[1, high])
                    after = np.where(means[other] < means[after], other, after)
                total[:, 1:] += weight * chances[after, :-1]
            chances[here] = _rounded_rolls(total) if gnubg else total / 36
            means[here] = chances[here] @ np.arange(MAX_ROLLS)
        return chances / UNITS if gnubg else chances

    def two_sided(self, *, gnubg: bool = False) -> np.ndarray:
        """Equities of rolling, [n, n, 4]: cubeless, cube centred, owned, the other side's.

        Every roll is played to the best equity in its own cube state. The player on roll, first,
        has won without checkers, else lost if the other side has none.
        """
        homes = len(self.homes)
        one = 0x7FFF if gnubg else 1
        rolling = np.full((homes, homes, 4), self._other_side(np.array(one), gnubg))
        left = np.full((homes, homes, 4), one)
        rolling[0] = one
        if not gnubg:
            rolling, left = rolling.astype(float), left.astype(float)

        def left_with(rolled):
            cubeless, centred, owned, others = np.moveaxis(rolled, -1, 0)
            worth = cubeless, _with_double(centred, others), others, _with_double(owned, others)
            return self._other_side(np.stack(worth, axis=-1), gnubg)

        self._fill(rolling, left, left_with, is_whole=gnubg)
        return (rolling + 0x8000) / (UNITS / 2) - 1 if gnubg else rolling

    def at_score(self, won: np.ndarray, may_double: np.ndarray) -> np.ndarray:
        """Utilities of rolling in a match, [n, n, 2, K], for either side on roll.

        won: [2, L], a side's utility of a win with the cube at each level; what one side gains the
        other loses. may_double: [2, K]. States of the cube are those of a CubeTable. Every roll is
        played, and every cube turned, as is best at the score.
        """
        homes, states = len(self.homes), may_double.shape[1]
        stake = won[:, [max(state - 1, 0) // 2 for state in range(states)]]
        turned = [0, *(state + 1 if state % 2 else state - 1 for state in range(1, states))]
        taken = [min(state + 3, states - 1) if state else 4 for state in range(states)]
        rolling = np.tile(stake.ravel(), (homes, homes, 1))

        def left_with(rolled):
            sides = rolled.reshape(-1, 2, states)
            doubled = np.minimum(sides[..., taken], stake)
            worth = np.where(may_double & (doubled > sides), doubled, sides)
            return -worth[:, ::-1, turned].reshape(rolled.shape)

        self._fill(rolling, rolling.copy(), left_with)
        return rolling.reshape(homes, homes, 2, states)

    def _fill(self, rolling, left, left_with, *, is_whole: bool = False) -> None:
        """Fill in what rolling is worth, [n, n, S], where no side is done; both to begin with.

        left: what a home is worth to the side that leaves it, the other one to roll; left_with
        makes that, row by row, of what rolling then is worth to the other side.
        """
        afters, starts = self._afters()

        def leave(own, other):
            left[own, other] = left_with(rolling[other, own])

        def expected(best):
            total = np.tensordot(WEIGHTS, best, axes=(0, -3 if best.ndim == 3 else 0))
            return np.trunc(total / 36).astype(int) if is_whole else total / 36

        for number in range(1, len(self.homes)):
            lower, upto = np.arange(1, number), np.arange(1, number + 1)
            first, last = starts[21 * number], starts[21 * number + 21]
            rows = left[afters[first:last], :number]
            best = np.maximum.reduceat(rows, starts[21 * number : 21 * number + 21] - first)
            rolling[number, 1:number] = expected(best)[1:]
            leave(lower, number)
            column = left[afters[starts[21] : last], number]
            best = np.maximum.reduceat(column, starts[21 : 21 * number + 21] - starts[21])
            best = best.reshape(number, 21, -1).swapaxes(0, 1)
            rolling[1 : number + 1, number] = expected(best)
            leave(number, upto)

    def _afters(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers all rolls lead to, in a row, and where those of a home and a roll begin."""
        afters, starts = [], []
        for home in self.homes:
            for high, low in ROLLS:
                starts.append(len(afters))
                afters += [self.number[after] for after in plain_home_afters(home, high, low)]
        return np.array(afters), np.array([*starts, len(afters)])

    @staticmethod
    def _other_side(equities: np.ndarray, gnubg: bool) -> np.ndarray:
        return ~equities if gnubg else -equities


def _rounded_rolls(total: np.ndarray) -> np.ndarray:
    """Chances in units from their sums over 36 rolls; the likeliest takes what rounding left."""
    rounded = (total + 18) // 36
    likeliest = rounded.argmax(axis=1)
    rounded[np.arange(len(total)), likeliest] -= rounded.sum(axis=1) - UNITS
    return rounded


def _with_double(rolling: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Equity with the right to double, in either kind of units: a drop is worth all of them."""
    if rolling.dtype.kind == "f":
        return np.where(2 * taken < rolling, rolling, np.minimum(1, 2 * taken))
    doubled = np.where(taken >= 0x7FFF // 2, 0x7FFF, 2 * taken)
    return np.where(taken >= np.trunc(rolling / 2), doubled, rolling)


def home_board(own: Home, other: Home) -> tuple[int, ...]:
    """The board on which both sides have these homes, seen by the first."""
    return (0, *own, *(0,) * 12, *(-count for count in reversed(other)), 0)


def dense_rolls(rolls) -> np.ndarray:
    """Packed chances of each number of rolls as rows, [n, 32]."""
    rows = np.zeros((len(rolls.fewest), MAX_ROLLS))
    for number, fewest in enumerate(rolls.fewest):
        chances = rolls.chances[rolls.starts[number] : rolls.starts[number + 1]]
        rows[number, fewest : int(fewest) + len(chances)] = chances
    return rows


def plain_race_chances(all_off, first_off, own: int, other: int) -> tuple[float, float, float]:
    """Chances to win, to win a gammon and to lose one, from the rows of two positions' rolls.

    The player on roll has had n rolls when done in n, the other side n - 1; the other way round
    both have had n. First_off may have no rows for positions that cannot lose a gammon.
    """
    win = gammon = lose_gammon = 0.0
    for ours, theirs in product(range(MAX_ROLLS), repeat=2):
        both = all_off[own, ours]
        win += both * all_off[other, theirs] * (ours <= theirs)
        gammon += both * _row(first_off, other)[theirs] * (ours <= theirs)
        lose_gammon += all_off[other, theirs] * _row(first_off, own)[ours] * (theirs < ours)
    return win, gammon, lose_gammon


def _row(rows, number: int):
    return rows[number] if number < len(rows) else np.eye(1, MAX_ROLLS)[0]


def makebearoff_equities(checkers: int, folder: Path) -> np.ndarray:
    """Equities in gnubg's two-sided database, [n, n, 4]: cubeless, cube centred, owned, other's.

    The file has a header of 40 bytes, then for each pair four 16-bit numbers from -1 to 1.
    """
    path = folder / f"{checkers}.bd"
    command = [MAKEBEAROFF, "-t", f"6x{checkers}", "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    homes = len(plain_homes(checkers))
    units = np.fromfile(path, "<u2", offset=40).reshape(homes, homes, 4)
    return units[..., [0, 2, 1, 3]] / (UNITS / 2) - 1
