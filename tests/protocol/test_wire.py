import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import wire
from protocol.wire import (
    MAX_LINE,
    LineCutter,
    LineServer,
    address_of,
    close_listener,
    serve_stream,
    tcp_listener,
    unix_listener,
)
from protocol.wire import server as wire_server

LIMIT = 5.0
"""Seconds any wait in these tests may take."""


class Echo:
    """Sends every line back; one that says `fail` is an error of ours."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send

    def receive(self, line: str) -> None:
        if line == "fail":
            raise RuntimeError("a mistake")
        self._send(line)


@contextmanager
def serving(listener: socket.socket, make_adapter: wire.MakeAdapter = Echo) -> Iterator[LineServer]:
    server = LineServer(listener, make_adapter)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(LIMIT)
        assert not thread.is_alive()


@contextmanager
def connected(listener: socket.socket) -> Iterator[socket.socket]:
    with closing(socket.socket(listener.family, socket.SOCK_STREAM)) as peer:
        peer.settimeout(LIMIT)
        peer.connect(listener.getsockname())
        yield peer


def ask(peer: socket.socket, line: bytes) -> bytes:
    peer.sendall(line + b"\n\0")
    return read_line(peer)


def read_line(peer: socket.socket) -> bytes:
    read = b""
    while not read.endswith(b"\n"):
        data = peer.recv(65536)
        assert data, f"closed after {read[:80]!r}"
        read += data
    return read[:-1]


def flood(peer: socket.socket) -> None:
    while True:
        peer.sendall(b"x" * 1000 + b"\n")


@pytest.fixture
def listener() -> socket.socket:
    return tcp_listener("127.0.0.1", 0)


def plain_lines(data: bytes) -> list[str]:
    lines = data.replace(b"\0", b"").split(b"\n")
    whole = lines if lines[-1] else lines[:-1]
    return [line[: MAX_LINE + 1].removesuffix(b"\r").decode(errors="replace") for line in whole]


@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from([b"\n\0", b"\r\n", b"x" * MAX_LINE, b"y" * (MAX_LINE + 2)]),
        )
    )
)
def test_lines_are_the_same_however_the_bytes_arrive(pieces):
    cutter = LineCutter()
    lines = [line for piece in pieces for line in cutter.cut(piece)]
    assert [*lines, *cutter.end()] == plain_lines(b"".join(pieces))


def test_a_server_beside_a_block_ends_with_it():
    before = threading.active_count()
    listener = tcp_listener("127.0.0.1", 0)
    with wire.serving(listener, Echo), connected(listener) as peer:
        assert ask(peer, b"8/5 6/5") == b"8/5 6/5"
    assert threading.active_count() <= before
    assert listener.fileno() < 0


def test_nul_bytes_and_carriage_returns_are_dropped():
    assert list(LineCutter().cut(b"one\n\0two\r\n\0")) == ["one", "two"]


def test_every_peer_has_an_adapter_of_its_own(listener):
    made: list[Echo] = []

    def make_adapter(send: Callable[[str], None]) -> Echo:
        made.append(Echo(send))
        return made[-1]

    with (
        serving(listener, make_adapter),
        connected(listener) as one,
        connected(listener) as two,
        connected(listener) as three,
    ):
        for number, peer in enumerate((three, one, two, one)):
            assert ask(peer, b"line %d" % number) == b"line %d" % number
    assert len(made) == 3


@pytest.mark.parametrize("has_room_to_look", [True, False])
@pytest.mark.parametrize("attention", [0.0, wire_server.ATTENTION_SECONDS, 2 * LIMIT])
def test_a_line_is_heard_whether_it_was_looked_for_or_slept_for(
    listener, monkeypatch, attention, has_room_to_look
):
    monkeypatch.setattr(wire_server, "_HAS_ROOM_TO_LOOK", has_room_to_look)
    monkeypatch.setattr(wire_server, "ATTENTION_SECONDS", attention)
    with serving(listener):
        with connected(listener) as peer:
            for line in (b"at once", b"8/5", b"6/5"):
                assert ask(peer, line) == line
        with connected(listener) as peer, connected(listener) as other:  # the first has gone
            assert [ask(other, b"two"), ask(peer, b"one")] == [b"two", b"one"]


def test_a_silent_peer_takes_the_processor_for_a_moment_only(listener, monkeypatch):
    monkeypatch.setattr(wire_server, "_HAS_ROOM_TO_LOOK", True)
    with serving(listener), connected(listener) as peer:
        ask(peer, b"8/5")
        began = time.process_time()
        time.sleep(0.5)
        assert time.process_time() - began < 0.05


def test_the_next_line_of_a_silent_peer_is_looked_for_as_long_as_it_has_attention(
    listener, monkeypatch
):
    monkeypatch.setattr(wire_server, "_HAS_ROOM_TO_LOOK", True)
    monkeypatch.setattr(wire_server, "ATTENTION_SECONDS", 300.0)
    with serving(listener), connected(listener) as peer:
        ask(peer, b"8/5")
        began, until = time.process_time(), time.monotonic() + 30.0
        while time.process_time() - began < 0.1:  # others may have the processor meanwhile
            assert time.monotonic() < until
            time.sleep(0.1)


def test_lines_sent_together_are_answered_in_order(listener):
    with serving(listener), connected(listener) as peer:
        peer.sendall(b"one\ntwo\nthree\nfou")
        with peer.makefile("rb") as answers:
            assert [answers.readline() for _ in range(3)] == [b"one\n", b"two\n", b"three\n"]
        assert ask(peer, b"r") == b"four"


def test_last_line_without_an_end_is_answered_when_the_peer_closes(listener):
    with serving(listener), connected(listener) as peer:
        peer.sendall(b"last")
        peer.shutdown(socket.SHUT_WR)
        assert read_line(peer) == b"last"
        assert peer.recv(10) == b""


def test_oversized_line_is_handed_on_once_and_skipped_to_its_end(listener):
    with serving(listener), connected(listener) as peer:
        peer.sendall(b"x" * 5_000_000)
        assert read_line(peer) == b"x" * (MAX_LINE + 1)
        assert ask(peer, b"more of it\nnext") == b"next"


def test_oversized_line_is_not_stored():
    cutter = LineCutter()
    for _ in range(1000):
        list(cutter.cut(b"x" * 4096))
        assert len(cutter._rest) <= MAX_LINE


def test_peer_that_reads_nothing_is_dropped_and_others_are_served(listener, monkeypatch):
    monkeypatch.setattr(wire_server, "SEND_SECONDS", 0.1)
    with serving(listener), connected(listener) as slow, connected(listener) as other:
        with pytest.raises(ConnectionError):
            flood(slow)
        assert ask(other, b"still there") == b"still there"


def test_peer_that_reads_late_gets_every_answer(listener):
    lines = [b"%d " % number + b"x" * 1000 for number in range(10_000)]
    with serving(listener), connected(listener) as peer:
        sender = threading.Thread(target=peer.sendall, args=(b"\n".join(lines) + b"\n",))
        sender.start()
        with peer.makefile("rb") as answers:
            assert [answers.readline() for _ in lines] == [line + b"\n" for line in lines]
        sender.join(LIMIT)
        assert not sender.is_alive()


def test_a_peer_that_is_thought_about_for_long_holds_up_no_other(listener):
    enough = threading.Event()

    class Thinker(Echo):
        def receive(self, line: str) -> None:
            if line == "think":
                assert enough.wait(LIMIT)
            super().receive(line)

    with (
        serving(listener, Thinker),
        connected(listener) as slow,
        connected(listener) as other,
    ):
        slow.sendall(b"think\nand then\n")
        for _ in range(100):
            assert ask(other, b"a quick one") == b"a quick one"
        enough.set()
        with slow.makefile("rb") as answers:
            assert [answers.readline() for _ in range(2)] == [b"think\n", b"and then\n"]


def test_peers_beyond_the_most_wait_until_one_goes(listener, monkeypatch, caplog):
    monkeypatch.setattr(wire_server, "MAX_PEERS", 2)
    with serving(listener), connected(listener) as one, connected(listener) as two:
        assert ask(one, b"one") == b"one"
        assert ask(two, b"two") == b"two"
        with connected(listener) as third:
            third.sendall(b"three\n")
            assert ask(one, b"one") == b"one"
            third.settimeout(0.2)
            with pytest.raises(TimeoutError):
                third.recv(10)
            third.settimeout(LIMIT)
            two.close()
            assert read_line(third) == b"three"
    assert "no further connection: there are 2" in caplog.text


def test_vanished_peer_harms_nobody(listener):
    with serving(listener), connected(listener) as other:
        for _ in range(20):
            with connected(listener) as peer:
                reset = struct.pack("ii", 1, 0)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                peer.sendall(b"a line\n" * 100)
        assert ask(other, b"still there") == b"still there"


def test_error_of_ours_ends_only_that_conversation(listener, caplog):
    with serving(listener), connected(listener) as peer, connected(listener) as other:
        peer.sendall(b"fail\n")
        assert peer.recv(10) == b""
        assert ask(other, b"still there") == b"still there"
    assert "a mistake" in caplog.text


def test_stopping_closes_every_connection_and_the_port(listener):
    with serving(listener) as server, connected(listener) as peer:
        assert ask(peer, b"line") == b"line"
        address = listener.getsockname()
        server.stop()
        assert peer.recv(10) == b""
    with closing(tcp_listener(*address)):
        pass


def test_lines_are_logged_with_peer_and_direction(listener, caplog):
    caplog.set_level(logging.DEBUG, "blot")
    with serving(listener), connected(listener) as peer:
        ask(peer, b"a line")
    assert [text for text in caplog.messages if "line" in text] == ["1 > a line", "1 < a line"]


def test_port_in_use_is_one_sentence(listener):
    with serving(listener):
        port = listener.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}: another program"):
            LineServer(tcp_listener("127.0.0.1", port), Echo)


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("127.0.0.1", 70000, "a port is 0 to 65535"),
        ("no such host", 7100, "no such host:7100: ."),
        ("é..b", 7100, "é..b:7100: no host has such a name"),
    ],
)
def test_wrong_address_is_one_sentence(host, port, reason):
    with pytest.raises(OSError, match=reason):
        tcp_listener(host, port)


def test_address_is_what_a_peer_here_connects_to(listener):
    with closing(listener), closing(tcp_listener("0.0.0.0", 0)) as open_to_all:
        assert address_of(listener) == f"127.0.0.1:{listener.getsockname()[1]}"
        assert address_of(open_to_all) == f"127.0.0.1:{open_to_all.getsockname()[1]}"


def test_unix_socket_serves_and_its_file_goes(tmp_path):
    path = tmp_path / "socket"
    listener = unix_listener(str(path))
    assert address_of(listener) == str(path)
    with serving(listener), connected(listener) as peer:
        assert ask(peer, b"line") == b"line"
    assert not path.exists()


def test_unix_socket_that_nobody_serves_is_replaced(tmp_path):
    path = str(tmp_path / "socket")
    unix_listener(path).close()
    listener = unix_listener(path)
    with serving(listener), connected(listener) as peer:
        assert ask(peer, b"line") == b"line"


def test_unix_socket_in_use_is_one_sentence_even_before_it_is_served(tmp_path):
    path = str(tmp_path / "socket")
    listener = unix_listener(path)

    def is_refused():
        with pytest.raises(OSError, match=r"cannot listen on socket .*: another program"):
            unix_listener(path)
        return Path(path).exists()

    assert is_refused()
    with serving(listener):
        assert is_refused()


def test_unix_path_that_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "notes"
    path.write_text("precious")
    with pytest.raises(OSError, match=r"cannot listen on socket .*notes: a file with that name"):
        unix_listener(str(path))
    assert path.read_text() == "precious"


def test_system_without_unix_sockets_says_so(monkeypatch):
    monkeypatch.delattr(socket, "AF_UNIX")
    with pytest.raises(OSError, match="this system has no Unix sockets"):
        unix_listener("socket")


@pytest.mark.parametrize("place", [("", 0, None), ("127.0.0.1", 0, "")])
def test_nobody_listens_on_a_name_that_is_empty(place):
    with pytest.raises(OSError, match=r"cannot listen on a .* without a name"):
        wire.listener(*place)


def test_closing_a_closed_listener_does_nothing(listener):
    close_listener(listener)
    close_listener(listener)


def test_stream_is_served_until_it_ends():
    source, to_us = os.pipe()
    from_us, target = os.pipe()
    os.write(to_us, b"one\n\0two")
    os.close(to_us)
    serve_stream(source, target, Echo)
    os.close(target)
    with os.fdopen(from_us, "rb") as answers:
        assert answers.read() == b"one\ntwo\n"
    os.close(source)
