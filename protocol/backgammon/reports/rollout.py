"""Rollout report: what playing positions out has shown, in text and for JSON."""

from collections.abc import Sequence
from dataclasses import asdict, astuple
from typing import Any

from bot.backgammon.engine.rollout_result import (
    RolledOut,
    RolledOutCube,
    RolledOutPlay,
    Rollout,
    p_of,
)
from bot.backgammon.engine.rollout_trials import RolloutSettings
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.reports.cube import OPTIONAL
from protocol.backgammon.reports.hint import PLAY_WIDTH, chance_titles, cube_word, percentages

DIGITS = 5
NAME_WIDTH = 12
P_LEAST = 0.001
P_TERMS = "p: chance of so great a difference between equals; paired z-test, two-sided"


def trials_of(known: RolledOut) -> int:
    """Games played of each play or action."""
    match known:
        case RolledOutCube(no_double):
            return no_double.trials
        case Rollout():
            return known.trials
        case _:
            return known[0].rollout.trials if known else 0


def known_lines(
    known: RolledOut,
    settings: RolloutSettings,
    position: Position,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
) -> list[str]:
    """The figures so far, in at most 80 columns.

    position: before the roll. uses_cube: whether equities are cubeful. own: plays to mark.
    """
    match known:
        case RolledOutCube():
            return cube_rollout_lines(known, settings)
        case Rollout():
            return position_rollout_lines(known, settings, uses_cube=uses_cube)
        case _:
            return rollout_lines(known, settings, position, uses_cube=uses_cube, own=own)


def known_values(
    known: RolledOut,
    settings: RolloutSettings,
    position: Position,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
) -> dict[str, Any]:
    """The figures so far, for a program; see known_lines."""
    values: dict[str, Any] = {"cubeful": uses_cube}
    match known:
        case RolledOutCube():
            return values | cube_rollout_values(known, settings)
        case Rollout():
            return values | _terms(known.trials, settings) | _evaluation_values(known)
        case _:
            return values | rollout_values(known, settings, position, own=own)


def rollout_lines(
    plays: Sequence[RolledOutPlay],
    settings: RolloutSettings,
    position: Position,
    *,
    uses_cube: bool = True,
    own: Sequence[CheckerPlay] = (),
) -> list[str]:
    """A table of at most 80 columns: equity, loss and chances in percent, errors below each.

    In a match its winning chance stands in place of the backgammons. position: before the plays,
    of which there is one at the least. uses_cube: whether equities are cubeful. own: plays to mark.
    """
    texts = [short_play_text(play.play, position) for play in plays]
    width = max(PLAY_WIDTH, *map(len, texts))
    best = plays[0].rollout
    word, asked = cube_word(uses_cube=uses_cube), {play.after for play in own}
    titles = chance_titles(has_mwc=best.mwc is not None)
    lines = [f"{word:<{width + 3}} equity   loss{titles}"]
    for number, (text, play) in enumerate(zip(texts, plays, strict=True), start=1):
        rollout = play.rollout
        chances, errors = _chance_texts(rollout)
        loss = f"{rollout.equity - best.equity:+.3f}" if number > 1 else ""
        loss_error = f"{rollout.loss_error(best):.3f}" if number > 1 else ""
        start = f"{number:>2}{'>' if play.play.after in asked else ' '}{text:<{width}}"
        lines.append(f"{start}{rollout.equity:+7.3f}{loss:>7}{chances}")
        p = rollout.p_value(best) if number > 1 else None
        sign = f"{p_text(p):>{width}}  ±"
        lines.append(f"{sign}{rollout.equity_error:7.3f}{loss_error:>7}{errors}")
    told = [P_TERMS] if len(plays) > 1 and best.p_value(best) is not None else []
    return [*lines, terms_text(best.trials, settings), *told]


