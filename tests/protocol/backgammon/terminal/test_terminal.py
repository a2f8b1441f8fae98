"""A person at a real terminal, without the cube."""

import io
import os
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


def test_small_window_gets_a_sentence_once_and_words(play):
    terminal = play("--opponent", "pubeval", size=(12, 50))
    terminal.see("A window of 50 columns and 12 rows is too small")
    terminal.see(r"24\(2\)")
    terminal.see(ASKED)
    terminal.type("board")
    terminal.see(ASKED)
    assert "too small" not in terminal.before


def test_colour_is_used_unless_it_is_not_wanted(play):
    terminal = play("--opponent", "pubeval", NO_COLOR="")
    terminal.see("48;5;23m")


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
