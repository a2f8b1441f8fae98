"""Kinds: makes the benchmark, positions of every kind rolled out by Blot.

    python -m bot.backgammon.lab.kinds --out weights/kinds.npz --error 0.01 --workers 2

Positions are reached in play, two plies to twelve at 1-ply from checkers that were laid out so that
a kind may come of it or as for training, races and usual positions anywhere in games from the
start. So many of each kind are kept, one of a game, as many with either side on roll; none that the
bear-off databases know. Each is played out at 1-ply with the filter tiny to the end, without the
cube, luck subtracted, a piece of 36 trials after the other, until its equity is known well enough;
no position is left far behind. The file keeps what the trials added up to. The same command goes on
from there, and ends with the same file however often it was interrupted.
"""

import argparse
import math
import time
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from bot.backgammon.arena.benchmark import Benchmark
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import (
    MAX_WORKERS,
    RolloutPlayer,
    RolloutSettings,
    Seat,
    piece_of_rollout,
    seat_of,
)
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import known_outcomes
from bot.backgammon.evaluation.kinds import KINDS, SIDES, Kind, kinds_of
from bot.backgammon.kernels.boards import POINTS, Boards, points_lost
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.lab.kind_layouts import LAYOUTS, laid_out
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.files import alone_with
from bot.generator import new_generator
from bot.interrupts import interrupts_held_back
from bot.lab.command_line import (
    file_to_write,
    lab_parser,
    number_from,
    seed_number,
    told_in_a_sentence,
    whole_number,
)
from bot.weights import DEFAULT, weights_aliases, weights_digest
from bot.workers import all_results, worker_pool, works_alone

PIECE = 36
"""Trials of a piece: each first throw once."""

STEPS = (0.04, 0.03, 0.02, 0.015, 0.01)
"""All equities are known so well before the first is known better."""

BIASED = (Kind.BACK_GAME, Kind.ON_THE_BAR, Kind.LATE_HIT, Kind.PRIMES, Kind.ACE_POINT)
"""Kinds in which networks are known to be biased: once all are known a little, these go first."""

MAX_GAMES = 100_000
PLIES = (2, 13)
"""Positions that far from a layout are kept; from the start of a game any that far or farther."""

MAX_PLIES = 200
SECONDS_BETWEEN_SAVES = 60.0

LEAST_AT_THE_END = 2 * PIECE
"""Of a position that is done: an error from one piece alone is itself too uncertain."""

_PLY = 1

_KIND_NAMES = ", ".join(f"{str(kind)!r}" for kind in KINDS)


