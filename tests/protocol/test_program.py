import sys

import pytest

from protocol.wire import Program, ProgramError

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
