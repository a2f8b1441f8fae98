import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest

from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.rules.decision import AnswerResignation, ChooseCubeAction
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START, Position
from bot.estimate import two_sided_p
from bot.weights import weights_file
from protocol.backgammon.formats.position_id import gnubg_id, position_id
from protocol.backgammon.reports import rollout as rollout_report
from protocol.backgammon.reports.rollout import known_values, standing_text
from tests.processes import child, hang_ups_heard
from tests.protocol.backgammon.formats.test_met_file import GOOD

START_ID = "4HPwATDgc/ABMA"
AT_SCORE = gnubg_id(ChooseCubeAction(GameState(START, score=Score(5, 2, 3))))
CRAWFORD = gnubg_id(ChooseCubeAction(GameState(START, score=Score(5, 4, 2, is_crawford=True))))
OTHERS_CUBE = gnubg_id(ChooseCubeAction(GameState(START, Cube(2, CubeOwner.OTHER))))
RESIGNED = gnubg_id(AnswerResignation(GameState(START), 1))
BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
LIMIT = 240.0
"""Seconds any wait in these tests may take; kernels may have to be compiled first."""


@pytest.fixture
def run(blot, monkeypatch):
    """`blot rollout` with small databases; see blot."""
    databases = build_databases(lambda text: None, 2, 2)
    monkeypatch.setattr("bot.backgammon.evaluation.bearoff.load_databases", lambda tell: databases)
    monkeypatch.setattr(
        "bot.backgammon.engine.rollout_trials.load_databases", lambda tell: databases
    )
    return partial(blot, "rollout")


def test_plays_of_a_roll_are_ranked_with_errors(run, weights):
    code, out, err = run(
        *(START_ID, "--dice", "31", "--count", "3", "--trials", "4", "--truncate", "1"),
        *("--ply", "0", "--weights", weights),
    )
    assert code == 0
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["1", "±", "2", "±", "3", "±"]
    assert lines[-1].startswith("4 trials cut off after 1 ply, 0-ply, seed 1")
    assert "4 of 4 trials: " in err


def test_a_position_is_rolled_out_before_the_dice(run, weights):
    arguments = [START_ID, "--trials", "2", "--truncate", "2", "--weights", weights]
    code, out, _ = run(*arguments, "--no-cube", "--ply", "1")
    assert code == 0
    assert len(out.splitlines()) == 4
    assert "2 trials cut off after 2 plies, 1-ply, seed 1" in out


def test_a_double_is_rolled_out_before_the_dice(run, weights):
    arguments = ["--trials", "2", "--truncate", "2", "--ply", "0", "--weights", weights]
    code, out, err = run(START_ID, *arguments)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["cubeful", "points"]
    assert [lines[i].split()[:2] for i in (1, 3, 5)] == [
        ["No", "double"],
        ["Double,", "take"],
        ["Double,", "drop"],
    ]
    assert lines[6].startswith("Proper action: ")
    assert "2 of 2 trials: " in err
    assert lines[6].removeprefix("Proper action: ").rstrip(".") in err


def test_a_double_at_a_score_has_match_winning_chances(run, weights):
    arguments = ["--trials", "2", "--truncate", "2", "--ply", "0", "--weights", weights]
    code, out, _ = run(AT_SCORE, *arguments, "--json")
    cube = json.loads(out)["cube"]
    assert code == 0
    assert 0 < cube["no_double"]["mwc"] < 1
    assert cube["double_drop"]["equity"] == 1
    assert "mwc %" in run(AT_SCORE, *arguments)[1]


def test_match_equities_come_from_a_file_if_one_is_given(run, weights, tmp_path):
    path = tmp_path / "three.xml"
    path.write_text(GOOD, encoding="utf-8")
    arguments = [CRAWFORD, "--trials", "2", "--truncate", "1", "--ply", "0", "--json"]
    arguments += ["--weights", weights]
    read, own = (
        json.loads(run(*arguments, *more)[1])["mwc"] for more in (["--met", str(path)], [])
    )
    assert read != own
    code, _, err = run(*arguments, "--met", str(tmp_path / "none.xml"))
    assert code == 1
    assert "none.xml" in err


def test_nobody_doubles_with_the_other_sides_cube(run, weights):
    arguments = ["--trials", "2", "--truncate", "2", "--ply", "0", "--weights", weights]
    code, out, _ = run(OTHERS_CUBE, *arguments)
    assert code == 0
    assert len(out.splitlines()) == 4
    assert "ouble" not in out


