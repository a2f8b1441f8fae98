"""Our analysis beside gnubg's: python -m tests.bench.check_analysis FOLDER --matches 10 --ply 2.

Matches of the folder are drawn with a seed. gnubg analyses each; its counts as it prints them must
be equal to ours of the same notes, and its error totals to the last digit. Then Blot analyses the
same choices, and the two are compared: how often the best play is the same, how far apart error
rates are per player, and luck. With --beavers N only the counting is checked, on so many random
sessions with beavers. After a beaver that was taken gnubg's statistics overlook missed redoubles of
who owns the cube, which its own text marks: those are the only differences that are told and not
wrong.
"""

import argparse
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bot.backgammon.engine.analysis import PlayVerdict
from bot.backgammon.engine.analysts import AnalystSettings, verdicts
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.match_statistics import CubeError, PlayerStatistics, Skill, statistics_of
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.record import Rules
from bot.lab.command_line import existing_folder, seed_number, told_in_a_sentence, whole_number
from protocol.backgammon.adapters.gnubg_analysis import GnubgAnalysis, gnubg_analysis
from protocol.backgammon.formats.match_file import READERS, read_match
from tests.games import random_match

SECTIONS = ("Chequerplay statistics", "Luck statistics", "Cube statistics", "Overall statistics")
ROUNDING = 6e-4
"""Points or chances that a printed sum may differ by."""


@dataclass(frozen=True)
class Comparison:
    """A match by both: differing counts in words, and what Blot says of the same choices."""

    wrong: list[str]
    gnubg: GnubgAnalysis
    ours: list


def counts_of(player: PlayerStatistics) -> dict[str, int]:
    """The counts of a player by gnubg's words for them."""
    return {
        "Total moves": player.moves,
        "Unforced moves": player.plays.count,
        "Unmarked moves": player.marks[Skill.NONE],
        "Moves marked doubtful": player.marks[Skill.DOUBTFUL],
        "Moves marked bad": player.marks[Skill.BAD],
        "Moves marked very bad": player.marks[Skill.VERY_BAD],
        "Total cube decisions": player.cube_choices,
        "Close or actual cube decisions": player.close_choices,
        "Doubles": player.actions[CubeAction.DOUBLE],
        "Takes": player.actions[DoubleAnswer.TAKE],
        "Passes": player.actions[DoubleAnswer.DROP],
        "Missed doubles below CP": player.cube_errors[CubeError.MISSED_BELOW_CP].count,
        "Missed doubles above CP": player.cube_errors[CubeError.MISSED_ABOVE_CP].count,
        "Wrong doubles below DP": player.cube_errors[CubeError.WRONG_BELOW_DP].count,
        "Wrong doubles above TG": player.cube_errors[CubeError.WRONG_ABOVE_TG].count,
        "Wrong takes": player.cube_errors[CubeError.WRONG_TAKE].count,
        "Wrong passes": player.cube_errors[CubeError.WRONG_DROP].count,
    }


def sums_of(player: PlayerStatistics) -> dict[tuple[str, str], float]:
    """The sums of a player by section and beginning of gnubg's line."""
    return {
        ("Chequerplay statistics", "Error total"): -player.plays.equity,
        ("Cube statistics", "Error total"): -player.cube.equity,
        ("Overall statistics", "Error total"): -player.lost.equity,
        ("Luck statistics", "Luck total"): player.rolls.equity,
    }


def differences(players: Sequence[PlayerStatistics], printed: str) -> list[str]:
    """Where gnubg's printed statistics differ from ours, in words.

    Luck is left out where gnubg printed none. Raises ValueError if they are no statistics.
    """
    section, found, wrong = "", 0, []
    ours = [counts_of(player) for player in players]
    sums = [sums_of(player) for player in players]
    for line in printed.splitlines():
        section = line.strip() if line.strip() in SECTIONS else section
        cells = (line[40:64], line[64:])
        name = re.sub(r" \(.*", "", line[:40]).strip()
        if name in ours[0]:
            theirs = [int(cell.split()[0]) for cell in cells]
            found += 1
            if theirs != [counts[name] for counts in ours]:
                wrong.append(f"{name}: {theirs}, ours {[counts[name] for counts in ours]}")
        for (of_section, beginning), _ in sums[0].items():
            if section == of_section and line.startswith(beginning):
                told = [float(number) for number in re.findall(r"([-+]\d+\.\d+) +\(", line)]
                mine = [each[of_section, beginning] for each in sums]
                if any(abs(a - b) > ROUNDING for a, b in zip(told, mine, strict=True)):
                    wrong.append(f"{section}, {beginning}: {told}, ours {mine}")
    if found < len(ours[0]):
        raise ValueError(f"no statistics of gnubg: {printed[-300:]!r}")
    return wrong


