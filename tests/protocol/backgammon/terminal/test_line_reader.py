"""Lines typed at a real terminal: with prompt_toolkit, with readline, with neither."""

import os

import pytest

from tests.terminals import ASKED, REPOSITORY, terminals

MISSING = {
    "readline": ("prompt_toolkit",),
    "a dumb terminal": (),
    "neither": ("prompt_toolkit", "readline"),
    "prompt_toolkit": (),
}


@pytest.fixture
def play(tmp_path):
    """Start `blot play` against pubeval, by what a line is edited with."""

    def play(editor, **more):
        folder = tmp_path / "missing"
        folder.mkdir(exist_ok=True)
        for module in MISSING[editor]:
            (folder / f"{module}.py").write_text("raise ImportError\n")
        environment = {"PYTHONPATH": f"{folder}{os.pathsep}{REPOSITORY}"}
        if editor == "a dumb terminal":
            environment["TERM"] = "dumb"
        return start("--no-cube", "--opponent", "pubeval", "--seed", "5", **environment, **more)

    with terminals(tmp_path) as start:
        yield play


@pytest.mark.parametrize("editor", ["readline", "a dumb terminal"])
def test_readline_completes_on_tab_and_remembers_lines(play, editor):
    terminal = play(editor)
    terminal.see("Tab completes plays")
    terminal.see(ASKED)
    terminal.press("sco\t\r")
    terminal.see("You 0, ○ pubeval 0 in money games")
    terminal.see(ASKED)
    terminal.press("\x1b[A\r")
    terminal.see("You 0, ○ pubeval 0 in money games")
    terminal.see(ASKED)
    assert "Tab" not in terminal.before
    assert terminal.leave_by_interrupts() == 0


def test_plain_lines_do_where_nothing_edits_them(play):
    terminal = play("neither")
    terminal.see("Plays are not completed")
    terminal.see("blot-gammon")
    terminal.see(ASKED)
    terminal.type("exit")
    assert terminal.leave()[0] == 0


@pytest.mark.parametrize("editor", list(MISSING))
def test_ctrl_z_stops_and_fg_goes_on_with_the_board_and_the_line(play, editor):
    terminal = play(editor, in_shell=True)
    terminal.see(ASKED)
    typed = "" if editor == "neither" else "sco"  # without an editor a stop drops what was typed
    terminal.press(typed)
    if typed:
        terminal.see(typed)
    terminal.press("\x1a")
    terminal.see("Stopped")
    terminal.type("fg")
    terminal.see("┌──.*└──")
    terminal.see(ASKED)
    terminal.type("score"[len(typed) :])
    terminal.see("You 0, ○ pubeval 0 in money games")
    terminal.see(ASKED)
    terminal.type("exit")
    terminal.see("The game is kept")
    terminal.type("exit")
    terminal.leave()
