import json
import os
import re
from contextlib import nullcontext

import pytest

from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.rules.decision import PlayDecision
from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_program import GnubgMissingError

PLAYS = [play.after.points for play in legal_plays(START, Roll(3, 1))]
JUDGED = {
    "board": START.points,
    "dice": [3, 1],
    "plays": [{"after": points, "equity": -0.01 * i} for i, points in enumerate(PLAYS)],
}


@pytest.fixture
def run(blot, monkeypatch):
    """A quick `blot bench` with small databases; see blot."""
    databases = build_databases(lambda text: None, 2, 2)
    monkeypatch.setattr("bot.backgammon.engine.level.load_databases", lambda tell: databases)

    def run(*arguments):
        quick = () if "--seconds" in arguments else ("--seconds", "0.03")
        return blot("bench", *quick, *arguments)

    return run


def test_blot_is_measured_at_plies_and_levels(run, weights):
    code, out, err = run(
        *("--ply", "1", "0", "1", "--level", "easy", "--no-gnubg", "--limit", "3"),
        *("--weights", weights, "--json"),
    )
    assert code == 0
    values = json.loads(out)
    assert values["weights"] == weights
    assert values["decisions"] == "positions from games of pubeval"
    players = [(row["player"], row["strength"], row["kind"]) for row in values["players"]]
    assert players == [("blot", name, "play") for name in ("0-ply", "1-ply", "easy")]
    for row in values["players"]:
        assert row["decisions"] == 3
        assert row["median_seconds"] > 0
        assert row["loss"] is None
    rates = values["per_second"]
    assert len(rates) == 3
    assert all(rate["blot"] > 0 and rate["gnubg"] is None for rate in rates.values())
    assert "blot 1-ply ..." in err


def test_judged_decisions_give_losses_in_a_table(run, weights, tmp_path):
    path = tmp_path / "judged.jsonl"
    path.write_text(json.dumps(JUDGED) + "\n" + json.dumps(JUDGED) + "\n")
    code, out, _ = run(
        *("--ply", "0", "--level", "--no-gnubg", "--weights", weights, "--judged", str(path))
    )
    assert code == 0
    assert "judged decisions of judged.jsonl" in out
    row = next(line for line in out.splitlines() if "blot 0-ply" in line)
    assert "2 plays" in row
    loss = float(re.search(r"([\d.]+) ± 0.00", row)[1])
    assert loss in [pytest.approx(10 * i, abs=0.005) for i in range(len(PLAYS))]


def test_a_baseline_is_measured_without_evaluations(blot):
    arguments = ("bench", "--no-gnubg", "--weights", "pubeval", "--limit", "2", "--json")
    code, out, _ = blot(*arguments)
    assert code == 0
    values = json.loads(out)
    assert values["per_second"] == {}
    assert [row["decisions"] for row in values["players"]] == [2]
    for option in (("--ply", "0"), ("--level", "easy"), ("--seconds", "1")):
        code, _, err = blot(*arguments, *option)
        assert code == 2
        assert f"pubeval neither evaluates nor looks ahead: leave out {option[0]}" in err


def test_gnubg_is_not_measured_beside_a_baseline(blot, monkeypatch):
    monkeypatch.setattr(
        "protocol.backgammon.commands.bench._has_gnubg", lambda: pytest.fail("it is")
    )
    alone = ("bench", "--weights", "pubeval", "--limit", "1", "--json")
    assert blot(*alone)[0] == 0
    code, _, err = blot(*alone, "--gnubg")
    assert code == 2
    assert "gnubg is measured at plies, and pubeval has none" in err


def test_without_gnubg_blot_is_measured_alone_and_that_is_told(run, weights, monkeypatch):
    def missing():
        raise GnubgMissingError("no gnubg on this machine")

    monkeypatch.setattr("protocol.backgammon.adapters.gnubg_program.find_gnubg", missing)
    code, out, err = run(*("--ply", "0", "--level", "--limit", "2", "--weights", weights, "--json"))
    assert code == 0
    assert "no gnubg on this machine: measuring Blot alone\n" in err
    assert {row["player"] for row in json.loads(out)["players"]} == {"blot"}


@pytest.mark.gnubg
def test_gnubg_is_measured_on_the_same_decisions(run, weights):
    code, out, _ = run(
        *("--ply", "0", "--level", "easy", "--limit", "4", "--weights", weights, "--json")
    )
    assert code == 0
    values = json.loads(out)
    players = [(row["player"], row["strength"], row["decisions"]) for row in values["players"]]
    assert players == [("blot", "0-ply", 4), ("gnubg", "0-ply", 4), ("blot", "easy", 4)]
    rates = [rate["gnubg"] for rate in values["per_second"].values()]
    assert rates[0] == rates[1] > 1000
    assert rates[2] is None


def test_a_player_that_answers_nonsense_ends_it_with_a_sentence(run, weights, monkeypatch):
    class Nonsense:
        def decide(self, request):
            return PlayDecision(CheckerPlay((Leg(3, 2),), START), ())

    monkeypatch.setattr(
        "protocol.backgammon.commands.bench._player", lambda _: nullcontext(Nonsense())
    )
    code, out, err = run("--ply", "0", "--level", "--no-gnubg", "--limit", "1", *_of(weights))
    assert (code, out) == (1, "")
    assert "blot: blot answered 'Error (a leg begins where the player has no checker)'" in err
    assert "that is no decision" in err


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--ply", "4"], 2, "invalid choice: 4"),
        (["--level", "genius"], 2, "invalid choice: 'genius'"),
        (["--limit", "0"], 2, "measure 1 to 1,000,000 decisions, not 0"),
        (["--limit", "1000001"], 2, "measure 1 to 1,000,000 decisions, not 1,000,001"),
        (["--seconds", "0"], 2, "a rate is measured for more than 0 seconds, not 0"),
        (["--seconds", "nan"], 2, "a rate is measured for more than 0 seconds, not nan"),
        (["--weights", "nobody", "--no-gnubg"], 1, "no weights 'nobody'"),
        (["--filter", "none"], 2, "no move filter 'none'"),
        (["--judged", "missing.jsonl"], 1, "missing.jsonl"),
    ],
)
def test_what_is_wrong_with_a_command_is_one_sentence(run, arguments, code, sentence):
    found, out, err = run(*arguments)
    assert (found, out) == (code, "")
    (said,) = err.splitlines()
    assert sentence in said


def test_the_load_of_the_machine_is_noted(run, weights, monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (99.5, 0.0, 0.0), raising=False)
    code, out, _ = run("--ply", "--level", "easy", "--no-gnubg", "--limit", "1", *_of(weights))
    assert code == 0
    assert "busy (load 99.5 on" in " ".join(out.split())


def _of(weights):
    return "--weights", weights
