"""A line that moves: on a terminal and elsewhere."""

import re
import sys
import threading

import pytest

from protocol import progress as progress_module
from protocol.progress import progress, waiting_told


@pytest.fixture
def clock(monkeypatch):
    """The time in seconds since the test began, in a list of one."""
    now = [0.0]
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: 1000.0 + now[0])
    return now


def test_where_nobody_looks_there_is_a_line_every_thirty_seconds(capsys, clock):
    with progress("games", 100, lambda: "+0.500 ± 0.100") as show:
        for now, done in ((1.0, 1), (29.0, 10), (30.0, 60), (31.0, 61), (60.0, 100)):
            clock[0] = now
            show(done)
    assert capsys.readouterr().err.splitlines() == [
        "60 of 100 games, +0.500 ± 0.100, 2.0/s, 0:00:20 left",
        "100 of 100 games, +0.500 ± 0.100, 1.7/s, 0:00:00 left",
    ]


def test_where_nobody_looks_what_is_soon_done_says_nothing_and_loads_nothing_that_draws(
    capsys, clock, monkeypatch
):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    with progress("games", 4) as show:
        clock[0] = 29.0
        show(4)
    assert capsys.readouterr().err == ""


def test_what_was_done_before_tells_nothing_of_the_pace(capsys, clock):
    with progress("pairs", 100, kept=40) as show:
        clock[0] = 30.0
        show(40)
        clock[0] = 60.0
        show(70)
    assert capsys.readouterr().err.splitlines() == [
        "40 of 100 pairs",
        "70 of 100 pairs, 30.0/min, 0:01:00 left",
    ]


def test_a_slow_rate_is_told_by_the_minute(capsys, clock):
    with progress("matches", 3) as show:
        clock[0] = 120.0
        show(1)
    assert capsys.readouterr().err == "1 of 3 matches, 0.5/min, 0:04:00 left\n"


def pictures_in(said):
    """What was drawn, one picture after the other."""
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", said))
    return [line for line in lines if " of " in line]


@pytest.fixture
def terminal(monkeypatch, capsys):
    """Somebody looks at what is told."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("FORCE_COLOR", "")])
def test_on_a_terminal_that_draws_nothing_there_is_a_line_as_where_nobody_looks(
    capsys, clock, monkeypatch, name, value
):
    monkeypatch.setenv(name, value)
    with progress("games", 4) as show:
        for now in (1.0, 30.0):
            clock[0] = now
            show(2)
    assert capsys.readouterr().err == "2 of 4 games, 4.0/min, 0:00:30 left\n"


@pytest.mark.usefixtures("terminal")
def test_a_bar_is_drawn_by_the_thread_that_works_whatever_signs_are_in_its_text(capsys, clock):
    threads = threading.active_count()
    with progress("games", 4, lambda: "[/red] leads") as show:
        assert pictures_in(capsys.readouterr().err)[-1].endswith("0 of 4 games, [/red] leads")
        show(4)
        assert threading.active_count() == threads
    (picture, *_) = pictures_in(capsys.readouterr().err)
    assert picture == f"{16 * '━'} 4 of 4 games, [/red] leads"
    with progress("games", 4) as show:
        clock[0] = 2.0
        show(1)
    assert pictures_in(capsys.readouterr().err)[-1].startswith(f"{4 * '━'}╺{11 * '━'} 1 of 4 games")


@pytest.mark.usefixtures("terminal")
def test_pictures_take_a_small_share_of_the_time(capsys, clock):
    def standing():
        clock[0] += 0.01
        return ""

    with progress("games", 9, standing) as show:
        for now, done in ((10.0, 1), (10.4, 2), (10.6, 3)):
            clock[0] = now
            show(done)
            if done < 3:
                is_drawn = bool(pictures_in(capsys.readouterr().err))
                assert is_drawn == (done == 1)
        assert pictures_in(capsys.readouterr().err)


def test_on_a_terminal_the_line_is_there_from_the_first_moment(capsys, clock, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    standings = iter(["0 decisions", "3 decisions", "+1.000 ± unknown"])
    with progress("games", 4, lambda: next(standings)) as show:
        for now, done in ((0.1, 0), (1.0, 0), (1.1, 0), (1.2, 4)):
            clock[0] = now
            show(done)
    pictures = pictures_in(capsys.readouterr().err)
    assert pictures[0].endswith("0 of 4 games, 0 decisions")
    assert any(line.endswith("0 of 4 games, 3 decisions") for line in pictures)
    assert "4 of 4 games, +1.000 ± unknown, 3.3/s, 0:00:00 left" in pictures[-1]


def test_slow_first_picture_delays_the_next_by_two_seconds_at_most(capsys, clock, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")

    def slow():
        clock[0] += 5.0
        return f"at {clock[0]:.0f} s"

    with progress("games", 4, slow) as show:
        clock[0] = 7.1
        show(0)
    assert "at 12 s" in capsys.readouterr().err


def test_long_wait_is_told_once_it_is_long(monkeypatch):
    said, is_said = [], threading.Event()
    monkeypatch.setattr(progress_module, "tell", lambda text: (said.append(text), is_said.set()))
    with waiting_told("a program", 0.0):
        assert is_said.wait(60)
    assert said == ["waiting for a program"]


def test_short_wait_is_not_told_and_leaves_no_thread(capsys):
    threads = threading.active_count()
    with pytest.raises(ZeroDivisionError), waiting_told("a program", 60.0):
        print(1 / 0)
    assert threading.active_count() == threads
    assert capsys.readouterr().err == ""
