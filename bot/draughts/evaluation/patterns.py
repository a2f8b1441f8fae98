"""Patterns: the evaluation of a variant, untrained or from a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import read_archive, write_archive
from bot.draughts.kernels.boards import Boards
from bot.draughts.kernels.patterns import (
    CONTENTS,
    FIRST_KING,
    HEIGHT,
    KINGS,
    LONG_DIAGONAL,
    MEN,
    MOVE,
    SCORE,
    TERMS,
    UNIT,
    Patterns,
    fill_evaluations,
)
from bot.draughts.rules.board import boards_of, kernel_squares, rules_of
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import VARIANTS, Side, Variant

VERSION = 1
"""Version of the files that evaluations are kept in."""

_KIND = "draughts evaluation"
_MAN, _KING, _ON_MOVE, _ON_DIAGONAL = 1.0, 3.0, 0.05, 0.3
_ADVANCED = 0.02
"""Men that a man's place is worth for every row that it is ahead of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class PatternEvaluation:
    """A linear evaluation of a variant's positions; see bot.draughts.kernels.patterns.

    regions: int16[regions, 6561, 2]; terms: int64[5, 2]. history: how it was made.
    """

    variant: Variant
    regions: NDArray[np.int16]
    terms: NDArray[np.int64]
    history: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        expected = (region_count(self.variant), CONTENTS, 2)
        if self.regions.shape != expected or self.terms.shape != (TERMS, 2):
            raise ValueError(
                f"{self.variant.name} draughts has {expected} weights of regions and "
                f"({TERMS}, 2) of terms, not {self.regions.shape} and {self.terms.shape}"
            )

    @classmethod
    def untrained(cls, variant: Variant) -> "PatternEvaluation":
        """Men and kings, a little for men ahead, for the long diagonal and for being on move."""
        terms = np.zeros((TERMS, 2), np.int64)
        worth = {MEN: _MAN, FIRST_KING: _KING, KINGS: _KING, LONG_DIAGONAL: _ON_DIAGONAL}
        for term, men in (worth | {MOVE: _ON_MOVE}).items():
            terms[term] = round(men * UNIT)
        return cls(variant, _advance(variant), terms)

    @classmethod
    def load(cls, path: Path) -> "PatternEvaluation":
        """The evaluation in a file; raises ValueError, in one sentence, if it cannot be read."""
        header, arrays = read_archive(path, _KIND, VERSION, ["variant", "regions"])
        try:
            variant = VARIANTS[header["variant"]]
            return cls(variant, arrays["regions"], arrays["terms"], header["history"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is no {_KIND} of Blot: {error}") from None

    def save(self, path: Path) -> None:
        """Write it into a file; raises OSError as for a full disk."""
        header = {
            "version": VERSION,
            "variant": self.variant.name,
            "history": dict(self.history),
        }
        write_archive(path, header, {"regions": self.regions, "terms": self.terms})

    @property
    def patterns(self) -> Patterns:
        """The evaluation as kernels see it."""
        return Patterns(self.regions, self.terms, long_diagonal(self.variant))

    def scores(self, boards: Boards) -> NDArray[np.int64]:
        """Score of each board for the player to move, in hundredths of a man; int64[n]."""
        scores = np.zeros(len(boards), np.int64)
        fill_evaluations(boards, rules_of(self.variant), self.patterns, scores)
        return scores

    def score(self, position: Position) -> float:
        """Score of a position for the player to move, in men."""
        return float(self.scores(boards_of([position]))[0]) / SCORE


def region_count(variant: Variant) -> int:
    """Number of the places where a region can lie."""
    return (variant.rows - HEIGHT + 1) * (variant.row_length - 1)


def long_diagonal(variant: Variant) -> int:
    """The squares of the diagonal between the corners, as kernels write them."""
    rows, length = variant.rows, variant.row_length
    squares = [row * length + (rows - 1 - row) // 2 + 1 for row in range(rows)]
    return kernel_squares(set_of(squares), variant, Side.WHITE)


def twins() -> NDArray[np.int64]:
    """The number of each content of a region when the board is turned, int64[6561]."""
    rest = np.arange(CONTENTS)
    swapped = np.array([0, 2, 1])
    turned = np.zeros(CONTENTS, np.int64)
    for _ in range(2 * HEIGHT):
        turned = turned * 3 + swapped[rest % 3]
        rest //= 3
    return turned


def _advance(variant: Variant) -> NDArray[np.int16]:
    """Weights of regions by which a man is worth more the farther it is."""
    places = variant.rows - HEIGHT + 1
    weights = np.zeros((region_count(variant), CONTENTS, 2))
    # how many regions a square lies in, so that each of them has its part
    lies_in = np.zeros((variant.rows, variant.row_length))
    for place in range(len(weights)):
        row, column = place % places, place // places
        lies_in[row : row + HEIGHT, column : column + 2] += 1
    contents = np.arange(CONTENTS)
    for place in range(len(weights)):
        for number in range(2 * HEIGHT):
            # the last digit stands for the left square of the lowest row
            row = place % places + HEIGHT - 1 - number // 2
            column = place // places + number % 2
            digit = contents // 3**number % 3
            worth = _ADVANCED / lies_in[row, column]
            value = (digit == 1) * (variant.rows - 1 - row) * worth - (digit == 2) * row * worth
            weights[place] += value[:, np.newaxis]
    return np.round(weights * UNIT).astype(np.int16)