def position_rollout_lines(
    rollout: Rollout, settings: RolloutSettings, *, uses_cube: bool = True
) -> list[str]:
    """Equity and chances in percent, errors below, in at most 80 columns; see rollout_lines."""
    chances, errors = _chance_texts(rollout)
    titles = chance_titles(has_mwc=rollout.mwc is not None)
    return [
        f"{cube_word(uses_cube=uses_cube):<8} equity{titles}",
        f"{'':8}{rollout.equity:+7.3f}{chances}",
        f"{'±':>8}{rollout.equity_error:7.3f}{errors}",
        terms_text(rollout.trials, settings),
    ]


def cube_rollout_lines(cube: RolledOutCube, settings: RolloutSettings) -> list[str]:
    """A table of at most 80 columns: each action's equity, and what comes of it; what is right.

    Points at the cube before a double; in a match equity as in Candidate, and match-winning chance.
    """
    evaluation = cube.evaluation
    is_match = evaluation.mwc is not None
    mwc_title = "  mwc %" if is_match else ""
    points = "EMG" if is_match else "points"
    titles = chance_titles()
    lines = [f"{'cubeful':{NAME_WIDTH}} {points:>7}{mwc_title}{titles}"]
    for name, rollout in (("No double", cube.no_double), ("Double, take", cube.double_take)):
        mwcs = ["", ""]
        if rollout.mwc is not None and rollout.mwc_error is not None:
            mwcs = [f"{100 * rollout.mwc:7.2f}", f"{100 * rollout.mwc_error:7.2f}"]
        chances = percentages(astuple(rollout.chances))
        errors = percentages(rollout.chance_errors)
        lines.append(f"{name:<{NAME_WIDTH}} {rollout.equity:+7.3f}{mwcs[0]}{chances}")
        lines.append(f"{'±':>{NAME_WIDTH}} {rollout.equity_error:7.3f}{mwcs[1]}{errors}")
    dropped = f"{100 * evaluation.mwc[2]:7.2f}" if evaluation.mwc else ""
    lines.append(f"{'Double, drop':<{NAME_WIDTH}} {evaluation.double_drop:+7.3f}{dropped}")
    doubled = _margin_text(cube.margin)
    taken = _margin_text(cube.take_margin)
    act = f"{'Not to' if cube.margin[0] >= 0 else 'To'} double loses {doubled}"
    if evaluation.proper in OPTIONAL:
        act = "To double or not is worth the same"
    answer = "to drop" if cube.take_margin[0] >= 0 else "to take"
    margins = cube.margin, cube.take_margin
    ps = [p_text(p_of(margin, cube.no_double.trials)) for margin in margins]
    return [
        *lines,
        f"Proper action: {evaluation.proper.value}.",
        f"{act}, {answer} a double {'loses ' * (evaluation.proper in OPTIONAL)}{taken}.",
        *(
            [f"{ps[0]} for the double, {ps[1]} for the take; z-tests, two-sided."]
            if all(ps)
            else []
        ),
        terms_text(cube.no_double.trials, settings),
    ]


def _margin_text(margin: tuple[float, float]) -> str:
    return f"{abs(margin[0]):.3f} ± {margin[1]:.3f}"


def p_text(p: float | None) -> str:
    """A p-value, empty if there is none."""
    if p is None:
        return ""
    return f"p {p:.3f}" if p >= P_LEAST else f"p <{P_LEAST:g}"


def terms_text(trials: int, settings: RolloutSettings) -> str:
    """The way it was rolled out, in words."""
    plies = settings.truncate
    end = (
        "to the end" if plies is None else f"cut off after {plies} pl{'y' if plies == 1 else 'ies'}"
    )
    luck = "" if settings.is_reduced else ", luck left in"
    return (
        f"{trials:,} trials {end}, {settings.ply}-ply, seed {settings.seed}{luck}; ± standard error"
    )


