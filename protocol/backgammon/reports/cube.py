"""Cube table: what doubling, taking and dropping are worth, in text and for JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.backgammon.rules.decision import CubeEvaluation, ProperAction

OPTIONAL = (
    ProperAction.OPTIONAL_BEAVER,
    ProperAction.OPTIONAL_TAKE,
    ProperAction.OPTIONAL_DROP,
)
BEAVERED = (
    ProperAction.NO_DOUBLE_BEAVER,
    ProperAction.DOUBLE_BEAVER,
    ProperAction.OPTIONAL_BEAVER,
)
DROPPED = (ProperAction.DOUBLE_DROP, ProperAction.TOO_GOOD_DROP, ProperAction.OPTIONAL_DROP)
DOUBLED = (ProperAction.DOUBLE_BEAVER, ProperAction.DOUBLE_TAKE, ProperAction.DOUBLE_DROP)

NAME_WIDTH = 12


@dataclass(frozen=True, slots=True)
class CubeRow:
    """An action, its equity as in CubeEvaluation, and its match-winning chance, None for money."""

    name: str
    equity: float
    mwc: float | None = None


def cube_rows(evaluation: CubeEvaluation) -> tuple[CubeRow, ...]:
    """Rows of what the player on roll gets from each action; a beaver doubles a take."""
    rows = [
        CubeRow("No double", evaluation.no_double),
        CubeRow("Double, take", evaluation.double_take),
        CubeRow("Double, drop", evaluation.double_drop),
    ]
    if evaluation.mwc:
        rows = [
            CubeRow(row.name, row.equity, mwc)
            for row, mwc in zip(rows, evaluation.mwc, strict=True)
        ]
    if evaluation.may_beaver:
        rows.append(CubeRow("Double, beaver", 2 * evaluation.double_take))
    return tuple(rows)


def answer_rows(evaluation: CubeEvaluation) -> tuple[CubeRow, ...]:
    """Rows for the other side, who answers a double; equities at the cube before it."""
    names = {"Double, take": "Take", "Double, drop": "Drop", "Double, beaver": "Beaver"}
    return tuple(
        CubeRow(names[row.name], -row.equity, None if row.mwc is None else 1 - row.mwc)
        for row in cube_rows(evaluation)
        if row.name in names
    )


def cube_lines(evaluation: CubeEvaluation) -> list[str]:
    """The table of a cube decision, and what is right, by how much; at most 80 columns."""
    proper = evaluation.proper
    right, *doubles = cube_rows(evaluation)
    wrong = min(doubles, key=lambda row: row.equity)
    if proper in DOUBLED:
        right, wrong = wrong, right
    lines = _lines(cube_rows(evaluation), right)
    lines.append(f"Proper action: {proper.value}.")
    act = f"{'Not to' if proper in DOUBLED else 'To'} double loses {_loss(right, wrong)}"
    if proper in OPTIONAL:
        act = "To double or not is worth the same"
    word, best, worse = _answer(evaluation)
    answer = f"{word} a double{' loses' * (proper in OPTIONAL)} {_loss(best, worse)}"
    return [*lines, f"{act}, {answer}."]


def beavered_rows(evaluation: CubeEvaluation) -> tuple[CubeRow, ...]:
    """Rows for the player on roll, whose double was beavered; a drop costs the cube."""
    rows = [CubeRow("Take", evaluation.double_take), CubeRow("Drop", -1.0)]
    if evaluation.may_beaver:
        rows.append(CubeRow("Beaver", 2 * evaluation.double_take))
    return tuple(rows)


def answer_lines(rows: Sequence[CubeRow]) -> list[str]:
    """The table of an answer to a double, and what is right, by how much; at most 80 columns."""
    right = max(rows, key=lambda row: row.equity)
    values = {row.name: row for row in rows}
    word, wrong = {
        "Take": ("To drop", "Drop"),
        "Drop": ("To take", "Take"),
        "Beaver": ("Only to take", "Take"),
    }[right.name]
    return [
        *_lines(rows, right),
        f"Proper action: {right.name.lower()}.",
        f"{word} loses {_loss(right, values[wrong])}.",
    ]


def proper_answer(evaluation: CubeEvaluation) -> str:
    """take, drop or beaver."""
    return max(answer_rows(evaluation), key=lambda row: row.equity).name.lower()


def row_values(rows: Sequence[CubeRow]) -> dict[str, dict[str, Any]]:
    """The rows for a program: names like double_take, equity and, in a match, mwc."""
    return {
        row.name.lower().replace(", ", "_").replace(" ", "_"): {
            "equity": round(row.equity, 5),
            **({} if row.mwc is None else {"mwc": round(row.mwc, 6)}),
        }
        for row in rows
    }


def _answer(evaluation: CubeEvaluation) -> tuple[str, CubeRow, CubeRow]:
    """The wrong answer in words, and the rows of the right one and the wrong one."""
    values, proper = {row.name: row for row in cube_rows(evaluation)}, evaluation.proper
    take, drop = values["Double, take"], values["Double, drop"]
    if proper in DROPPED:
        return "to take", drop, take
    if proper in BEAVERED:
        return "only to take", values["Double, beaver"], take
    return "to drop", take, drop


def _lines(rows: Sequence[CubeRow], right: CubeRow) -> list[str]:
    """Equities, in a match also match-winning chances in percent; differences to the right row."""
    width = max(NAME_WIDTH, *(len(row.name) for row in rows))
    title = "points" if right.mwc is None else "   EMG"
    lines = [f"{'cubeful':{width}}  {title}   diff"]
    if right.mwc is not None:
        lines[0] += "    mwc %   diff"
    for row in rows:
        line = f"{row.name:<{width}} {row.equity:+7.3f}"
        is_right = row.name == right.name
        line += " " * 7 if is_right else f"{row.equity - right.equity:+7.3f}"
        if row.mwc is not None and right.mwc is not None:
            line += f"  {100 * row.mwc:7.2f}"
            line += "" if is_right else f"{100 * (row.mwc - right.mwc):+7.2f}"
        lines.append(line.rstrip())
    return lines


def _loss(right: CubeRow, wrong: CubeRow) -> str:
    """The equity that the wrong row gives away."""
    text = f"{abs(right.equity - wrong.equity):.3f}"
    if right.mwc is None or wrong.mwc is None:
        return text
    return f"{text} ({100 * abs(right.mwc - wrong.mwc):.2f} %)"
