"""A client that asks in lines: what it is answered, and what it says when it is not."""

import socket
import threading

import pytest

from protocol.wire import (
    ClientError,
    LineClient,
    address_of,
    checked_server,
    connected,
    tcp_listener,
    unix_listener,
)
from protocol.wire.client import MAX_ANSWER, MAX_UNASKED
from protocol.wire.lines import LINES_TOLD
from tests.fakes.dripping import Dripping

LIMIT = 30.0


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    client = LineClient(ours, "the program")
    with theirs:
        yield client, theirs
    client.close()


@pytest.mark.parametrize(
    "address", ["localhost:1", "fibs.com:4321", "127.0.0.1:65535", "ústí.example:80"]
)
def test_a_server_is_a_host_and_a_port(address):
    assert checked_server(address) == address


@pytest.mark.parametrize(
    "address",
    [
        *("", "localhost", ":4321", "localhost:", "localhost:0", "localhost:65536", "localhost:+1"),
        *("localhost:000001", "localhost:٣", "a b:1", "a/b:1", "::1:80", "[::1]:80", "me@host:1"),
        *(f"{64 * 'a'}:1", "a..b:1"),
    ],
)
def test_what_can_be_no_server_is_refused_with_what_would_be_one(address):
    with pytest.raises(ValueError, match=r"^no server at .*: give HOST:PORT, a name or"):
        checked_server(address)


def test_who_cannot_be_reached_is_named(tmp_path):
    for address, reason in (
        ("localhost:65536", "a port is 1 to 65535"),
        ("localhost:port", "a port is 1 to 65535"),
        (f"{tmp_path}/none", "No such file or directory"),
        (f"{tmp_path}/none:80", "No such file or directory"),
        ("é..b:1", "no host has such a name"),
        ("\ud800", "surrogates not allowed"),
    ):
        with pytest.raises(ClientError, match=f"^cannot connect to .*: .*{reason}"):
            connected(address)


def test_system_without_unix_sockets_says_so(monkeypatch):
    monkeypatch.delattr(socket, "AF_UNIX")
    with pytest.raises(ClientError, match="cannot connect to s: this system has no Unix sockets"):
        connected("s")


def test_a_host_and_a_port_are_a_connection_that_sends_at_once_and_waits_so_long():
    with tcp_listener("127.0.0.1", 0) as listener:
        listener.listen(1)
        with connected(address_of(listener), 5.0) as connection:
            assert connection.getpeername() == listener.getsockname()
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert connection.gettimeout() == 5.0


def test_a_unix_socket_may_have_a_colon_in_its_name(tmp_path):
    with unix_listener(str(tmp_path / "a:80")), connected(str(tmp_path / "a:80")) as connection:
        assert connection.family == socket.AF_UNIX


def answered(program, *pieces):
    """A thread in which the program hears a line and says these pieces, or hangs up at None."""

    def work():
        program.recv(100)
        for piece in pieces:
            if piece is None:
                program.shutdown(socket.SHUT_RDWR)
            else:
                program.sendall(piece)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_one_line_comes_back_and_whatever_else_is_said_is_forgotten(pair):
    client, program = pair
    program.sendall(b"welcome\nto all\n")
    thread = answered(program, b"8/5 ", b"6/\xff \r\0\nand more\n")
    assert client.ask("play 3-1", LIMIT) == "8/5 6/\ufffd"
    thread.join()
    thread = answered(program, b"\x1b[2Jroll\n")
    assert client.ask("x" * 300, LIMIT) == "\x1b[2Jroll"
    thread.join()
    assert list(client.transcript) == [
        "> play 3-1",
        "< 8/5 6/\ufffd",
        f"> {200 * 'x'}",
        "< ?[2Jroll",
    ]


def test_silence_is_told_with_the_seconds(pair):
    client, program = pair
    with pytest.raises(ClientError, match=r"^the program gave no answer in 0\.05 s$"):
        client.ask("play", 0.05)
    assert program.recv(100) == b"play\n"


def test_who_reads_nothing_is_silent(pair):
    client, _ = pair
    with pytest.raises(ClientError, match=r"^the program gave no answer in 0\.05 s$"):
        client.ask("x" * 10_000_000, 0.05)


def test_an_answer_that_comes_sign_by_sign_has_no_more_time(monkeypatch):
    dripping = Dripping()
    monkeypatch.setattr("protocol.wire.client.time", dripping)
    with pytest.raises(ClientError, match="gave no answer in 3 s"):
        LineClient(dripping, "it").ask("play", 3.0)
    assert dripping.now == 3.0


def test_the_last_lines_are_kept(pair):
    client, program = pair
    for number in range(LINES_TOLD):
        thread = answered(program, b"%d\n" % number)
        client.ask("roll", LIMIT)
        thread.join()
    assert len(client.transcript) == LINES_TOLD
    assert client.transcript[-1] == f"< {LINES_TOLD - 1}"


def test_an_answer_that_is_too_long_is_none_and_the_longest_is_one(pair):
    client, program = pair
    thread = answered(program, MAX_ANSWER * b"x" + b"\n" + MAX_ANSWER * b"y")
    assert client.ask("play", LIMIT) == MAX_ANSWER * "x"
    thread.join()
    thread = answered(program, (MAX_ANSWER + 1) * b"x")
    with pytest.raises(ClientError, match="said more than 1000 bytes instead of an answer to 'pl"):
        client.ask("play", LIMIT)
    thread.join()


def test_who_hangs_up_is_told_with_the_question(pair):
    client, program = pair
    thread = answered(program, b"half", None)
    told = f"the program hung up instead of an answer to 'p{59 * 'l'}'"
    with pytest.raises(ClientError, match=f"^{told}$"):
        client.ask("p" + 100 * "l", LIMIT)
    thread.join()
    with pytest.raises(ClientError, match="hung up instead of an answer to 'play': Broken pipe"):
        client.ask("play", LIMIT)


def test_as_much_as_is_forgotten_may_have_been_said_unasked():
    class Talking:
        def __init__(self, count):
            self.unasked = count * b"x"

        def recv(self, size):
            said, self.unasked = self.unasked[:size], self.unasked[size:]
            if not said:
                raise BlockingIOError
            return said

        def __getattr__(self, name):
            return lambda *_: None

    LineClient(Talking(MAX_UNASKED), "it")._forget_unasked()
    with pytest.raises(ClientError, match=r"^it does not stop talking$"):
        LineClient(Talking(MAX_UNASKED + 1), "it")._forget_unasked()


def test_a_line_may_end_otherwise():
    ours, theirs = socket.socketpair()
    client = LineClient(ours, "the program", end="\r\n")
    with theirs:
        with pytest.raises(ClientError, match="no answer"):
            client.ask("play", 0.01)
        assert theirs.recv(100) == b"play\r\n"
    client.close()
    assert ours.fileno() < 0