def test_plays_are_rolled_out_without_the_cube_if_that_is_wanted(run, weights):
    arguments = [START_ID, "--dice", "31", "--count", "2", "--trials", "4", "--truncate", "3"]
    arguments += ["--ply", "0", "--json", "--weights", weights]
    cubeful, cubeless = (json.loads(run(*arguments, *more)[1]) for more in ([], ["--no-cube"]))
    for each in cubeless["plays"]:
        assert each["equity"] == pytest.approx(Chances(**each["chances"]).equity, abs=1e-4)
    assert cubeful["plays"][0]["equity"] != cubeless["plays"][0]["equity"]


def test_one_json_object_for_a_program_and_the_same_for_the_same_seed(run, weights):
    arguments = [START_ID, "--json", "--trials", "3", "--truncate", "2", "--weights", weights]
    code, out, _ = run(*arguments, "--seed", "7")
    values = json.loads(out)
    assert code == 0
    assert values["id"] == START_ID
    assert values["weights"] == weights
    assert values["dice"] is None
    assert values["interrupted"] is False
    assert values["trials"] == 3
    assert out == run(*arguments, "--seed", "7")[1]
    assert out != run(*arguments, "--seed", "8")[1]


def test_own_plays_are_rolled_out_beside_the_best(run, weights):
    arguments = [START_ID, "--dice", "31", "--count", "1", "--trials", "4", "--truncate", "1"]
    arguments += ["--ply", "0", "--weights", weights]
    best = json.loads(run(*arguments, "--json")[1])["plays"][0]["play"]
    values = json.loads(run(*arguments, "--play", best, "--play", "24/20", "--json")[1])
    assert values["cubeful"] is True
    assert {(each["play"], each["own"]) for each in values["plays"]} == {
        (best, True),
        ("24/20", True),
    }


def test_level_gives_weights_plies_and_filter_and_weights_may_still_be_chosen(run, weights):
    arguments = [START_ID, "--trials", "2", "--truncate", "1", "--no-cube", "--json"]
    values = json.loads(run(*arguments, "--level", "hard")[1])
    assert (values["weights"], values["ply"]) == ("hard", 0)
    values = json.loads(run(*arguments, "--level", "easy", "--weights", weights)[1])
    assert (values["weights"], values["ply"], values["cubeful"]) == (weights, 0, False)
    values = json.loads(run(*arguments, "--weights", weights)[1])
    assert values["ply"] == 1


def test_rollout_goes_on_in_its_file_and_is_equal_to_a_long_one(run, weights, tmp_path):
    out = tmp_path / "r.jsonl"
    asked = [START_ID, "--dice", "31", "--count", "2", "--truncate", "2", "--ply", "0", "--json"]
    asked += ["--weights", weights, "--trials"]
    long = run(*asked, "150")[1]
    assert run(*asked, "50", "--out", str(out))[0] == 0
    assert run(*asked, "150", "--out", str(out))[1] == long
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-2]) + lines[-2][:40])
    assert run(*asked, "150", "--out", str(out), "--workers", "2")[1] == long
    before = out.read_bytes()
    for other, sentence in (
        (["--seed", "2"], "has a rollout of something else, or by other settings"),
        (["--play", "24/20"], "has a rollout of something else"),
    ):
        code, _, told = run(*asked, "150", "--out", str(out), *other)
        assert (code, out.read_bytes()) == (1, before)
        assert sentence in told
    out.write_bytes(lines[0] + lines[2])
    code, _, told = run(*asked, "150", "--out", str(out))
    assert code == 1
    assert "is damaged: cannot read line 2" in told


def test_seconds_left_are_told_by_the_trials_of_this_run(run, weights, tmp_path, monkeypatch):
    asked = [START_ID, "--no-cube", "--truncate", "1", "--ply", "0", "--weights", weights]
    asked += ["--out", str(tmp_path / "r.jsonl"), "--trials"]
    run(*asked, "36")
    clock = SimpleNamespace(monotonic=partial(next, count(0, 100)))
    monkeypatch.setattr("protocol.backgammon.commands.rollout.time", clock)
    told = run(*asked, "144")[2].splitlines()
    assert (told[0][:18], told[0][-12:]) == ("72 of 144 trials: ", ", 200 s left")


def test_rollout_does_not_go_on_with_other_weights_for_its_searches(run, tmp_path):
    """Named as a file the default has no other network for them."""
    out = tmp_path / "r.jsonl"
    asked = [START_ID, "--trials", "2", "--truncate", "1", "--ply", "0", "--no-cube"]
    asked += ["--out", str(out), "--weights"]
    assert run(*asked, "default")[0] == 0
    assert run(*asked, "default")[0] == 0
    code, _, told = run(*asked, str(weights_file()))
    assert code == 1
    assert "has a rollout of something else, or by other settings" in told


