"""A person at a real terminal, with the cube."""

import re

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from protocol.backgammon.table.kept_games import KeptGames
from tests.terminals import ASKED, terminals


@pytest.fixture
def play(tmp_path):
    """Start `blot play` with players of simple ways."""
    with terminals(tmp_path) as start:
        yield lambda *options, **more: start(*options, module="tests.fakes.cube_player", **more)


def begin(play, opponent, *options, first="31", **more):
    """A game whose first turn is played, the person's with 31, the bot's with 13."""
    terminal = play("--opponent", opponent, "--dice", "manual", "--new", *options, **more)
    terminal.see("You first>")
    terminal.type(first)
    if first == "31":
        terminal.see(ASKED)
        terminal.type("8/5 6/5")
    terminal.see("plays? [0-9b]")
    return terminal


def test_both_sides_double_take_and_drop(play):
    terminal = begin(play, "doubler", first="13")
    terminal.see("You, dice or double>")
    terminal.type("double")
    terminal.see("You double to 2")
    terminal.see("doubler takes: the cube is at 2")
    terminal.see(r"─\[2\]─")
    terminal.see("You, dice>")
    terminal.type("31")
    terminal.see(ASKED)
    terminal.type("8/5 6/5")
    terminal.see("doubler doubles to 4")
    terminal.see(r"doubled to │ \[4\] │")
    terminal.see("You, take or drop>")
    terminal.type("")
    terminal.see("Answer the double: take or drop")
    terminal.type("take")
    terminal.see("You take: the cube is at 4")
    terminal.see("doubler, dice>")
    terminal.type("21")
    terminal.see("You, dice or double>")
    terminal.type("resign gammon")
    terminal.see("doubler wins a gammon, 8 points")
    terminal.see("Enter for the next game>")
    terminal.type("")
    terminal.see("You first>")
    terminal.type("31")
    terminal.see(ASKED)
    terminal.type("8/5 6/5")
    terminal.see("doubler doubles to 2")
    terminal.see("You, take or drop>")
    terminal.type("drop")
    terminal.see("doubler wins 1 point: ● You 0, ○ doubler 9")
    terminal.see("Enter for the next game>")


def test_double_that_waits_is_saved_loaded_and_kept(play, tmp_path):
    terminal = begin(play, "doubler")
    terminal.see("You, take or drop>")
    terminal.type(f"save {tmp_path / 'double.json'}")
    terminal.see("Saved: ")
    terminal.see("You, take or drop>")
    terminal.type("take")
    terminal.see("doubler, dice>")
    terminal.type(f"load {tmp_path / 'double.json'}")
    terminal.see(r"\[y/N\]")
    terminal.type("y")
    terminal.see("You, take or drop>")
    terminal.stop()
    left = terminal.kept.load()
    loaded = KeptGames(terminal.kept.path.parent).called("game-2").load()
    assert left.record.events[-1].answer is DoubleAnswer.TAKE
    assert loaded.record.events[-1].answer is CubeAction.DOUBLE
    again = play()
    again.see("Kept as game-2: ● You 0, ○ doubler 0 in money games, 1 turn played")
    again.see("lists all 2 that are kept")
    again.type("y")
    again.see(r"doubled to │ \[2\] │")
    again.see("You, take or drop>")
    again.type("take")
    again.see("You take: the cube is at 2")


def test_board_with_the_cube_fits_80_columns_in_signs_and_letters(play):
    for options, sign in (((), "│ [1] │"), (("--ascii",), "| [1] |")):
        terminal = begin(play, "taker", *options, first="13")
        terminal.see("You, dice or double>")
        lines = re.sub(r"\x1b[^a-zA-Z]*[a-zA-Z]", "", terminal.before).splitlines()
        assert any(f"cube {sign}" in line for line in lines)
        assert max(map(len, lines)) <= 80
        assert "48;5" not in terminal.before  # NO_COLOR is set
        assert not options or not set("│●") & set(terminal.before)


@pytest.mark.slow
def test_network_plays_with_the_cube_and_hints_tell_what_it_is_worth(tmp_path):
    with terminals(tmp_path) as start:
        terminal = start(
            "--opponent", str(tmp_path / "net.npz"), "--dice", "manual", "--length", "5"
        )
        terminal.see("You first>")
        terminal.type("13")
        terminal.see("You, dice or double>")
        terminal.type("hint")
        terminal.see(r"No double +[+-]\d\.\d+[^\r\n]* \d+\.\d\d")
        terminal.see("Proper action: ")
        terminal.see("You, dice or double>")
        terminal.type("double")
        terminal.see("net.npz (takes: the cube is at 2|drops)")
        terminal.see("You, dice>|Enter for the next game>")
