"""Prove the move generator of draughts against two other libraries, move by move.

Positions come from games of random movers and from sets of pieces thrown anywhere. Each library
runs in an environment of its own, which is given by its Python, as both install a package called
draughts; they are asked for international and for Russian draughts. Russian differs from what a
variant can say in one rule, a man that reaches the far row while it captures goes on as a king, so
positions in which a man's capture gets there are left out. Each position on which a library and the
kernels disagree is shown with the verdict of the plain twin.

    python -m tests.bench.check_draughts_moves --py-draughts A/bin/python --pydraughts B/bin/python

A long check can be done in parts: --first leaves out as many positions of each source, so that
--played 10000 --scattered 0 with --first 0, 10000, 20000 and so on are those of --played 80000.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves
from bot.draughts.rules.position import Position, set_of, squares_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side, Variant
from bot.lab.command_line import told_in_a_sentence
from tests.plain.draughts import plain_moves

RUSSIAN = Variant(
    name="russian",
    rows=8,
    rows_of_men=3,
    men_capture_backward=True,
    takes_most=False,
    kings_capture_first=False,
    draws=CZECH.draws,
)
"""Russian draughts as long as no man reaches the far row while it captures."""

CHUNK = 2_000
LIMIT = 1_200
"""Seconds after which a library is given up on a chunk."""

Moves = set[tuple[int, int, tuple[int, ...]]]


def written(position: Position) -> str:
    """The position as FEN."""
    lists = []
    for side in Side:
        kings = position.kings(side)
        squares = [
            f"K{square}" if kings & set_of([square]) else str(square)
            for square in squares_of(position.pieces(side))
        ]
        lists.append(side.value[0].upper() + ",".join(squares))
    return ":".join([position.turn.value[0].upper(), *lists])


def played_positions(variant: Variant, random: Random) -> Iterator[Position]:
    """Positions of games by random movers."""
    while True:
        game = Game.start(variant)
        while isinstance(game, Game):
            yield game.position
            after = game.after(random.choice(game.moves))
            if not isinstance(after, Game):
                break
            game = after


def scattered_positions(variant: Variant, random: Random) -> Iterator[Position]:
    """Positions of up to eight men and three kings a side, anywhere."""
    while True:
        free = list(range(1, variant.squares + 1))
        random.shuffle(free)
        sets = []
        for side in Side:
            men = [square for square in free if square not in variant.far_row(side)]
            men = men[: random.randint(0, 8)]
            free = [square for square in free if square not in men]
            kings = [free.pop() for _ in range(random.randint(0, 3))]
            sets += [set_of(men), set_of(kings)]
        position = Position(variant, random.choice(list(Side)), *sets)
        if position.pieces(Side.WHITE) and position.pieces(Side.BLACK):
            yield position


def different(positions: Iterator[Position]) -> Iterator[Position]:
    """The positions that the variant and the libraries rule alike, each once."""
    met = set[Position]()
    for position in positions:
        if position not in met and is_same_game(position):
            met.add(position)
            yield position


def is_same_game(position: Position) -> bool:
    """Whether the variant's rules are the libraries' here."""
    if position.variant is not RUSSIAN:
        return True
    own = position.turn
    second = range(5, 9) if own is Side.WHITE else range(25, 29)
    men = position.men(own)
    return not any(
        men & set_of([move.start]) and set(move.captured) & set(second)
        for move in legal_moves(position)
    )


def answers(python: Path, library: str, positions: list[Position]) -> list[Moves]:
    """The library's legal moves of each position."""
    program = Path(__file__).with_name("draughts_library.py")
    done = subprocess.run(
        [python, program, library, positions[0].variant.name],
        input="".join(written(position) + "\n" for position in positions),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    found = []
    for line in done.stdout.splitlines():
        found.append({_move(text) for text in line.split(";") if text})
    return found


def _move(text: str) -> tuple[int, int, tuple[int, ...]]:
    start, end, *captured = map(int, text.split())
    return start, end, tuple(captured)


def check(python: Path, library: str, positions: Iterator[Position], count: int) -> int:
    """Number of positions, out of so many, on which the library and the kernels disagree."""
    wrong = 0
    while count > 0 and (chunk := list(islice(positions, min(CHUNK, count)))):
        count -= len(chunk)
        for position, theirs in zip(chunk, answers(python, library, chunk), strict=True):
            ours = {(move.start, move.end, move.captured) for move in legal_moves(position)}
            if ours == theirs:
                continue
            wrong += 1
            if wrong <= 5:
                twin = plain_moves(position)
                print(f"{written(position)}: the twin agrees with ours: {ours == twin}")
                print(f"  only ours: {sorted(ours - theirs)}, only theirs: {sorted(theirs - ours)}")
    return wrong


@told_in_a_sentence()
def main() -> None:
    """Check and print what was checked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--py-draughts", type=Path, help="Python that has py-draughts")
    parser.add_argument("--pydraughts", type=Path, help="Python that has pydraughts")
    parser.add_argument("--played", type=int, default=80_000)
    parser.add_argument("--scattered", type=int, default=20_000)
    parser.add_argument("--variant", choices=(INTERNATIONAL.name, RUSSIAN.name))
    parser.add_argument("--first", type=int, default=0, help="positions that are left out")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pythons = {"py-draughts": arguments.py_draughts, "pydraughts": arguments.pydraughts}
    sources = (played_positions, arguments.played), (scattered_positions, arguments.scattered)
    disagreeing = 0
    for variant in (INTERNATIONAL, RUSSIAN):
        if arguments.variant not in (None, variant.name):
            continue
        for source, count in sources:
            for library, python in pythons.items():
                if python is None or count == 0:
                    continue
                began = time.monotonic()
                positions = different(source(variant, Random(arguments.seed)))
                positions = islice(positions, arguments.first, None)
                wrong = check(python, library, positions, count)
                disagreeing += wrong
                name = source.__name__.replace("_", " ")
                where = f"{count} {name} after the first {arguments.first}"
                print(f"{variant.name}, {library}: {where}, {wrong} disagree", end="")
                print(f" ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(int(disagreeing > 0))


if __name__ == "__main__":
    main()