def test_plays_have_p_values_once_there_are_trials_enough(run):
    plays = [START_ID, "--dice", "31", "--count", "2"]
    asked = ["--truncate", "2", "--ply", "0", "--plain", "--weights", "td-128", "--trials"]
    code, out, _ = run(*plays, *asked, "144", "--json")
    best, second = json.loads(out)["plays"]
    assert (code, best["p"]) == (0, None)
    p = two_sided_p(second["loss"], second["loss_error"])
    assert second["p"] == pytest.approx(p, rel=0.02, abs=1e-6)
    shown = run(*plays, *asked, "144")[1]
    assert "paired z-test" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "paired z-test" not in run(*plays, *asked, "99")[1]
    cube = json.loads(run(START_ID, *asked, "144", "--json")[1])["cube"]
    assert 0 <= cube["double_p"] <= 1
    assert "two-sided" in run(START_ID, *asked, "144")[1]


def test_spread_of_equity_is_told_of_plays_and_of_a_position(run, weights):
    asked = ["--truncate", "1", "--ply", "0", "--trials", "2", "--weights", weights, "--spread"]
    plays = START_ID, "--dice", "31", "--count", "2"
    found = json.loads(run(*plays, *asked, "2", "--json")[1])
    assert set(found["spread"]) == {row["play"] for row in found["plays"]}
    position = json.loads(run(START_ID, *asked, "3", "--json")[1])["spread"]["position"]
    assert [row["rolls"] for row in position["rolls"]] == [1, 2, 3]
    assert all(sum(row["shares"]) == pytest.approx(1, abs=1e-4) for row in position["rolls"])
    code, shown, _ = run(*plays, *asked, "2")
    assert code == 0
    assert shown.count("2 rolls") == 2
    assert max(map(len, shown.splitlines())) <= 80


def test_luck_is_left_in_if_that_is_wanted(run, weights):
    arguments = [START_ID, "--json", "--trials", "40", "--truncate", "1", "--ply", "0"]
    arguments += ["--no-cube", "--weights", weights]
    plain = json.loads(run(*arguments, "--plain")[1])
    reduced = json.loads(run(*arguments)[1])
    assert plain["variance_reduction"] is False
    assert plain["equity_error"] > 10 * reduced["equity_error"]


def test_lookahead_plays_both_sides(run, weights):
    code, out, _ = run(
        position_id(Position.of({2: 1, 1: 1}, {2: 1, 1: 1})),
        *("--trials", "2", "--truncate", "2", "--ply", "1", "--weights", weights),
    )
    assert code == 0
    assert "1-ply" in out


