"""Wire: lines over TCP, Unix sockets and standard input and output, between adapters and peers.

The one place that opens and waits. Any number of peers, one adapter each; a single thread, so
that everything behind the adapters (the engine) is asked one line at a time.
"""

import errno
import logging
import os
import selectors
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

MAX_LINE = 1024
"""Bytes of a line that are kept; what follows up to the newline is read and forgotten."""

SEND_SECONDS = 10.0
"""How long a peer may leave an answer unread."""

LAST_ANSWER_SECONDS = 5.0
"""How long an answer still being made is waited for when a server beside a block ends."""

_CHUNK = 4096
_BACKLOG = 64
_PATIENCE = 1.0  # Windows notices Ctrl-C only between two waits

_log = logging.getLogger("blot.wire")


class Adapter(Protocol):
    """One conversation in one protocol: lines in, answers through the send it was made with."""

    def receive(self, line: str) -> None:
        """Take one line without its end."""


MakeAdapter = Callable[[Callable[[str], None]], Adapter]
"""Makes the adapter of a new peer; the argument sends one line to that peer."""


class LineCutter:
    """Cuts received bytes into lines; NUL bytes and line ends are dropped.

    A line longer than MAX_LINE is handed on once, cut to MAX_LINE + 1 bytes, as soon as it is too
    long; the rest of it is skipped and never stored.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def cut(self, data: bytes) -> Iterator[str]:
        """The lines completed by the data."""
        *ended, rest = data.replace(b"\0", b"").split(b"\n")
        for piece in ended:
            if not self._skipping:
                yield _text((self._rest + piece)[: MAX_LINE + 1])
            self._rest, self._skipping = b"", False
        if self._skipping:
            return
        self._rest += rest
        if len(self._rest) > MAX_LINE:
            too_long, self._rest, self._skipping = self._rest[: MAX_LINE + 1], b"", True
            yield _text(too_long)

    def end(self) -> Iterator[str]:
        """The last line, if the peer closed without ending it."""
        if self._rest:
            yield from self.cut(b"\n")


def _text(line: bytes) -> str:
    return line.removesuffix(b"\r").decode(errors="replace")


class _Peer:
    """One connection: its adapter, and what it has not yet read of our answers."""

    def __init__(self, number: int, connection: socket.socket, make_adapter: MakeAdapter) -> None:
        self.number = number
        self.connection = connection
        self.unsent = b""
        self.deadline = 0.0
        self._cutter = LineCutter()
        self._adapter = make_adapter(self._send)

    def receive(self, data: bytes) -> None:
        """Hand the lines in the data to the adapter; no data means the peer has closed."""
        for line in self._cutter.cut(data) if data else self._cutter.end():
            _log.debug("%d > %s", self.number, line)
            self._adapter.receive(line)

    def _send(self, line: str) -> None:
        _log.debug("%d < %s", self.number, line)
        if not self.unsent:
            self.deadline = time.monotonic() + SEND_SECONDS
        self.unsent += line.encode() + b"\n"
        self.send_unsent()

    def send_unsent(self) -> None:
        """Send what the peer takes without waiting; progress gives it more time."""
        try:
            sent = self.connection.send(self.unsent)
        except BlockingIOError:
            return
        self.unsent = self.unsent[sent:]
        self.deadline = time.monotonic() + SEND_SECONDS


class LineServer:
    """Serves every peer that connects to a bound socket, until stopped."""

    def __init__(self, listener: socket.socket, make_adapter: MakeAdapter) -> None:
        self._make_adapter = make_adapter
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._peers: set[_Peer] = set()
        self._peers_met = 0
        self._woken, self._waker = socket.socketpair()
        for end in (listener, self._woken, self._waker):
            end.setblocking(False)
        listener.listen(_BACKLOG)
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def stop(self) -> None:
        """Make `run` return soon; may be called from any thread and from signal handlers."""
        with suppress(OSError):  # it has ended, or was told before
            self._waker.send(b"\0")

    def run(self) -> None:
        """Serve until stopped, then close every connection and the listener."""
        try:
            while not self._serve_once():
                self._drop_slow_peers()
        finally:
            for peer in list(self._peers):
                self._drop(peer, "the server ends")
            close_listener(self._listener)
            for end in (self._selector, self._woken, self._waker):
                end.close()

    def _serve_once(self) -> bool:
        """Wait for something to do and do it; whether the server was stopped."""
        stopped = False
        for key, _ in self._selector.select(self._patience()):
            if key.fileobj is self._woken:
                stopped = True
            elif key.fileobj is self._listener:
                self._accept()
            else:
                self._attend(key.data)
        return stopped

    def _patience(self) -> float:
        """Seconds until the first peer has left an answer unread too long, at most _PATIENCE."""
        deadlines = [peer.deadline for peer in self._peers if peer.unsent]
        return max(0.0, min([_PATIENCE, *(at - time.monotonic() for at in deadlines)]))

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            _log.warning("no further connection: %s", error.strerror)
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._selector.unregister(self._listener)
            return
        connection.setblocking(False)
        if connection.family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._peers_met += 1
        peer = _Peer(self._peers_met, connection, self._make_adapter)
        self._peers.add(peer)
        self._selector.register(connection, selectors.EVENT_READ, peer)
        _log.info("%d connected", peer.number)

    def _attend(self, peer: _Peer) -> None:
        """Read from the peer and answer, or send on; no more is read while answers are unsent."""
        try:
            if peer.unsent:
                peer.send_unsent()
            else:
                data = peer.connection.recv(_CHUNK)
                peer.receive(data)
                if not data:
                    self._drop(peer, "closed by the peer")
                    return
        except BlockingIOError:
            return
        except OSError as error:
            self._drop(peer, str(error.strerror))
            return
        except Exception:
            _log.exception("%d: an error of ours", peer.number)
            self._drop(peer, "an error of ours")
            return
        event = selectors.EVENT_WRITE if peer.unsent else selectors.EVENT_READ
        self._selector.modify(peer.connection, event, peer)

    def _drop_slow_peers(self) -> None:
        now = time.monotonic()
        for peer in [peer for peer in self._peers if peer.unsent and peer.deadline <= now]:
            self._drop(peer, f"left an answer unread for {SEND_SECONDS:g} s")

    def _drop(self, peer: _Peer, reason: str) -> None:
        _log.info("%d disconnected: %s", peer.number, reason)
        self._selector.unregister(peer.connection)
        peer.connection.close()
        self._peers.discard(peer)
        if self._listener not in self._selector.get_map():
            self._selector.register(self._listener, selectors.EVENT_READ)


@contextmanager
def serving(listener: socket.socket, make_adapter: MakeAdapter) -> Iterator[None]:
    """Serve every peer in a thread beside the block, and stop at its end."""
    server = LineServer(listener, make_adapter)
    thread = threading.Thread(target=server.run, name="server", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join(LAST_ANSWER_SECONDS)


def serve_stream(source: int, target: int, make_adapter: MakeAdapter) -> None:
    """Serve one peer over two open files (0 and 1 are the standard ones) until the source ends."""

    def send(line: str) -> None:
        _log.debug("0 < %s", line)
        os.write(target, line.encode() + b"\n")

    adapter = make_adapter(send)
    cutter = LineCutter()

    def receive(lines: Iterator[str]) -> None:
        for line in lines:
            _log.debug("0 > %s", line)
            adapter.receive(line)

    while data := os.read(source, _CHUNK):
        receive(cutter.cut(data))
    receive(cutter.end())


def listener(host: str, port: int, unix: str | None = None) -> socket.socket:
    """A socket bound to a Unix path if one is given, else to host and port; not yet listening."""
    return tcp_listener(host, port) if unix is None else unix_listener(unix)


def tcp_listener(host: str, port: int) -> socket.socket:
    """A socket bound to an IPv4 address and port (0: any free one), not yet listening.

    Raises OSError, in one sentence, if the address is unknown, in use or forbidden.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs listen at once
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise OSError(f"cannot listen on {host}:{port}: {_reason(error)}") from error
    return listener


