"""Messages with a sign at their end, over a pair of sockets."""

import socket

import pytest

from protocol.wire import ClientError, MessageClient


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