def test_a_roll_that_cannot_be_played_is_told(run, weights):
    shut_out = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    arguments = [position_id(shut_out), "--dice", "66", "--weights", weights]
    assert run(*arguments)[:2] == (0, "The roll allows no play.\n")
    assert json.loads(run(*arguments, "--json")[1])["plays"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "cube", "number"),
    [
        ("1", "--no-cube", signal.SIGINT),
        ("2", "--no-cube", signal.SIGTERM),
        ("2", "--cube", signal.SIGHUP),
    ],
)
def test_interrupt_ends_with_what_is_known(weights, workers, cube, number):
    arguments = [START_ID, "--trials", "1000000", "--workers", workers, "--weights", weights]
    arguments += ["--ply", "0", cube]
    command = [*BLOT, "rollout", *arguments, "--json"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = os.environ | {"PYTHONUNBUFFERED": "1"}
    with hang_ups_heard(), child(command, LIMIT, env=env, **streams) as blot:
        told = iter(blot.stderr.readline, "")
        assert any(" of 1,000,000 trials: " in line for line in told)
        blot.send_signal(number)
        out, err = blot.communicate(timeout=LIMIT)
    assert (blot.returncode, out != "", "Traceback" in err) == (130, True, False), err
    values = json.loads(out)
    assert values["interrupted"] is True
    assert values["trials"] >= 36
    assert (values["cube"]["no_double"] if cube == "--cube" else values)["equity_error"] > 0


@pytest.mark.slow
def test_killed_rollout_loses_nothing_but_the_running_piece(run, weights, tmp_path):
    out = tmp_path / "r.jsonl"
    asked = [START_ID, "--dice", "31", "--count", "2", "--truncate", "9", "--weights", weights]
    asked += ["--ply", "0", "--out", str(out), "--json", "--trials"]
    with child([*BLOT, "rollout", *asked, "1000000"], LIMIT, stderr=subprocess.PIPE) as blot:
        assert any(" of 1,000,000 trials: " in line for line in iter(blot.stderr.readline, ""))
        blot.kill()
        blot.wait(LIMIT)
    kept = out.read_bytes()
    known = 36 * (kept.count(b"\n") - 1)
    assert known >= 36
    wanted = str(known + 30)
    code, found, _ = run(*asked, wanted)
    assert code == 0
    assert out.read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    out.unlink()
    assert run(*asked, wanted)[1] == found


def interrupted(function):
    """The function, with a Ctrl-C before it starts."""

    def interrupting(*arguments, **named):
        signal.raise_signal(signal.SIGINT)
        return function(*arguments, **named)

    return interrupting


def test_interrupt_amid_the_telling_comes_too_late(run, weights, monkeypatch):
    monkeypatch.setattr(rollout_report, "known_values", interrupted(known_values))
    arguments = ["--json", "--trials", "4", "--truncate", "1", "--ply", "0", "--weights", weights]
    code, out, _ = run(START_ID, *arguments)
    values = json.loads(out)
    assert (code, values["trials"], values["interrupted"]) == (0, 4, False)


def test_second_interrupt_spoils_nothing(run, weights, monkeypatch):
    monkeypatch.setattr(rollout_report, "standing_text", interrupted(standing_text))
    monkeypatch.setattr(rollout_report, "known_values", interrupted(known_values))
    arguments = ["--json", "--trials", "99", "--truncate", "1", "--ply", "0", "--weights", weights]
    code, out, _ = run(START_ID, *arguments)
    values = json.loads(out)
    assert (code, values["trials"], values["interrupted"]) == (130, 36, True)


def test_interrupt_swallowed_by_a_callback_ends_it_at_the_next_result(run, weights, monkeypatch):
    def swallowing(*arguments):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return standing_text(*arguments)

    monkeypatch.setattr(rollout_report, "standing_text", swallowing)
    arguments = ["--json", "--trials", "99", "--truncate", "1", "--ply", "0", "--weights", weights]
    code, out, _ = run(START_ID, *arguments)
    values = json.loads(out)
    assert (code, values["trials"], values["interrupted"]) == (130, 72, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nonsense"], 1, "a position ID has 14 characters"),
        ([START_ID, "--weights", "nobody"], 1, "no weights 'nobody'"),
        ([START_ID, "--level", "best"], 2, "invalid choice: 'best'"),
        ([START_ID, "--dice", "37"], 2, "no two dice from 1 to 6"),
        ([START_ID, "--count", "0"], 2, "at least 1 play, not '0'"),
        ([START_ID, "--count", "3"], 2, "--count is of plays, and needs a roll"),
        ([START_ID, "--beavers"], 2, "nobody beavers in a rollout"),
        ([RESIGNED], 1, "a rollout does not answer resignations: blot hint does"),
        ([START_ID, "--met", "x"], 2, "leave it out of money games"),
        ([AT_SCORE, "--jacoby"], 2, "--jacoby is a rule of money games"),
        ([AT_SCORE, "--no-cube", "--met", "x"], 2, "leave it out with --no-cube"),
        ([START_ID, "--weights", "pubeval"], 2, "pubeval has no equities"),
        ([START_ID, "--level", "hard", "--ply", "1"], 2, "not allowed with argument --level"),
        ([START_ID, "--dice", "31", "--play", "24/21"], 1, "more of the roll can be played"),
        ([START_ID, "--error", "0.1", "--trials", "99"], 2, "with 99 in all it changes nothing"),
        ([START_ID, "--trials", "1"], 2, "a rollout has 2 to 1,000,000 trials, not 1"),
        ([START_ID, "--trials", "many"], 2, "a whole number is wanted, not 'many'"),
        ([START_ID, "--truncate", "0"], 2, "truncated after 1 to 1,000 plies, not 0"),
        ([START_ID, "--ply", "4"], 2, "Blot looks 0 to 3 plies ahead, not 4"),
        ([START_ID, "--error", "0"], 2, "more than 0 points, not 0"),
        ([START_ID, "--spread", "0"], 2, "--spread: 1 to 20 rolls ahead, not 0"),
        ([START_ID, "--seed", "-1"], 2, "a seed is 0 or more, not -1"),
        ([START_ID, "--workers", "0"], 2, "1 to 256 workers, not 0"),
        ([], 2, "required: ID"),
    ],
)
def test_wrong_arguments_get_one_sentence(run, arguments, code, message):
    found, out, err = run(*arguments)
    assert found == code
    assert message in err
    assert "Traceback" not in err
    assert out == ""


def test_help_shows_the_options(run):
    code, out, _ = run("--help")
    assert code == 0
    for option in ("--dice", "--trials", "--truncate", "--ply", "--error", "--workers", "--seed"):
        assert option in out
