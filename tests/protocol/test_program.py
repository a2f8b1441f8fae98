import signal
import subprocess
import sys

import pytest

from protocol.wire import Program, ProgramError, SilentError
from protocol.wire import program as wire_program
from protocol.wire.lines import LINES_TOLD, MAX_TOLD
from tests.processes import group_is_gone

LIMIT = 60.0

DYING = r"""
import sys
print("\x1b[2Jbye\tnow", flush=True)
print("\x1b]0;title\x07oh", file=sys.stderr)
"""


def test_nothing_that_a_program_says_commands_a_terminal():
    with Program([sys.executable, "-c", DYING], "the program") as program:
        assert program.read(LIMIT) == "\x1b[2Jbye\tnow"
        with pytest.raises(ProgramError) as died:
            program.read(LIMIT)
    assert list(program.transcript) == ["< ?[2Jbye\tnow"]
    assert str(died.value).endswith("it said:\n  | ?]0;title?oh")


def test_a_line_that_waits_is_too_late_once_the_time_is_over():
    with Program([sys.executable, "-c", "print('a line')"], "the program") as program:
        program._readers[0].join(60)
        with pytest.raises(SilentError, match="the program gave no answer in time"):
            program.read(-0.001)
        assert program.read(60) == "a line"


def test_ctrl_c_while_a_program_is_being_ended_does_not_leave_it_running(monkeypatch):
    wait = subprocess.Popen.wait

    def interrupted(process, timeout=None):
        signal.raise_signal(signal.SIGINT)
        return wait(process, timeout)

    program = Program([sys.executable, "-c", "import time; time.sleep(300)"])
    process = program._process.pid
    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        program.close()
    assert group_is_gone(process)


def shell(script):
    return Program(["sh", "-c", script], "it")


def test_an_answer_that_is_late_may_still_come():
    with Program(["cat"]) as program:
        with pytest.raises(SilentError, match=r"^cat gave no answer in time$"):
            program.read(-1.0)
        program.send("8/5 6/5")
        assert program.read(LIMIT) == "8/5 6/5"


@pytest.mark.parametrize(
    ("script", "death"),
    [
        ("exit 0", "ended with status 0"),
        ("exit 3", "ended with status 3"),
        ("kill -9 $$", "was ended by SIGKILL"),
        ("exec >&- sleep 300", "closed its output"),
    ],
)
def test_who_asks_or_tells_a_program_that_went_hears_how_it_went(script, death, monkeypatch):
    with shell(script) as program:
        if death == "closed its output":
            monkeypatch.setattr(wire_program, "GOODBYE_SECONDS", 0.05)
        for _ in range(2):
            with pytest.raises(ProgramError, match=rf"^it {death} instead of an answer$"):
                program.read(LIMIT)
        if death != "closed its output":
            with pytest.raises(ProgramError, match=rf"^it {death} before '8/5'$"):
                program.send("8/5")
            program.close_input()


def test_the_last_of_its_complaints_are_told():
    with shell("seq 9 >&2; exit 1") as program, pytest.raises(ProgramError) as died:
        program.read(LIMIT)
    said = "".join(f"\n  | {number}" for number in range(5, 10))
    assert str(died.value) == f"it ended with status 1 instead of an answer; it said:{said}"


def test_a_program_may_be_ahead_of_its_reader_and_then_waits_for_it(monkeypatch):
    monkeypatch.setattr(wire_program, "LINES_KEPT", 10)
    with shell("seq 20000") as program:
        assert program.read(LIMIT) == "1"
        assert program.wait(0.2) is None, "nobody has read what it says"
        assert [program.read(LIMIT) for _ in range(2, 20_001)] == [
            str(number) for number in range(2, 20_001)
        ]
        assert program.wait(LIMIT) == 0
        assert len(program.transcript) == LINES_TOLD


def test_a_program_has_a_moment_to_end_by_itself_when_its_input_is_closed(tmp_path):
    with Program(["sh", "-c", 'cat; sleep 0.1; echo bye > "$0"', str(tmp_path / "bye")]) as program:
        process = program._process
    assert (tmp_path / "bye").read_text() == "bye\n"
    assert process.returncode == 0
    assert process.stdin.closed
    assert process.stdout.closed
    assert process.stderr.closed


def test_a_program_that_hears_of_the_end_of_its_input_may_go_on():
    with shell("cat; echo more") as program:
        program.send("x" * 300)
        program.close_input()
        assert [program.read(LIMIT), program.read(LIMIT)] == ["x" * 300, "more"]
        assert program.wait(LIMIT) == 0
        assert program.transcript[0] == "> " + "x" * MAX_TOLD
        with pytest.raises(ProgramError, match=r"^it ended with status 0 before '8/5'$"):
            program.send("8/5")


def test_what_a_program_has_started_ends_with_it(monkeypatch):
    with shell("sleep 300 & exec sleep 300") as program:
        monkeypatch.setattr(wire_program, "GOODBYE_SECONDS", 0.05)
        process = program._process
    assert process.returncode == -signal.SIGKILL
    assert process.stdout.closed, "nobody holds its other end"


def test_a_program_is_one_that_can_be_started():
    for command, name, reason in (
        (["/nonesuch", "a b"], "", r"""cannot start "/nonesuch 'a b'": No such file"""),
        (["/nonesuch"], "the program", r"cannot start the program: No such file"),
        ([], "the program", r"cannot start the program: there is no command"),
        (["\0"], "the program", r"cannot start the program: there is no command"),
    ):
        with pytest.raises(ProgramError, match=f"^{reason}"):
            Program(command, name)
    assert wire_program.words_of("sh -c 'exit 3'") == ["sh", "-c", "exit 3"]
    with pytest.raises(
        ProgramError, match=r"""^cannot read the command "'": No closing quotation$"""
    ):
        wire_program.words_of("'")


def test_a_program_that_is_ahead_of_its_reader_can_be_closed(monkeypatch):
    monkeypatch.setattr(wire_program, "LINES_KEPT", 10)
    with shell("seq 100000") as program:
        assert program.read(LIMIT) == "1"
        process = program._process
    assert process.stdout.closed, "the thread that reads it has ended"
