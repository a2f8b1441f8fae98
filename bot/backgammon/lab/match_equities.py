"""Match equities: Blot's table, by rollouts of the first game of a match from every score.

    python -m bot.backgammon.lab.match_equities --out weights/match_equities.npz --workers 2

Each score up to 15 away is rolled out with the cube, luck subtracted, from after each of the 15
openings, played two plies deep, with either side beginning: scores with few points to go first, as
the others' games end there. A rollout goes on until the match-winning chance is known well enough.
The same command goes on from the file, score by score, and ends with the same file however often
it was interrupted; with a larger --longest it goes on to more scores.
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.archive import Arrays, layout_of, read_archive, write_archive
from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.compilation import COMPILATION, player_jobs, rollout_jobs
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.nets import pruner_of
from bot.backgammon.engine.rollout_start import Start, play_start
from bot.backgammon.engine.rollout_trials import (
    MAX_WORKERS,
    RolloutPlayer,
    RolloutSettings,
    Seat,
    piece_of_rollout,
    seat_of,
)
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.cube import Values, cube_table
from bot.backgammon.evaluation.met import ROLLED_OUT, MatchEquityTable, completed_table
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.kernels.search import MAX_PLIES as DEEPEST
from bot.backgammon.lab.cube.games import state_at
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import OPENINGS
from bot.compilation import compile_missing
from bot.estimate import Estimate
from bot.files import alone_with
from bot.lab.command_line import (
    file_to_write,
    lab_parser,
    seed_number,
    told_in_a_sentence,
    whole_number,
)
from bot.weights import DEFAULT, bring_weights, weights_aliases, weights_digest
from bot.workers import (
    all_results,
    everywhere_first,
    worker_count,
    worker_pool,
    works_alone,
)
from bot.workers.cluster import LOCAL, at_cluster

PIECE = 36
"""Trials of a piece: each first roll of two dice once."""

EARLIER = {"filter": "normal"}
"""Settings of files that do not name them, being older."""

_OPENING = SearchSettings(2)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a player so many points away against one other_away, at most as many."""

    away: int
    other_away: int
    is_crawford: bool = False

    def __str__(self) -> str:
        stage = " Crawford" if self.is_crawford else " after it" if self.other_away == 1 else ""
        return f"{self.away} away {self.other_away} away{stage}"


def scores_in_order(longest: int) -> list[MatchScore]:
    """The scores to roll out, none before those that its game ends in.

    All others up to the longest are their mirror images, or even.
    """
    behind = range(2, longest + 1)
    last = [MatchScore(away, 1, each) for each in (False, True) for away in behind]
    rest = [MatchScore(away, other) for away in behind for other in range(2, away)]
    return last + sorted(rest, key=lambda score: (score.away + score.other_away, score.away))


