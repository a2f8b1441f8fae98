import re
import shlex
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from protocol.backgammon.adapters import ubgi_check
from protocol.backgammon.adapters.ubgi_check import (
    LEVELS,
    Check,
    check_program,
    suite,
)
from protocol.backgammon.formats.position_id import parse_position_id
from protocol.wire import Program, ProgramError

FAKE = Path(__file__).parents[3] / "fakes" / "ubgi_program.py"
CHECKS = suite()
OPENING = Check(
    0, "", ("position gnubgid 4HPwATDgc/ABMA", "dice 6 1", "go chequer"), "play", "", contains=""
)
BEAR_OFF = Check(0, "", ("position gnubgid AwAAyAYAAAAAAA", "dice 6 5", "go"), "play", "")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.says)
def test_every_check_can_be_read_and_judged(check):
    assert check.level in range(len(LEVELS))
    assert check.says
    assert check.why.endswith(".")
    assert check.expect in ubgi_check._JUDGES
    assert (check.expect == "line") == bool(check.line)
    re.compile(check.line)
    if check.expect == "play":
        position = next(line for line in check.send if line.startswith("position "))
        parse_position_id(position.split()[-1])


def test_no_two_checks_say_the_same():
    assert len({check.says for check in CHECKS}) == len(CHECKS) > 60


def judged(check, *heard):
    """Why the lines are not what the check expects, empty if they are."""
    try:
        ubgi_check._JUDGES[check.expect](check, heard)
    except ubgi_check._FaultError as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("text", ["13/7 8/7", "8/7 13/7", "24/18 24/23"])
def test_a_play_written_leg_by_leg_in_any_order_is_right(text):
    assert judged(OPENING, "info nodes 1", f"bestmove {text}") == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("24/17", "no leg of one die: 24/17"),
        ("8/2", "the roll does not allow"),
        ("23/17 24/23", "a leg begins where"),
        ("13/7* 8/7", "not written leg by leg"),
        ("13-7 8-7", "not written leg by leg"),
        ("8/7", "the roll does not allow the play"),
        ("13/7 6/5 8/7", "the legs are not those of the dice"),
        ("pass", "the roll can be played"),
        ("", "not written leg by leg"),
    ],
)
def test_a_play_that_is_wrong_or_wrongly_written_is_a_fault(text, reason):
    assert reason in judged(OPENING, f"bestmove {text}")


def test_a_game_may_end_with_the_first_of_two_dice():
    check = Check(0, "", ("position gnubgid ugAAAAEAAAAAAA", "dice 6 2", "go"), "play", "")
    assert judged(check, "bestmove 3/off") == judged(check, "bestmove 3/1 1/off") == ""


@pytest.mark.parametrize("text", ["4/0 4/0", "4/off(2)"])
def test_numbers_for_off_and_counts_are_a_fault(text):
    assert "not written leg by leg" in judged(BEAR_OFF, f"bestmove {text}")
    assert judged(BEAR_OFF, "bestmove 4/off 4/off") == ""


@pytest.mark.parametrize(
    "heard",
    [
        (),
        ("bestmove 13/7 8/7",) * 2,
        ("error bad_value x", "bestmove 13/7 8/7"),
        ("error  ",),
    ],
)
def test_one_answer_is_due_to_one_question(heard):
    assert judged(OPENING, *heard)


@pytest.mark.parametrize(
    ("expect", "right", "wrong"),
    [
        ("cube", "bestcube double", "bestcube take"),
        ("nothing", None, "ok"),
        ("error", "error bad_value x", "sorry"),
        ("error", "error bad_value x", "error "),
        ("turn", "bestturn cube=double move=13/7 8/7", "bestturn cube=maybe move=13/7 8/7"),
        ("turn", "bestturn cube=nodouble move=13/7 8/7", "bestturn cube=double move=13/8"),
    ],
)
def test_every_other_answer_is_judged(expect, right, wrong):
    check = Check(1, "", OPENING.send, expect, "")
    assert judged(check, *[right] * (right is not None)) == ""
    assert judged(check, wrong)