def unix_listener(path: str) -> socket.socket:
    """A Unix socket bound to a path, not yet listening; one that nobody serves is replaced.

    Raises OSError, in one sentence, if the path is too long, in use or cannot be written.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise OSError("this system has no Unix sockets; listen on a host and port instead")
    _remove_if_stale(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(os.path.abspath(path))
    except OSError as error:
        listener.close()
        raise OSError(f"cannot listen on socket {path}: {_reason(error)}") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Where a peer on this machine connects: `127.0.0.1:7100`, or the path of a Unix socket."""
    name = listener.getsockname()
    if isinstance(name, str):
        return name
    host, port = name
    return f"{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"


def close_listener(listener: socket.socket) -> None:
    """Close it; the file of a Unix socket goes too."""
    if listener.fileno() < 0:
        return
    name = listener.getsockname()
    listener.close()
    if isinstance(name, str):
        with suppress(FileNotFoundError):
            os.unlink(name)


def _remove_if_stale(path: str) -> None:
    try:
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            raise OSError(f"cannot listen on socket {path}: a file with that name exists")
    except FileNotFoundError:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        if probe.connect_ex(path) == errno.ECONNREFUSED:
            os.unlink(path)


def _reason(error: Exception) -> str:
    """Why a socket could not be bound, in words."""
    if isinstance(error, OverflowError):
        return "a port is 0 to 65535"
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return "another program listens there"
    return getattr(error, "strerror", None) or str(error)


def keep_log(path: str | None = None) -> None:
    """Write warnings to standard error, and every line of every peer to the file if one is given.

    The file gets a time, the peer's number and the direction: > to us, < from us. Raises OSError,
    in one sentence, if it cannot be written.
    """
    blot = logging.getLogger("blot")
    warnings: logging.Handler = logging.StreamHandler(sys.stderr)
    warnings.setLevel(logging.WARNING)
    handlers = [warnings]
    if path is not None:
        try:
            handlers.append(logging.FileHandler(path, encoding="utf-8"))
        except OSError as error:
            raise OSError(f"cannot write log {path}: {error.strerror}") from error
        blot.setLevel(logging.DEBUG)
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        blot.addHandler(handler)