@dataclass(frozen=True, slots=True)
class RolledScores:
    """Match-winning chances found so far, and what they were found with.

    pre, pre_errors: float64[n + 1, n + 1] by both away scores, the larger first, column 1 being
    the Crawford game; post, post_errors: float64[n + 1] after it; NaN where nothing is known.
    """

    header: dict[str, str | int | float]
    pre: Values
    pre_errors: Values
    post: Values
    post_errors: Values

    @classmethod
    def of_nothing(cls, header: dict[str, str | int | float], longest: int) -> "RolledScores":
        """No score rolled out yet."""
        square, row = (longest + 1, longest + 1), longest + 1
        return cls(
            header,
            *(np.full(shape, math.nan) for shape in (square, square, row, row)),
        )

    def grown(self, longest: int) -> "RolledScores":
        """A copy with room for scores up to the longest."""
        more = max(longest + 1 - len(self.post), 0)
        arrays = (self.pre, self.pre_errors, self.post, self.post_errors)
        return RolledScores(
            self.header, *(np.pad(each, (0, more), constant_values=math.nan) for each in arrays)
        )

    def is_known(self, score: MatchScore) -> bool:
        """Whether the score has been rolled out."""
        means, _, place = self._cell(score)
        return not math.isnan(means[place])

    def add(self, score: MatchScore, found: Estimate) -> None:
        """Take in what a score's rollout has found for the player behind."""
        assert found.error is not None, "every score has many trials"
        means, errors, place = self._cell(score)
        means[place], errors[place] = found.mean, found.error

    def table(self) -> MatchEquityTable:
        """The table of what is known; the other scores by recurrence."""
        return completed_table(self.pre, self.post)

    def save(self, path: Path) -> None:
        """Write the file whole; raises OSError."""
        write_archive(path, {"version": ROLLED_OUT[1], **self.header}, self._saved)

    @classmethod
    def load(cls, path: Path) -> "RolledScores":
        """Read the file; raises ValueError if it is none."""
        header, arrays = read_archive(path, *ROLLED_OUT, ["error"])
        nothing = cls.of_nothing(header, np.size(arrays.get("post", ())) - 1)
        if layout_of(arrays) != layout_of(nothing._saved):
            raise ValueError(f"{path} is no {ROLLED_OUT[0]} of Blot, or is damaged")
        return cls(header, **arrays)

    @property
    def _saved(self) -> Arrays:
        """The arrays of its file, by the names of the fields."""
        return {
            "pre": self.pre,
            "pre_errors": self.pre_errors,
            "post": self.post,
            "post_errors": self.post_errors,
        }

    def _cell(self, score: MatchScore) -> tuple[Values, Values, tuple[int, ...]]:
        """The array of a score's chance, that of its error, and the place in both."""
        if score.other_away == 1 and not score.is_crawford:
            return self.post, self.post_errors, (score.away,)
        return self.pre, self.pre_errors, (score.away, score.other_away)


def starts_of(score: MatchScore, met: MatchEquityTable, seat: Seat) -> list[tuple[Start, int]]:
    """Starts after all openings, and whether the player behind is on roll there, 1, or not, -1."""
    state = state_at(score.away, score.other_away, is_crawford=score.is_crawford)
    search = Search(seat.evaluator, _OPENING, pruner=pruner_of(seat.evaluator.network))
    starts = []
    for first, sign in ((state, -1), (state.turned(), 1)):
        cube = cube_table(first, met, seat.evaluator.databases)
        for roll in OPENINGS:
            after = search.choice(first.position.board, roll, cube=cube)
            starts.append((play_start(first, Position.of_board(after), met), sign))
    return starts


def estimate(signs: Values, results: Values, lucks: Values) -> Estimate:
    """Match-winning chance of the player behind, the mean over the starts.

    signs: float64[k], 1 or -1; results, lucks: float64[k, n], utilities for who is on roll at each
    start. As much of the luck is subtracted as lets the results vary least within the starts.
    """
    centred = lucks - lucks.mean(axis=1, keepdims=True)
    worth = float((centred * results).sum() / (centred**2).sum())
    chances = 0.5 + 0.5 * signs[:, np.newaxis] * (results - worth * lucks)
    starts, trials = chances.shape
    variance = chances.var(axis=1, ddof=1).sum() / trials / starts**2
    return Estimate(float(chances.mean()), float(variance**0.5))


def rolled_score(
    score: MatchScore, known: RolledScores, player: RolloutPlayer, workers: int
) -> Estimate:
    """Roll out a score; raises ChildProcessError if a worker dies."""
    met, header = known.table(), known.header
    settings = RolloutSettings(
        ply=int(header["ply"]),
        seed=int(header["seed"]),
        filters=FILTERS[str(header.get("filter", EARLIER["filter"]))],
    )
    starts = starts_of(score, met, seat_of(player, settings.search))
    signs = np.array([sign for _, sign in starts], float)
    results: Values = np.empty((len(starts), 0))
    lucks: Values = np.empty((len(starts), 0))
    with worker_pool(workers) as pool:
        while True:
            # some steps ahead, as many as keep all workers busy; what is not needed is dropped
            steps = math.ceil(2 * worker_count(workers) / len(starts))
            first = results.size  # no two starts share their dice
            pieces = [
                (player, settings, start, first + PIECE * i, first + PIECE * (i + 1))
                for i, (start, _) in enumerate([*starts] * steps)
            ]
            if works_alone(workers):
                found = [piece_of_rollout(*piece) for piece in pieces]
            else:
                found = all_results(pool, piece_of_rollout, pieces, PIECE_SECONDS)
            for step in range(steps):
                some = found[step * len(starts) : (step + 1) * len(starts)]
                samples = np.stack(some)[..., UTILITY]
                results = np.concatenate((results, samples[:, 0]), axis=1)
                lucks = np.concatenate((lucks, samples[:, 1]), axis=1)
                so_far = estimate(signs, results, lucks)
                assert so_far.error is not None
                if so_far.error <= float(header["error"]):
                    return so_far


