"""Long lesson: a network learns on for an hour from examples that others put into a folder.

    python -m bot.backgammon.lab.long_lesson make FOLDER --teacher wide-2048-64 --seed 901
    python -m bot.backgammon.lab.long_lesson test FOLDER --teacher deep-1024-64
    python -m bot.backgammon.lab.long_lesson learn FOLDER --start wide-2048-64 --out next.npz
    python -m bot.backgammon.lab.long_lesson learn FOLDER --units 512 64 --phases 8 --out new.npz

Training learns what its workers have just made, a few times. Here making and learning are apart:
any number of `make` fill a folder, a file of 500 games after the other, each with a teacher and a
seed of its own, and `learn` draws from all that is there, and from what is added meanwhile, as
often as its time allows, on from a network or from random weights. Its rate falls from the peak to
nothing along half a cosine.

Examples are those of training with plays side by side (`blot train --learner lookahead`), the
losses too. `make` goes on after the files of its seed that are there; what `learn` has reached it
writes every few minutes, with the thousandths that a play loses by examples kept for that, games
from the start without a trace, which `test` makes. With `--kinds` the games of `make` begin with
checkers laid out so that one of these kinds of game may come of it, each as often as it is named.
Make some by every teacher, and some by a network that teaches nothing here: by a teacher of its own
a lesson looks better than it is.
"""

import argparse
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from bot.archive import Arrays, read_archive, write_archive
from bot.backgammon.engine.nets import PRUNER
from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.evaluation.kinds import Kind
from bot.backgammon.evaluation.network import Network, load_network
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.lookahead import Mix
from bot.backgammon.lab.kind_layouts import LAYOUTS, laid_out
from bot.backgammon.rules.position import turned_boards
from bot.backgammon.training.lookahead import TEST_STREAMS, Window, examples_of
from bot.backgammon.training.plays_lost import losses
from bot.backgammon.training.settings import check_value
from bot.backgammon.training.student import Student
from bot.files import alone_with
from bot.generator import new_generator
from bot.lab.command_line import (
    existing_folder,
    file_to_write,
    folder_to_fill,
    lab_parser,
    told_in_a_sentence,
    whole_number,
)
from bot.weights import DEFAULT

GAMES_OF_FILE = 500
TEST = "test-"
"""Start of the names of files of test examples; the name of their teacher follows."""

TRACE = 0.6
"""Share, 0 to 1, of a target that comes from the next position's, in games from the start."""

LAYOUT_TRACE = 0.95
"""Share, 0 to 1, of a target that comes from the next position's, in games of layouts or kinds."""

CONTRAST = 32.0
"""Weight of the differences between the errors of a roll's plays, beside the errors."""

BATCH = 512
AVERAGING = 0.999
WARM_UP = 0.01
"""Share of the time in which the rate rises to its peak, as Adam's moments begin at nothing."""

SECONDS_BETWEEN_SAVES = 240.0
BATCHES_BETWEEN_LOOKS = 400
"""Batches learnt between two looks into the folder for new files."""

_KIND, _VERSION = "file of examples", 2
"""Tests of version 1 had the dice of a lesson's first file, so they are not to be read."""


def make(
    folder: Path,
    teacher: str,
    pruner: str,
    mix: Mix,
    seed: int,
    games: int,
    kinds: Sequence[Kind] = (),
) -> int:
    """Make a folder's next file of examples of this seed; its number, from 0 on.

    kinds: those that its games begin with, see `laid_out`; none for the games of the mix.
    """
    made = (int(path.stem.rpartition("-")[2]) for path in folder.glob(f"{seed}-*.npz"))
    number = max(made, default=-1) + 1
    path = folder / f"{seed}-{number:05}.npz"
    write_examples(path, teacher, pruner, mix, (seed, number), games, kinds)
    return number


def write_examples(
    path: Path,
    teacher: str,
    pruner: str,
    mix: Mix,
    dice: tuple[int, int],
    games: int,
    kinds: Sequence[Kind] = (),
) -> None:
    """Write a file of examples, in a folder that is made if need be.

    dice: seed and stream of the games; kinds: as of `make`.
    """
    network, generator = load_network(teacher), new_generator(*dice)
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = np.random.default_rng(dice)
    starts = [_start(kinds, numbers) for _ in range(games)] if kinds else []
    boards, targets, places, _, counts = examples_of(network, pruner, mix, generator, games, starts)
    header = {"version": _VERSION, "teacher": teacher, "counts": counts.tolist()}
    write_archive(path, header, {"boards": boards, "targets": targets, "places": places})


def _start(kinds: Sequence[Kind], numbers: np.random.Generator) -> Boards:
    """A board for one of the kinds, either side on roll."""
    board = laid_out(kinds[int(numbers.integers(len(kinds)))], numbers)
    return turned_boards(board[np.newaxis])[0] if numbers.integers(2) else board


def read_examples(path: Path) -> tuple[list[int], Arrays]:
    """Read a file of examples: its counts and its arrays; raises ValueError if it is none."""
    header, arrays = read_archive(path, _KIND, _VERSION, ["counts"])
    return header["counts"], arrays


