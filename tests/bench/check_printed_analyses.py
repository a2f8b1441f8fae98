"""Our counting on printed analyses: python -m tests.bench.check_printed_analyses REPOSITORY.

REPOSITORY is a git folder of lassehjorthmadsen/bglab; files below data-raw/lasse/analyzed/4-ply are
drawn with a seed. From the printed equities our statistics are made, and held against the closing
ones. Equities are printed to a thousandth, so a count may differ by choices that lie as near to a
limit, and a sum by half a thousandth a choice; both are told.
"""

import argparse
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict
from bot.backgammon.engine.match_statistics import PlayerStatistics, Skill
from bot.backgammon.rules.decision import Candidate, CubeAction, CubeEvaluation, DoubleAnswer
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START
from bot.lab.command_line import existing_folder, seed_number, told_in_a_sentence, whole_number
from tests.bench.check_analysis import counts_of, sums_of

FOLDER = "data-raw/lasse/analyzed/4-ply"
MOVE = re.compile(r"^Move number \d+:  ", re.MULTILINE)
DONE = re.compile(
    r"^\* (?P<name>.+?) (?P<deed>moves|cannot move|doubles|accepts|rejects|redoubles)\b",
    re.MULTILINE,
)
PLAY = re.compile(
    r"^(?P<played>\*| ) +\d+\. .*?Eq\.: +(?P<equity>[-+]\d+\.\d+)"
    r"(?: \( ?(?P<loss>[-+]?\d+\.\d+)\))?",
    re.MULTILINE,
)
CUBE = re.compile(
    r"^\d\. (?P<name>No (?:re)?double|(?:Double|Redouble), (?:take|pass)) +"
    r"(?P<equity>[-+]\d+\.\d+)",
    re.MULTILINE,
)
STATISTICS = re.compile(
    r"^Game statistics for game.*?(?=^Output generated|^(?:Match|Session) statistics|\Z)",
    re.M | re.S,
)
EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
NOTHING = CheckerPlay((), START)
NEAR = 0.0011
"""Equity by which a difference of two printed equities may be wrong."""


class Unclear:
    """How many choices lie so near to a limit that printed equities do not settle them."""

    def __init__(self):
        self.counts = Counter()
        self.sums = Counter()

    def add(self, verdict):
        if isinstance(verdict, PlayVerdict):
            self.sums["play"] += 0.0006
            self.counts["play"] += self._is_near(verdict.loss)
            return
        self.sums["cube"] += NEAR
        evaluation = verdict.evaluation
        differences = (
            evaluation.double_take - 1,
            evaluation.no_double - 1,
            evaluation.doubled - evaluation.no_double,
            evaluation.no_double - evaluation.doubled - 0.16,
        )
        self.counts["cube"] += any(abs(each) < NEAR for each in differences)

    @staticmethod
    def _is_near(loss):
        return any(abs(loss - mark.value) < NEAR for mark in Skill if mark is not Skill.NONE)


def verdicts_of(block):
    """The verdicts that a printed move tells, with the name of the player."""
    done = DONE.search(block)
    if done is None:
        return
    found = {
        each["name"].replace("Redouble", "Double").replace("redouble", "double"): float(
            each["equity"]
        )
        for each in CUBE.finditer(block)
    }
    deed = done["deed"]
    if found:
        sign = -1 if deed in ("accepts", "rejects") else 1
        evaluation = CubeEvaluation(
            *(sign * found[name] for name in ("No double", "Double, take", "Double, pass"))
        )
        answers = {
            "doubles": CubeAction.DOUBLE,
            "redoubles": CubeAction.DOUBLE,
            "accepts": DoubleAnswer.TAKE,
            "rejects": DoubleAnswer.DROP,
        }
        yield done["name"], CubeVerdict(answers.get(deed, CubeAction.ROLL), evaluation, EVEN, 1.0)
    if deed in ("moves", "cannot move"):
        rows = list(PLAY.finditer(block))
        losses = [-float(row["loss"] or 0) for row in rows]
        candidates = tuple(Candidate(NOTHING, EVEN, -max(loss, 0.0)) for loss in losses)
        ranks = [rank for rank, row in enumerate(rows, 1) if row["played"] == "*"]
        rank = ranks[0] if ranks else 1
        yield done["name"], PlayVerdict(candidates, len(rows), rank, 0.0, 1.0)


