"""Server: any number of peers, one adapter and one thread each.

A peer that is thought about for long, floods us or reads nothing holds up nobody else. What the
adapters share (the engine) must stand being asked by several threads.
"""

import errno
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bot.workers import processor_count
from protocol.wire.lines import CHUNK, Goodbye, LineCutter, MakeAdapter
from protocol.wire.sockets import close_listener

SEND_SECONDS = 10.0
"""Seconds that a peer may leave an answer unread."""

LAST_ANSWER_SECONDS = 5.0
"""Seconds to wait for answers still being made when a server ends."""

TURN_SECONDS = 0.0002
"""Seconds of answering without a pause after which a thread lets others go first."""

ATTENTION_SECONDS = 0.0003
"""Seconds for which the next line of a peer that is alone is looked for without a sleep.

To be woken takes about a fifth of what an answer at 0-ply takes.
"""

MAX_PEERS = 256
"""Peers at once; whoever comes after them waits until one goes."""

_HAS_ROOM_TO_LOOK = processor_count() > 1  # else the peer needs the processor
_BACKLOG = 128
_PATIENCE = 1.0  # Windows notices Ctrl-C only between two waits

_log = logging.getLogger("blot.wire")


class _Peer:
    """One connection, its adapter and its thread, which reads no more while an answer is unread."""

    def __init__(
        self,
        number: int,
        connection: socket.socket,
        make_adapter: MakeAdapter,
        is_alone: Callable[[], bool],
    ) -> None:
        self.number = number
        self.is_gone = False
        self._is_alone = is_alone
        self._connection = connection
        self._cutter = LineCutter()
        self._adapter = make_adapter(self._send)

    def converse(self) -> None:
        """Answer until the peer goes, says so, or reads nothing."""
        try:
            reason = self._answer_all()
        except Goodbye:
            reason = "the peer has said goodbye"
        except TimeoutError:
            reason = f"left an answer unread for {SEND_SECONDS:g} s"
        except OSError as error:
            reason = error.strerror or str(error)
        except Exception:
            _log.exception("%d: an error of ours", self.number)
            reason = "an error of ours"
        _log.info("%d disconnected: %s", self.number, reason)
        self._connection.close()
        self.is_gone = True

    def hang_up(self) -> None:
        """End the conversation after the line that is being answered; from any thread."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _answer_all(self) -> str:
        """Hand every line to the adapter; why there are no more."""
        while True:
            data = self._heard()
            began = time.monotonic()
            for number, line in enumerate(self._cutter.cut(data) if data else self._cutter.end()):
                # before the next line, as a peer that waits for each answer has sent none
                if number > 0 and time.monotonic() - began > TURN_SECONDS:
                    time.sleep(0)
                    began = time.monotonic()
                _log.debug("%d > %s", self.number, line)
                self._adapter.receive(line)
            if not data:
                return "closed by the peer"

    def _heard(self) -> bytes:
        """The bytes that the peer sends next; it may be silent for as long as it likes."""
        if _HAS_ROOM_TO_LOOK and self._is_alone():
            self._connection.settimeout(0)
            until = time.monotonic() + ATTENTION_SECONDS
            while time.monotonic() < until:
                with suppress(BlockingIOError):
                    return self._connection.recv(CHUNK)
        self._connection.settimeout(None)
        return self._connection.recv(CHUNK)

    def _send(self, line: str) -> None:
        """Send an answer; while the peer takes some of it, it has more time."""
        _log.debug("%d < %s", self.number, line)
        self._connection.settimeout(SEND_SECONDS)
        unsent = line.encode() + b"\n"
        while unsent:
            unsent = unsent[self._connection.send(unsent) :]


class LineServer:
    """Serves every peer that connects to a bound socket, until stopped."""

    def __init__(self, listener: socket.socket, make_adapter: MakeAdapter) -> None:
        self._make_adapter = make_adapter
        self._listener = listener
        self._peers: dict[threading.Thread, _Peer] = {}
        self._peers_met = 0
        self._is_stopped = False
        self._woken, self._waker = socket.socketpair()
        for end in (listener, self._woken, self._waker):
            end.setblocking(False)
        listener.listen(_BACKLOG)
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def stop(self) -> None:
        """Make `run` return soon; may be called from any thread and from signal handlers."""
        self._is_stopped = True
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # it has ended, or was told often enough
            self._waker.send(b"\0")

    def run(self) -> None:
        """Serve until stopped, then close every connection and the listener."""
        try:
            while not self._is_stopped:
                self._serve_once()
        finally:
            close_listener(self._listener)
            self._part()
            for end in (self._selector, self._woken, self._waker):
                end.close()

    def _serve_once(self) -> None:
        """Wait until somebody comes or goes."""
        events = self._selector.select(_PATIENCE)
        for key, _ in events:
            if key.fileobj is self._woken:
                self._woken.recv(CHUNK)
            elif not self._is_stopped:
                self._accept()
        gone = [thread for thread, peer in self._peers.items() if peer.is_gone]
        for thread in gone:
            thread.join()
            del self._peers[thread]
        may_have_room = gone or not (events or self._peers)  # others may have made room too
        if may_have_room and self._listener not in self._selector.get_map():
            self._selector.register(self._listener, selectors.EVENT_READ)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._wait_for_room(str(error.strerror))
            return
        connection.setblocking(True)
        if connection.family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._peers_met += 1
        peer = _Peer(self._peers_met, connection, self._make_adapter, self._has_one_peer)
        _log.info("%d connected", peer.number)
        thread = threading.Thread(
            target=self._converse, args=(peer,), name=f"peer {peer.number}", daemon=True
        )
        self._peers[thread] = peer
        try:
            thread.start()
        except RuntimeError as error:  # too many threads, as the system says
            del self._peers[thread]
            connection.close()
            self._wait_for_room(str(error))
            return
        if len(self._peers) >= MAX_PEERS:
            self._wait_for_room(f"there are {MAX_PEERS}")

    def _has_one_peer(self) -> bool:
        return len(self._peers) == 1

    def _converse(self, peer: _Peer) -> None:
        peer.converse()
        self._wake()

    def _wait_for_room(self, reason: str) -> None:
        """Let nobody else in until somebody goes."""
        _log.warning("no further connection: %s", reason)
        self._selector.unregister(self._listener)

    def _part(self) -> None:
        """Hang up on everybody, and wait a little for answers still being made."""
        for peer in self._peers.values():
            peer.hang_up()
        until = time.monotonic() + LAST_ANSWER_SECONDS
        for thread in self._peers:
            thread.join(max(0.0, until - time.monotonic()))


@contextmanager
def serving(listener: socket.socket, make_adapter: MakeAdapter) -> Iterator[None]:
    """Serve every peer in threads beside the block, and stop at its end."""
    server = LineServer(listener, make_adapter)
    thread = threading.Thread(target=server.run, name="server", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join(2 * LAST_ANSWER_SECONDS)
