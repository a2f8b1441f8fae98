"""Prove the reader of .xg files on files of the world: all plays legal, other formats agree.

Reads every .xg file in a folder, plays it again on the rules, and compares it with the .mat and the
.sgf of the same name where there are any, read here as plainly as can be: rolls, plays, cube and
results. Files that are wrong themselves are named with the game, the move and the reason.

    python -m tests.bench.check_xg FOLDER
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending
from bot.backgammon.rules.legality import points_after
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.record import MatchRecord, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import parse_play
from protocol.backgammon.formats.xg import CubeAnalysis, XgMatch, parse_xg

MAT_CELL = re.compile(
    r"(?P<dice>[1-6]{2}):(?P<play>(?: +(?:\w+/\S+|\?{3,4}))*)"
    r"|(?P<word>Doubles|Takes|Drops)|Wins (?P<points>\d+)",
    re.IGNORECASE,
)
SGF_NODE = re.compile(
    r";[WB]\[(?:(?P<dice>[1-6]{2})(?P<play>[a-z]*)|(?P<word>double|take|drop))\]"
    r"|;PL\[[WB]\]DI\[(?P<left>\d\d)\]"
)
WORDS = {CubeAction.DOUBLE: "double", DoubleAnswer.TAKE: "take", DoubleAnswer.DROP: "drop"}

Told = tuple[str, str]
"""A word or dice, and the play as the format writes it."""


def told_by_mat(text: str) -> list[tuple[list[Told], int]]:
    """What is done in each game of a .mat file, and the points won."""
    games = []
    for part in re.split(r"^ *Game \d+\s*$", text, flags=re.MULTILINE)[1:]:
        rows = [
            line.partition(")")[2] if ")" in line[:5] else line for line in part.split("\n")[2:]
        ]
        done, points = [], 0
        for cell in MAT_CELL.finditer("\n".join(rows)):
            if cell["points"]:
                points = int(cell["points"])
            else:
                word = (cell["word"] or "").lower().rstrip("s")
                done.append((word or cell["dice"], (cell["play"] or "").strip()))
        games.append((done, points))
    return games


def told_by_sgf(text: str) -> list[tuple[list[Told], int]]:
    """What is done in each game of an .sgf file, and the points won."""
    games = []
    for part in text.split("(;FF[4]")[1:]:
        won = re.search(r"RE\[[WB]\+(\d+)", part)
        done = [
            (
                node["word"] or node["dice"] or node["left"],
                "???" if node["left"] else node["play"] or "",
            )
            for node in SGF_NODE.finditer(part)
        ]
        games.append((done, int(won[1]) if won else 0))
    return games


def done_in(match: MatchRecord) -> Iterator[list[tuple[str, Position | None, Roll | None, object]]]:
    """What is done in each game that was read: a word or dice, the position, the roll, the play."""
    by_game: list[list[tuple[str, Position | None, Roll | None, object]]] = [
        [] for _ in match.games
    ]
    counts = [len(game.events) for game in match.games]
    number = 0
    for game, event in replay(match):
        while not counts[number]:
            number += 1
        counts[number] -= 1
        if isinstance(event.answer, CheckerPlay):
            roll = game.roll
            by_game[number].append(
                (f"{roll.high}{roll.low}", game.state.position, roll, event.answer)
            )
        elif event.answer in WORDS:
            by_game[number].append((WORDS[event.answer], None, None, None))
    return iter(by_game)


def sgf_points(letters: str, position: Position) -> tuple[int, ...]:
    """The points behind legs in letters, whoever moves; both directions are tried."""
    for flip in (False, True):
        points = position.points
        try:
            for source, target in zip(letters[::2], letters[1::2], strict=True):
                ends = [sgf_point(letter, flip=flip) for letter in (source, target)]
                points = points_after(points, Leg(25 if source == "y" else ends[0], ends[1]))
        except ValueError:
            continue
        if all(count >= -15 for count in points):
            return points
    return ()


def sgf_point(letter: str, *, flip: bool) -> int:
    if letter == "z":
        return 0
    number = ord(letter) - ord("a") + 1
    return 25 - number if flip else number


def disagreements(match: MatchRecord, games: list[tuple[list[Told], int]]) -> Iterator[str]:
    """Where another format tells the match otherwise."""
    if len(games) != len(match.games):
        yield f"{len(games)} games, not {len(match.games)}"
    told = zip(games, done_in(match), match.games, strict=False)
    for number, ((others, points), own, record) in enumerate(told, start=1):
        if others and "???" in others[-1][1]:
            others = others[:-1]  # thrown, and resigned
        if record.result is None or record.result.points != points:
            yield f"game {number}: {points} points, not {record.result}"
        for move, (other, ours) in enumerate(zip_longest(others, own), start=1):
            if other is None or ours is None or not is_same(other, ours):
                yield f"game {number}, action {move}: {other}, not {ours}"
                break


def is_same(other: Told, ours: tuple[str, Position | None, Roll | None, object]) -> bool:
    word, position, roll, play = ours
    if position is None or roll is None or not isinstance(play, CheckerPlay):
        return other[0] == word
    if "".join(sorted(other[0], reverse=True)) != word:
        return False
    if re.fullmatch("[a-z]*", other[1]):
        return sgf_points(other[1], position) == play.after.points
    try:
        return parse_play(other[1], position, roll).after == play.after
    except ValueError:
        return False


def summary(read: XgMatch) -> str:
    """The size of a match that was read."""
    kinds = Counter(
        type(event.answer).__name__ for game in read.match.games for event in game.events
    )
    resigned = sum(
        game.result is not None and game.result.ending is Ending.RESIGNED
        for game in read.match.games
    )
    cubes = sum(isinstance(analysis, CubeAnalysis) for analysis in read.analyses)
    games, plays = len(read.match.games), len(read.analyses) - cubes
    return (
        f"{games} games, {kinds['CheckerPlay']} plays, {kinds['DoubleAnswer']} doubles answered, "
        f"{resigned} resigned, {plays} plays and {cubes} cubes analysed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    files = sorted(parser.parse_args().folder.rglob("*.xg"))
    compared = wrong = differing = 0
    for number, path in enumerate(files, start=1):
        read = parse_xg(path.read_bytes())
        list(replay(read.match))
        wrong += read.fault is not None
        print(f"{number}. {summary(read)}" + (f"; stops at {read.fault}" if read.fault else ""))
        for ending, told in ((".mat", told_by_mat), (".sgf", told_by_sgf)):
            other = path.with_suffix(ending)
            if other.exists():
                found = list(disagreements(read.match, told(other.read_text(encoding="utf-8-sig"))))
                compared, differing = compared + 1, differing + bool(found)
                print(
                    f"   {ending}: " + ("; ".join(found) or "the same rolls, plays, cube, results")
                )
    print(f"{len(files)} files, {wrong} wrong themselves; {differing} of {compared} others differ")


if __name__ == "__main__":
    main()
