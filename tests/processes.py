"""Processes that tests start, and look for after their end."""

import os
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

FAKES = Path(__file__).parent / "fakes"
LIMIT = 300.0
"""Seconds that a line is waited for; kernels may have to be compiled first."""


def fake_program(name, way):
    """The command line of a program of tests/fakes that behaves in this way."""
    return shlex.join([sys.executable, str(FAKES / f"{name}.py"), way])


def heard(program, start):
    """The next line of a program that begins so."""
    while not (line := program.read(LIMIT)).startswith(start):
        pass
    return line


@contextmanager
def child(command, limit, **more):
    """A running process, killed when the block ends or after so many seconds.

    more: for Popen; its streams are text. Nobody who reads its lines waits longer than the limit.
    """
    with subprocess.Popen(command, text=True, **more) as process:
        ending = threading.Timer(limit, process.kill)
        ending.start()
        try:
            yield process
        finally:
            ending.cancel()
            process.kill()


@contextmanager
def hang_ups_heard():
    """SIGHUP is not ignored in the block, as under `nohup pytest`, here and by who is started.

    Who hears it here gives up a terminal; `pytest -s` has it back after the block.
    """
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    outputs = [os.dup(output) for output in (1, 2)]
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
        for output, kept in enumerate(outputs, start=1):
            os.dup2(kept, output)
            os.close(kept)


def group_goes(process):
    """Whether no process of the group is left, once the killed are buried, in 20 s."""
    return any(group_is_gone(process) or threading.Event().wait(0.02) for _ in range(1000))


def group_is_gone(process):
    """Whether no process of the group is left."""
    try:
        os.killpg(process, 0)
    except ProcessLookupError:
        return True
    return False
