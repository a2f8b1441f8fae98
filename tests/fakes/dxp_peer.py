"""The other side of a DXP line, good or bad as its script says."""

import socket
import threading
from contextlib import suppress

from protocol.wire import MessageClient

SECONDS = 20.0


def line_pair():
    """Two lines that are each other's other side."""
    ours, theirs = socket.socketpair()
    return MessageClient(ours, "the DXP program"), MessageClient(theirs, "Blot")


class Peer:
    """Answers with the script, one entry for each message that it waits for; keeps what it hears.

    An entry is the messages to send after the next one heard, None to hang up. It begins with the
    first entry unheard if is_first. A context manager whose value is our line to it.
    """

    def __init__(self, *script, is_first=False):
        self.heard = []
        self.line, self._own = line_pair()
        self._script = list(script)
        self._is_first = is_first
        self._thread = threading.Thread(target=self._talk, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.line.close()
        self._thread.join(SECONDS)

    def _talk(self):
        with suppress(Exception):
            for number, entry in enumerate(self._script):
                if number or not self._is_first:
                    self.heard.append(self._own.read(SECONDS))
                if entry is None:
                    break
                for text in entry:
                    self._own.send(text)
            else:
                while True:
                    self.heard.append(self._own.read(SECONDS))
        self._own.close()
