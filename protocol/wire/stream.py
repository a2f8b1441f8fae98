"""Stream: a connection to a server that says lines whenever it likes, by telnet or without."""

import logging
import socket
import ssl
import time
import weakref
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from bot.files import open_to_read
from protocol.wire.client import CONNECT_SECONDS, ClientError, connected
from protocol.wire.lines import CHUNK, MAX_LINE, MAX_TOLD, LineCutter, Transcript
from protocol.wire.messages import SEND_SECONDS
from protocol.wire.telnet import TelnetFilter

_log = logging.getLogger("blot.wire")


def trust(authorities: Path | None = None) -> ssl.SSLContext:
    """TLS that believes the system's authorities, or those whose certificates are in a file.

    Raises ValueError, in a sentence that names the file, if it has no certificates.
    """
    try:
        if authorities is not None:
            open_to_read(authorities).close()
        return ssl.create_default_context(cafile=authorities)
    except ssl.SSLError:  # an OSError too, whose words are for programmers
        reason = "there are none in it, as PEM has them"
    except OSError as error:
        reason = error.strerror or str(error)
    raise ValueError(f"cannot read certificates from {authorities}: {reason}")


def secured(connection: socket.socket, host: str, tls: ssl.SSLContext) -> socket.socket:
    """The connection with TLS; raises ClientError if the host cannot prove who it is."""
    try:
        return tls.wrap_socket(connection, server_hostname=host)
    except (OSError, ValueError) as error:
        connection.close()
        reason = getattr(error, "verify_message", "") or getattr(error, "reason", "") or error
        raise ClientError(f"no TLS with {host}: {reason}") from None


def connected_stream(
    address: str,
    *,
    tls: ssl.SSLContext | None = None,
    prompts: tuple[str, ...] = (),
    longest: int = MAX_LINE,
) -> "LineStream":
    """A stream to `HOST:PORT`, with TLS if it is given; raises ClientError. See LineStream."""
    connection = connected(address, CONNECT_SECONDS)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if tls is not None:
        connection = secured(connection, address.rpartition(":")[0], tls)
    return LineStream(connection, address, prompts=prompts, longest=longest)


class LineStream:
    """Sends and reads lines; closed at the latest with us.

    name: for the sentences of errors. prompts: lines without an end that are handed on all the
    same; whole lines, so that nobody who is quoted can end one. longest: bytes of a line, see
    LineCutter.
    """

    def __init__(
        self,
        connection: socket.socket,
        name: str,
        *,
        prompts: tuple[str, ...] = (),
        longest: int = MAX_LINE,
    ) -> None:
        self.name = name
        self.transcript = Transcript()
        self._connection = connection
        self._prompts = tuple(prompt.encode() for prompt in prompts)
        self._cutter = LineCutter(longest)
        self._filter = TelnetFilter()
        self._lines: deque[str] = deque()
        self._tail = b""
        self._has_ended = False
        self.close = weakref.finalize(self, connection.close)

    def send(self, line: str, told: str | None = None) -> None:
        """Send one line; told: what the log may know of it. Raises ClientError if nobody reads."""
        self._tell(">", line if told is None else told)
        try:
            self._connection.settimeout(SEND_SECONDS)
            self._connection.sendall(line.encode() + b"\r\n")
        except TimeoutError:
            raise ClientError(f"{self.name} has read nothing for {SEND_SECONDS:g} s") from None
        except OSError:
            raise ClientError(f"{self.name} hung up") from None

    def read(self, seconds: float) -> str | None:
        """The next line, None if there is none in so many seconds.

        Raises ClientError if there will never be one again.
        """
        until, left = time.monotonic() + seconds, seconds
        while not self._lines:
            if self._has_ended:
                raise ClientError(f"{self.name} hung up")
            if left < 0:
                return None
            try:
                self._connection.settimeout(max(left, 0.001))
                data = self._connection.recv(CHUNK)
            except (TimeoutError, ssl.SSLWantReadError):
                return None
            except OSError as error:
                raise ClientError(f"{self.name} hung up: {error.strerror}") from None
            self._lines.extend(self._cut(data))
            left = until - time.monotonic()
        line = self._lines.popleft()
        self._tell("<", line)
        return line

    def _cut(self, data: bytes) -> Iterator[str]:
        """The lines that the data completes; none at all is the end."""
        if not data:
            self._has_ended = True
            yield from self._cutter.end()
            return
        text = self._filter.text(data)
        self._tail = (self._tail + text).rpartition(b"\n")[2][-MAX_TOLD:]
        yield from self._cutter.cut(text)
        if self._tail.strip() in self._prompts:
            self._tail = b""
            yield from self._cutter.cut(b"\n")

    def _tell(self, direction: str, text: str) -> None:
        _log.debug("%s %s %s", self.name, direction, self.transcript.tell(direction, text))
