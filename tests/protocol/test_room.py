"""A server that has no room for one more: no descriptor, no thread."""

import errno
import os
import socket
import threading
import time
from types import SimpleNamespace

from protocol.wire import server as wire_server
from protocol.wire import tcp_listener
from tests.protocol.test_wire import LIMIT, ask, connected, serving


def crowded_listener() -> tuple[socket.socket, threading.Event, threading.Event]:
    """A listener; an event that lets nobody in while it is set; one set when somebody was not."""
    full, refused = threading.Event(), threading.Event()

    class Listener(socket.socket):
        def accept(self) -> tuple[socket.socket, object]:
            if full.is_set():
                refused.set()
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            return super().accept()

    listener = Listener()
    listener.bind(("127.0.0.1", 0))
    return listener, full, refused


def test_connections_wait_while_no_more_can_be_opened():
    listener, full, refused = crowded_listener()
    with serving(listener), connected(listener) as first:
        assert ask(first, b"first") == b"first"
        full.set()
        with connected(listener) as second:
            assert refused.wait(LIMIT)
            full.clear()
            first.close()
            assert ask(second, b"second") == b"second"


def test_server_listens_again_when_others_have_made_room(monkeypatch):
    monkeypatch.setattr(wire_server, "_PATIENCE", 0.05)
    listener, full, refused = crowded_listener()
    full.set()
    with serving(listener), connected(listener) as peer:
        assert refused.wait(LIMIT)
        full.clear()
        assert ask(peer, b"line") == b"line"


def test_server_goes_on_when_a_thread_cannot_be_started(monkeypatch):
    listener = tcp_listener("127.0.0.1", 0)
    monkeypatch.setattr(wire_server, "_PATIENCE", 0.05)
    with serving(listener), connected(listener) as one:
        assert ask(one, b"one") == b"one"
        start, failed = threading.Thread.start, []

        def start_once_less(thread):
            if thread.name.startswith("peer") and not failed:
                failed.append(thread)
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", start_once_less)
        with connected(listener) as refused:
            assert refused.recv(10) == b""
        assert ask(one, b"still") == b"still"
        one.close()
        with connected(listener) as other:
            assert ask(other, b"other") == b"other"


def test_others_go_first_between_the_lines_of_who_sends_many_at_once(monkeypatch):
    pauses = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append)
    monkeypatch.setattr(wire_server, "time", clock)
    monkeypatch.setattr(wire_server, "TURN_SECONDS", -1.0)
    listener = tcp_listener("127.0.0.1", 0)
    with serving(listener), connected(listener) as peer:
        assert ask(peer, b"alone") == b"alone"
        assert pauses == []
        peer.sendall(b"one\ntwo\nthree\n")
        with peer.makefile("rb") as answers:
            assert [answers.readline() for _ in range(3)] == [b"one\n", b"two\n", b"three\n"]
        assert pauses == [0, 0]
        monkeypatch.setattr(wire_server, "TURN_SECONDS", LIMIT)
        peer.sendall(b"one\ntwo\n")
        assert peer.recv(1) == b"o"
    assert pauses == [0, 0]


def test_who_has_gone_takes_no_room_and_wakes_the_server_once():
    listener = tcp_listener("127.0.0.1", 0)
    with serving(listener) as server:
        for _ in range(3):
            with connected(listener) as peer:
                assert ask(peer, b"line") == b"line"
        end = time.monotonic() + LIMIT
        while server._peers or server._selector.select(0):
            assert time.monotonic() < end, "there is still something to do"
            threading.Event().wait(0.01)
