"""The lines of a conversation without a real terminal; at one: backgammon's terminal."""

import io
import sys
import time

import pytest

from protocol.line_reader import LineReader


class Talk:
    """Hears so many lines after so many steps between each; draws nothing."""

    def __init__(self, steps=0, lines=1):
        self.steps, self.lines, self.done = steps, lines, 0
        self.happened = []

    @property
    def is_left(self):
        return not self.lines

    @property
    def waits(self):
        return self.done == self.steps

    def prompt(self):
        return "Your play: "

    def receive(self, line):
        self.happened.append(line)
        self.lines, self.done = self.lines - 1, 0

    def step(self):
        self.happened.append("step")
        self.done += 1

    def completions(self, text):
        return [text + end for end in ("8/5", "6/5")]

    def draw(self):
        print("[board]")

    def draw_soon(self):
        self.happened.append("draw soon")


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def terminal_of(monkeypatch, term):
    """Standard output, which is a terminal as standard input is."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdin", Terminal("8/5 6/5\n"))
    monkeypatch.setattr(sys, "stdout", Terminal())
    return sys.stdout


@pytest.fixture
def slept(monkeypatch):
    seconds = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


def test_a_conversation_goes_on_until_somebody_leaves(monkeypatch, slept, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("8/5\n6/5\nbye\n"))
    talk = Talk(steps=2, lines=2)
    LineReader().converse(talk, "Welcome", 0.0)
    assert talk.happened == ["step", "step", "8/5", "step", "step", "6/5"]
    assert (slept, capsys.readouterr().out) == ([], "Your play: Your play: ")


def test_bots_pause_between_what_they_do_and_not_before_people(monkeypatch, slept):
    monkeypatch.setattr(sys, "stdin", io.StringIO("8/5\n"))
    LineReader().converse(Talk(steps=3), "", 0.5)
    assert slept == [0.5, 0.5]


def test_the_end_of_input_ends_a_conversation(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("8/5\n"))
    talk = Talk(lines=2)
    with pytest.raises(EOFError):
        LineReader().converse(talk, "", 0.0)
    assert talk.happened == ["8/5"]


def test_nothing_that_is_typed_ends_a_conversation(monkeypatch):
    typed = io.TextIOWrapper(io.BytesIO(b"\xff8/5\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    talk = Talk()
    LineReader().converse(talk, "", 0.0)
    assert talk.happened == ["\ufffd8/5"]


@pytest.mark.parametrize(
    ("term", "editor", "advice"),
    [
        ("dumb", "readline", "Tab completes moves.\n"),
        ("xterm", "readline", "Tab completes moves.\nWhile you type they are offered with prompt_"),
        (
            "xterm",
            "neither",
            "Moves are not completed.\nWhile you type they are offered with prompt",
        ),
        ("xterm", "prompt_toolkit", "Your play: "),
    ],
)
def test_a_terminal_is_greeted_with_what_it_lacks(monkeypatch, term, editor, advice):
    terminal = terminal_of(monkeypatch, term)
    found = input if editor == "prompt_toolkit" else None
    monkeypatch.setattr("builtins.input", input if found is None else None)
    monkeypatch.setattr(LineReader, "_prompt_toolkit", lambda reader: found)
    monkeypatch.setattr(LineReader, "_readline", lambda reader: editor == "readline")
    talk = Talk()
    LineReader("moves").converse(talk, "Welcome", 0.0)
    assert talk.happened == ["8/5 6/5"]
    assert terminal.getvalue().startswith(f"Welcome\n{advice}")
    assert terminal.getvalue().endswith("Your play: ")


def test_who_comes_back_from_a_stop_sees_the_board_and_what_was_typed(monkeypatch):
    terminal = terminal_of(monkeypatch, "dumb")
    monkeypatch.setattr(LineReader, "_readline", lambda reader: True)
    reader, talk = LineReader(), Talk()
    reader._resume()  # before anything is said
    reader.converse(talk, "", 0.0)
    assert terminal.getvalue() == "Tab completes plays.\nYour play: "
    reader._resume()
    assert talk.happened == ["8/5 6/5", "draw soon"]
    reader._typed = lambda: "8/"
    reader._restore_modes = lambda: print("[modes]")
    reader._question = "Your play: "
    reader._resume()
    assert terminal.getvalue().endswith("Your play: [modes]\n[board]\nYour play: 8/")
    assert reader._completions("13/8 ") == ["13/8 8/5", "13/8 6/5"]
    assert LineReader()._completions("13/8 ") == []
