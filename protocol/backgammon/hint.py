"""Hint: what an engine thinks of a position and of the plays of a roll, in text and for JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bot.backgammon.decision import (
    ChooseCheckerPlay,
    PlayDecision,
    RatedPlay,
    Request,
)
from bot.backgammon.engine import Engine
from bot.backgammon.outcome import Chances
from bot.backgammon.position import Position
from protocol.backgammon.notation import short_play_text

COUNT = 5
CHANCE_TITLES = ("win", "w.gam", "w.bg", "l.gam", "l.bg")
"""Chances in percent: games won, gammons and backgammons among them, and those lost."""

PLAY_WIDTH = 12


def play_lines(
    rated: Sequence[RatedPlay], position: Position, best: float | None = None
) -> list[str]:
    """A table of the plays, at most 80 columns: equity, loss and the five chances in percent.

    position: before the play. best: the equity that losses are counted from, else the first's.
    """
    if not rated:
        return ["The roll allows no play."]
    texts = [short_play_text(row.play, position) for row in rated]
    width = max(PLAY_WIDTH, *map(len, texts))
    lines = [f"{'':{width + 3}} ply equity   loss{_titles()}"]
    top = rated[0].equity if best is None else best
    for number, (text, row) in enumerate(zip(texts, rated, strict=True), start=1):
        loss = top - row.equity
        told = f"{-loss:+.3f}" if number > 1 or loss else ""
        numbers = f"{row.equity:+7.3f}{told:>7}{_percentages(row.chances)}"
        lines.append(f"{number:>2} {text:<{width}}{row.ply:>4}{numbers}")
    return lines


def chances_lines(chances: Chances) -> list[str]:
    """Cubeless equity and the five chances in percent."""
    return [f" equity{_titles()}", f"{chances.equity:+7.3f}{_percentages(chances)}"]


def hint_lines(question: Request, engine: Engine, count: int) -> list[str]:
    """The best plays if there is a roll, else the chances of the player on roll."""
    if not isinstance(question, ChooseCheckerPlay):
        return chances_lines(engine.chances(question.state.position))
    return play_lines(rated_plays(question, engine)[:count], question.state.position)


def hint_values(question: Request, engine: Engine, count: int) -> dict[str, Any]:
    """The same for a program: dice and plays, or no dice, equity and chances."""
    position = question.state.position
    if not isinstance(question, ChooseCheckerPlay):
        return {"dice": None, **_rating(engine.chances(position))}
    rated = rated_plays(question, engine)[:count]
    return {
        "dice": [question.roll.high, question.roll.low],
        "plays": [
            {
                "play": short_play_text(row.play, position),
                "ply": row.ply,
                "loss": round(rated[0].equity - row.equity, 5),
                **_rating(row.chances),
            }
            for row in rated
        ],
    }


def rated_plays(question: ChooseCheckerPlay, engine: Engine) -> tuple[RatedPlay, ...]:
    """All plays of the roll, the best first."""
    decision = engine.decide(question)
    if not isinstance(decision, PlayDecision):
        raise ValueError(f"no plays but {decision}")
    return decision.rated


def _rating(chances: Chances) -> dict[str, Any]:
    """Equity and the five chances, 0 to 1, each containing the worse ones."""
    named = {name: round(chance, 5) for name, chance in asdict(chances).items()}
    return {"equity": round(chances.equity, 5), "chances": named}


def _titles() -> str:
    return "".join(f"{title:>6}" for title in CHANCE_TITLES)


def _percentages(chances: Chances) -> str:
    return "".join(f"{100 * chance:6.1f}" for chance in asdict(chances).values())
