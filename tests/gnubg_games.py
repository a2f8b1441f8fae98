"""GNU Backgammon as a second referee: records played again by it, event by event.

Both players are people to it, the dice come from a file, and after each command it tells its IDs.
"""

from dataclasses import dataclass

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import MAX_BEAVERS, Game, OpeningRoll, Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord, Rules, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats import position_id
from protocol.backgammon.formats.notation import play_text
from tests.gnubg_script import run_in_gnubg

SETUP = (
    "set threads 1",
    "set player 0 human",
    "set player 1 human",
    *(f"set automatic {what} off" for what in ("game", "roll", "move", "bearoff")),
    "set confirm new off",
    "set confirm save off",
)
PASS = "pass"
WORDS = {
    CubeAction.DOUBLE: "double",
    DoubleAnswer.TAKE: "take",
    DoubleAnswer.DROP: "drop",
    DoubleAnswer.BEAVER: "redouble",
    ResignationAnswer.ACCEPT: "accept",
    ResignationAnswer.DECLINE: "decline",
}
SCRIPT = """
import gnubg, json
values = json.load(open("values.json"))
told = []
for command in values["setup"]:
    gnubg.command(command)
for number, session in enumerate(values["sessions"]):
    with open(f"dice{number}.txt", "w") as file:
        file.write(session["dice"])
    for command in [*session["settings"], f"set rng file dice{number}.txt"]:
        gnubg.command(command)
    ids = []
    for command in session["commands"]:
        gnubg.command(command)
        ids.append(gnubg.gnubgid())
    told.append(ids)
json.dump(told, open("values.json", "w"))
"""


@dataclass(frozen=True)
class Step:
    """A command, and the ID that must follow it; of a finished game only the points count."""

    command: str
    id: str | None
    points: tuple[int, int]


def id_of(game: Game, points: tuple[int, int]) -> str:
    """Position and match ID as GNU Backgammon tells them."""
    state = game.state
    record = position_id.MatchIdFields(
        roller=game.turn or 0,
        decider=game.asked or 0,
        roll=game.roll,
        cube=state.cube.value,
        cube_owner=game.cube_owner,
        doubled=game.doubles > 0,
        resignation=game.resigned,
        length=state.score.length if state.score else 0,
        points=points,
        crawford=bool(state.score and state.score.is_crawford),
        jacoby=state.score is None and state.money.jacoby,
    )
    return f"{position_id.position_id(state.position)}:{position_id.match_id(record)}"


def steps_of(match: MatchRecord) -> tuple[list[Step], list[int]]:
    """What GNU Backgammon is told of a match, what must follow, and all the dice in order."""
    steps: list[Step] = []
    dice: list[int] = []
    moments = replay(match)
    for number, record in enumerate(match.games):
        for _ in record.events:
            game, event = next(moments)
            answer = event.answer
            assert not isinstance(answer, Game)
            if isinstance(answer, OpeningRoll):
                dice += [answer.first, answer.second]
            elif isinstance(answer, Roll):
                dice += [answer.high, answer.low]
            command = _command(answer, game)
            if isinstance(answer, OpeningRoll) and not answer.is_tie:
                command = "new game" if number else _start(match.rules)
            if command is None:
                continue
            after = game.after(answer)
            points = record.points if isinstance(after, Game) else record.points_after
            told = id_of(after, points) if isinstance(after, Game) else None
            if command == PASS:  # gnubg passes by itself, once the dice are rolled
                command = steps.pop().command
            steps.append(Step(command, told, points))
    assert next(moments, None) is None
    return steps, dice


def _command(answer, game):
    """The words for an answer; None for what GNU Backgammon is not told."""
    match answer:
        case OpeningRoll() | CubeAction.ROLL:
            return None
        case Roll():
            return "roll"
        case CheckerPlay(legs):
            return f"move {play_text(answer, game.state.position)}" if legs else PASS
        case Resignation(points):
            return f"resign {points}"
    return WORDS[answer]


def _start(rules: Rules) -> str:
    return "new session" if rules.length is None else f"new match {rules.length}"


def _settings(rules: Rules) -> list[str]:
    """Without the cube Jacoby must be told to be off, or gnubg counts no gammons, and Crawford."""
    return [
        f"set cube use {'on' if rules.has_cube else 'off'}",
        f"set jacoby {'on' if rules.jacoby and rules.has_cube else 'off'}",
        f"set beavers {MAX_BEAVERS if rules.beavers else 0}",
        f"set automatic doubles {rules.automatic_doubles}",
        f"set automatic crawford {'on' if rules.crawford and rules.has_cube else 'off'}",
    ]


def disagreements(matches: list[MatchRecord]) -> list[str]:
    """Where GNU Backgammon says otherwise, in a sentence for each match; empty if nowhere."""
    told = [steps_of(match) for match in matches]
    sessions = [
        {
            "dice": " ".join(map(str, dice)),
            "settings": _settings(match.rules),
            "commands": [step.command for step in steps],
        }
        for match, (steps, dice) in zip(matches, told, strict=True)
    ]
    answers = run_in_gnubg(SCRIPT, {"setup": SETUP, "sessions": sessions})
    pairs = zip(matches, told, answers, strict=True)
    found = (_first_difference(match, steps, ids) for match, (steps, _), ids in pairs)
    return [sentence for sentence in found if sentence]


def _first_difference(match: MatchRecord, steps: list[Step], ids: list[str]) -> str | None:
    for number, (step, theirs) in enumerate(zip(steps, ids, strict=True)):
        points = position_id.parse_match_id(theirs.split(":")[1]).points
        if (step.id is not None and step.id != theirs) or points != step.points:
            commands = [each.command for each in steps[max(0, number - 5) : number + 1]]
            return (
                f"{match.rules}: after {commands} gnubg has {theirs} {points}, "
                f"not {step.id} {step.points}"
            )
    return None