def roll_out(
    known: RolledScores, player: RolloutPlayer, longest: int, workers: int
) -> Iterator[tuple[MatchScore, Estimate]]:
    """Roll out every score up to the longest that is not known, in order, and add what is found."""
    for score in scores_in_order(longest):
        if not known.is_known(score):
            found = rolled_score(score, known, player, workers)
            known.add(score, found)
            yield score, found


def begun(options: argparse.Namespace) -> RolledScores:
    """The file to go on with, or a new one; raises ValueError if it was made otherwise."""
    weights = weights_aliases().get(options.weights, options.weights)
    header: dict[str, str | int | float] = {
        "weights": weights,
        "sha256": weights_digest(weights),
        "seed": options.seed,
        "ply": options.ply,
        "filter": options.filter,
        "error": options.error,
    }
    if not options.out.exists():
        return RolledScores.of_nothing(header, options.longest)
    known = RolledScores.load(options.out)
    for key, value in header.items():
        before = known.header.get(key, EARLIER.get(key))
        if before != value:
            raise ValueError(
                f"{options.out} was made otherwise: its {key} is {before}, not {value}"
            )
    return known.grown(options.longest)


@told_in_a_sentence()
def main() -> None:
    """Roll out what is not known yet, and write the file after every score."""
    parser = lab_parser(__doc__)
    parser.add_argument("--out", type=file_to_write, required=True, help="file, gone on with")
    parser.add_argument("--weights", default=DEFAULT, help="name or file, of both players")
    parser.add_argument(
        "--longest", type=whole_number(2, 25), default=15, help="points to go, at most"
    )
    parser.add_argument(
        "--ply", type=whole_number(0, DEEPEST), default=0, help="how deep both players look"
    )
    parser.add_argument(
        "--filter", choices=FILTERS, help="which plays are looked at deeper; normal if not given"
    )
    parser.add_argument("--seed", type=seed_number, default=1, help="of the dice")
    parser.add_argument("--error", type=float, default=0.0005, help="of chances that is enough")
    parser.add_argument(
        "--workers",
        type=whole_number(1, MAX_WORKERS),
        help="1 if not given, with --cluster local one for each processor",
    )
    parser.add_argument("--cluster", help="work on Ray's cluster: local, or HOST:PORT of its head")
    options = parser.parse_args()
    if not options.error > 0:
        parser.error(f"the error that is enough is more than 0, not {options.error:g}")
    if options.filter and options.ply == 0:
        parser.error("--filter is for looking ahead: give --ply 1 to 3 with it")
    if options.workers and options.cluster not in (None, LOCAL):
        parser.error("--workers is for this machine alone: leave it out with a cluster's --cluster")
    options.filter = options.filter or "normal"
    with alone_with(options.out):
        _make(options)


def _make(options: argparse.Namespace) -> None:
    """Go on with the file until all is known."""
    known = begun(options)
    began = time.monotonic()
    player = RolloutPlayer(options.weights)
    with at_cluster(options.cluster, print, options.workers):
        jobs = [*player_jobs(searches=True), *rollout_jobs(options.ply)]
        everywhere_first(compile_missing, COMPILATION, jobs)
        bring_weights([options.weights])
        for score, found in roll_out(known, player, options.longest, options.workers or 1):
            known.save(options.out)
            print(
                f"{score}: {100 * found.mean:.2f} ± {100 * (found.error or 0):.2f} %, "
                f"{time.monotonic() - began:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
