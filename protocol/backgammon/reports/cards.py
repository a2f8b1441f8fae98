"""Cards: choices that lost much, each as a question and its answer for a program of flash cards."""

import hashlib
import json
from typing import Any

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict, Verdict, cube_loss
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import CubeOwner
from bot.backgammon.rules.position import turned
from bot.backgammon.rules.shots import shots
from protocol.backgammon.formats.analysis_lines import EQUITY_DIGITS, answer_text, verdict_mark
from protocol.backgammon.formats.diagram import diagram
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.position_id import gnubg_id, match_id_fields
from protocol.backgammon.formats.xgid import Xgid, xgid_line
from protocol.backgammon.reports.analysis import MatchAnalysis, cube_text

Values = dict[str, Any]
BOTTOM = 1
"""The seat that a diagram draws at the bottom: whoever is asked."""

OWNERS = {CubeOwner.CENTRED: "nobody", CubeOwner.ON_ROLL: "player", CubeOwner.OTHER: "opponent"}


def cards_of(analysis: MatchAnalysis, above: float) -> list[Values]:
    """A card for each choice that gave more equity away, in the order of the match."""
    wrong = ((choice, verdict) for choice, verdict in analysis.judged if verdict.loss > above)
    return [_card(analysis, choice, verdict) for choice, verdict in wrong]


def _card(analysis: MatchAnalysis, choice: Choice, verdict: Verdict) -> Values:
    if isinstance(verdict, PlayVerdict):
        choices, why = _plays(choice, verdict)
    else:
        choices, why = _actions(verdict)
    question = _question(analysis, choice)
    asked = json.dumps([question["kind"], question["id"], question["dice"]])
    return {
        "card": hashlib.sha256(asked.encode()).hexdigest()[:16],
        "question": question,
        "choices": choices,
        "answer": min(choices, key=lambda row: row["loss"])["choice"],
        "chosen": _said(choice),
        "loss": round(verdict.loss, EQUITY_DIGITS),
        "mark": verdict_mark(verdict),
        "why": why,
        "game": choice.game,
        "move": choice.move,
        "by": analysis.by,
    }


def _question(analysis: MatchAnalysis, choice: Choice) -> Values:
    """The question as a person is asked it: whoever is asked stands at the bottom."""
    request = choice.request
    state, asked = request.state, choice.seat
    roller = BOTTOM if choice.roller == asked else 1 - BOTTOM
    names = analysis.match.players[1 - asked], analysis.match.players[asked]
    record = match_id_fields(request, roller=roller)
    own = state if roller == BOTTOM else state.turned()
    roll = request.roll if isinstance(request, ChooseCheckerPlay) else None
    kinds = {ChooseCheckerPlay: "play", ChooseCubeAction: "double", AnswerDouble: "answer"}
    return {
        "kind": kinds[type(request)],
        "player": names[1],
        "opponent": names[0],
        "id": gnubg_id(request, roller=roller),
        "xgid": xgid_line(Xgid(state.position, record, state.money.beavers)),
        "dice": roll and [roll.high, roll.low],
        "score": own.score
        and {
            "length": own.score.length,
            "player": own.score.own,
            "opponent": own.score.other,
            "crawford": own.score.is_crawford,
        },
        "cube": {"value": own.cube.value, "owner": OWNERS[own.cube.owner]},
        "pips": [own.position.pip_count, turned(own.position).pip_count],
        "board": diagram(request, roller=roller, names=names),
    }


def _plays(choice: Choice, verdict: PlayVerdict) -> tuple[list[Values], Values]:
    """The plays with what they lose, and figures of the best one less those of the one made."""
    position, best = choice.request.state.position, verdict.candidates[0]
    rows = [
        {
            "choice": short_play_text(row.play, position),
            "equity": round(row.equity, EQUITY_DIGITS),
            "loss": round(best.equity - row.equity, EQUITY_DIGITS),
            **_figures(row),
        }
        for row in verdict.candidates
    ]
    played = verdict.played or best
    won, lost = _figures(best), _figures(played)
    return rows, {name: round(won[name] - lost[name], EQUITY_DIGITS) for name in won}


def _figures(row: Candidate) -> dict[str, float]:
    """Chances of the mover after a play, and the rolls of 36 that hit him."""
    chances, after = row.chances, row.play.after
    return {
        "win": chances.win,
        "win_gammon": chances.win_gammon,
        "lose_gammon": chances.lose_gammon,
        "shots": shots(turned(after)) if after.checkers else 0,
    }


def _actions(verdict: CubeVerdict) -> tuple[list[Values], Values]:
    """The actions or answers with what they lose, and chances and equities of the doubler."""
    evaluation, chances = verdict.evaluation, verdict.chances
    worths: dict[CubeAction | DoubleAnswer, float]
    if isinstance(verdict.answer, CubeAction):
        worths = {
            CubeAction.DOUBLE: evaluation.doubled,
            CubeAction.ROLL: evaluation.no_double,
        }
    else:
        worths = {
            DoubleAnswer.TAKE: -evaluation.double_take,
            DoubleAnswer.DROP: -evaluation.double_drop,
        }
        if evaluation.may_beaver:
            worths[DoubleAnswer.BEAVER] = -2 * evaluation.double_take
    rows = [
        {
            "choice": cube_text(action.value),
            "equity": round(equity, EQUITY_DIGITS),
            "loss": round(max(cube_loss(evaluation, action), 0.0), EQUITY_DIGITS),
        }
        for action, equity in worths.items()
    ]
    return rows, {
        "proper": evaluation.proper.value,
        "no_double": round(evaluation.no_double, EQUITY_DIGITS),
        "double_take": round(evaluation.double_take, EQUITY_DIGITS),
        "double_drop": round(evaluation.double_drop, EQUITY_DIGITS),
        "win": chances.win,
        "win_gammon": chances.win_gammon,
        "lose_gammon": chances.lose_gammon,
    }


def _said(choice: Choice) -> str:
    text = answer_text(choice)
    return text if isinstance(choice.request, ChooseCheckerPlay) else cube_text(text)
