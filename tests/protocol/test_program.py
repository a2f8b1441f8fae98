import signal
import subprocess
import sys

import pytest

from protocol.wire import Program, ProgramError, SilentError
from tests.processes import group_is_gone

DYING = r"""
import sys
print("\x1b[2Jbye\tnow", flush=True)
print("\x1b]0;title\x07oh", file=sys.stderr)
"""


def test_nothing_that_a_program_says_commands_a_terminal():
    with Program([sys.executable, "-c", DYING], "the program") as program:
        assert program.read(60) == "\x1b[2Jbye\tnow"
        with pytest.raises(ProgramError) as died:
            program.read(60)
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
