"""Prove the bear-off databases against gnubg in full, and measure them.

Every number of gnubg-nn's one-sided database and of makebearoff's two-sided one must come out of
the plain twin to the last bit when it rounds as they do, and every number of ours out of the twin
that does not round. Then our databases are compared with gnubg's directly, and timed.

    python -m tests.bench.check_bearoff
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gnubg_nn
import numpy as np

from bot.backgammon.evaluation.bearoff import (
    bearoff_path,
    build_databases,
    known_outcomes,
    load_databases,
)
from bot.backgammon.kernels.bearoff import BearoffDatabases, fill_bearoff_outcomes
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.position import START
from bot.lab.command_line import told_in_a_sentence
from tests.plain.bearoff import (
    MAX_ROLLS,
    PlainBearoff,
    dense_rolls,
    home_board,
    makebearoff_equities,
)
from tests.plain.judges import gnubg_sides

SAVING_GAMMON = 38_760
"""Number of the first position of 15 checkers."""

ONE_SIDED_FILE = "/usr/share/gnubg/gnubg_os0.bd"
DUMPED = re.compile(r"^ +(\d+)((?:\s+[\d.]+){2,4})\s*$", re.MULTILINE)


def differences(name: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-4) -> None:
    """Print how far ours are from theirs, row by row, and how many rows exceed the tolerance."""
    rows = np.abs(ours - theirs).reshape(len(ours), -1).max(axis=1)
    over = int((rows > tolerance).sum())
    print(
        f"{name}: {len(rows):,} compared, difference at most {rows.max():.2e}, "
        f"over {tolerance:.0e}: {over} ({100 * over / len(rows):.3f} %)"
    )


def require_equal(name: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    """Raise AssertionError unless all numbers are equal up to the tolerance of their type."""
    most = float(np.abs(ours - theirs).max())
    assert most <= tolerance, f"{name}: differ by {most}"
    print(f"{name}: all {ours.size:,} numbers equal, up to {most:.1e}")


def gnubg_rolls(positions: int) -> np.ndarray:
    """gnubg-nn's chances of each number of rolls, [n, 32]."""
    rows = np.zeros((positions, MAX_ROLLS))
    rows[0, 0] = 1
    for number in range(1, positions):
        chances = gnubg_nn.bearoff_probabilities(number)
        rows[number, 1 : len(chances) + 1] = chances
    return rows


def check_one_sided(databases: BearoffDatabases) -> None:
    """Every position, against the twin and gnubg-nn."""
    twin = PlainBearoff(15)
    theirs = gnubg_rolls(len(twin.homes))
    rows, first_rows = dense_rolls(databases.all_off), dense_rolls(databases.first_off)
    require_equal("rolls, twin in gnubg's units and gnubg-nn", twin.rolls(gnubg=True), theirs, 1e-7)
    require_equal("rolls, ours and twin", rows, twin.rolls(), 1e-6)
    first_twin = twin.rolls(SAVING_GAMMON)
    require_equal("rolls to the first off, ours and twin", first_rows, first_twin, 1e-6)
    differences("rolls, ours and gnubg-nn", rows, theirs)
    counts = np.arange(MAX_ROLLS)
    differences("mean rolls, ours and gnubg-nn", rows @ counts, theirs @ counts, 2e-4)


def check_saving_gammon(databases: BearoffDatabases, count: int, seed: int) -> None:
    """Positions of 15 checkers, against gnubg's own one-sided file as bearoffdump prints it."""
    rows = dense_rolls(databases.first_off)
    positions = len(rows)
    numbers = np.random.default_rng(seed).integers(SAVING_GAMMON, positions, count)
    theirs = np.zeros((count, MAX_ROLLS))
    for row, number in zip(theirs, numbers, strict=True):
        command = ["/usr/games/bearoffdump", "-n", str(number), ONE_SIDED_FILE]
        text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
        for rolls, percents in DUMPED.findall(text.stdout):
            shown = percents.split()
            if len(shown) == 4:
                row[int(rolls)] = float(shown[3]) / 100
    differences("rolls to the first off, ours and bearoffdump's", rows[numbers], theirs)


