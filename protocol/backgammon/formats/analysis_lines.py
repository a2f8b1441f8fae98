"""Analysis lines: verdicts on the choices of a match as JSON, one line each."""

import hashlib
import json
from dataclasses import asdict, astuple
from typing import Any

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict, Verdict
from bot.backgammon.engine.match_statistics import Fortune, Skill
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    Candidate,
    ChooseCheckerPlay,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.formats.notation import parse_play, play_text, short_play_text
from protocol.backgammon.formats.position_id import gnubg_id

Values = dict[str, Any]

EQUITY_DIGITS, MWC_DIGITS = 6, 8
CUBE_EQUITIES = ("no_double", "double_take", "double_drop")
GOOD = "good"
CUBE_WORDS: dict[str, CubeAction | DoubleAnswer] = {
    word.value: word for kind in (CubeAction, DoubleAnswer) for word in kind
}


def line_values(choice: Choice, verdict: Verdict, names: tuple[str, str]) -> Values:
    """The values of a line: the choice, and all that is known of it."""
    values: Values = {
        "game": choice.game,
        "move": choice.move,
        "seat": choice.seat,
        "player": names[choice.seat],
        "id": gnubg_id(choice.request),
        "choice": answer_text(choice),
        "loss": round(verdict.loss, EQUITY_DIGITS),
        "cost": round(verdict.loss * verdict.stake, MWC_DIGITS),
        "mark": verdict_mark(verdict),
        "stake": round(verdict.stake, MWC_DIGITS),
    }
    if isinstance(verdict, CubeVerdict):
        return values | _cube_values(verdict)
    return values | _play_values(choice, verdict)


def verdict_of(values: Values, choice: Choice) -> Verdict:
    """The verdict on a choice that a line tells; raises ValueError if it tells of something else.

    Raises KeyError or TypeError for a line that was never written here.
    """
    if values["id"] != gnubg_id(choice.request) or values["choice"] != answer_text(choice):
        raise ValueError(
            f"game {choice.game}, move {choice.move}: the line is of {values['choice']!r} at "
            f"{values['id']}"
        )
    stake = float(values["stake"])
    if "evaluation" in values:
        found = values["evaluation"]
        equities = {name: float(found[name]) for name in CUBE_EQUITIES}
        mwc = found["mwc"] and tuple(map(float, found["mwc"]))
        evaluation = CubeEvaluation(**found | equities | {"mwc": mwc})
        answer = CUBE_WORDS[values["choice"]]
        return CubeVerdict(answer, evaluation, _read_chances(values), stake)
    rows = tuple(_candidate(row, choice) for row in values["plays"])
    rank, static_loss = values["rank"], values.get("static_loss")
    return PlayVerdict(
        rows,
        int(values["legal"]),
        None if rank is None else int(rank),
        float(values["luck"]),
        stake,
        None if static_loss is None else float(static_loss),
    )


def answer_text(choice: Choice) -> str:
    """The answer as people say it; a roll never played has an empty text."""
    position = choice.request.state.position
    match choice.answer:
        case CheckerPlay():
            return short_play_text(choice.answer, position) or "no play"
        case None:
            return ""
        case word:
            return str(word.value)


def verdict_mark(verdict: Verdict) -> str:
    """The mark on a choice: "good" for a good play, else what it lost, empty for neither."""
    if isinstance(verdict, PlayVerdict) and verdict.is_good:
        return GOOD
    return mark_text(Skill.of(verdict.loss))


def mark_text(mark: Skill | Fortune) -> str:
    """A mark in small letters, empty for none."""
    return "" if mark.value == 0 else mark.name.lower().replace("_", " ")


def match_digest(match: MatchRecord, choices: tuple[Choice, ...]) -> str:
    """A digest of all that was chosen in a match, and at what stakes."""
    told = [[gnubg_id(one.request), answer_text(one), one.game, one.seat] for one in choices]
    text = json.dumps([asdict(match.rules), told])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _cube_values(verdict: CubeVerdict) -> Values:
    evaluation = verdict.evaluation
    told = asdict(evaluation)
    for name in CUBE_EQUITIES:
        told[name] = round(told[name], EQUITY_DIGITS)
    told["mwc"] = evaluation.mwc and [round(chance, MWC_DIGITS) for chance in evaluation.mwc]
    return {
        "close": verdict.is_close,
        "proper": evaluation.proper.value,
        "evaluation": told,
        "chances": _chances(verdict.chances),
    }


def _play_values(choice: Choice, verdict: PlayVerdict) -> Values:
    request = choice.request
    assert isinstance(request, ChooseCheckerPlay)
    return {
        "dice": [request.roll.high, request.roll.low],
        "legal": verdict.legal,
        "rank": verdict.rank,
        "static_loss": verdict.static_loss and round(verdict.static_loss, EQUITY_DIGITS),
        "luck": round(verdict.luck, EQUITY_DIGITS),
        "fortune": mark_text(Fortune.of(verdict.luck)),
        "plays": [_row_values(row, choice) for row in verdict.candidates],
    }


def _row_values(row: Candidate, choice: Choice) -> Values:
    values: Values = {
        "play": play_text(row.play, choice.request.state.position),
        "ply": row.ply,
        "equity": round(row.equity, EQUITY_DIGITS),
        "chances": _chances(row.chances),
    }
    if row.mwc is not None:
        values["mwc"] = round(row.mwc, MWC_DIGITS)
    if row.trials:
        values |= {"trials": row.trials, "error": round(row.error, EQUITY_DIGITS)}
    return values


def _candidate(values: Values, choice: Choice) -> Candidate:
    assert isinstance(choice.request, ChooseCheckerPlay)
    position, roll = choice.request.state.position, choice.request.roll
    play = parse_play(values["play"], position, roll)
    mwc = values.get("mwc")
    return Candidate(
        play,
        _read_chances(values),
        float(values["equity"]),
        int(values["ply"]),
        None if mwc is None else float(mwc),
        int(values.get("trials", 0)),
        float(values.get("error", 0.0)),
    )


def _read_chances(values: Values) -> Chances:
    return Chances(*map(float, values["chances"]))


def _chances(chances: Chances) -> list[float]:
    return [round(chance, EQUITY_DIGITS) for chance in astuple(chances)]