def test_an_error_has_one_of_the_codes_that_are_due():
    check = Check(0, "", (), "error", "", codes=("bad_value", "bad_argument"))
    assert judged(check, "error bad_argument x") == ""
    assert judged(check, "error internal x") == "the code is bad_value or bad_argument"


def findings_of(way, seconds=20.0):
    command = shlex.join([sys.executable, str(FAKE), way])
    return check_program(command, seconds=seconds)


@pytest.fixture(autouse=True)
def _find_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(FAKE.parents[2]))


@pytest.fixture
def few_checks(monkeypatch):
    """Three checks: a play, an error, the end."""
    chosen = [CHECKS[3], *(check for check in CHECKS if "frobnicate 1 2" in check.send), CHECKS[-2]]
    monkeypatch.setattr(ubgi_check, "suite", lambda: tuple(chosen))


@pytest.mark.usefixtures("few_checks")
def test_a_good_program_has_no_faults():
    findings = findings_of("plays")
    assert (findings.dialect, findings.level, findings.faults) == ("0.1", len(LEVELS) - 1, [])
    assert len(findings.passed) == 3


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("old", "dialect 0.01"),
        ("chess", "there is no `bestmove`"),
        ("deaf", "it goes on"),
        ("late-start", "no answer in time"),
    ],
)
@pytest.mark.usefixtures("few_checks")
def test_a_fault_is_told_with_the_talk(way, reason):
    findings = findings_of(way, 1.5)
    assert findings.level is None
    faults = [fault for fault in findings.faults if reason in fault.reason]
    assert len(faults) == 1
    assert faults[0].talk[0].startswith("> ")


@pytest.mark.parametrize("way", ["crashes", "hangs", "babbles", "garbage", "illegal", "cube"])
def test_a_bad_program_is_checked_to_the_end(way, monkeypatch):
    plays = [check for check in CHECKS if check.says.startswith("the same question")]
    monkeypatch.setattr(ubgi_check, "suite", lambda: (plays[0], CHECKS[0]))
    findings = findings_of(way, 1.5)
    assert [fault.check for fault in findings.faults] == plays
    assert findings.passed == [CHECKS[0]]
    assert len(findings.faults[0].talk) <= ubgi_check.TALK_SHOWN


STOPPED = """
for line in iter(input, "quit"):
    if line in ("stop", "isready"):
        print("bestmove 13/7 8/7" if line == "stop" else "readyok", flush=True)
"""


def test_an_answer_is_due_soon_after_stop_and_not_before(monkeypatch):
    (check,) = (each for each in CHECKS if each.expect == "stopped")
    with Program([sys.executable, "-c", STOPPED], "it") as program:
        talk = ubgi_check._Talk(program, 20.0)
        for seconds in (20.0, 0.0):
            monkeypatch.setattr(ubgi_check, "STOP_SECONDS", seconds)
            expected = pytest.raises(ubgi_check._FaultError, match="no answer within 0 s after")
            with nullcontext() if seconds else expected:
                assert talk.answers(check, "0.2") == ["bestmove 13/7 8/7"]


def test_what_cannot_be_started_is_one_sentence():
    with pytest.raises(ProgramError, match="cannot start '/nonesuch'"):
        check_program("/nonesuch")


def test_a_level_is_reached_with_all_of_its_checks_and_those_below():
    findings = ubgi_check.Findings()
    assert findings.level == 2
    findings.missing.append(Check(2, "", (), "info", ""))
    assert findings.level == 1
    findings.faults.append(ubgi_check.Fault(Check(1, "", (), "cube", ""), "", ()))
    assert findings.level == 0
    findings.faults.append(ubgi_check.Fault(OPENING, "", ()))
    assert findings.level is None
