"""Match files through GNU Backgammon: it reads ours and writes them again, in both its formats."""

from itertools import pairwise

from bot.backgammon.rules.decision import DoubleAnswer
from bot.backgammon.rules.game import Ending, Game
from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.mat_writing import mat_text
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.gnubg_script import LIMIT, run_in_gnubg

SETUP = (
    "set threads 1",
    "set player 0 human",
    "set player 1 human",
    "set automatic game off",
    "set confirm new off",
    "set confirm save off",
)
LOADING = {"mat": "import mat", "sgf": "load match"}
SCRIPT = """
import gnubg, json, os
values = json.load(open("values.json"))
for command in values["setup"]:
    gnubg.command(command)
written = []
for number, (ending, command, settings, text) in enumerate(values["files"]):
    with open(f"in{number}.{ending}", "w", encoding="utf-8") as file:
        file.write(text)
    for each in settings:
        gnubg.command(each)
    gnubg.command(f"{command} in{number}.{ending}")
    texts = []
    for saving, name in (("save match", "out.sgf"), ("export match mat", "out.mat")):
        if os.path.exists(name):
            os.remove(name)
        gnubg.command(f"{saving} {name}")
        with open(name, encoding="utf-8") as file:
            texts.append(file.read())
    written.append(texts)
json.dump(written, open("values.json", "w"))
"""


def through_gnubg(matches, limit=LIMIT):
    """Each match that GNU Backgammon made of ours, and how it went: `mat to sgf` and so on.

    Yields the way, our match and theirs, a ReadMatch.
    """
    files = [
        (ending, LOADING[ending], _settings(match), write(match), match)
        for match in matches
        for ending, write in (("sgf", sgf_text), ("mat", mat_text))
        if can_go(match, ending)
    ]
    written = run_in_gnubg(SCRIPT, {"setup": SETUP, "files": [file[:4] for file in files]}, limit)
    for (ending, _, _, _, match), texts in zip(files, written, strict=True):
        for kind, text, read in zip(("sgf", "mat"), texts, (parse_sgf, parse_mat), strict=True):
            if can_go(match, ending) and can_go(match, kind, by_gnubg=True):
                yield f"{ending} to {kind}", match, read(text)


def _settings(match):
    """Rules that GNU Backgammon does not read from .mat files, but takes from its settings."""
    return [
        "new session",
        f"set cube use {'on' if match.rules.has_cube else 'off'}",
        f"set jacoby {'on' if match.rules.jacoby and match.rules.has_cube else 'off'}",
    ]


def can_go(match, ending, *, by_gnubg=False):
    """Whether a file of that kind, ours or GNU Backgammon's, has room for the match.

    No .mat holds automatic doubles. GNU Backgammon takes all matches in .mat for Crawford's, goes
    astray there where a beaver is not taken, writes beavers into the wrong columns, and a gammon
    that Jacoby's rule makes a single game as a gammon.
    """
    if ending == "sgf":
        return True
    rules = match.rules
    if rules.length and rules.has_cube and not rules.crawford:
        return False
    games = as_filed(match).games
    answers = [event.answer for game in games for event in game.events]
    if any(isinstance(answer, Game) for answer in answers):
        return False
    behind_beavers = {after for before, after in pairwise(answers) if before is DoubleAnswer.BEAVER}
    is_cut = any(
        game.result.ending is Ending.PLAYED and game.result.kind != game.result.kind_counted
        for game in games
    )
    if by_gnubg:
        return not (behind_beavers or is_cut)
    return behind_beavers <= {DoubleAnswer.TAKE}


def different(match, read):
    """What GNU Backgammon made different, in a sentence; None if nothing."""
    if read.fault:
        return str(read.fault)
    ours, theirs = told(as_filed(match)), told(read.match)
    if read.match.players != match.players or len(ours) != len(theirs):
        return f"{len(theirs)} games of {read.match.players}, not {len(ours)} of {match.players}"
    games = enumerate(zip(ours, theirs, strict=True), start=1)
    found = next((number for number, (one, other) in games if one != other), None)
    return None if found is None else f"game {found} is another one"


def told(match):
    """What of a filed match must come back: scores, results, plays as positions, and the cube."""
    return [
        (game.points, _result(game.result), [_answer(event.answer) for event in game.events])
        for game in match.games
    ]


def _result(result):
    return result and (result.winner, result.points, result.ending)


def _answer(answer):
    """An answer without the order of legs, and a cube that was set up without the rules."""
    if isinstance(answer, CheckerPlay):
        return answer.after
    return answer.state.cube if isinstance(answer, Game) else answer
