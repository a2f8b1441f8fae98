import io
import json
import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.diagram import diagram, final_diagram
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import gnubg_id, parse_finished
from tests.processes import child

START_ID = "4HPwATDgc/ABMA"
IN_MATCH = gnubg_id(ChooseCubeAction(GameState(START, score=Score(5, 2, 3))))
DOUBLED = gnubg_id(AnswerDouble(GameState(START)))
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:"
LIMIT = 120.0
"""Seconds any wait may take; kernels may have to be compiled first."""


def test_hint_ranks_the_plays_of_a_roll(blot, weights):
    code, out, _ = blot(
        "hint", START_ID, "--dice", "31", "--count", "3", "--ply", "0", "--weights", weights
    )
    assert code == 0
    assert len(out.splitlines()) == 4


@pytest.mark.slow
def test_hint_at_the_level_best_rolls_out_what_is_close(blot, weights):
    best = ("--level", "best", "--workers", "1", "--weights", weights)
    values = json.loads(blot("hint", START_ID, "--dice", "31", *best, "--json")[1])
    trials = [row.get("trials", 0) for row in values["plays"]]
    assert trials[0] >= trials[1] > 0
    assert all(row["error"] > 0 for row in values["plays"] if "trials" in row)


def test_hint_without_dice_tells_the_chances_and_what_the_cube_is_worth(blot, weights):
    code, out, _ = blot("hint", START_ID, "--ply", "0", "--weights", weights)
    assert code == 0
    assert re.search(r"^No double +[+-].*\nDouble, take +[+-].*\nDouble, drop +\+1\.000", out, re.M)
    assert re.search(r"^Proper action: [a-z ,]+\.$", out, re.M)
    code, out, _ = blot("hint", START_ID, "--no-cube", "--ply", "0", "--weights", weights)
    assert code == 0
    assert len(out.splitlines()) == 2


def test_hint_in_a_match_tells_winning_chances_and_reads_a_met(blot, weights, tmp_path):
    crawford = gnubg_id(ChooseCubeAction(GameState(START, score=Score(7, 6, 5, is_crawford=True))))
    options = ("--ply", "0", "--weights", weights)
    _, out, _ = blot("hint", crawford, *options)
    assert out.splitlines()[2] == "The player on roll may not double: it is the Crawford game."
    question = gnubg_id(ChooseCubeAction(GameState(START, score=Score(7, 2, 4))))
    cube = json.loads(blot("hint", question, "--json", *options)[1])["cube"]
    assert set(cube) == {"no_double", "double_take", "double_drop"}
    assert 0 < cube["no_double"]["mwc"] < cube["double_drop"]["mwc"] < 1
    path = tmp_path / "table.xml"
    path.write_text("no table")
    code, out, err = blot("hint", question, "--met", str(path), *options)
    assert (code, out) == (1, "")
    assert "table.xml is no match equity table Blot can use" in err


def test_hint_for_a_program_is_one_json_object(blot, weights):
    options = ("--json", "--ply", "0", "--weights", weights)
    code, out, _ = blot("hint", START_ID, "--dice", "3-1", *options)
    values = json.loads(out)
    assert code == 0
    assert values["id"] == START_ID
    assert values["weights"] == weights
    assert len(values["plays"]) == 5
    keys = {"rank", "own", "play", "ply", "equity", "loss", "chances"}
    assert set(values["plays"][0]) == keys
    assert "plays" not in json.loads(blot("hint", START_ID, *options)[1])


def test_show_draws_the_position_as_the_diagram_does(blot):
    code, out, _ = blot("show", START_ID)
    assert code == 0
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10"
    assert out == f"{diagram(pasted_id(START_ID).request)}\n{xgid}\n"


def test_show_draws_the_match_from_the_roller_s_seat(blot):
    # Player 0 on roll with 5-2 in a match to 7, 3 to 1 ahead.
    question = ChooseCheckerPlay(GameState(START, score=Score(7, 3, 1)), Roll(5, 2))
    code, out, _ = blot("show", gnubg_id(question, roller=0))
    assert code == 0
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:1:3:0:7:10"
    assert out == f"{diagram(question, roller=0)}\n{xgid}\n"
    assert "Rolled 52" in out


