"""Errors by kind of position, as people and programs read them."""

from io import StringIO

from rich.console import Console

from bot.backgammon.arena.benchmark import KindErrors
from bot.backgammon.evaluation.kinds import Kind
from bot.estimate import Estimate
from protocol.backgammon.reports.kinds import NOTE, kinds_line, kinds_tables, kinds_values

ROWS = [
    KindErrors(
        Kind.BACK_GAME, "playing it", 150, Estimate(0.064, 0.003), Estimate(-0.0441, 0.004), 0.01
    ),
    KindErrors(
        Kind.BACK_GAME, "against it", 1, Estimate(0.058, None), Estimate(0.034, None), 0.012
    ),
    KindErrors(Kind.RACE, "", 300, Estimate(0.005, 0.001), Estimate(0.0, 0.001), None),
]


def test_a_table_tells_error_and_bias_of_each_kind_and_side():
    console = Console(width=80, record=True, file=StringIO())
    for part in kinds_tables({"default 0-ply": ROWS}):
        console.print(part, crop=False)
    lines = [" ".join(line.split()) for line in console.export_text().splitlines()]
    assert lines[0] == "default 0-ply"
    assert "back game playing it 150 64.0 ± 3.0 -44.1 ± 4.0 10" in lines
    assert "back game against it 1 58.0 ± unknown +34.0 ± unknown 12" in lines
    assert "race 300 5.0 ± 1.0 +0.0 ± 1.0 unknown" in lines
    assert NOTE in " ".join(lines)


def test_programs_get_all_figures_in_points():
    first, _, race = kinds_values({"default 0-ply": ROWS})["players"]
    assert first == {
        "player": "default 0-ply",
        "kind": "back game",
        "on_roll": "playing it",
        "positions": 150,
        "error": {"mean": 0.064, "standard_error": 0.003},
        "bias": {"mean": -0.0441, "standard_error": 0.004},
        "known": 0.01,
    }
    assert race["on_roll"] is None


def test_a_line_has_both_sides_beside_each_other():
    assert kinds_line(ROWS) == (
        "error and bias in thousandths: back game 64 -44 / 58 +34, race 5 +0"
    )