def rollout_values(
    plays: Sequence[RolledOutPlay],
    settings: RolloutSettings,
    position: Position,
    *,
    own: Sequence[CheckerPlay] = (),
) -> dict[str, Any]:
    """Plays with equity, loss, chances and the error of each, for a program; own: one's own."""
    asked = {play.after for play in own}
    return _terms(trials_of(plays), settings) | {
        "plays": [
            {
                "play": short_play_text(play.play, position),
                "own": play.play.after in asked,
                "loss": round(plays[0].rollout.equity - play.rollout.equity, DIGITS),
                "loss_error": round(play.rollout.loss_error(plays[0].rollout), DIGITS),
                "p": _p_value(play.rollout.p_value(plays[0].rollout)) if number else None,
                **_evaluation_values(play.rollout),
            }
            for number, play in enumerate(plays)
        ]
    }


def cube_rollout_values(cube: RolledOutCube, settings: RolloutSettings) -> dict[str, Any]:
    """Equities of the actions with errors, and what is right by how much, for a program.

    double_loss, take_loss: what not to double, or to drop, gives away; below 0 if it is right.
    """
    evaluation = cube.evaluation
    drop = {"equity": evaluation.double_drop}
    if evaluation.mwc is not None:
        drop["mwc"] = round(evaluation.mwc[2], DIGITS)
    losses: dict[str, float | None] = {}
    for name, (margin, error) in (("double", cube.margin), ("take", cube.take_margin)):
        losses |= {
            f"{name}_loss": round(margin, DIGITS),
            f"{name}_loss_error": round(error, DIGITS),
            f"{name}_p": _p_value(p_of((margin, error), cube.no_double.trials)),
        }
    return {
        **_terms(cube.no_double.trials, settings),
        "cube": {
            "no_double": _evaluation_values(cube.no_double),
            "double_take": _evaluation_values(cube.double_take),
            "double_drop": drop,
            "proper_action": evaluation.proper.value,
            **losses,
        },
    }


def standing_text(known: RolledOut, position: Position) -> str:
    """The standing so far, in a few words; position: before the roll."""
    match known:
        case RolledOutCube():
            return f"{known.evaluation.proper.value} by {_margin_text(known.margin)}"
        case Rollout():
            return f"{known.equity:+.3f} ± {known.equity_error:.3f}"
        case _:
            return f"{short_play_text(known[0].play, position)} " + standing_text(
                known[0].rollout, position
            )


def _terms(trials: int, settings: RolloutSettings) -> dict[str, Any]:
    return {
        "trials": trials,
        "truncate": settings.truncate,
        "ply": settings.ply,
        "seed": settings.seed,
        "variance_reduction": settings.is_reduced,
    }


def _evaluation_values(rollout: Rollout) -> dict[str, Any]:
    names = asdict(rollout.chances)
    mwc = {}
    if rollout.mwc is not None and rollout.mwc_error is not None:
        mwc = {"mwc": round(rollout.mwc, DIGITS), "mwc_error": round(rollout.mwc_error, DIGITS)}
    return {
        "equity": round(rollout.equity, DIGITS),
        "equity_error": round(rollout.equity_error, DIGITS),
        **mwc,
        "chances": {name: round(chance, DIGITS) for name, chance in names.items()},
        "chance_errors": {
            name: round(error, DIGITS)
            for name, error in zip(names, rollout.chance_errors, strict=True)
        },
    }


def _p_value(p: float | None) -> float | None:
    return None if p is None else float(f"{p:.4g}")


def _chance_texts(rollout: Rollout) -> tuple[str, str]:
    """Chances and their errors in percent; in a match the mwc, in place of the backgammons."""
    chances, errors = astuple(rollout.chances), rollout.chance_errors
    if rollout.mwc is None or rollout.mwc_error is None:
        return percentages(chances), percentages(errors)
    return (
        f"{100 * rollout.mwc:7.2f}{percentages(chances, has_mwc=True)}",
        f"{100 * rollout.mwc_error:7.2f}{percentages(errors, has_mwc=True)}",
    )