def student_of(start: Network, seed: int) -> Student:
    """A student of a network's shape that goes on from it."""
    units = tuple(units for units in start.units if units)
    student = Student(start.inputs, units, seed, start.phases)
    student.start_from(start)
    return student


class Lesson:
    """A student and the examples of a folder that it learns from.

    history: of the network that it goes on from.
    """

    def __init__(
        self,
        student: Student,
        folder: Path,
        room: int,
        candidates: int,
        seed: int,
        history: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.student = student
        self.drawn = 0
        self._history = history
        self._counts = np.zeros(3, np.int64)
        self._folder = folder
        self._seen: set[Path] = set()
        self._window = Window(room, candidates)
        self._numbers = np.random.default_rng(seed)

    @property
    def filled(self) -> int:
        """Examples that it draws from."""
        return self._window.filled

    def look(self) -> None:
        """Take in the files that are new in the folder."""
        for path in sorted(self._folder.glob("*.npz")):
            if path not in self._seen and not path.name.startswith(TEST):
                counts, found = read_examples(path)
                self._counts += counts
                self._window.add(found["boards"], found["targets"], found["places"])
                self._seen.add(path)

    def learn(self, rate: float, contrast: float) -> None:
        """Learn a batch."""
        boards, targets, firsts = self._window.batch(BATCH, self._numbers)
        self.student.learn(boards, targets, rate, AVERAGING, firsts, contrast)
        self.drawn += len(boards)

    @property
    def network(self) -> Network:
        """A copy of the averaged network; its history counts all games, the start's too."""
        history = dict(self._history)
        for name, count in zip(("games", "plies"), self._counts.tolist(), strict=False):
            history[name] = history.get(name, 0) + count
        history["drawn"] = self.drawn
        return Network(self.student.layers, self.student.inputs, history)


def learnt(lesson: Lesson, peak: float, contrast: float, seconds: float) -> Iterator[float]:
    """Learn for so long; yields after every few batches the share of the time that has passed."""
    began = time.monotonic()
    batches = 0
    while (share := (time.monotonic() - began) / seconds) < 1:
        if batches % BATCHES_BETWEEN_LOOKS == 0:
            lesson.look()
            yield share
        lesson.learn(rate_at(share, peak), contrast)
        batches += 1


def rate_at(share: float, peak: float) -> float:
    """The rate of learning when that share of the time, 0 to 1, has passed."""
    return peak * min(1.0, share / WARM_UP) * (1 + math.cos(math.pi * share)) / 2


def standing(lesson: Lesson, tests: Mapping[str, Arrays]) -> str:
    """Examples drawn and loss of a play in a lesson so far, as a line of text.

    tests: examples that the lesson does not learn from, by who made them.
    """
    told = f"{lesson.drawn:,} examples drawn from {lesson.filled:,}"
    network = lesson.network
    for name, test in tests.items():
        lost = losses(network, test["boards"], test["targets"], test["places"])
        if len(lost):
            told += f", a play loses {1000 * lost.mean():.3f} by {name}"
    return told


def tests_of(folder: Path) -> dict[str, Arrays]:
    """The test examples of a folder, by who made them."""
    return {
        path.stem.removeprefix(TEST): read_examples(path)[1]
        for path in sorted(folder.glob(f"{TEST}*.npz"))
    }


def _parser() -> argparse.ArgumentParser:
    """The options of the three ways: make, test and learn."""
    parser = lab_parser(__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    making, testing, learning = (
        ways.add_parser(
            way,
            help=told,
            description=told,
            allow_abbrev=False,
            formatter_class=parser.formatter_class,
        )
        for way, told in (
            ("make", "make files of examples to learn from"),
            ("test", "make a file of examples to test by"),
            ("learn", "learn from the examples of a folder"),
        )
    )
    for way in (making, testing):
        way.add_argument("--teacher", default=DEFAULT, help="name or file")
        way.add_argument("--pruner", default=PRUNER, help="name or file; empty for none")
    making.add_argument(
        "--files", type=whole_number(1), default=100, help=f"of {GAMES_OF_FILE} games each"
    )
    beginnings = making.add_mutually_exclusive_group()
    beginnings.add_argument("--layouts", type=float, default=0.2, help="share of the games")
    beginnings.add_argument(
        "--kinds",
        nargs="+",
        choices=[*map(str, LAYOUTS)],
        default=[],
        metavar="KIND",
        help="of game that may come of every start: " + ", ".join(f"'{kind}'" for kind in LAYOUTS),
    )
    for name, trace, games, usual in (
        ("--lambda", "trace", "from the start", TRACE),
        ("--layout-lambda", "layout_trace", "of layouts or kinds", LAYOUT_TRACE),
    ):
        making.add_argument(
            name,
            type=float,
            default=argparse.SUPPRESS,
            dest=trace,
            metavar="LAMBDA",
            help=f"in games {games}; {usual} if not given",
        )
    beginning = learning.add_mutually_exclusive_group()
    beginning.add_argument("--start", default=DEFAULT, help="name or file")
    beginning.add_argument(
        "--units",
        type=int,
        nargs="+",
        default=argparse.SUPPRESS,
        help="in the hidden layers of a new network, in place of --start",
    )
    learning.add_argument("--phases", type=int, default=1, help="of a new network: 1 or 8")
    learning.add_argument("--out", type=file_to_write, required=True, help="file of the network")
    learning.add_argument("--rate", type=float, default=0.0003, help="at its peak")
    learning.add_argument(
        "--contrast", type=float, default=argparse.SUPPRESS, help=f"{CONTRAST:g} if not given"
    )
    learning.add_argument("--minutes", type=float, default=60.0, help="that it takes")
    learning.add_argument("--window", type=int, default=9_000_000, help="examples kept in memory")
    for way in (making, testing, learning):
        there = existing_folder if way is learning else folder_to_fill
        way.add_argument("folder", type=there, help="of examples")
        way.add_argument("--candidates", type=int, default=4, help="plays of a roll side by side")
        way.add_argument("--seed", type=int, default=1, help="of all that is by chance")
    return parser


@told_in_a_sentence()
def main() -> None:
    """Make examples to learn from or to test by, or learn."""
    parser = _parser()
    options = parser.parse_args()
    try:
        for name, value in vars(options).items():
            check_value(name, value)
        if options.way == "learn":
            _check_lesson(options)
        if options.way == "make":
            _check_making(options)
    except ValueError as error:
        parser.error(str(error))
    {"make": _make, "test": _make_test, "learn": _learn}[options.way](options)


def _check_making(options: argparse.Namespace) -> None:
    """Raise ValueError for options that say something of games that are not made."""
    if options.kinds and "trace" in options:
        raise ValueError("--lambda is for games from the start: with --kinds there are none")
    if options.layouts == 1 and "trace" in options:
        raise ValueError("--lambda is for games from the start: with --layouts 1 there are none")
    if not options.kinds and not options.layouts and "layout_trace" in options:
        raise ValueError("--layout-lambda is for games of layouts: with --layouts 0 there are none")


def _check_lesson(options: argparse.Namespace) -> None:
    """Raise ValueError for options that no lesson can follow."""
    if not 0 < options.minutes < math.inf:
        raise ValueError(f"a lesson takes more than 0 minutes, not {options.minutes:g}")
    if not 0 < options.rate < 10:
        raise ValueError(f"--rate is above 0 and below 10, not {options.rate:g}")
    if options.candidates == 1 and "contrast" in options:
        raise ValueError("--contrast is between plays of a roll: with --candidates 1 there is one")
    if options.phases != 1 and "units" not in options:
        raise ValueError("--phases are of a new network, with --units")
    if options.phases != 1 and len(options.units) == 1:
        raise ValueError("a network by phases has two layers or more: --units has one")
    if options.out.parent.samefile(options.folder):
        raise ValueError(f"{options.folder} is for examples, so --out is in another folder")


def _make(options: argparse.Namespace) -> None:
    traces = getattr(options, "trace", TRACE), getattr(options, "layout_trace", LAYOUT_TRACE)
    mix = Mix(options.layouts, options.candidates, *traces)
    kinds = [*map(Kind, options.kinds)]
    given = options.folder, options.teacher, options.pruner, mix, options.seed
    for _ in range(options.files):
        number = make(*given, GAMES_OF_FILE, kinds)
        print(f"{options.seed}-{number:05}", flush=True)


def _make_test(options: argparse.Namespace) -> None:
    path = options.folder / f"{TEST}{Path(options.teacher).stem}.npz"
    if path.exists():
        raise ValueError(f"there is a {path} already")
    mix = Mix(0.0, options.candidates, 0.0, 0.0)
    dice = options.seed, TEST_STREAMS
    write_examples(path, options.teacher, options.pruner, mix, dice, GAMES_OF_FILE)
    print(path.stem, flush=True)


def _learn(options: argparse.Namespace) -> None:
    history: Mapping[str, Any] = {}
    if "units" in options:
        student = Student(PLAYERS, tuple(options.units), options.seed, options.phases)
    else:
        start = load_network(options.start)
        student, history = student_of(start, options.seed), start.history
    room, contrast = options.window, getattr(options, "contrast", CONTRAST)
    lesson = Lesson(student, options.folder, room, options.candidates, options.seed, history)
    lesson.look()
    if not lesson.filled:
        raise ValueError(f"{options.folder} has no examples to learn from")
    tests = tests_of(options.folder)
    print(f"at the start: {standing(lesson, tests)}", flush=True)
    with alone_with(options.out):
        saved = time.monotonic()
        seconds = 60 * options.minutes
        for share in learnt(lesson, options.rate, contrast, seconds):
            if time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
                saved = time.monotonic()
                lesson.network.save(options.out)
                print(f"{share:.0%}: {standing(lesson, tests)}", flush=True)
        lesson.network.save(options.out)
        print(f"at the end: {standing(lesson, tests)}: {options.out}", flush=True)


if __name__ == "__main__":
    main()
