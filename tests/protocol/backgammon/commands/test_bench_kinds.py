"""`blot bench --kinds`."""

import json
import shutil

import numpy as np
import pytest

from bot.backgammon.arena.benchmark import Benchmark
from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, Position

BOARDS = np.stack(
    [START.board, Position.of({24: 2, 22: 2, 13: 3, 8: 3, 6: 5}, {13: 5, 8: 4, 6: 6}).board]
)
ROLLED_OUT = 0.25


@pytest.fixture
def file(tmp_path):
    """A benchmark of a usual position and a back game, both worth as much."""
    benchmark = Benchmark.of_boards(BOARDS, {"seed": 1})
    samples = np.zeros((2, 4, 6))
    samples[0, :, 5] = ROLLED_OUT
    for place in range(len(BOARDS)):
        benchmark.add(place, samples)
    benchmark.save(tmp_path / "kinds.npz")
    return str(tmp_path / "kinds.npz")


@pytest.fixture
def bench(blot, monkeypatch):
    """`blot bench --kinds` with small databases."""
    databases = build_databases(lambda text: None, 2, 2)
    monkeypatch.setattr("bot.backgammon.engine.level.load_databases", lambda tell: databases)
    return lambda *arguments: blot("bench", "--kinds", *arguments)


def test_errors_are_differences_from_the_rollouts(bench, weights, file):
    code, out, _ = bench(file, "--ply", "0", "1", "--no-gnubg", "--weights", weights, "--json")
    assert code == 0
    values = json.loads(out)
    assert values["trials"] == 8
    rows = {(row["player"], row["kind"], row["on_roll"]): row for row in values["players"]}
    assert len(rows) == 4
    usual, back = (
        cubeless_equities(CompositeEvaluator(load_network(weights)).outcomes(BOARDS)) - ROLLED_OUT
    )
    static = f"{weights} 0-ply"
    assert rows[static, "usual", None]["bias"]["mean"] == pytest.approx(usual, abs=1e-6)
    found = rows[static, "back game", "playing it"]
    assert found["bias"]["mean"] == pytest.approx(back, abs=1e-6)
    assert found["error"]["mean"] == pytest.approx(abs(back), abs=1e-6)
    assert rows[f"{weights} 1-ply", "usual", None]["positions"] == 1


def test_gnubg_nn_is_evaluated_beside(bench, weights, file, tmp_path):
    weights = shutil.copy(weights, tmp_path / f"{'long' * 20}.npz")
    code, out, _ = bench(file, "--ply", "0", "--weights", str(weights))
    assert code == 0
    assert f"{weights} 0-ply" in out
    assert "gnubg_nn 0-ply" in out
    assert "Thousandths of a point" in out


def test_without_gnubg_nn_blot_is_evaluated_alone(bench, weights, file, monkeypatch):
    monkeypatch.setattr("protocol.backgammon.arena.gnubg_nn.is_installed", lambda: False)
    code, out, err = bench(file, "--ply", "0", "--weights", weights)
    assert code == 0
    assert "gnubg_nn 0-ply" not in out
    assert "gnubg_nn is not installed" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.npz"], "no benchmark missing.npz"),
        (["--limit", "5"], "--limit has no effect"),
        (["--judged", "a.jsonl"], "--judged has no effect"),
        (["--filter", "tiny"], "--filter has no effect"),
        (["--level", "expert"], "--level has no effect"),
        (["--seconds", "1"], "--seconds has no effect"),
        (["--ply"], "as --ply says: give one or more"),
        (["--weights", "pubeval"], "pubeval has no equities: give --weights of a network"),
    ],
)
def test_what_is_wrong_is_one_sentence(bench, arguments, sentence):
    code, out, err = bench(*arguments)
    assert (code, out) == (1 if arguments == ["missing.npz"] else 2, "")
    (said,) = err.splitlines()
    assert sentence in said


def test_a_benchmark_with_nothing_rolled_out_is_refused(bench, tmp_path):
    path = tmp_path / "new.npz"
    Benchmark.of_boards(BOARDS, {"seed": 1}).save(path)
    code, _, err = bench(str(path))
    assert (code, "nothing is rolled out yet" in err) == (1, True)
