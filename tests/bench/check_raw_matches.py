"""Our evaluator beside gnubg's 4-ply files: python -m tests.bench.check_raw_matches REPOSITORY.

REPOSITORY is a git folder of lassehjorthmadsen/bglab. Matches below data-raw/lasse/raw are drawn
with a seed and analysed by Blot; what gnubg printed of each of their games lies below
data-raw/lasse/analyzed/4-ply. Choices are put side by side by their position and roll. Told are
the errors per move of each player by both, and where the two differ: how often the best play is
the same, and what each says that the other's choice gives away.
"""

import argparse
import random
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from bot.backgammon.engine.analysis import PlayVerdict, Verdict
from bot.backgammon.engine.analysts import AnalystSettings, verdicts
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.match_statistics import PlayerStatistics
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.estimate import estimate
from bot.lab.command_line import (
    existing_folder,
    number_from,
    seed_number,
    told_in_a_sentence,
    whole_number,
)
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.formats.notation import parse_play
from protocol.backgammon.formats.position_id import position_id
from tests.bench.check_printed_analyses import FOLDER, MOVE, text_from_git, verdicts_of

RAW = "data-raw/lasse/raw"
PLACE = re.compile(r"Position ID: (?P<id>\S{14}).*?Rolled (?P<roll>\d\d)", re.DOTALL)
BEST = re.compile(r"^.  +1\. \w+ \d-ply +(?P<play>.+?) +Eq\.:", re.MULTILINE)
PLY = 2
LIMIT = 5.0
"""mEMG per move that both may be apart per player on average."""


@dataclass
class Side:
    """A player of a match, as both count him."""

    ours: PlayerStatistics = field(default_factory=PlayerStatistics)
    theirs: PlayerStatistics = field(default_factory=PlayerStatistics)


@dataclass
class Disagreement:
    """Unforced plays that both judged, and those where another play is best."""

    plays: int = 0
    apart: list[tuple[float | None, float | None]] = field(default_factory=list)
    """What the other's best play loses, by us and by gnubg; None for a play not listed."""
    by_play: list[float] = field(default_factory=list)
    """By how much more the play that was made loses by us."""


class Repository:
    """Files of a git folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, folder: str) -> list[str]:
        """All files below a folder."""
        named = "ls-tree", "-r", "-z", "--name-only", "main", folder
        return text_from_git(self._folder, *named).split("\0")[:-1]

    def text(self, path: str) -> str:
        """A file's text."""
        return text_from_git(self._folder, "show", f"main:{path}")


def printed_blocks(text: str) -> Iterator[tuple[str | None, str, Verdict, str]]:
    """Position and roll of each printed play, None for the cube; name, verdict and the text."""
    for block in MOVE.split(text.split("\nGame statistics for game")[0])[1:]:
        place = PLACE.search(block)
        for name, verdict in verdicts_of(block):
            is_play = isinstance(verdict, PlayVerdict) and place
            key = place["id"] + "".join(sorted(place["roll"])) if is_play and place else None
            yield key, name, verdict, block


def key_of(choice: Choice) -> str:
    """Position and roll of a play, as printed ones are found."""
    assert isinstance(choice.request, ChooseCheckerPlay)
    roll = choice.request.roll
    return position_id(choice.request.state.position) + f"{roll.low}{roll.high}"


def add_play(found: Disagreement, choice: Choice, ours: PlayVerdict, theirs: Verdict, block: str):
    """Count an unforced play that both judged."""
    best = BEST.search(block)
    if best is None or not ours.is_unforced or not isinstance(theirs, PlayVerdict):
        return
    assert isinstance(choice.request, ChooseCheckerPlay)
    position, roll = choice.request.state.position, choice.request.roll
    liked = parse_play(best["play"], position, roll).after
    found.plays += 1
    found.by_play.append(ours.loss - theirs.loss)
    own = ours.candidates[0].play.after
    if own == liked:
        return
    by_us = [ours.candidates[0].equity - c.equity for c in ours.candidates if c.play.after == liked]
    by_them = []
    for line in re.finditer(
        r"^.  +\d+\. \w+ \d-ply +(.+?) +Eq\.: +\S+(?: \( ?(-?\d\.\d+)\))?", block, re.M
    ):
        if parse_play(line[1], position, roll).after == own:
            by_them.append(-float(line[2] or 0))
    found.apart.append((by_us[0] if by_us else None, by_them[0] if by_them else None))