def test_own_plays_stand_beside_the_best_and_are_marked(blot, weights):
    options = ("--dice", "31", "--ply", "0", "--weights", weights)
    ranked = json.loads(blot("hint", START_ID, *options, "--json", "--count", "99")[1])["plays"]
    options += ("--count", "2")
    own = ranked[0]["play"], ranked[9]["play"]
    asked = [word for play in own for word in ("--play", play)]
    code, out, _ = blot("hint", START_ID, *options, *asked)
    assert code == 0
    assert [line[:3] for line in out.splitlines()[1:]] == [" 1>", " 2 ", "10>"]
    plays = json.loads(blot("hint", START_ID, *options, *asked, "--json")[1])["plays"]
    assert [(row["rank"], row["own"]) for row in plays] == [(1, True), (2, False), (10, True)]
    assert tuple(row["play"] for row in plays if row["own"]) == own


@pytest.mark.parametrize(
    ("arguments", "expected", "message"),
    [
        ((START_ID, "--count", "3"), 2, "--count is of plays, and needs a roll"),
        ((START_ID, "--dice", "31", "--met", "x"), 2, "leave it out of money games"),
        ((START_ID, "--no-cube", "--beavers"), 2, "--beavers is a rule of the cube"),
        ((DOUBLED, "--dice", "31"), 1, "a double waits for its answer there: no dice are rolled"),
        (("-", "--no-cube", "--met", "x"), 2, "leave it out with --no-cube"),
    ],
)
def test_what_would_change_nothing_is_refused(blot, arguments, expected, message):
    code, out, err = blot("hint", *arguments)
    assert (code, out) == (expected, "")
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "expected", "message"),
    [
        (
            ("--dice", "31", "--play", "8/5"),
            1,
            "'8/5' is not a legal play of 3-1: more of the roll",
        ),
        (("--dice", "31", "--play", "8/5 6/5", "--play", "xx"), 1, "--play: cannot read 'xx'"),
        (("--play", "8/5 6/5"), 2, "--play needs a roll: give it with --dice"),
    ],
)
def test_own_play_that_is_none_is_refused_with_the_reason(blot, arguments, expected, message):
    code, out, err = blot("hint", START_ID, *arguments)
    assert (code, out) == (expected, "")
    assert err.startswith("blot: ")
    assert message in err


@pytest.fixture
def asking(weights):
    """`blot hint -`, with pipes to it; kernels may have to be compiled first."""
    command = [sys.executable, "-m", "protocol", "hint", "-", "--ply", "0", "--weights", weights]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child([*command, "--count", "1"], LIMIT, **pipes) as process:
        yield process


def test_each_line_of_standard_input_gets_a_line_of_json_at_once(asking):
    asking.stdin.write(f"# IDs\n\n{START_ID} 31\n")
    asking.stdin.flush()
    first = json.loads(asking.stdout.readline())
    assert (first["id"], first["dice"], len(first["plays"])) == (START_ID, [3, 1], 1)
    lines = [f"  {START_ID} ", "nonsense", f"{START_ID} 37", "AAAA4HMAAAAAAA", f"{START_ID} 6-6"]
    lines += [f"from a forum: {XGID}1 42", f"GNUBG ID: {START_ID}"]
    out, _ = asking.communicate("\n".join(lines), timeout=LIMIT)
    answers = [json.loads(line) for line in out.splitlines()]
    assert [("error" in answer, answer["id"]) for answer in answers] == [
        (False, START_ID),
        (True, "nonsense"),
        (True, f"{START_ID} 37"),
        (True, "AAAA4HMAAAAAAA"),
        (False, START_ID),
        (False, f"{XGID}1"),
        (False, START_ID),
    ]
    assert answers[-3]["dice"] == [6, 6]
    assert answers[-2]["dice"] == [4, 2]
    assert answers[-2]["note"].startswith("This XGID lets the cube go up to 2;")
    assert set(answers[1]) == {"id", "error"}
    assert asking.returncode == 1


