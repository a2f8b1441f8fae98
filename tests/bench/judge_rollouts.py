"""How far Blot is from rollouts that others have published, by kind of game.

    python -m tests.bench.judge_rollouts FOLDER --ply 0 1 2 --gnubg

FOLDER is data of markbgsage/bgsage (GitHub): full rollouts by bgsage of 20,837 positions in which
the one or the other side plays a back game, and of 9,210 others, told with their standard errors.
They only judge; nothing of them is part of Blot. Boards there are those of who has just moved, and
both bars count up. First the reading is checked: bgsage must find the plays that we find on some of
each file's positions as we read them, and evaluate them nearly as the file does.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from rich.console import Console

from bot.backgammon.arena.benchmark import Values, equities_of, errors_by_kind
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.nets import pruner_of
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import turned_boards
from bot.estimate import estimate
from bot.lab.command_line import existing_folder, told_in_a_sentence, whole_number
from protocol.backgammon.arena.gnubg_nn import gnubg_nn_equities
from protocol.backgammon.reports.kinds import kinds_tables
from tests.bench.judge_kinds import Published, bgsage_equities
from tests.plain.judges import board_of_bgsage

BACK_GAMES = ("player-backgame-benchmark-rollout", "opponent-backgame-benchmark-rollout")
"""Files of a board and five chances a line: who has just moved plays the back game, or is against
it."""

OTHERS = "benchmark_cubeful_pr/rollouts.jsonl"

CHECKED = 200
"""So many positions of a file bgsage evaluates, 0 plies deep as we count."""

LARGEST_MEAN = 0.04
"""Points that it may be off on average: 0.024 if all is read rightly, 0.067 without the checkers on
the bar, 0.10 and more for the wrong side on roll."""


def read_rollouts(path: Path) -> Published:
    """The rollouts in a file.

    Raises ValueError if it is none, or if bgsage evaluates its positions otherwise.
    """
    try:
        rows, equities, errors = _columns(path)
        moved = np.array([board_of_bgsage(row) for row in rows], np.int8)
    except (ValueError, LookupError, TypeError):
        raise ValueError(f"{path} is no file of bgsage's rollouts") from None
    published = Published(np.ascontiguousarray(turned_boards(moved)), -equities, errors)
    some = slice(None, None, max(len(rows) // CHECKED, 1))
    differences = bgsage_equities(published.boards[some], 0) - published.equities[some]
    if (off := float(np.abs(differences).mean())) > LARGEST_MEAN:
        raise ValueError(f"bgsage is {off:.3f} points off on the positions of {path}")
    return published


def _columns(path: Path) -> tuple[list[list[int]], Values, Values]:
    """Boards as the file has them, equities of who has moved, and their errors."""
    if path.suffix == ".jsonl":
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        equities, errors = (np.array([line[key] for line in lines]) for key in ("equity", "se"))
        return [line["board"] for line in lines], equities, errors
    table = np.loadtxt(path)
    rows = table[:, :26].astype(int).tolist()
    return rows, cubeless_equities(table[:, 26:]), np.full(len(table), np.nan)


@told_in_a_sentence()
def main() -> None:
    """Read the files, evaluate their positions, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("folder", type=existing_folder)
    parser.add_argument("--weights", default="default")
    parser.add_argument("--ply", type=whole_number(0, 3), nargs="+", default=[0])
    parser.add_argument("--gnubg", action="store_true", help="gnubg_nn as well")
    options = parser.parse_args()
    console = Console(highlight=False, width=110)
    files = {name: read_rollouts(options.folder / name) for name in (*BACK_GAMES, OTHERS)}
    everything = Published(
        *(
            np.concatenate([getattr(published, part) for published in files.values()])
            for part in ("boards", "equities", "equity_errors")
        )
    )
    ends = np.cumsum([len(published.boards) for published in files.values()])[:-1]
    evaluator = Level(options.weights).evaluator(print)
    pruner = pruner_of(evaluator.tree.network)
    evaluated: dict[str, Values] = {}
    for ply in options.ply:
        search = Search(evaluator, SearchSettings(ply), pruner=pruner)
        evaluated[f"{options.weights} {ply}-ply"] = equities_of(search, everything.boards)
        if options.gnubg:
            evaluated[f"gnubg_nn {ply}-ply"] = gnubg_nn_equities(everything.boards, ply)
    for who, equities in evaluated.items():
        for name, part in zip(files, np.split(equities - everything.equities, ends), strict=True):
            error, bias = estimate(np.abs(1000 * part).tolist()), estimate((1000 * part).tolist())
            console.print(f"{who}, {name}, {len(part)} positions: error {error}, bias {bias}")
    rows = {who: errors_by_kind(everything, equities) for who, equities in evaluated.items()}
    for table in kinds_tables(rows):
        console.print(table, crop=False)


if __name__ == "__main__":
    main()