def compare_game(choices, judged, text, names, sides, found) -> int:
    """Put one game side by side; how many printed verdicts have no choice of ours."""
    waiting: dict[str, list[tuple[Choice, PlayVerdict]]] = {}
    for choice, verdict in zip(choices, judged, strict=True):
        if choice.answer is None:
            continue
        sides[choice.seat].ours.add(verdict)
        if isinstance(verdict, PlayVerdict):
            waiting.setdefault(key_of(choice), []).append((choice, verdict))
    lost = 0
    for key, name, verdict, block in printed_blocks(text):
        sides[names.index(name.strip())].theirs.add(verdict)
        if key is None:
            continue
        if not waiting.get(key):
            lost += 1
            continue
        add_play(found, *waiting[key].pop(0), verdict, block)
    return lost


def rates(side: Side) -> list[tuple[float | None, float | None]]:
    """Play, cube and overall rate by us and by gnubg."""
    kinds = ("play_rate", "cube_rate", "rate")
    return [(getattr(side.ours, kind), getattr(side.theirs, kind)) for kind in kinds]


def tell(apart: dict[str, list[float]], found: Disagreement) -> float:
    """Print the figures so far; how far apart error per play is."""
    for name, differing in apart.items():
        if differing:
            far, mean = fmean(map(abs, differing)), estimate(differing)
            print(f"{name}: apart by {far:.2f} mEMG per player, on average {mean}")
    print(
        f"best play the same in {found.plays - len(found.apart)} of {found.plays} unforced plays, "
        f"{100 * (1 - len(found.apart) / found.plays):.1f} %"
    )
    for number, who in enumerate(("Blot says gnubg's best loses", "gnubg says Blot's best loses")):
        losses = [each[number] for each in found.apart if each[number] is not None]
        if losses:
            print(
                f"{who} {1000 * fmean(losses):.1f} mEMG ({len(losses)} of {len(found.apart)} "
                f"listed; {sum(loss > 0.03 for loss in losses)} by more than 30)"
            )
    print(
        f"loss of the play made, by Blot less by gnubg: {1000 * fmean(found.by_play):+.2f} mEMG, "
        f"{1000 * fmean(map(abs, found.by_play)):.2f} in size",
        flush=True,
    )
    return fmean(map(abs, apart["a play"])) if apart["a play"] else 0.0


@told_in_a_sentence()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=existing_folder)
    parser.add_argument("--matches", type=whole_number(1), default=1000)
    parser.add_argument("--minutes", type=number_from(0), default=20.0)
    parser.add_argument("--seed", type=seed_number, default=1)
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument(
        "--ply", type=whole_number(0, 3), default=argparse.SUPPRESS, help=f"{PLY} if not given"
    )
    depth.add_argument("--level", choices=LEVELS)
    parser.add_argument("--workers", type=whole_number(1, 256), default=1)
    options = parser.parse_args()
    search = SearchSettings(getattr(options, "ply", PLY))
    level = LEVELS[options.level] if options.level else Level(search=search)
    repository = Repository(options.repository)
    printed = set(repository.names(FOLDER))
    paths = [path for path in sorted(repository.names(RAW)) if path.endswith(".txt")]
    random.Random(options.seed).shuffle(paths)
    apart: dict[str, list[float]] = {"a play": [], "a cube choice": [], "a decision": []}
    found, games, matches, unread, absent, lost = Disagreement(), 0, 0, 0, 0, 0
    end = time.monotonic() + 60 * options.minutes
    for path in paths:
        if matches == options.matches or time.monotonic() > end:
            break
        stem = Path(path).stem
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "match.txt"
            file.write_text(repository.text(path), "utf-8")
            try:
                read = read_match(file)
            except ValueError:
                unread += 1
                continue
        wanted = {
            number: f"{FOLDER}/{stem}{f'_{number:03}' if number > 1 else ''}.txt"
            for number in range(1, len(read.match.games) + 1)
        }
        if read.fault or not read.match.rules.length:
            unread += 1
            continue
        if not printed.issuperset(wanted.values()):
            absent += 1
            continue
        choices = choices_of(read.match)
        settings = AnalystSettings(level, read.match.rules.has_cube)
        judged = list(verdicts(choices, settings, print, workers=options.workers))
        names = [name.strip() for name in read.match.players]
        sides = Side(), Side()
        for number, name in wanted.items():
            text = repository.text(name)
            here = [i for i, choice in enumerate(choices) if choice.game == number]
            own = [choices[i] for i in here], [judged[i] for i in here]
            lost += compare_game(*own, text, names, sides, found)
            games += 1
        matches += 1
        for side in sides:
            for kind, (ours, theirs) in zip(apart, rates(side), strict=True):
                if ours is not None and theirs is not None:
                    apart[kind].append(1000 * (ours - theirs))
        if matches % 10 == 0:
            print(f"{matches} matches, {games} games", flush=True)
            tell(apart, found)
    print(f"{matches} matches, {games} games; {unread} unread, {absent} without what gnubg printed")
    if not found.plays:
        raise ValueError(f"no play of {options.repository} was judged by both")
    print(f"printed plays that are none of the match: {lost}")
    return int(tell(apart, found) > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