def check_two_sided(databases: BearoffDatabases, folder: Path) -> None:
    """Every pair, against the twin and makebearoff."""
    twin = PlainBearoff(6)
    theirs = makebearoff_equities(6, folder)[1:, 1:]
    ours = np.concatenate([2 * databases.wins[..., np.newaxis] - 1, databases.equities], axis=-1)
    in_units = twin.two_sided(gnubg=True)[1:, 1:]
    require_equal("equities, twin in gnubg's units and makebearoff", in_units, theirs, 1e-9)
    require_equal("equities, ours and twin", ours, twin.two_sided(), 1e-6)
    for state, name in enumerate(("cubeless", "centred", "owned", "other side's")):
        rows = ours[1:, 1:, state].reshape(-1)
        differences(f"equities, cube {name}, makebearoff", rows, theirs[..., state].reshape(-1))


def check_chances(databases: BearoffDatabases, count: int, seed: int) -> None:
    """Random pairs of homes: the two-sided database, then races of any size, against gnubg-nn."""
    random = np.random.default_rng(seed)
    homes = PlainBearoff(15).homes
    for name, most in (("six against six", 924), ("races", len(homes))):
        pairs = [tuple(random.integers(1, most, 2)) for _ in range(count)]
        boards = [home_board(homes[own], homes[other]) for own, other in pairs]
        outcomes, is_known = known_outcomes(np.array(boards, np.int8), databases)
        assert is_known.all()
        theirs = [gnubg_nn.probabilities(gnubg_sides(board), 0) for board in boards]
        differences(f"chances, {name}, gnubg-nn", outcomes, np.array(theirs))


def race_boards(checkers: int, count: int, seed: int) -> Boards:
    """Random boards with so many checkers at home on both sides."""
    random = np.random.default_rng(seed)
    boards = np.zeros((count, 26), np.int8)
    for board in boards:
        board[1:7] = np.bincount(random.integers(0, 6, checkers), minlength=6)
        board[19:25] = -np.bincount(random.integers(0, 6, checkers), minlength=6)
    return boards


def measure(databases: BearoffDatabases) -> None:
    """Print times of lookups, building and loading, and sizes."""
    samples = [(f"{count} against {count}", race_boards(count, 20_000, 1)) for count in (6, 10, 15)]
    for name, boards in [*samples, ("starting position", np.repeat([START.board], 20_000, axis=0))]:
        outcomes = np.zeros((len(boards), 5), np.float32)
        is_known = np.empty(len(boards), np.bool_)
        seconds = []
        for _ in range(9):
            began = time.perf_counter()
            fill_bearoff_outcomes(boards, databases, outcomes, is_known)
            seconds.append(time.perf_counter() - began)
        print(f"lookup, {name}: {1e9 * min(seconds) / len(boards):.0f} ns")
    began = time.perf_counter()
    build_databases(lambda _: None)
    print(f"built in {time.perf_counter() - began:.2f} s")
    began = time.perf_counter()
    load_databases(print)
    print(f"checked and mapped in {1000 * (time.perf_counter() - began):.0f} ms")
    arrays = [*databases.all_off, *databases.first_off, databases.wins, databases.equities]
    print(
        f"{bearoff_path().stat().st_size:,} bytes on disk, {sum(a.nbytes for a in arrays):,} used"
    )
    for name, then in (("no", "pass"), ("both", "load_databases(print)")):
        print(f"peak memory of a process with {name} databases: {_peak_megabytes(then):.0f} MB")


def _peak_megabytes(then: str) -> float:
    program = f"from bot.backgammon.evaluation.bearoff import load_databases; {then}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    report = "print(open('/proc/self/status').read())"
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}; {report}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return int(ran.stdout.split("VmHWM:")[1].split()[0]) / 1024


@told_in_a_sentence()
def main() -> None:
    """Check and print what was checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chances", type=int, default=20_000, help="pairs of homes for gnubg-nn")
    parser.add_argument("--dumps", type=int, default=500, help="positions for bearoffdump")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    databases = load_databases(print)
    check_one_sided(databases)
    check_saving_gammon(databases, arguments.dumps, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        check_two_sided(databases, Path(folder))
    check_chances(databases, arguments.chances, arguments.seed)
    measure(databases)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
