"""A person at a real terminal, without the cube."""

import io
import os
import re
import subprocess
import sys

import pytest

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import Setting
from protocol.backgammon.terminal.board_view import Look
from protocol.backgammon.terminal.terminal import look_for, seated_bot
from tests.tables import table_at
from tests.terminals import ASKED, GNUBG_ID, Terminal, terminals


@pytest.fixture
def play(tmp_path):
    """Start `blot play` without the cube."""
    with terminals(tmp_path) as start:
        yield lambda *options, **more: start("--no-cube", *options, **more)


@pytest.fixture
def come_back(tmp_path):
    """Start `blot play` with nothing that begins a new game."""
    with terminals(tmp_path) as start:
        yield start


def play_out(terminal, end):
    """Play as pubeval does until the end is seen."""
    player = baseline("pubeval", 0)
    while terminal.see(f"{ASKED}|{end}")[1]:
        terminal.type("id")
        question = pasted_id(terminal.see(GNUBG_ID)[1]).request
        chosen = player.choose(question.state.position, question.roll)
        terminal.see(ASKED)
        terminal.type(short_play_text(chosen, question.state.position))
        terminal.see("play ")


@pytest.mark.slow
def test_whole_match_is_played(play):
    terminal = play("--opponent", "random", "--length", "1", "--seed", "3", "--new")
    play_out(terminal, "and the match")
    terminal.see("Enter for the next match>")
    terminal.type("quit")
    assert terminal.leave()[0] == 0
    assert terminal.kept.load() is None


@pytest.mark.slow
def test_every_command_and_nonsense_at_the_prompt_are_answered(play, tmp_path):
    terminal = play("--opponent", "pubeval", "--seed", "3", "--length", "5")
    terminal.see("Type a play such as")
    terminal.see(ASKED)
    saved = tmp_path / "saved.json"
    for line, answer in (
        ("hint", r"equity +loss +win w\.gam"),
        ("hint 1", "equity"),
        ("pips", "You [0-9]+, ○ pubeval [0-9]+ pips"),
        ("id", GNUBG_ID),
        ("board", "│ bar │"),
        ("help", "24/18/15"),
        ("undo", "[Tt]here is nothing to take back|Taken back"),
        (f"save {saved}", "Saved: "),
        ("save", "Save takes a file"),
        ("load nothing.json", "Cannot read nothing.json"),
        ("hnit", "Did you mean hint"),
        ("8/5/2/1/0/9", "Cannot read"),
        ("24/1", "24/1"),
        ("\x0b\x07", "│ bar │"),
        ("ü€😀", "Cannot read"),
    ):
        terminal.type(line)
        terminal.see(answer)
        terminal.see(ASKED)
    for question, answers in (
        (f"load {saved}", ("maybe", "n")),
        (f"save {saved}", ("?", "y")),
        ("new", ("8/5", "n")),
    ):
        terminal.type(question)
        terminal.see(r"\[y/N\]")
        terminal.type(answers[0])
        terminal.see("Answer yes or no")
        terminal.see(r"\[y/N\]")
        terminal.type(answers[1])
        terminal.see(ASKED)
    terminal.type("resign")
    terminal.see("Enter for none")
    terminal.type("everything")
    terminal.see("not 'everything'")
    terminal.type("resign gammon")
    terminal.see("pubeval wins a gammon, 2 points")
    terminal.see("Enter for the next game>")
    terminal.type("13/11")
    terminal.see("The game is over")
    terminal.type("quit")
    status, last = terminal.leave()
    assert status == 0
    assert "The game is kept; blot play offers it again." in last


def test_leg_by_leg_with_targets_and_undo_at_the_terminal(play):
    terminal = play("--opponent", "pubeval", "--dice", "manual", "--me", "human")
    terminal.see("Opening dice, ● You first>")
    terminal.type("seven")
    terminal.see("No two dice from 1 to 6")
    terminal.type("3 1")
    terminal.see(ASKED)
    terminal.type("8")
    terminal.see("▼")
    terminal.see("8 may go to 7 or 5")
    terminal.type("5")
    terminal.see("You 1 left>")
    terminal.type("6/5")
    terminal.see("Enter ends the turn>")
    terminal.type("undo")
    terminal.see("You 1 left>")
    terminal.type("6/5")
    terminal.see("Enter ends the turn>")
    terminal.type("")
    terminal.see("You play 8/5 6/5")
    terminal.see("pubeval, dice>")
    terminal.type("64")
    terminal.see("pubeval plays ")
    terminal.see("You, dice>")
    assert "◎" in terminal.before


@pytest.mark.parametrize("leave", [Terminal.interrupt, Terminal.end_input])
def test_game_is_kept_and_offered_again(play, come_back, leave):
    terminal = play("--opponent", "pubeval", "--seed", "5")
    asked = terminal.see(ASKED).groups()
    leave(terminal)
    status, last = terminal.leave()
    assert status == 0
    assert "The game is kept" in last
    again = come_back()
    again.see(r"A game is kept: ● You 0, ○ pubeval 0 in money games, \d+ turns? played\.")
    again.see(r"Go on with it\? \[Y/n\]")
    again.type("what?")
    again.see("Answer yes or no")
    again.type("")
    assert again.see(ASKED).groups() == asked


