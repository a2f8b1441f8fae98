"""Client: a connection to a program that listens; one line there, one line back."""

import re
import socket
import time
import weakref
from contextlib import suppress

from protocol.errors import WireError
from protocol.wire.lines import CHUNK, Transcript
from protocol.wire.sockets import reason_of

CONNECT_SECONDS = 10.0
"""Seconds that a connection may take to be made."""

MAX_ANSWER = 1000
"""Bytes of an answer; nobody needs a longer one."""

MAX_UNASKED = 1 << 16
"""Bytes that may have come since the last answer; they are forgotten."""


class ClientError(WireError):
    """A program that cannot be reached, fell silent, went or says too much: one sentence."""


def checked_server(address: str) -> str:
    """The address if it is `HOST:PORT`; raises ValueError, in a sentence, if it never can be."""
    host, _, port = address.rpartition(":")
    if not _is_host(host) or not _is_port(port):
        raise ValueError(
            f"no server at {address[:80]!r}: give HOST:PORT, a name or an IPv4 address and a port "
            "of 1 to 65535"
        )
    return address


def connected(address: str, seconds: float = CONNECT_SECONDS) -> socket.socket:
    """A connection to `HOST:PORT`, or to the Unix socket at a path.

    As in GNU Backgammon a host is before a colon and has no slash. Raises ClientError.
    """
    host, colon, port = address.rpartition(":")
    is_tcp = bool(colon) and "/" not in address
    if is_tcp and not _is_port(port):
        raise ClientError(f"cannot connect to {address}: a port is 1 to 65535")
    if not is_tcp and not hasattr(socket, "AF_UNIX"):
        raise ClientError(f"cannot connect to {address}: this system has no Unix sockets")
    connection = socket.socket(socket.AF_INET if is_tcp else socket.AF_UNIX)
    connection.settimeout(seconds)
    try:
        if is_tcp:
            connection.connect((host, int(port)))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            connection.connect(address)
    except (OSError, TypeError, ValueError) as error:
        connection.close()
        raise ClientError(f"cannot connect to {address}: {reason_of(error)}") from None
    return connection


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 1 << 16


def _is_host(text: str) -> bool:
    """Whether a name or an IPv4 address can read so."""
    try:
        text.encode("idna")
    except UnicodeError:
        return False
    return bool(re.fullmatch(r"[^\s:/\[\]@]+", text))


class LineClient:
    """Asks the program at the other end of a connection, which is closed at the latest with us.

    name: for the sentences of errors. end: what is sent after a line.
    """

    def __init__(self, connection: socket.socket, name: str, *, end: str = "\n") -> None:
        self._connection = connection
        self._name = name
        self._end = end.encode()
        self.transcript = Transcript()
        self.close = weakref.finalize(self, connection.close)

    def ask(self, line: str, seconds: float) -> str:
        """The line that comes back; what is said behind it, or was said unasked, is forgotten.

        Raises ClientError if there is none within so many seconds; who asks again after that may
        read a late answer.
        """
        until = time.monotonic() + seconds
        asked = f"instead of an answer to {line[:60]!r}"
        answer = b""
        self.transcript.tell(">", line)
        try:
            self._forget_unasked()
            self._connection.settimeout(seconds)
            self._connection.sendall(line.encode() + self._end)
            while b"\n" not in answer:
                self._connection.settimeout(max(until - time.monotonic(), 0.001))
                part = self._connection.recv(CHUNK)
                if not part:
                    raise ClientError(f"{self._name} hung up {asked}")
                answer += part
                if len(answer.partition(b"\n")[0]) > MAX_ANSWER:
                    raise ClientError(f"{self._name} said more than {MAX_ANSWER} bytes {asked}")
        except TimeoutError:
            raise ClientError(f"{self._name} gave no answer in {seconds:g} s") from None
        except OSError as error:
            raise ClientError(f"{self._name} hung up {asked}: {error.strerror}") from None
        text = answer.partition(b"\n")[0].decode("ascii", "replace").strip("\0\r ")
        self.transcript.tell("<", text)
        return text

    def _forget_unasked(self) -> None:
        """Read what has come without a question; raises ClientError if it does not end."""
        self._connection.setblocking(False)
        forgotten = 0
        with suppress(BlockingIOError):
            while part := self._connection.recv(CHUNK):
                forgotten += len(part)
                if forgotten > MAX_UNASKED:
                    raise ClientError(f"{self._name} does not stop talking")
