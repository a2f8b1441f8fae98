"""The stream of a server: lines, prompts, telnet's bytes, TLS."""

import logging
import socket
import ssl
import struct
import threading
from contextlib import suppress

import pytest
import trustme

from protocol.wire import ClientError, LineStream, connected_stream, secured, tcp_listener, trust
from protocol.wire.telnet import TelnetFilter

AUTHORITY = trustme.CA()


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    stream = LineStream(ours, "the server", prompts=("login:",), longest=100)
    with theirs:
        yield stream, theirs
    stream.close()


def test_lines_come_one_by_one_whatever_pieces_they_are_sent_in(pair):
    stream, server = pair
    for piece in (b"fir", b"st\r\nsec", b"ond\n", b"\r\n"):
        server.sendall(piece)
    assert [stream.read(1.0) for _ in range(3)] == ["first", "second", ""]
    assert stream.read(0.0) is None
    server.sendall(b"third\n")
    assert stream.read(0.0) == "third"


def test_a_prompt_needs_no_end(pair):
    stream, server = pair
    server.sendall(b"Welcome\r\nlogin: ")
    assert [stream.read(1.0), stream.read(1.0)] == ["Welcome", "login: "]
    stream.send("login Blot 1008 blot secret99", told="login Blot 1008 blot ********")
    assert server.recv(100) == b"login Blot 1008 blot secret99\r\n"
    assert list(stream.transcript)[-1] == "> login Blot 1008 blot ********"


@pytest.mark.parametrize(
    "line", ["half a li|ne", "12 eve is this where you login:| eve wins"], ids=["half", "a prompt"]
)
def test_half_a_line_is_no_line_and_nobody_who_is_quoted_ends_one(pair, line):
    stream, server = pair
    first, rest = line.split("|")
    server.sendall(first.encode())
    assert stream.read(0.05) is None
    server.sendall(f"{rest}\n".encode())
    assert stream.read(1.0) == first + rest


def test_who_reads_nothing_has_not_hung_up(pair, monkeypatch):
    stream, _ = pair
    monkeypatch.setattr("protocol.wire.stream.SEND_SECONDS", 0.05)
    with pytest.raises(ClientError, match="the server has read nothing"):
        stream.send("x" * 10_000_000)


def test_a_long_line_is_cut(pair):
    stream, server = pair
    server.sendall(b"x" * 5000 + b"\nnext\n")
    assert stream.read(1.0) == "x" * 101
    assert stream.read(1.0) == "next"


class Endless:
    """A connection on which one line goes on for as long as anybody listens."""

    def __init__(self):
        self.heard = 0

    def recv(self, size):
        self.heard += 1
        assert self.heard < 100_000, "heard for ever"
        return b"x" * size

    def settimeout(self, seconds):
        pass

    def close(self):
        pass


@pytest.mark.parametrize("seconds", [0.0, 0.001])
def test_a_line_without_end_is_not_waited_for_longer_than_wanted(seconds):
    stream = LineStream(Endless(), "the server", longest=100)
    assert stream.read(1.0) == "x" * 101
    assert stream.read(seconds) is None


def test_the_end_is_told(pair):
    stream, server = pair
    server.sendall(b"last but one\nlast")
    server.close()
    assert [stream.read(1.0), stream.read(1.0)] == ["last but one", "last"]
    with pytest.raises(ClientError, match="the server hung up"):
        stream.read(1.0)
    with suppress(ClientError):  # the first may still be taken
        stream.send("x")
    with pytest.raises(ClientError, match="the server hung up"):
        stream.send("x")


def test_a_broken_connection_is_told():
    with tcp_listener("127.0.0.1", 0) as listener:
        listener.listen(1)
        stream = connected_stream(f"127.0.0.1:{listener.getsockname()[1]}")
        server, _ = listener.accept()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        server.close()
    with pytest.raises(ClientError, match=r"hung up: \w"):
        stream.read(5.0)
    stream.close()


def test_the_log_has_no_escape_sequences(pair, caplog):
    stream, server = pair
    with caplog.at_level(logging.DEBUG, "blot.wire"):
        server.sendall(b"\x1b[31mred\x07\n")
        stream.read(1.0)
    assert "\x1b" not in caplog.text
    assert "?[31mred?" in caplog.text


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_negotiations_are_taken_out_however_they_are_cut(size):
    data = b"a\xff\xfb\x01b\xff\xff\xff\xfa\x18\x01text\xff\xf0c\xff\xf9d\xff\xfe\x01\xff\xfc\x01"
    cut = TelnetFilter()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert b"".join(cut.text(piece) for piece in pieces) == b"ab\xffcd"


def test_a_doubled_255_in_a_block_is_no_text():
    assert TelnetFilter().text(b"\xff\xfa\x18\xff\xffA\xff\xf0x") == b"x"


def served_with_tls():
    """A port on which one peer gets a line by TLS."""
    listener = tcp_listener("127.0.0.1", 0)
    listener.listen(1)
    listener.settimeout(10)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("localhost").configure_cert(context)

    def serve():
        try:
            connection, _ = listener.accept()
            with context.wrap_socket(connection, server_side=True) as secure:
                secure.settimeout(10)
                secure.sendall(b"safe\n")
                secure.recv(100)
        except OSError:
            pass  # the peer did not believe us
        finally:
            listener.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return listener.getsockname()[1], thread


def test_tls_is_spoken_with_who_proves_to_be_the_host(tmp_path):
    port, thread = served_with_tls()
    AUTHORITY.cert_pem.write_to_path(tmp_path / "authority.pem")
    stream = connected_stream(f"localhost:{port}", tls=trust(tmp_path / "authority.pem"))
    assert stream.read(5.0) == "safe"
    stream.send("thanks")
    stream.close()
    thread.join(10)


def test_tls_is_refused_with_who_does_not():
    port, thread = served_with_tls()
    with pytest.raises(ClientError, match=r"no TLS with localhost: .*certificate"):
        connected_stream(f"localhost:{port}", tls=trust())
    thread.join(10)


def test_a_connection_that_cannot_be_secured_is_closed():
    ours, theirs = socket.socketpair()
    with theirs, pytest.raises(ClientError, match=r"no TLS with : .*hostname"):
        secured(ours, "", trust())
    assert ours.fileno() < 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file"), (b"", "there are none in it"), (b"\xbf\x00\xff", "there are none")],
)
def test_a_file_without_certificates_is_named(tmp_path, content, reason):
    path = tmp_path / "authority.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"certificates from .*authority\.pem: {reason}"):
        trust(path)