def test_game_that_cannot_be_kept_is_said_to_be_so_once(tmp_path):
    (tmp_path / "file").touch()
    ended = subprocess.run(
        [sys.executable, "-m", "protocol", "play", "--opponent", "random"],
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "file")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    folder = tmp_path / "file" / "blot"
    told = f"The game is not kept: the folder {folder} cannot be made: Not a directory.\n"
    assert told in ended.stdout
    assert ended.stdout.count("not kept") == 1
    assert "is kept" not in ended.stdout


@pytest.fixture
def kept(tmp_path):
    """A game against pubeval, kept."""
    kept = KeptGame(tmp_path / "blot" / "game.json")
    kept.keep(table_at(Setting(("human", "pubeval")), START, (6, 4)))
    return kept


def test_kept_game_may_be_left_for_a_new_one_and_both_are_kept(come_back, kept):
    terminal = come_back()
    terminal.see("Go on with it")
    terminal.type("n")
    terminal.see(r"Which level: easy, medium, hard, expert or best\? \[hard\]")
    terminal.type("harder")
    terminal.see("Answer easy, medium, hard, expert or best")
    terminal.type("easy")
    terminal.see("A new game, kept as game-2; blot play --games lists the others")
    terminal.see("○ easy")
    terminal.see(r"You.*>")
    terminal.type("quit")
    assert "The game is kept as game-2; blot play --game game-2 goes on" in terminal.leave()[1]
    assert kept.load().turn.roll == Roll(6, 4)


def test_options_of_a_new_game_begin_one_and_leave_the_kept_one(play, kept):
    terminal = play("--opponent", "random", "--dice", "manual")
    terminal.see("A new game, as --opponent was given, kept as game-2")
    terminal.see("Opening dice")
    assert kept.load().turn.roll == Roll(6, 4)


def test_interrupt_at_the_offer_loses_nothing(come_back, kept):
    terminal = come_back()
    terminal.see("Go on with it")
    assert terminal.leave_by_interrupts() == 0
    assert kept.load().turn is not None


@pytest.mark.slow
def test_kill_loses_nothing(play):
    terminal = play("--opponent", "pubeval", "--seed", "5")
    terminal.see(ASKED)
    terminal.type("hint 1")
    terminal.see("equity")
    terminal.stop()
    assert terminal.kept.load().turn is not None


def test_damaged_kept_game_is_set_aside_and_a_new_one_begun(come_back, tmp_path):
    (tmp_path / "blot").mkdir()
    (tmp_path / "blot" / "game.json").write_text('{"format": "blot game", "ver')
    terminal = come_back()
    terminal.see("is no saved game of Blot: it is not JSON, or cut off")
    terminal.see("It is now .*game.damaged")
    terminal.see("Which level")
    assert terminal.leave_by_interrupts() == 0


def test_window_of_80_columns_shows_the_board_and_a_small_one_a_sentence(play):
    terminal = play("--opponent", "pubeval", "--seed", "5")
    terminal.see(ASKED)
    lines = re.sub(r"\x1b[^a-zA-Z]*[a-zA-Z]", "", terminal.before).splitlines()
    assert any("┌────" in line for line in lines)
    assert max(map(len, lines)) <= 80
    small = play("--opponent", "pubeval", "--new", size=(12, 50))
    small.see("A window of 50 columns and 12 rows is too small")
    small.see(r"24\(2\)")
    small.see(ASKED)
    small.type("board")
    small.see(ASKED)
    assert "too small" not in small.before


def test_letters_replace_signs_on_demand(play):
    terminal = play("--opponent", "pubeval", "--ascii")
    terminal.see(r"\+-")
    assert terminal.see(r"X You (\d)-(\d)>")
    assert "●" not in terminal.before


def test_colour_is_used_unless_it_is_not_wanted(play):
    terminal = play("--opponent", "pubeval", NO_COLOR="")
    terminal.see("48;5;23m")
    terminal.see(ASKED)
    plain = play("--opponent", "pubeval", "--new")
    plain.see(ASKED)
    assert "48;5" not in plain.before


def test_tab_completes_a_play(play):
    terminal = play("--opponent", "pubeval", "--dice", "manual")
    terminal.see("You first>")
    terminal.type("31")
    terminal.see(ASKED)
    terminal.press("8/5 6")
    terminal.see("8/5 6/5")
    terminal.press("\t")
    terminal.see("/5")
    terminal.press("\r")
    terminal.see("You play 8/5 6/5")


def test_stream_decides_about_colours_and_signs(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    class Window(io.TextIOWrapper):
        def isatty(self):
            return True

    window = Window(io.BytesIO(), encoding="utf-8")
    assert look_for(window, ascii_only=False) == Look(unicode=True, colour=True)
    assert look_for(window, ascii_only=True) == Look(unicode=False, colour=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert look_for(window, ascii_only=False) == Look(unicode=True, colour=False)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not look_for(window, ascii_only=False).colour
    monkeypatch.setenv("TERM", "xterm")
    pipe = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert look_for(pipe, ascii_only=False) == Look(unicode=False, colour=False)


def test_players_are_baselines_weights_or_named_in_the_error(tmp_path):
    path = tmp_path / "net.npz"
    random_network(8, seed=1).save(path)
    assert seated_bot("pubeval", 1)
    assert seated_bot(str(path), 1)
    with pytest.raises(ValueError, match="no player 'gnubg': it is none of human, ubgi:COMMAND"):
        seated_bot("gnubg", 1)
    path.write_bytes(b"broken")
    with pytest.raises(ValueError, match=r"net\.npz is no weights file of Blot, or is damaged"):
        seated_bot(str(path), 1)
