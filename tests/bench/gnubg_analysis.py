"""What gnubg says of saved games: error rates of both players, with the cube and with checkers.

    blot match --opponent gnubg --length 7 --games 200 --sgf games.sgf
    python -m tests.bench.gnubg_analysis games*.sgf --plies 0
    python -m tests.bench.gnubg_analysis games*.sgf --plies 2 --cube-only --first 20

Files are matches or money sessions, as .sgf or .mat (which does not tell the Jacoby rule). Errors
are in thousandths of a point at the cube's value, normalised in matches (gnubg's EMG): a checker
error rate is per play of several, a cube error rate per decision that was close or a cube action.
Standard errors are over files, so a single session has none. gnubg finds no errors where it played
just as it analyses.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import Queue

from bot.estimate import Estimate, ratio_estimate
from bot.lab.command_line import existing_file, told_in_a_sentence, whole_number
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.backgammon.formats.match_file import read_match

PATIENCE = 3000.0
"""Seconds an analysis may be silent."""

SECTIONS = {"Chequerplay statistics": "checker", "Cube statistics": "cube"}
COUNTED = {
    ("checker", "Unforced moves"): "decisions",
    ("cube", "Total cube decisions"): "all decisions",
    ("cube", "Close or actual cube decisions"): "decisions",
    ("cube", "Missed doubles below CP"): "missed doubles",
    ("cube", "Missed doubles above CP"): "missed cashes",
    ("cube", "Wrong doubles below DP"): "doubles too early",
    ("cube", "Wrong doubles above TG"): "doubles too late",
    ("cube", "Wrong takes"): "wrong takes",
    ("cube", "Wrong passes"): "wrong drops",
}
"""Lines of gnubg's statistics, by section and beginning, and what we call them."""

Figures = dict[tuple[str, str, str], float]
"""By player, section and name; "error" is points lost, at least 0."""


def figures_of(text: str) -> Figures:
    """The figures in what `show statistics` prints; raises ValueError if it is something else."""
    names = re.search(r"^Player +(\S+) +(\S+) *$", text, re.MULTILINE)
    if names is None:
        raise ValueError(f"no statistics: {text[-300:]!r}")
    figures: Figures = {}
    section = ""
    for line in text.splitlines():
        section = SECTIONS.get(line.strip(), "" if line.startswith("Overall") else section)
        for (of_section, beginning), name in COUNTED.items():
            if section == of_section and line.startswith(beginning):
                pairs = re.findall(r"(\d+)(?: +\((-?[\d.]+) \([^)]*\)\))?", line[40:])
                for player, (count, points) in zip(names.groups(), pairs, strict=True):
                    figures[player, section, name] = int(count)
                    if name not in ("decisions", "all decisions"):
                        figures[player, section, f"lost by {name}"] = -float(points or 0)
        if section and line.startswith("Error total EMG"):
            totals = re.findall(r"([-+]?\d+\.\d+) +\(", line)
            for player, total in zip(names.groups(), totals, strict=True):
                figures[player, section, "error"] = abs(float(total))
    return figures


def analyse(gnubg: GnubgProgram, file: Path) -> Figures:
    """gnubg's analysis of the games in a file."""
    name = f"games{file.suffix}"
    (gnubg.folder / name).write_bytes(file.read_bytes())
    is_mat = file.suffix == ".mat"
    gnubg.command(f"{'import mat' if is_mat else 'load match'} {name}")
    text = file.read_text("utf-8", "replace")
    is_session = re.search(r"^ *0 point match" if is_mat else r"\[length:0\]", text, re.MULTILINE)
    kind = "session" if is_session else "match"
    gnubg.command(f"analyse {kind}")
    return figures_of(gnubg.command(f"show statistics {kind}"))


def analyse_all(
    files: Sequence[Path], *, plies: int, is_cube_only: bool, processes: int
) -> list[Figures]:
    """The analyses of all files, by so many gnubgs at once."""
    idle: Queue[GnubgProgram] = Queue()

    def analyse_by_next(file: Path) -> Figures:
        gnubg = idle.get()
        try:
            return analyse(gnubg, file)
        finally:
            idle.put(gnubg)
            print(".", end="", file=sys.stderr, flush=True)

    with ExitStack() as stack:
        for _ in range(min(processes, len(files))):
            gnubg = stack.enter_context(GnubgProgram(patience=PATIENCE))
            for text in (
                "set confirm new off",
                "set display off",
                "set threads 1",
                f"set analysis chequerplay evaluation plies {plies}",
                f"set analysis cubedecision evaluation plies {plies}",
                "set analysis luck off",
                f"set analysis moves {'off' if is_cube_only else 'on'}",
            ):
                gnubg.command(text)
            idle.put(gnubg)
        found = list(ThreadPoolExecutor(processes).map(analyse_by_next, files))
    print(file=sys.stderr)
    return found


def rate(found: Sequence[Figures], player: str, section: str) -> Estimate | None:
    """Thousandths of a point lost per decision; None if the section was not analysed."""
    sums = [
        (1000 * one[player, section, "error"], int(one[player, section, "decisions"]))
        for one in found
        if one.get((player, section, "decisions"))
    ]
    return ratio_estimate(sums)


def report_of(found: Sequence[Figures]) -> dict[str, dict[str, dict[str, float | None]]]:
    """Sums and rates by player and section."""
    report: dict[str, dict[str, dict[str, float | None]]] = defaultdict(dict)
    places = sorted({(player, section) for one in found for player, section, _ in one})
    for player, section in places:
        mean = rate(found, player, section)
        row: dict[str, float | None] = {
            "error_rate": mean and mean.mean,
            "standard_error": mean and mean.error,
        }
        keys = dict.fromkeys(key for one in found for key in one if key[:2] == (player, section))
        for key in keys:
            row[key[2]] = round(sum(one.get(key, 0) for one in found), 6)
        report[player][section] = row
    return report


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description="gnubg's analysis of saved games")
    parser.add_argument("files", nargs="+", type=existing_file)
    parser.add_argument("--plies", type=whole_number(0, 7), default=0)
    parser.add_argument("--cube-only", action="store_true", help="leave checker plays alone")
    parser.add_argument("--first", type=whole_number(1), metavar="N", help="of the files, by name")
    parser.add_argument("--processes", type=whole_number(1, 256), default=1, help="gnubgs at once")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    files = sorted(options.files)[: options.first]
    for file in files:  # gnubg says nothing of a file that it does not load
        if not read_match(file).whole.games:
            raise ValueError(f"{file} has no game")
    found = analyse_all(
        files, plies=options.plies, is_cube_only=options.cube_only, processes=options.processes
    )
    report = report_of(found)
    if options.json:
        print(json.dumps(report, indent=2))
        return
    print(f"{len(files)} files, analysed at {options.plies}-ply; thousandths of a point")
    for player, sections in report.items():
        for section, row in sections.items():
            error = row["standard_error"]
            error_text = "unknown" if error is None else f"{error:.2f}"
            print(f"{player:6} {section:8} {row['error_rate'] or 0:7.2f} ± {error_text:7}", end="")
            print(f" per decision, {row['decisions']:.0f} decisions")
            for name, count in row.items():
                if count and f"lost by {name}" in row:
                    print(f"{'':15} {count:5.0f} {name}, {row[f'lost by {name}']:.3f} points")


if __name__ == "__main__":
    main()
