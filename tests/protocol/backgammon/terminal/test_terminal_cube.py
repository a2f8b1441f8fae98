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


def test_beavers_go_both_ways(play):
    terminal = begin(play, "mad", "--beavers")
    terminal.see("You, take, drop or beaver>")
    terminal.type("beaver")
    terminal.see("You beaver: the cube is offered back at 4")
    terminal.see("mad takes: the cube is at 4")
    terminal.see("mad, dice>")
    terminal.type("21")
    terminal.see("You, dice or double>")
    terminal.type("double")
    terminal.see("You double to 8")
    terminal.see("mad beavers: the cube is offered back at 16")
    terminal.see("You, take, drop or beaver>")
    terminal.type("drop")
    terminal.see("mad wins 8 points")


def test_match_goes_over_the_crawford_game_to_its_end(play):
    terminal = play("--opponent", "dropper", "--length", "3", "--seed", "3")
    for points in (1, 2):
        while terminal.see(f"{ASKED}|You, roll or double>")[1]:
            terminal.type("hint 1")
            play_text = terminal.see(r" 1 ([^ ]+( [^ ]+)*) +0 ")[1]
            terminal.see(ASKED)
            terminal.type(play_text)
            terminal.see("You play")
        terminal.type("double")
        terminal.see("dropper drops")
        terminal.see(f"You {points}, ○ dropper 0 in a match to 3")
        terminal.see("Enter for the next game>")
        terminal.type("")
    terminal.see("Crawford game")
    for outcome in ("1 in a match to 3", "2 in a match to 3", "and the match, 3 to 2"):
        assert terminal.see(f"{ASKED}|You, roll or double>")[1]
        terminal.type("resign single")
        terminal.see(outcome)
        terminal.see("Enter for the next")
        terminal.type("" if "match to" in outcome else "quit")
    assert terminal.leave()[0] == 0
    assert terminal.kept.load() is None


def test_bot_resigns_and_is_declined_and_accepted(play):
    terminal = begin(play, "quitter", "--no-jacoby")
    terminal.see("quitter offers to resign a single game, 1 point")
    terminal.see(r"You: accept\? \[y/N\]")
    terminal.type("perhaps")
    terminal.see("Answer yes or no")
    terminal.see(r"You: accept\? \[y/N\]")
    terminal.type("n")
    terminal.see("You decline: the game goes on")
    terminal.see("quitter, dice>")
    terminal.type("64")
    terminal.see("quitter offers to resign a gammon, 2 points")
    terminal.see(r"You: accept\? \[y/N\]")
    terminal.type("y")
    terminal.see("You win a gammon, 2 points")


def test_bot_declines_and_accepts_what_a_person_resigns(play):
    proud = begin(play, "proud", first="13")
    proud.see("You, dice or double>")
    proud.type("resign 1")
    proud.see("proud declines: the game goes on")
    proud.see("You, dice or double>")
    modest = begin(play, "taker", first="13")
    modest.see("You, dice or double>")
    modest.type("resign")
    modest.see("Enter for none")
    modest.type("b")
    modest.see("taker wins a backgammon, 1 point by the Jacoby rule")


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
        assert not options or "│" not in terminal.before


def test_small_window_is_told_of_the_cube_in_words(play):
    terminal = begin(play, "doubler", first="13", size=(12, 50))
    terminal.see("cube 1, in the middle")
    terminal.see("You, dice or double>")
    terminal.type("double")
    terminal.see("cube 2, owned by ○ doubler")


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
