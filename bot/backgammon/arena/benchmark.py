"""Benchmark: positions of every kind with rolled-out equities, to measure evaluators by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays, layout_of, read_archive, write_archive
from bot.backgammon.engine.rollout_result import LEAST_SPREAD, LEAST_TRIALS
from bot.backgammon.engine.search import Search
from bot.backgammon.evaluation.kinds import KINDS, SIDES, Kind, kinds_of
from bot.backgammon.kernels.boards import POINTS, Boards
from bot.backgammon.kernels.rollout import COLUMNS, UTILITY, Samples
from bot.backgammon.rules.outcome import cubeless_equities
from bot.estimate import Estimate, estimate
from bot.weights import benchmark_file

VERSION = 1

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Positions, and what the trials of each have added up to, so that it can be gone on with.

    boards: int8[n, 26] seen by the player on roll; trials: int64[n]; sums: float64[n, 2, 6], of
    his five chances at the end and his equity, and of the luck in each; squares: float64[n, 3], of
    equities, of their luck, and the products of both; header: how it was made.
    """

    boards: Boards
    trials: NDArray[np.int64]
    sums: Values
    squares: Values
    header: Mapping[str, Any]

    @classmethod
    def of_boards(cls, boards: Boards, header: Mapping[str, Any]) -> "Benchmark":
        """A benchmark of which nothing is rolled out yet."""
        count = len(boards)
        return cls(
            boards,
            np.zeros(count, np.int64),
            np.zeros((count, 2, COLUMNS)),
            np.zeros((count, 3)),
            header,
        )

    @classmethod
    def load(cls, path: Path | None = None) -> "Benchmark":
        """The benchmark in a file, if None the one that comes with Blot; raises ValueError."""
        path = path or benchmark_file()
        header, arrays = read_archive(path, "benchmark", VERSION, ["boards", "trials"])
        boards = np.zeros((np.size(arrays.get("trials", ())), POINTS), np.int8)
        if layout_of(arrays) != layout_of(cls.of_boards(boards, header)._saved):
            raise ValueError(f"{path} is no benchmark of Blot, or is damaged")
        return cls(**arrays, header=header)

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        write_archive(path, {**self.header, "version": VERSION}, self._saved)

    @property
    def _saved(self) -> Arrays:
        """The arrays of its file, by the names of the fields."""
        return {
            "boards": self.boards,
            "trials": self.trials,
            "sums": self.sums,
            "squares": self.squares,
        }

    def add(self, place: int, samples: Samples) -> None:
        """Add trials of the position at a place, cubeless: float64[2, n, 6], see Rollout."""
        equities, lucks = samples[:, :, UTILITY]
        self.trials[place] += len(equities)
        self.sums[place] += samples.sum(axis=1)
        self.squares[place] += (equities @ equities, lucks @ lucks, equities @ lucks)

    @property
    def rolled_out(self) -> "Benchmark":
        """The positions that have trials enough to tell something: two or more."""
        is_known = self.trials >= 2
        return replace(
            self,
            boards=self.boards[is_known],
            trials=self.trials[is_known],
            sums=self.sums[is_known],
            squares=self.squares[is_known],
        )

    @property
    def equities(self) -> Values:
        """Cubeless equities, less the luck; float64[n], all 0 where there are no trials."""
        results, lucks = self.sums[:, :, UTILITY].T
        equities: Values = (results - self._luck_worth * lucks) / np.maximum(self.trials, 1)
        return equities

    @property
    def equity_errors(self) -> Values:
        """Standard errors of the equities, infinite where there are fewer than two trials."""
        results, lucks, both = self._spreads
        worth = self._luck_worth
        squares = np.maximum(results - 2 * worth * both + worth**2 * lucks, 0)
        pairs = self.trials * (self.trials - 1)
        return np.sqrt(np.where(pairs > 0, squares / np.maximum(pairs, 1), np.inf))

    @property
    def _luck_worth(self) -> Values:
        """Share of the luck to subtract, 1 for few trials; see Rollout; float64[n]."""
        _, lucks, both = self._spreads
        is_fitted = (self.trials >= LEAST_TRIALS) & (lucks >= LEAST_SPREAD * self.trials)
        return np.where(is_fitted, both / np.where(lucks > 0, lucks, 1), 1.0)

    @property
    def _spreads(self) -> Values:
        """Squares and products of equities and luck about their means; float64[3, n]."""
        results, lucks = self.sums[:, :, UTILITY].T
        products = np.stack([results**2, lucks**2, results * lucks])
        spreads: Values = self.squares.T - products / np.maximum(self.trials, 1)
        return spreads


class RolledOut(Protocol):
    """Positions with equities by rollouts, Blot's or anybody's, to measure evaluators by."""

    @property
    def boards(self) -> Boards:
        """The positions that were rolled out, int8[n, 26] seen by the players on roll."""

    @property
    def equities(self) -> Values:
        """Cubeless equities of the players on roll by their rollouts, float64[n]."""

    @property
    def equity_errors(self) -> Values:
        """Standard errors of the equities, float64[n], in points; nan where they are not known."""


@dataclass(frozen=True, slots=True)
class KindErrors:
    """Errors of an evaluator's equities in one kind, seen from one side.

    side: what the player on roll is doing, empty where both sides are alike; positions: so many;
    error: mean of the absolute differences; bias: mean of the differences, above 0 if the evaluator
    says too much for the player on roll; known: standard error of the benchmark's own equities,
    root mean square, by which the absolute error comes out too large, None if they are not known.
    """

    kind: Kind
    side: str
    positions: int
    error: Estimate
    bias: Estimate
    known: float | None


def errors_by_kind(benchmark: RolledOut, equities: Values) -> list[KindErrors]:
    """An evaluator's errors for each kind and side, of positions all rolled out; float64[n]."""
    numbers, is_first = kinds_of(benchmark.boards)
    differences, errors = equities - benchmark.equities, benchmark.equity_errors
    rows = []
    for number, kind in enumerate(KINDS):
        for side, is_side in zip(SIDES.get(kind, ("",)), (is_first, ~is_first), strict=False):
            places = (numbers == number) & (is_side if kind in SIDES else True)
            found = differences[places]
            error, bias = estimate(np.abs(found).tolist()), estimate(found.tolist())
            if error is not None and bias is not None:
                own = float(np.sqrt(np.mean(errors[places] ** 2)))
                known = None if np.isnan(own) else own
                rows.append(KindErrors(kind, side, len(found), error, bias, known))
    return rows


def equities_of(
    search: Search, boards: Boards, on_evaluated: Callable[[int], None] = lambda evaluated: None
) -> Values:
    """Cubeless equities of the players on roll as a search sees them; float64[n].

    boards: int8[n, 26]; on_evaluated: called with how many are evaluated.
    """
    equities = np.empty(len(boards))
    for i, board in enumerate(boards):
        equities[i] = cubeless_equities(search.outcomes(board))[0]
        on_evaluated(i + 1)
    return equities
