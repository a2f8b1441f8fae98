"""Prove the reader of .xg files on files of the world: all plays legal, other formats agree.

Reads every .xg file in a folder, plays it again on the rules, and compares it with the .mat and the
.sgf of the same name where there are any: scores, rolls, positions after each play, cube and
results. Files that are wrong themselves are named with the game, the move and the reason.

    python -m tests.bench.check_xg FOLDER
"""

import argparse
from collections import Counter
from collections.abc import Iterator

from bot.backgammon.rules.game import Ending
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import GameRecord, MatchRecord, replay
from bot.lab.command_line import existing_folder, told_in_a_sentence
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.xg import CubeAnalysis, XgMatch, parse_xg

OTHERS = {".mat": parse_mat, ".sgf": parse_sgf}


def done_in(game: GameRecord) -> list[object]:
    """The answers of a game; of a play the position after it, as its legs may go in any order."""
    answers = [event.answer for event in game.events]
    return [answer.after if isinstance(answer, CheckerPlay) else answer for answer in answers]


def disagreements(one: MatchRecord, other: MatchRecord) -> Iterator[str]:
    """Where two records of a match tell it differently."""
    if len(one.games) != len(other.games):
        yield f"{len(one.games)} games and {len(other.games)}"
    pairs = zip(as_filed(one).games, as_filed(other).games, strict=False)
    for number, (game, same) in enumerate(pairs, start=1):
        for name in ("points", "is_crawford", "result"):
            if getattr(game, name) != getattr(same, name):
                yield f"game {number}: {name} {getattr(game, name)} and {getattr(same, name)}"
        if done_in(game) != done_in(same):
            yield f"game {number}: other rolls, plays or cube actions"


def summary(read: XgMatch) -> str:
    """The size of a match that was read."""
    match = read.match
    kinds = Counter(type(event.answer).__name__ for game in match.games for event in game.events)
    results = [game.result for game in match.games if game.result]
    resigned = sum(result.ending is Ending.RESIGNED for result in results)
    cubes = sum(isinstance(analysis, CubeAnalysis) for analysis in read.analyses)
    return (
        f"{len(match.games)} games, {kinds['CheckerPlay']} plays, {kinds['DoubleAnswer']} doubles "
        f"answered, {resigned} resigned, {len(read.analyses) - cubes} plays and {cubes} cubes "
        "analysed"
    )


@told_in_a_sentence()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=existing_folder)
    folder = parser.parse_args().folder
    files = sorted(folder.rglob("*.xg"))
    if not files:
        raise ValueError(f"{folder} holds no .xg file")
    compared = wrong = unread = differing = 0
    for number, path in enumerate(files, start=1):
        try:
            read = parse_xg(path.read_bytes())
        except ValueError as error:
            unread += 1
            print(f"{number}. {path.name}: {error}")
            continue
        list(replay(read.match))
        wrong += read.fault is not None
        print(f"{number}. {summary(read)}" + (f"; stops at {read.fault}" if read.fault else ""))
        for ending, parse in OTHERS.items():
            other = path.with_suffix(ending)
            if other.exists():
                same = parse(other.read_text(encoding="utf-8-sig"))
                found = [str(same.fault)] if same.fault else []
                found += disagreements(read.match, same.match)
                compared, differing = compared + 1, differing + bool(found)
                print(f"   {ending}: " + ("; ".join(found) or "the same"))
    print(
        f"{len(files)} files, {wrong} wrong themselves, {unread} unread; {differing} of {compared} "
        "others differ"
    )
    return int(differing + unread > 0)


if __name__ == "__main__":
    raise SystemExit(main())
