"""Hint: what an engine thinks of a position, a roll, a double, in text and for JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple
from typing import Any

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.answer import answer_of_roller
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeDecision,
    CubeEvaluation,
    Decider,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.match import DoublingRefusal
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.reports.cube import (
    CubeRow,
    answer_lines,
    answer_rows,
    beavered_rows,
    cube_lines,
    cube_rows,
    proper_answer,
    row_values,
)
from protocol.backgammon.table.table import KINDS_OF_WINS

COUNT = 5
CHANCE_TITLES = ("win", "w.gam", "w.bg", "l.gam", "l.bg")
"""Chances in percent: games won, gammons and backgammons among them, and those lost."""

OUTSIDE_BACKGAMMONS = (0, 1, 3)
PLAY_WIDTH = 12
ROLLED_OUT = "R"
"""In place of the plies."""


def cube_word(*, uses_cube: bool) -> str:
    """The word for an equity, cubeful or cubeless."""
    return "cubeful" if uses_cube else "cubeless"


def play_lines(
    candidates: Sequence[Candidate],
    position: Position,
    best: Candidate | None = None,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
    count: int | None = None,
) -> list[str]:
    """A table of the plays, at most 80 columns: equity, loss and the five chances in percent.

    In a match that is played for its winning chances these stand in place of the backgammons.
    position: before the play. best: the play that losses are counted from, else the first.
    uses_cube: whether equities are cubeful. own: plays that are shown and marked wherever they
    rank; count: how many others are shown at most, the best.
    """
    if not candidates:
        return ["The roll allows no play."]
    shown = list(_shown(candidates, own, count))
    texts = [short_play_text(row.play, position) for _, row, _ in shown]
    width = max(PLAY_WIDTH, *map(len, texts))
    top = best or candidates[0]
    has_mwc = top.mwc is not None
    word = cube_word(uses_cube=uses_cube)
    lines = [f"{word:<{width + 3}} ply equity   loss{chance_titles(has_mwc=has_mwc)}"]
    for text, (number, row, is_own) in zip(texts, shown, strict=True):
        loss = top.equity - row.equity
        told = f"{-loss:+.3f}" if number > 1 or loss else ""
        mwc = "" if row.mwc is None else f"{100 * row.mwc:7.2f}"
        chances = percentages(astuple(row.chances), has_mwc=has_mwc)
        numbers = f"{row.equity:+7.3f}{told:>7}{mwc}{chances}"
        mark = ">" if is_own else " "
        ply = ROLLED_OUT if row.trials else row.ply
        lines.append(f"{number:>2}{mark}{text:<{width}}{ply:>4}{numbers}")
    rolled_out = [row for _, row, _ in shown if row.trials]
    if rolled_out:
        trials = max(row.trials for row in rolled_out)
        error = max(row.error for row in rolled_out)
        lines.append(
            f"{ROLLED_OUT}: rolled out, {trials} trials at most, standard errors to {error:.3f}."
        )
    return lines


def _shown(
    candidates: Sequence[Candidate], own: Sequence[CheckerPlay], count: int | None
) -> Iterator[tuple[int, Candidate, bool]]:
    """The best plays and one's own, each with its rank and whether it is one's own."""
    asked = {play.after for play in own}
    for rank, row in enumerate(candidates, start=1):
        is_own = row.play.after in asked
        if is_own or count is None or rank <= count:
            yield rank, row, is_own


def chances_lines(chances: Chances, mwc: float | None = None) -> list[str]:
    """Cubeless equity and the five chances in percent; match-winning chance if there is one."""
    title, number = ("", "") if mwc is None else ("  mwc %", f"{100 * mwc:7.2f}")
    return [
        f"cubeless equity{title}{chance_titles()}",
        f"{chances.equity:+15.3f}{number}{percentages(astuple(chances))}",
    ]


def hint_lines(
    question: Request,
    engine: Decider,
    count: int = COUNT,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
    is_beavered: bool = False,
) -> list[str]:
    """The best plays if there is a roll, else chances and what the cube is worth.

    The chances are cubeless, of the player on roll, or of the side that is to answer. own: see
    play_lines; only an Engine evaluates such plays. is_beavered: a double is answered by the player
    on roll, see Game.
    """
    decision = _decision(question, engine, own)
    match question, decision:
        case ChooseCheckerPlay(state), PlayDecision(_, candidates):
            return play_lines(candidates, state.position, uses_cube=uses_cube, own=own, count=count)
        case ChooseCubeAction(state), CubeDecision(_, chances, evaluation):
            lines = chances_lines(chances, decision.mwc)
            refusal = state.doubling_refusal if uses_cube else None
            if refusal is DoublingRefusal.DEAD:
                lines.append(f"A double would gain nothing: {refusal.value}.")
            elif refusal is not None:
                lines.append(f"The player on roll may not double: {refusal.value}.")
            elif evaluation:
                lines += ["", *cube_lines(evaluation), *_rolled_out_lines(decision.trials)]
            if decision.resigns:
                lines.append(f"The game is lost: resign {KINDS_OF_WINS[decision.resigns]}.")
            return lines
        case AnswerDouble(), DoubleDecision(_, _, evaluation):
            answer, chances, rows = _answered(decision, is_beavered=is_beavered)
            lines = chances_lines(chances, _mwc_of_answer(evaluation))
            if rows:
                return [*lines, "", *answer_lines(rows), *_rolled_out_lines(decision.trials)]
            return [*lines, f"Proper action: {answer.value}."]
        case AnswerResignation(_, points), ResignationDecision(accepted, chances):
            does = "accept" if accepted else "decline"
            return [
                *chances_lines(chances, decision.mwc),
                f"Offered {KINDS_OF_WINS[points]}: {does}.",
            ]
        case _:
            raise ValueError(f"no answer but {decision}")


def hint_values(
    question: Request,
    engine: Decider,
    count: int = COUNT,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
    is_beavered: bool = False,
) -> dict[str, Any]:
    """A hint as values: dice and plays, or no dice, cubeless equity, chances and the cube.

    cubeful tells whether the equities of the plays are; the equity beside the chances never is.
    own, is_beavered: see hint_lines, which tells whose chances they are, too.
    """
    decision = _decision(question, engine, own)
    match question, decision:
        case ChooseCheckerPlay(state, roll), PlayDecision(_, candidates):
            return {
                "dice": [roll.high, roll.low],
                "cubeful": uses_cube,
                "plays": [
                    {
                        "rank": rank,
                        "own": is_own,
                        **_play_values(row, candidates[0], state.position),
                    }
                    for rank, row, is_own in _shown(candidates, own, count)
                ],
            }
        case ChooseCubeAction(state), CubeDecision(action, chances, evaluation):
            refusal = state.doubling_refusal if uses_cube else None
            rows, proper = None, action.value
            if evaluation is not None and refusal is None:
                rows, proper = row_values(cube_rows(evaluation)), evaluation.proper.value
            return {
                "dice": None,
                **_cubeless(chances, decision.mwc),
                "cube": rows,
                "may_not_double": None if refusal is None else refusal.value,
                "proper": proper,
                "resigns": decision.resigns,
                **_trials(decision.trials),
            }
        case AnswerDouble(), DoubleDecision(_, _, evaluation):
            answer, chances, answers = _answered(decision, is_beavered=is_beavered)
            proper = answer.value
            if evaluation and not is_beavered:
                proper = proper_answer(evaluation)
            return {
                "dice": None,
                **_cubeless(chances, _mwc_of_answer(evaluation)),
                "answer": row_values(answers) or None,
                "proper": proper,
                **_trials(decision.trials),
            }
        case AnswerResignation(_, points), ResignationDecision(accepted, chances):
            does = "accept" if accepted else "decline"
            cubeless = _cubeless(chances, decision.mwc)
            return {"dice": None, **cubeless, "offered": points, "proper": does}
        case _:
            raise ValueError(f"no answer but {decision}")


def _answered(
    decision: DoubleDecision, *, is_beavered: bool
) -> tuple[DoubleAnswer, Chances, Sequence[CubeRow]]:
    """Answer, chances and rows of a double for the side that answers; rows if it was evaluated."""
    answer, chances, evaluation = decision.answer, decision.chances, decision.evaluation
    if is_beavered:
        answer, chances = answer_of_roller(decision), chances.turned()
    if evaluation is None:
        return answer, chances, ()
    return answer, chances, (beavered_rows if is_beavered else answer_rows)(evaluation)


def _decision(question: Request, engine: Decider, own: Sequence[CheckerPlay]) -> Decision:
    """The engine's decision, one's own plays evaluated as deep as the best."""
    if not (own and isinstance(engine, Engine) and isinstance(question, ChooseCheckerPlay)):
        return engine.decide(question)
    candidates = engine.all_candidates(question, own)
    return PlayDecision(candidates[0].play, candidates)


def _play_values(row: Candidate, best: Candidate, position: Position) -> dict[str, Any]:
    return {
        "play": short_play_text(row.play, position),
        "ply": row.ply,
        "loss": round(best.equity - row.equity, 5),
        **_evaluation_values(row.chances),
        "equity": round(row.equity, 5),
        **({} if row.mwc is None else {"mwc": round(row.mwc, 6)}),
        **_trials(row.trials),
        **({"error": round(row.error, 5)} if row.trials else {}),
    }


def all_candidates(question: ChooseCheckerPlay, engine: Decider) -> tuple[Candidate, ...]:
    """All plays of the roll, the best first."""
    decision = engine.decide(question)
    if not isinstance(decision, PlayDecision):
        raise ValueError(f"no plays but {decision}")
    return decision.candidates


def _rolled_out_lines(trials: int) -> list[str]:
    return [f"Rolled out, {trials} trials."] if trials else []


def _trials(trials: int) -> dict[str, int]:
    """Games of the rollout that decided, if one did."""
    return {"trials": trials} if trials else {}


def _mwc_of_answer(evaluation: CubeEvaluation | None) -> float | None:
    """Match-winning chance after the best answer to a double, None outside of matches."""
    return None if evaluation is None or evaluation.mwc is None else 1 - min(evaluation.mwc[1:])


def _cubeless(chances: Chances, mwc: float | None) -> dict[str, Any]:
    """Cubeless equity, chances and, in a match, the chance to win it."""
    match = {} if mwc is None else {"mwc": round(mwc, 6)}
    return {"cubeful": False, **_evaluation_values(chances), **match}


def _evaluation_values(chances: Chances) -> dict[str, Any]:
    """Equity and the five chances, 0 to 1, each containing the worse ones."""
    named = {name: round(chance, 5) for name, chance in asdict(chances).items()}
    return {"equity": round(chances.equity, 5), "chances": named}


def chance_titles(*, has_mwc: bool = False) -> str:
    """The titles over percentages, in a match that of the match-winning chance before them."""
    if has_mwc:
        return "  mwc %" + "".join(f"{CHANCE_TITLES[i]:>6}" for i in OUTSIDE_BACKGAMMONS)
    return "".join(f"{title:>6}" for title in CHANCE_TITLES)


def percentages(chances: Sequence[float], *, has_mwc: bool = False) -> str:
    """Five chances, or their errors, in percent; no backgammons where the mwc has their place."""
    shown = [chances[i] for i in OUTSIDE_BACKGAMMONS] if has_mwc else chances
    rounded = (round(100 * chance, 1) + 0.0 for chance in shown)  # a zero without a sign
    return "".join(f"{chance:6.1f}" for chance in rounded)
