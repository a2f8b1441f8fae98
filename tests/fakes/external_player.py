"""A stand-in for gnubg's external player, good or bad in one way, at a socket of this process.

Ways: plays (like pubeval, and doubles as soon as it may), crashes (hangs up instead of an answer),
hangs, late (answers after half a second), garbage, illegal, errors, empty, roll (whatever is
asked), flood (many lines for each), endless (one line without an end), resigns (whenever it is on
roll), gives-up (resigns once in a position, and plays on).
"""

import socket
import threading
import time
from contextlib import contextmanager, suppress

from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.wire import tcp_listener, unix_listener
from protocol.wire.lines import LineCutter
from tests.fakes.cube_player import CubePlayer

ANSWERS = {
    "garbage": "\x00\xff%%%",
    "illegal": "24/1 13/1",
    "errors": "Error (no idea)",
    "empty": "",
    "roll": "roll",
    "flood": "8/5 6/5\n" * 200,
    "resigns": "resign gammon",
}


class FakeExternal:
    """The listener, what it heard, and whom it met."""

    def __init__(self, way, listener):
        self.way, self.listener = way, listener
        self.heard, self.connections = [], []
        self._last = ""
        listener.listen()

    @property
    def address(self):
        name = self.listener.getsockname()
        return name if isinstance(name, str) else f"{name[0]}:{name[1]}"

    def close(self):
        """Let nobody come any more."""
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def run(self):
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection):
        cutter = LineCutter()
        adapter = GnubgAdapter(CubePlayer(doubles=True), lambda line: self._say(connection, line))
        with suppress(OSError), connection:
            while data := connection.recv(4096):
                for line in cutter.cut(data):
                    self.heard.append(line)
                    self._answer(connection, adapter, line)

    def _answer(self, connection, adapter, line):
        if self.way == "crashes":
            connection.close()
        elif self.way == "endless":
            while True:
                connection.sendall(b"8/5 " * 1000)
        elif self.way == "gives-up" and self._last != line:
            self._last = line
            self._say(connection, "resign 1")
        elif self.way in ANSWERS:
            self._say(connection, ANSWERS[self.way])
        elif self.way != "hangs":
            if self.way == "late":
                time.sleep(0.5)
            adapter.receive(line)

    def _say(self, connection, line):
        connection.sendall(line.encode("latin-1") + b"\n")


@contextmanager
def external_player(way, path=None):
    """The fake, listening on a port or on a Unix socket."""
    listener = tcp_listener("127.0.0.1", 0) if path is None else unix_listener(str(path))
    fake = FakeExternal(way, listener)
    thread = threading.Thread(target=fake.run, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.close()
        thread.join(5)
        for connection in fake.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
