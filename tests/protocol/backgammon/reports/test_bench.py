import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from protocol.backgammon.arena.judged_decisions import Result
from protocol.backgammon.reports.bench import Benchmark, Rate, Row, bench_tables, bench_values

PLAYS = Result("play", (0.002, 0.002, 0.004), (0.0, 0.0, 0.09))
ALONE = Benchmark("default", "positions", [Rate("plays", 2e6)], [Row("blot", "0-ply", [PLAYS])])
BESIDE = Benchmark(
    "default",
    "judged decisions",
    [Rate("evaluations", 3e6, 1e5), Rate("plays", 2e6)],
    [
        Row("blot", "0-ply", [PLAYS, Result("take", (0.001,), (0.5,))]),
        Row("gnubg", "0-ply", [PLAYS]),
    ],
)


def printed(benchmark):
    console = Console(file=io.StringIO(), width=200)
    for part in bench_tables(benchmark):
        console.print(part)
    return console.file.getvalue()


def cells(text, start):
    """The cells of the first row that starts so."""
    line = next(line for line in text.splitlines() if start in line)
    return [cell.strip() for cell in line.strip("│ ").split("│")]


def test_rates_stand_beside_gnubgs():
    text = printed(BESIDE)
    assert cells(text, "evaluations") == ["evaluations", "3,000,000", "100,000", "30.0"]
    assert cells(text, "plays ") == ["plays", "2,000,000"]


def test_names_of_files_are_printed_as_they_are():
    text = printed(replace(BESIDE, weights="a[bold]b.npz", decisions="a[/]\x1b[2Jb.txt"))
    assert "a[bold]b.npz, one thread" in text
    assert "a[/]?[2Jb.txt" in text


def test_players_stand_below_each_other_with_losses():
    text = printed(BESIDE)
    expected = ["3 plays", "375.0", "2.000", "30.00 ± 30.00", "1"]
    assert cells(text, "blot 0-ply") == ["blot 0-ply", *expected]
    assert cells(text, "gnubg 0-ply") == ["gnubg 0-ply", *expected]
    assert cells(text, "1 take") == [
        *("blot 0-ply", "1 take", "1,000.0", "1.000", "500.00 ± unknown", "1")
    ]


def test_without_judge_and_gnubg_there_are_no_columns_for_them():
    unjudged = Result("play", (0.002,), ())
    alone = Benchmark("default", "positions", [], [Row("blot", "0-ply", [unjudged])])
    text = printed(alone)
    assert cells(text, "blot 0-ply") == ["blot 0-ply", "1 play", "500.0", "2.000"]
    assert "mEq" not in text


def test_a_busy_machine_is_noted():
    assert "busy" not in printed(ALONE)
    busy = Benchmark("default", "positions", [], [], load=7.04, processors=2)
    assert "The machine was busy (load 7.0 on 2 processors): times are too long." in printed(busy)
    quiet = Benchmark("default", "positions", [], [], load=1.2, processors=2)
    assert "busy" not in printed(quiet)


def test_values_have_every_figure_by_name():
    values = json.loads(json.dumps(bench_values(BESIDE)))
    assert values["weights"] == "default"
    assert values["decisions"] == "judged decisions"
    assert values["threads"] == 1
    assert values["per_second"] == {
        "evaluations": {"blot": 3e6, "gnubg": 1e5},
        "plays": {"blot": 2e6, "gnubg": None},
    }
    first, second, third = values["players"]
    assert first["loss"] == {
        "mean": pytest.approx(0.03),
        "standard_error": pytest.approx(0.03),
    }
    del first["loss"]
    assert first == {
        "player": "blot",
        "strength": "0-ply",
        "kind": "play",
        "decisions": 3,
        "per_second": pytest.approx(375.0),
        "median_seconds": 0.002,
        "losing_over_0.04": 1,
    }
    assert (second["kind"], second["loss"]["standard_error"]) == ("take", None)
    assert third["player"] == "gnubg"


def test_values_without_a_judge_have_no_losses():
    unjudged = Result("play", (0.002,), ())
    (row,) = bench_values(Benchmark("w", "p", [], [Row("blot", "0-ply", [unjudged])]))["players"]
    assert row["loss"] is None
    assert row["losing_over_0.04"] is None