def compared(path: Path, ply: int, workers: int) -> Comparison:
    """A match by gnubg and by Blot at so many plies."""
    found = gnubg_analysis(read_match(path).whole, ply, threads=workers)
    judged = zip(found.choices, found.verdicts, strict=True)
    players = statistics_of(one for one in judged if one[0].answer is not None)
    settings = AnalystSettings(Level(search=SearchSettings(ply)), found.match.rules.has_cube)
    ours = list(verdicts(found.choices, settings, print, workers=workers))
    return Comparison(differences(players, found.statistics), found, ours)


def same_best(comparison: Comparison) -> tuple[int, int]:
    """Unforced plays, and for how many of them both have the same best play."""
    pairs = [
        (one, other)
        for one, other in zip(comparison.gnubg.verdicts, comparison.ours, strict=True)
        if isinstance(one, PlayVerdict) and one.is_unforced
    ]
    same = sum(a.candidates[0].play.after == b.candidates[0].play.after for a, b in pairs)
    return len(pairs), same


def check_beavers(count: int) -> int:
    """Counts of random sessions with beavers; how many differ in more than missed redoubles."""
    wrong = overlooked = beavers = 0
    rules = Rules(beavers=True, jacoby=False)
    for seed in range(1, count + 1):
        match = random_match(rules, 10 * seed, games=4, words=0.25, resigns=0.0)
        found = gnubg_analysis(match, 0)
        beavers += sum(choice.beavers for choice in found.choices)
        judged = list(zip(found.choices, found.verdicts, strict=True))
        differing = differences(statistics_of(judged), found.statistics)
        missed = [each for each in differing if each.startswith("Missed doubles")]
        sums = [each for each in differing if "Error total" in each]
        overlooked += bool(missed)
        if len(missed) + (len(sums) if missed else 0) < len(differing):
            wrong += 1
            print(f"session {seed} WRONG {differing}")
    print(f"{count} sessions, {beavers} beavers: {wrong} wrong, {overlooked} with missed redoubles")
    return int(wrong > 0)


def matches_in(folder: Path, count: int, seed: int) -> list[Path]:
    """So many whole matches of the folder, drawn with a seed."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in READERS]
    random.Random(seed).shuffle(paths)
    whole: list[Path] = []
    for path in paths:
        if len(whole) == count:
            break
        read = read_match(path)
        if read.fault is None and read.match.games:
            whole.append(path)
    return whole


@told_in_a_sentence()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=existing_folder, nargs="?")
    parser.add_argument("--beavers", type=whole_number(1), metavar="N")
    parser.add_argument("--matches", type=whole_number(1), default=10)
    parser.add_argument("--ply", type=whole_number(0, 3), default=2)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--workers", type=whole_number(1, 256), default=1)
    options = parser.parse_args()
    if (options.folder is None) == (options.beavers is None):
        parser.error("give either a FOLDER of matches or --beavers")
    if options.beavers:
        return check_beavers(options.beavers)
    plays = same = wrong = 0
    apart: dict[str, list[float]] = {"play_rate": [], "cube_rate": [], "rate": []}
    lucks: list[float] = []
    paths = matches_in(options.folder, options.matches, options.seed)
    if not paths:
        raise ValueError(f"{options.folder} holds no whole match with games")
    for number, path in enumerate(paths, 1):
        comparison = compared(path, options.ply, options.workers)
        found, agreed = same_best(comparison)
        plays, same = plays + found, same + agreed
        choices = comparison.gnubg.choices
        both = [
            statistics_of(zip(choices, each, strict=True))
            for each in (comparison.gnubg.verdicts, comparison.ours)
        ]
        print(f"match {number}: {len(choices)} choices, best play the same in {agreed}/{found}")
        for theirs, ours in zip(*both, strict=True):
            for name, differing in apart.items():
                rates = getattr(ours, name), getattr(theirs, name)
                if None not in rates:
                    differing.append(1000 * (rates[0] - rates[1]))
            lucks.append(ours.rolls.equity - theirs.rolls.equity)
            print(
                f"  mEMG a play {1000 * (ours.play_rate or 0):6.2f} gnubg "
                f"{1000 * (theirs.play_rate or 0):6.2f}; all {1000 * (ours.rate or 0):6.2f} gnubg "
                f"{1000 * (theirs.rate or 0):6.2f}; luck {ours.rolls.equity:+.3f} gnubg "
                f"{theirs.rolls.equity:+.3f}",
                flush=True,
            )
        for sentence in comparison.wrong:
            wrong += 1
            print(f"  WRONG {sentence}")
    print(f"counts and sums of gnubg's own notes that differ from what it printed: {wrong}")
    print(f"best play the same: {same} of {plays} unforced plays, {100 * same / plays:.1f} %")
    for name, differing in apart.items():
        far = fmean(map(abs, differing))
        print(f"{name}: apart by {far:.2f} mEMG per player, on average {fmean(differing):+.2f}")
    print(f"luck: apart by {fmean(map(abs, lucks)):.3f} EMG per player and match")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
