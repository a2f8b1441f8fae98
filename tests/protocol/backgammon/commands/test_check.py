import json
import shlex
import signal
import sys
from pathlib import Path

import pytest

from protocol.wire import Program

FAKE = Path(__file__).parents[3] / "fakes" / "ubgi_program.py"
OURS = shlex.join([sys.executable, "-m", "protocol", "ubgi", "--ply", "0", "--weights"])


@pytest.mark.slow
def test_our_own_engine_passes(blot, weights):
    code, output, _ = blot("check", f"{OURS} {weights}", "--json")
    found = json.loads(output)
    assert (code, found["faults"], found["missing"], found["level"]) == (0, [], [], 2)
    assert found["dialect"] == "0.2"
    assert len(found["passed"]) > 60


def test_faults_are_told_and_end_with_1(blot):
    command = shlex.join([sys.executable, str(FAKE), "old"])
    code, output, _ = blot("check", command, "--seconds", "20")
    assert code == 1
    assert "level: none, not even 0\n0 checks passed, 0 not offered, 1 fault\n" in output
    assert "fault: `ubgi` is answered up to `ubgiok`: this is dialect 0.01" in output
    assert "\n  > ubgi\n  < id name Fake\n  < readyok" in output


def test_nothing_that_the_program_says_commands_the_terminal(blot):
    says = r"print('id name \x1b[2J\nreadyok')"
    code, output, _ = blot("check", shlex.join([sys.executable, "-c", says]))
    assert code == 1
    assert "\n  > ubgi\n  < id name ?[2J\n  < readyok" in output
    assert "\x1b" not in output


def test_last_words_of_a_program_that_ended_before_it_was_asked_are_told(blot, monkeypatch):
    send = Program.send

    def send_late(program, line):
        assert program.wait(60) == 0
        send(program, line)

    monkeypatch.setattr(Program, "send", send_late)
    code, output, _ = blot(
        "check", shlex.join([sys.executable, "-c", "print('error: no licence')"])
    )
    assert code == 1
    assert "ended with status 0 before 'ubgi'" in output
    assert "\n  > ubgi\n  < error: no licence" in output


def test_check_that_is_told_to_end_does_so_as_after_an_interrupt(blot, monkeypatch):
    monkeypatch.setattr(
        "protocol.backgammon.adapters.ubgi_check.check_program",
        lambda *_, **more: signal.raise_signal(signal.SIGTERM),
    )
    assert blot("check", "cat")[:2] == (130, "")


def test_what_is_no_program_is_one_sentence(blot):
    code, output, errors = blot("check", "/nonesuch")
    assert (code, output) == (1, "")
    assert errors.endswith("blot: cannot start '/nonesuch': No such file or directory\n")


def test_a_wait_that_is_none_is_refused(blot):
    for seconds in ("0", "inf"):
        code, _, errors = blot("check", "cat", "--seconds", seconds)
        assert code == 2
        assert f"more than 0 and less than 86400, not {seconds}" in errors


def test_a_quote_that_is_not_closed_is_one_sentence(blot):
    code, _, errors = blot("check", "'engine")
    assert code == 1
    assert errors.endswith('cannot read the command "\'engine": No closing quotation\n')
