import json
import re

import pytest

from bot.backgammon.rules.decision import ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.commands.question import parse_question
from protocol.backgammon.formats.diagram import diagram, final_diagram
from protocol.backgammon.formats.position_id import gnubg_id, parse_finished

START_ID = "4HPwATDgc/ABMA"


@pytest.fixture
def run(blot):
    """A command, whatever it says of compiling; see blot."""

    def run(*arguments):
        code, out, err = blot(*arguments)
        told = [line for line in err.splitlines(True) if not line.startswith("compil")]
        return code, out, "".join(told)

    return run


def test_hint_ranks_the_plays_of_a_roll(run, weights):
    code, out, _ = run(
        "hint", START_ID, "--dice", "31", "--count", "3", "--ply", "0", "--weights", weights
    )
    assert code == 0
    assert len(out.splitlines()) == 4


def test_hint_without_dice_tells_the_chances_and_what_the_cube_is_worth(run, weights):
    code, out, _ = run("hint", START_ID, "--ply", "0", "--weights", weights)
    assert code == 0
    assert re.search(r"^No double +[+-].*\nDouble, take +[+-].*\nDouble, drop +\+1\.000", out, re.M)
    assert re.search(r"^Proper action: [a-z ,]+\.$", out, re.M)
    code, out, _ = run("hint", START_ID, "--no-cube", "--ply", "0", "--weights", weights)
    assert code == 0
    assert len(out.splitlines()) == 2


def test_hint_in_a_match_tells_winning_chances_and_reads_a_met(run, weights, tmp_path):
    crawford = gnubg_id(ChooseCubeAction(GameState(START, score=Score(7, 6, 5, is_crawford=True))))
    options = ("--ply", "0", "--weights", weights)
    _, out, _ = run("hint", crawford, *options)
    assert out.splitlines()[2] == "The player on roll may not double: it is the Crawford game."
    question = gnubg_id(ChooseCubeAction(GameState(START, score=Score(7, 2, 4))))
    cube = json.loads(run("hint", question, "--json", *options)[1])["cube"]
    assert set(cube) == {"no_double", "double_take", "double_drop"}
    assert 0 < cube["no_double"]["mwc"] < cube["double_drop"]["mwc"] < 1
    path = tmp_path / "table.xml"
    path.write_text("no table")
    code, out, err = run("hint", question, "--met", str(path), *options)
    assert (code, out) == (1, "")
    assert "table.xml is no match equity table Blot can use" in err


def test_hint_for_a_program_is_one_json_object(run, weights):
    options = ("--json", "--ply", "0", "--weights", weights)
    code, out, _ = run("hint", START_ID, "--dice", "3-1", *options)
    values = json.loads(out)
    assert code == 0
    assert values["id"] == START_ID
    assert values["weights"] == weights
    assert len(values["plays"]) == 5
    assert set(values["plays"][0]) == {"play", "ply", "equity", "loss", "chances"}
    assert "plays" not in json.loads(run("hint", START_ID, *options)[1])


def test_show_draws_the_position_as_the_diagram_does(run):
    code, out, _ = run("show", START_ID)
    assert code == 0
    assert out == diagram(parse_question(START_ID)) + "\n"


def test_show_draws_the_match_from_the_roller_s_seat(run):
    # Player 0 on roll with 5-2 in a match to 7, 3 to 1 ahead.
    question = ChooseCheckerPlay(GameState(START, score=Score(7, 3, 1)), Roll(5, 2))
    code, out, _ = run("show", gnubg_id(question, roller=0))
    assert code == 0
    assert out == diagram(question, roller=0) + "\n"
    assert "Rolled 52" in out


def test_finished_match_is_drawn_and_nothing_is_hinted(run):
    code, out, _ = run("show", "AAAAbLcPAgAAAA:AQJgAAAAIAAE")
    assert code == 0
    assert out == final_diagram(parse_finished("AAAAbLcPAgAAAA:AQJgAAAAIAAE")) + "\n"
    assert run("hint", "AAAAbLcPAgAAAA:AQJgAAAAIAAE") == (
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
        (["hint", START_ID, "--count", "0"], 2, "show at least 1 play, not '0'"),
        (["hint"], 2, "required: ID"),
        (["show", "4HPwATDgc/ABMA:xx"], 1, "a match ID has 12, 'xx' has 2"),
        (["show"], 2, "required: ID"),
        (["play", "--delay", "-1"], 2, "a delay is 0 to 60 seconds, not '-1'"),
        (["play", "--delay", "nan"], 2, "a delay is 0 to 60 seconds, not 'nan'"),
        (["play", "--dice", "loaded"], 2, "invalid choice: 'loaded'"),
        (["play", "--length", "0"], 1, "a match has 1 to 64 points, not 0"),
        (["play", "--seed", "-3"], 1, "a seed is 0 to 2147483647, not -3"),
        (["play", "--load", "none.json"], 1, "cannot read none.json: No such file"),
        (["play", "--new", "--met", "none.xml"], 1, "cannot read the match equity table none.xml"),
        (["hint", START_ID, "--met", "none.xml"], 1, "none.xml: No such file"),
        (["play", "--new", "--load", "x"], 2, "not allowed with"),
        (["play", "--new", "--opponent", "gnubg"], 1, "no player 'gnubg': it is none of human"),
    ],
)
def test_wrong_arguments_get_one_sentence(run, monkeypatch, tmp_path, arguments, code, message):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found, out, err = run(*arguments)
    assert found == code
    assert message in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize("command", ["play", "hint", "show"])
def test_help_shows_the_options(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"blot {command}" in out
