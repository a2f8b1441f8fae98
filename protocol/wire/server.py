"""Server: any number of peers, one adapter each, in a single thread.

Everything behind the adapters (the engine) is asked one line at a time.
"""

import errno
import logging
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from protocol.wire.lines import CHUNK, Goodbye, LineCutter, MakeAdapter
from protocol.wire.sockets import close_listener

SEND_SECONDS = 10.0
"""Seconds that a peer may leave an answer unread."""

LAST_ANSWER_SECONDS = 5.0
"""Seconds to wait for an answer still being made when a server beside a block ends."""

_BACKLOG = 64
_PATIENCE = 1.0  # Windows notices Ctrl-C only between two waits

_log = logging.getLogger("blot.wire")


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
                data = peer.connection.recv(CHUNK)
                peer.receive(data)
                if not data:
                    self._drop(peer, "closed by the peer")
                    return
        except BlockingIOError:
            return
        except Goodbye:
            self._drop(peer, "the peer has said goodbye")
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