def reached_positions(seat: Seat, each: int, seed: int) -> Boards:
    """Positions of each kind, half with either side on roll where it has two; int8[n, 26].

    Raises ValueError if that takes too many games.
    """
    boards: list[Boards] = []
    for kind in KINDS:
        sides = len(SIDES.get(kind, ("",)))
        for side in range(sides):
            boards += _of_kind(kind, side == 0, each // sides, seat, seed)
    return np.stack(boards)


def _of_kind(kind: Kind, is_first: bool, count: int, seat: Seat, seed: int) -> list[Boards]:
    """Different positions of a kind with this side on roll, one of a game."""
    number = KINDS.index(kind)
    found: dict[bytes, Boards] = {}
    for game in range(MAX_GAMES):
        if len(found) == count:
            return [*found.values()]
        dice = np.random.default_rng((seed, number, is_first, game))
        boards = _game_for(kind, seat, dice)
        numbers, firsts = kinds_of(boards)
        fitting = boards[(numbers == number) & (firsts == is_first)]
        if len(fitting):
            board = fitting[int(dice.integers(len(fitting)))]
            found.setdefault(board.tobytes(), board)
    raise ValueError(f"{MAX_GAMES:,} games do not reach {count} positions of the kind {kind}")


def _game_for(kind: Kind, seat: Seat, dice: np.random.Generator) -> Boards:
    """Positions of a game begun so that a kind may come of it, unknown to the databases."""
    board, (first, end) = START.board, PLIES
    if kind not in LAYOUTS:
        end = MAX_PLIES
    elif dice.integers(4) == 0:
        fill_layout(board, new_generator(int(dice.integers(2**31))))
    else:
        board = laid_out(kind, dice)
    if dice.integers(2):
        board = turned_boards(board[np.newaxis])[0]
    assert seat.search is not None, "the seat looks a ply ahead"
    boards = np.empty((end, POINTS), np.int8)
    for ply in range(end):
        if points_lost(board) > 0 or not (board > 0).any():
            end = ply
            break
        boards[ply] = board
        roll = Roll.of_dice(*map(int, dice.integers(1, 7, 2)))
        board = turned_boards(seat.search.choice(board, roll)[np.newaxis])[0]
    reached = boards[first:end]
    return reached[~known_outcomes(reached, seat.evaluator.databases)[1]]


def in_order(boards: Boards) -> list[int]:
    """Places in the order in which they are rolled out: one of each kind and side in turn."""
    numbers, is_first = kinds_of(boards)
    turns = np.zeros(len(boards), np.int64)
    for number, side in {*zip(numbers.tolist(), is_first.tolist(), strict=True)}:
        places = np.flatnonzero((numbers == number) & (is_first == side))
        turns[places] = np.arange(len(places))
    return [int(place) for place in np.lexsort((numbers, turns))]


def places_left(
    benchmark: Benchmark, error: float, kinds: Collection[Kind] = KINDS
) -> Iterator[list[int]]:
    """Places whose next piece is wanted, until the positions of these kinds are known so well."""
    numbers, _ = kinds_of(benchmark.boards)
    order = [place for place in in_order(benchmark.boards) if KINDS[numbers[place]] in kinds]
    biased_first = sorted(order, key=lambda place: KINDS[numbers[place]] not in BIASED)
    for step in [*(step for step in STEPS if step > error), error]:
        least = LEAST_AT_THE_END if step == error else PIECE
        places = order if step == STEPS[0] else biased_first
        while wanted := _wanted(benchmark, places, step, least):
            yield wanted


def _wanted(benchmark: Benchmark, places: list[int], error: float, least: int) -> list[int]:
    """The places of those that have fewer trials than the least, or a larger error."""
    errors = benchmark.equity_errors
    return [place for place in places if errors[place] > error or benchmark.trials[place] < least]


def roll_out(
    benchmark: Benchmark, error: float, workers: int, kinds: Collection[Kind] = KINDS
) -> Iterator[None]:
    """Roll out until all equities of these kinds are known so well; yields after every few pieces.

    Raises ChildProcessError if a worker dies.
    """
    player = RolloutPlayer(benchmark.header["weights"])
    settings = RolloutSettings(ply=_PLY, seed=benchmark.header["seed"], filters=FILTERS["tiny"])
    with nullcontext() if works_alone(workers) else worker_pool(workers) as pool:
        for wanted in places_left(benchmark, error, kinds):
            for first in range(0, len(wanted), 4 * workers):
                some = wanted[first : first + 4 * workers]
                pieces = [
                    (
                        player,
                        settings,
                        cubeless_start(Position.of_board(benchmark.boards[place])),
                        int(benchmark.trials[place]),
                        int(benchmark.trials[place]) + PIECE,
                    )
                    for place in some
                ]
                if pool is None:
                    found = [piece_of_rollout(*piece) for piece in pieces]
                else:
                    found = all_results(pool, piece_of_rollout, pieces)
                with interrupts_held_back():  # what is half added would be saved so
                    for place, samples in zip(some, found, strict=True):
                        benchmark.add(place, samples)
                yield


def begun(path: Path, weights: str, positions: int, seed: int) -> Benchmark:
    """The benchmark in the file to go on with, or a new one of so many positions of each kind.

    Raises ValueError if the file was made otherwise, or by a network that is another one now.
    """
    weights = weights_aliases().get(weights, weights)
    header = {
        "weights": weights,
        "sha256": weights_digest(weights),
        "positions": positions,
        "seed": seed,
        "ply": _PLY,
    }
    if path.exists():
        benchmark = Benchmark.load(path)
        others = [key for key in header if benchmark.header.get(key) != header[key]]
        if others:
            raise ValueError(
                f"{path} was made otherwise: its {others[0]} is "
                f"{benchmark.header.get(others[0])}, not {header[others[0]]}"
            )
        return benchmark
    boards = reached_positions(
        seat_of(RolloutPlayer(weights), SearchSettings(_PLY)), positions, seed
    )
    return Benchmark.of_boards(boards, header)


def standing(benchmark: Benchmark) -> str:
    """The errors of the positions' values, in words."""
    errors = benchmark.equity_errors
    counts = ", ".join(f"{(errors <= step).sum()} to {step:g}" for step in STEPS)
    return f"{len(errors)} positions, {benchmark.trials.sum():,} trials, known: {counts}"


def kind_named(text: str) -> Kind:
    """An argparse type: the kind of that name."""
    if text not in KINDS:
        raise argparse.ArgumentTypeError(f"the kinds are {_KIND_NAMES}, not {text!r}")
    return Kind(text)


@told_in_a_sentence()
def main() -> None:
    """Reach positions or read them, roll them out, and write the file now and then."""
    parser = lab_parser(__doc__)
    parser.add_argument("--out", type=file_to_write, required=True, help="file, gone on with")
    parser.add_argument("--weights", default=DEFAULT, help="name or file, of both players")
    parser.add_argument("--positions", type=int, default=300, help="of each kind")
    parser.add_argument("--seed", type=seed_number, default=1, help="of positions and dice")
    parser.add_argument("--error", type=float, default=0.01, help="of equities that is enough")
    parser.add_argument(
        "--only",
        type=kind_named,
        nargs="+",
        default=KINDS,
        metavar="KIND",
        help=f"roll out no others: {_KIND_NAMES}",
    )
    parser.add_argument("--minutes", type=number_from(0), default=math.inf, help="to stop after")
    parser.add_argument("--workers", type=whole_number(1, MAX_WORKERS), default=1, help="processes")
    options = parser.parse_args()
    if options.positions < 2 or options.positions % 2:
        parser.error(f"an even number of positions is made, 2 or more, not {options.positions}")
    if not options.error > 0:
        parser.error(f"the error that is enough is more than 0 points, not {options.error:g}")
    with alone_with(options.out):
        _make(options)


def _make(options: argparse.Namespace) -> None:
    """Go on with the file as long as it is told."""
    began = saved = time.monotonic()
    benchmark = begun(options.out, options.weights, options.positions, options.seed)
    benchmark.save(options.out)
    try:
        for _ in roll_out(benchmark, options.error, options.workers, options.only):
            now = time.monotonic()
            if now - saved > SECONDS_BETWEEN_SAVES:
                benchmark.save(options.out)
                saved = now
                print(f"{standing(benchmark)}, {now - began:.0f} s", flush=True)
            if now - began > 60 * options.minutes:
                break
    finally:
        benchmark.save(options.out)
    print(f"{standing(benchmark)}: {options.out}")


if __name__ == "__main__":
    main()