def text_from_git(repository: Path, *words: str) -> str:
    """The answer of git about a git folder; raises ValueError if it has none."""
    ran = subprocess.run(["git", "--git-dir", str(repository), *words], capture_output=True)
    if ran.returncode:
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ValueError(f"{repository} is no git folder of bglab: {said[0] if said else words[0]}")
    return ran.stdout.decode("utf-8", "replace")


def check(text):
    """Differences of the counts and sums that printed equities do not excuse, and all others."""
    closing = STATISTICS.search(text)
    if closing is None:
        raise ValueError("no closing statistics")
    printed = closing[0]
    line = next(each for each in printed.splitlines() if each.startswith("Player"))
    names = line[40:64].strip(), line[64:].strip()
    players = {name: PlayerStatistics() for name in names}
    unclear = {name: Unclear() for name in names}
    for block in MOVE.split(text[: closing.start()])[1:]:
        for name, verdict in verdicts_of(block):
            players[name].add(verdict)
            unclear[name].add(verdict)
    wrong, excused, checked = [], [], 0
    section = ""
    for line in printed.splitlines():
        section = line.strip() if line.strip().endswith("statistics") else section
        title = re.sub(r" \(.*", "", line[:40]).strip()
        kind = "play" if section == "Chequerplay statistics" else "cube"
        for name, cell in zip(names, (line[40:64], line[64:]), strict=True):
            doubt = unclear[name]
            counts = counts_of(players[name])
            if title in counts:
                ours, told, may = counts[title], int(cell.split()[0]), doubt.counts[kind]
            elif (of := (section, title.removesuffix(" EMG"))) in sums_of(players[name]):
                ours, told = sums_of(players[name])[of], float(cell.split()[0].rstrip("("))
                may = 0.0006 + (
                    doubt.sums.total() if section.startswith("Overall") else doubt.sums[kind]
                )
                if of[0].startswith("Luck"):
                    continue
            else:
                continue
            checked += 1
            is_count = isinstance(told, int)
            if (ours != told) if is_count else abs(ours - told) > 0.0006:
                sentence = f"{section}, {title} of {name}: printed {told}, ours {ours:.4g}"
                exact = title in ("Total moves", "Unforced moves", "Total cube decisions")
                excused_here = abs(ours - told) <= may and not exact
                (excused if excused_here else wrong).append((is_count, abs(ours - told), sentence))
    return wrong, excused, checked


@told_in_a_sentence()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=existing_folder)
    parser.add_argument("--files", type=whole_number(1), default=50)
    parser.add_argument("--seed", type=seed_number, default=1)
    options = parser.parse_args()
    named = "ls-tree", "-r", "-z", "--name-only", "main", FOLDER
    listed = text_from_git(options.repository, *named)
    paths = sorted(path for path in listed.split("\0") if path.endswith(".txt"))
    if not paths:
        raise ValueError(f"{options.repository} has no file below {FOLDER}")
    if options.files > len(paths):
        raise ValueError(
            f"{options.repository} has {len(paths)} files below {FOLDER}, not {options.files}"
        )
    chosen = random.Random(options.seed).sample(paths, options.files)
    bad = checked = counts = unread = 0
    sums: list[float] = []
    for number, path in enumerate(chosen, 1):
        shown = text_from_git(options.repository, "show", f"main:{path}")
        try:
            wrong, excused, figures = check(shown)
        except ValueError as error:
            unread += 1
            print(f"file {number}: {error}")
            continue
        checked += figures
        bad += bool(wrong)
        counts += sum(is_count for is_count, _, _ in excused)
        sums += [apart for is_count, apart, _ in excused if not is_count]
        for _, _, sentence in wrong:
            print(f"file {number} WRONG {sentence}")
    equal = len(chosen) - bad - unread
    print(f"{equal} of {len(chosen)} files: counts and sums are those printed; {unread} unread")
    print(f"{checked} figures; what rounding explains: {counts} counts, {len(sums)} sums", end=", ")
    print(f"the latter by {max(sums, default=0):.4f} at most")
    return int(bad + unread > 0)


if __name__ == "__main__":
    raise SystemExit(main())
