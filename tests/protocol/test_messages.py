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
