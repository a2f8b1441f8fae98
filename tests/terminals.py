"""A person at a real terminal: pexpect types, `blot play` answers."""

import os
import shlex
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

import protocol
from bot.backgammon.evaluation.network import random_network
from protocol.backgammon.table.kept_games import KeptGame

SECONDS = 300
"""Limit of every wait; the first start compiles."""

ASKED = r"You (\d)-(\d)>"
GNUBG_ID = r"([A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12})"
REPOSITORY = Path(protocol.__file__).parent.parent


class Terminal:
    """`blot play` in a window, its game kept in a folder of the test.

    module: what is run instead, with the same options. in_shell: started by an interactive shell,
    which knows Ctrl-Z and fg.
    """

    def __init__(self, folder, *options, size=(24, 80), module=None, in_shell=False, **environment):
        self.kept = KeptGame(folder / "blot" / "game.json")
        network = folder / "net.npz"
        if not network.exists():
            random_network(8, seed=5).save(network)
        settings = {
            "XDG_STATE_HOME": str(folder),
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONUTF8": "1",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "TERM": "xterm-256color",
            "NO_COLOR": "1",
        }
        command = [
            *(sys.executable, "-m", *((module,) if module else ("protocol.cli", "play"))),
            *("--delay", "0", "--weights", str(network), *options),
        ]
        program = ["bash", "--norc", "--noprofile", "-i"] if in_shell else command
        self._program = pexpect.spawn(
            program[0],
            program[1:],
            env={**os.environ, **settings, **environment},
            dimensions=size,
            timeout=SECONDS,
            encoding="utf-8",
            cwd=folder,
        )
        self._program.delaybeforesend = None
        if in_shell:
            self.type(shlex.join(command))

    def press(self, keys):
        self._program.send(keys)

    def type(self, line):
        self.press(line + "\r")

    def see(self, pattern):
        """Wait for the pattern; the match."""
        self._program.expect(pattern)
        return self._program.match

    @property
    def before(self):
        """What was seen before the last pattern."""
        return self._program.before

    def interrupt(self):
        self._program.sendintr()

    def end_input(self):
        self._program.sendeof()

    def _wait(self):
        """Wait for the end of the process, which is killed if it goes on for too long."""
        ending = threading.Timer(SECONDS, self._program.kill, [signal.SIGKILL])
        ending.start()
        try:
            self._program.wait()
        finally:
            ending.cancel()

    def leave(self):
        """Wait for the end; the exit status and the last text."""
        self._program.expect(pexpect.EOF)
        self._wait()
        return self._program.exitstatus, self._program.before

    def leave_by_interrupts(self):
        """Interrupt until it ends; the exit status.

        One that comes after Python has printed a prompt and before it waits for the answer is lost.
        """
        for _ in range(20):
            self._program.sendintr()
            if self._program.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=SECONDS / 20) == 0:
                self._wait()
                return self._program.exitstatus
        pytest.fail("it goes on in spite of 20 interrupts")

    def stop(self):
        """Kill it, as a closed window or a power cut would."""
        if self._program.isalive():
            self._program.kill(signal.SIGKILL)
            self._wait()
        self._program.close()


@contextmanager
def terminals(folder):
    """A function that starts terminals; every one started is ended."""
    started = []

    def play(*options, **more):
        started.append(Terminal(folder, *options, **more))
        return started[-1]

    try:
        yield play
    finally:
        for terminal in started:
            terminal.stop()
