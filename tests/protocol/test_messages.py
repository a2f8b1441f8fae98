"""Messages with a sign at their end, over a pair of sockets."""

import socket
import struct

import pytest

from protocol.wire import ClientError, MessageClient, address_of, connected, tcp_listener
from protocol.wire.lines import LINES_TOLD
from tests.fakes.dripping import Dripping


def test_a_message_that_does_not_end_is_given_up():
    ours, theirs = socket.socketpair()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
    with theirs, MessageClient(ours, "the peer") as line:
        theirs.sendall(b"x" * 70_000)
        with pytest.raises(ClientError, match="the peer does not end its message"):
            line.read(0.1)


def test_a_long_silence_is_told_in_whole_seconds():
    class Silent:
        def settimeout(self, seconds):
            pass

        def recv(self, size):
            raise TimeoutError

        def close(self):
            pass

    for seconds, told in ((0.25, "0.25"), (1230.4, "1230")):
        silence = pytest.raises(ClientError, match=f"^nobody said nothing for {told} s$")
        with MessageClient(Silent(), "nobody") as line, silence:
            line.read(seconds)


def test_a_message_that_comes_sign_by_sign_has_no_more_time(monkeypatch):
    dripping = Dripping()
    monkeypatch.setattr("protocol.wire.messages.time", dripping)
    with pytest.raises(ClientError, match=r"^nobody said nothing for 3 s$"):
        MessageClient(dripping, "nobody").read(3.0)
    assert dripping.now == 3.0


def test_a_broken_connection_is_told():
    with tcp_listener("127.0.0.1", 0) as listener:
        listener.listen(1)
        ours = connected(address_of(listener))
        theirs, _ = listener.accept()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    theirs.close()
    told = pytest.raises(ClientError, match=r"^the peer hung up: Connection reset by peer$")
    with MessageClient(ours, "the peer") as line, told:
        line.read(5.0)


def test_messages_come_one_by_one_whatever_pieces_they_are_sent_in():
    ours, theirs = socket.socketpair()
    with theirs, MessageClient(ours, "the peer") as line:
        for piece in (b"on", b"e\0two\0th", b"ree\0\0"):
            theirs.sendall(piece)
        assert [line.read(1.0) for _ in range(4)] == ["one", "two", "three", ""]
        line.send("fünf\x1b")
        assert theirs.recv(100) == b"f?nf\x1b\0"
        theirs.sendall(b"f\xfcnf\0")
        assert line.read(1.0) == "f\ufffdnf"
        theirs.sendall(b"x" * 60_000 + b"\0")
        assert line.read(1.0) == "x" * 60_000
        assert list(line.transcript)[-4:-1] == ["< ", "> fünf?", "< f\ufffdnf"]
    assert ours.fileno() < 0


def test_the_last_messages_are_kept():
    ours, theirs = socket.socketpair()
    with theirs, MessageClient(ours, "the peer") as line:
        theirs.sendall(b"".join(b"%d\0" % number for number in range(100)))
        for _ in range(100):
            line.read(1.0)
        assert len(line.transcript) == LINES_TOLD
        assert line.transcript[-1] == "< 99"


def test_who_hung_up_is_told_once_all_was_read():
    ours, theirs = socket.socketpair()
    with MessageClient(ours, "the peer") as line:
        theirs.sendall(b"last\0half")
        theirs.close()
        assert line.read(1.0) == "last"
        with pytest.raises(ClientError, match=r"^the peer hung up$"):
            line.read(1.0)
        with pytest.raises(ClientError, match=r"^the peer hung up before 'more'$"):
            line.send("more")


def test_who_reads_nothing_has_not_hung_up(monkeypatch):
    monkeypatch.setattr("protocol.wire.messages.SEND_SECONDS", 0.05)
    ours, theirs = socket.socketpair()
    with theirs, MessageClient(ours, "the peer") as line:
        with pytest.raises(ClientError, match=r"^the peer has read nothing for 0\.05 s$"):
            line.send("x" * 10_000_000)
        assert list(line.transcript) == ["> " + "x" * 200]