def test_line_with_dice_of_its_own_is_not_answered_for_other_ones(blot, weights, monkeypatch):
    text = f"{START_ID} 31\n{START_ID}\n".encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    code, out, _ = blot("hint", "-", "--dice", "21", "--ply", "0", "--weights", weights)
    refused, answered = map(json.loads, out.splitlines())
    assert (code, refused["id"]) == (1, f"{START_ID} 31")
    assert refused["error"] == "dice behind the ID, and --dice: give one of them"
    assert answered["dice"] == [2, 1]


def test_input_without_lines_is_answered_with_nothing(asking):
    out, err = asking.communicate("", timeout=LIMIT)
    assert (asking.returncode, out) == (0, "")
    assert "Traceback" not in err


def test_interrupt_ends_the_answering_without_a_traceback(asking):
    asking.stdin.write(f"{START_ID}\n")
    asking.stdin.flush()
    assert json.loads(asking.stdout.readline())["dice"] is None
    asking.send_signal(signal.SIGINT)
    out, err = asking.communicate(timeout=LIMIT)
    assert (asking.returncode, out) == (130, "")
    assert "Traceback" not in err


def test_reader_that_has_gone_ends_the_answering_without_a_traceback(asking):
    asking.stdin.write(f"{START_ID}\n")
    asking.stdin.flush()
    assert asking.stdout.readline()
    asking.stdout.close()
    asking.stdin.write(f"{START_ID}\n" * 2)
    asking.stdin.close()
    asking.wait(LIMIT)
    assert asking.returncode == 1
    assert "Traceback" not in asking.stderr.read()


def test_finished_match_is_drawn_and_nothing_is_hinted(blot):
    code, out, _ = blot("show", "AAAAbLcPAgAAAA:AQJgAAAAIAAE")
    assert code == 0
    assert out == final_diagram(parse_finished("AAAAbLcPAgAAAA:AQJgAAAAIAAE")) + "\n"
    assert blot("hint", "AAAAbLcPAgAAAA:AQJgAAAAIAAE") == (
        1,
        "",
        "blot: the match is over: X won it, 4 to 0 (GNUbg ID 'AAAAbLcPAgAAAA:AQJgAAAAIAAE')\n",
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["hint", "nonsense"], 1, "a position ID has 14 characters"),
        (["hint", START_ID, "--weights", "nobody"], 1, "no weights 'nobody'"),
        (["hint", START_ID, "--weights", "none.npz"], 1, "none.npz"),
        (["hint", START_ID, "--dice", "37"], 2, "no two dice from 1 to 6"),
        (["hint", START_ID, "--count", "0"], 2, "at least 1 play, not '0'"),
        (["hint"], 2, "required: ID"),
        (["show", "4HPwATDgc/ABMA:xx"], 1, "a match ID has 12, 'xx' has 2"),
        (["show"], 2, "required: ID"),
        (["play", "--delay", "-1"], 2, "a delay is 0 to 60 seconds, not '-1'"),
        (["play", "--delay", "nan"], 2, "a delay is 0 to 60 seconds, not 'nan'"),
        (["play", "--dice", "loaded"], 2, "invalid choice: 'loaded'"),
        (["play", "--length", "0"], 2, "a match has 1 to 64 points, not 0"),
        (["play", "--seed", "-3"], 2, "a seed is 0 to 2147483647, not -3"),
        (["play", "--load", "none.json"], 1, "cannot read none.json: No such file"),
        (["play", "--new", "--met", "none.xml"], 1, "cannot read the match equity table none.xml"),
        (["hint", IN_MATCH, "--met", "none.xml"], 1, "none.xml: No such file"),
        (["play", "--new", "--load", "x"], 2, "not allowed with"),
        (["play", "--new", "--opponent", "gnubg"], 1, "no player 'gnubg': it is none of human"),
    ],
)
def test_wrong_arguments_get_one_sentence(blot, monkeypatch, tmp_path, arguments, code, message):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found, out, err = blot(*arguments)
    assert found == code
    assert message in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize(
    ("command", "option"), [("play", "--tutor"), ("hint", "--count"), ("show", "ID")]
)
def test_help_shows_the_options(blot, command, option):
    code, out, _ = blot(command, "--help")
    assert code == 0
    assert option in out
