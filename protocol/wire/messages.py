"""Messages: a connection to another program on which each side speaks when it likes."""

import logging
import socket
import time
import weakref

from protocol.wire.client import ClientError
from protocol.wire.lines import CHUNK, Transcript

MAX_WAITING = 1 << 16
"""Bytes that may wait to be read without an end of a message among them."""

SEND_SECONDS = 10.0
"""Seconds that the other side may leave a message unread."""

_END = b"\0"

_log = logging.getLogger("blot.wire")


class MessageClient:
    """Sends and reads messages that end with a NUL; a context manager that closes.

    name: of the other side, for the sentences of errors.
    """

    def __init__(self, connection: socket.socket, name: str) -> None:
        self.name = name
        self.transcript = Transcript()
        self._connection = connection
        self._waiting = b""
        self.close = weakref.finalize(self, connection.close)

    def __enter__(self) -> "MessageClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, text: str) -> None:
        """Send one message; raises ClientError if nobody is there to read it."""
        self._tell(">", text)
        try:
            self._connection.settimeout(SEND_SECONDS)
            self._connection.sendall(text.encode("ascii", "replace") + _END)
        except TimeoutError:
            raise ClientError(f"{self.name} has read nothing for {SEND_SECONDS:g} s") from None
        except OSError:
            raise ClientError(f"{self.name} hung up before {text[:60]!r}") from None

    def read(self, seconds: float) -> str:
        """The next message; raises ClientError if there is none in so many seconds, or ever again.

        Signs that are not ASCII are replaced.
        """
        until = time.monotonic() + seconds
        while _END not in self._waiting:
            if len(self._waiting) > MAX_WAITING:
                raise ClientError(f"{self.name} does not end its message")
            try:
                self._connection.settimeout(max(until - time.monotonic(), 0.001))
                part = self._connection.recv(CHUNK)
            except TimeoutError:
                told = f"{seconds:.3g}" if seconds < 10 else f"{seconds:.0f}"
                raise ClientError(f"{self.name} said nothing for {told} s") from None
            except OSError as error:
                raise ClientError(f"{self.name} hung up: {error.strerror}") from None
            if not part:
                raise ClientError(f"{self.name} hung up")
            self._waiting += part
        message, _, self._waiting = self._waiting.partition(_END)
        text = message.decode("ascii", "replace")
        self._tell("<", text)
        return text

    def _tell(self, direction: str, text: str) -> None:
        _log.debug("%s %s %s", self.name, direction, self.transcript.tell(direction, text))
