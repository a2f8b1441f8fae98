"""Knowledge of a network: its answers to positions of theses, as a table and as values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.position_id import position_id

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bot.backgammon.lab.knowledge import Answer

NOTE = (
    "Losses are in points without the cube, against the accepted play that the stronger evaluator "
    "likes best: by the network itself, below 0 where it prefers its own play, and by the stronger "
    "one."
)


def knowledge_tables(answers: "Sequence[Answer]") -> "Sequence[RenderableType]":
    """A table with a row for each position, and what its figures are, for rich to print."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1, 0, 0))
    for heading in ("about", "position", "roll", "plays", "accepted"):
        table.add_column(heading, no_wrap=heading in ("position", "roll"))
    for heading in ("own", "loss"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("does", no_wrap=True)
    for answer in answers:
        values = _values(answer)
        table.add_row(
            values["about"],
            values["position_id"],
            values["roll"],
            values["play"],
            values["accepted"],
            f"{answer.own_loss:+.3f}",
            f"{answer.loss:+.3f}",
            "yes" if answer.is_accepted else "no",
        )
    good = sum(answer.is_accepted for answer in answers)
    sources = dict.fromkeys(answer.question.source for answer in answers)
    return [
        table,
        Text(f"{good} of {len(answers)} as accepted. {NOTE}"),
        Text(f"Sources: {'; '.join(sources)}."),
    ]


def knowledge_values(answers: "Sequence[Answer]") -> list[dict[str, Any]]:
    """All answers as values for JSON, in points."""
    return [_values(answer) for answer in answers]


def _values(answer: "Answer") -> dict[str, Any]:
    question = answer.question
    return {
        "about": question.topic,
        "source": question.source,
        "position_id": position_id(question.position),
        "roll": f"{question.roll.high}{question.roll.low}",
        "play": short_play_text(answer.play, question.position),
        "accepted": short_play_text(answer.accepted, question.position),
        "own_loss": answer.own_loss,
        "loss": answer.loss,
        "is_accepted": answer.is_accepted,
    }
