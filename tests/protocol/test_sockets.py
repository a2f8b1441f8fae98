import os
import socket
import threading
from contextlib import suppress

import pytest

from protocol.wire import (
    accepted,
    address_of,
    close_listener,
    connected,
    listener,
    tcp_listener,
    unix_listener,
)


def test_the_first_who_comes_is_accepted_and_hears_at_once(tmp_path):
    with listener("127.0.0.1", 0) as ours, connected_beside(ours) as peer:
        assert peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    with listener("127.0.0.1", 0, str(tmp_path / "s")) as ours, connected_beside(ours) as peer:
        assert peer.family == socket.AF_UNIX


def connected_beside(ours):
    """The connection to who comes to the socket; it has gone by then, and said a word."""
    ours.listen()
    with connected(address_of(ours)) as theirs:
        theirs.sendall(b"8/5")
        peer = accepted(ours, 60.0)
    assert peer.recv(10) == b"8/5"
    return peer


def test_nobody_who_comes_is_told_with_the_address_and_the_seconds():
    with tcp_listener("127.0.0.1", 0) as ours:
        where = address_of(ours)
        with pytest.raises(TimeoutError, match=rf"^nobody came to {where} within 0\.05 s$"):
            accepted(ours, 0.05)


def test_unix_socket_whose_file_somebody_took_away_is_closed(tmp_path):
    ours = unix_listener(str(tmp_path / "socket"))
    (tmp_path / "socket").unlink()
    close_listener(ours)
    assert ours.fileno() < 0


def test_unix_socket_of_a_server_that_comes_as_another_goes_stays(tmp_path, monkeypatch):
    path = str(tmp_path / "socket")
    listener, unlink, others = unix_listener(path), os.unlink, []

    def unlink_late(name):
        monkeypatch.undo()
        with suppress(OSError):  # the path is taken as yet
            others.append(unix_listener(path))
        unlink(name)

    monkeypatch.setattr(os, "unlink", unlink_late)
    close_listener(listener)
    assert not others
    unix_listener(path).close()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x" * 120, "path too long"),
        ("x" * 300, "path too long"),
        ("none/socket", "No such file"),
        ("file/socket", "Not a directory"),
    ],
)
def test_wrong_unix_path_is_one_sentence(tmp_path, name, reason):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=f"cannot listen on socket .*{reason}"):
        unix_listener(str(tmp_path / name))


def test_a_server_that_lets_nobody_in_just_now_is_not_waited_for(tmp_path):
    path, heard = str(tmp_path / "socket"), []

    def listen():
        try:
            unix_listener(path)
        except OSError as error:
            heard.append(str(error))

    with socket.socket(socket.AF_UNIX) as busy, socket.socket(socket.AF_UNIX) as waiting:
        busy.bind(path)
        busy.listen(0)
        waiting.connect(path)
        listening = threading.Thread(target=listen, daemon=True)
        listening.start()
        listening.join(60.0)
        assert heard == [f"cannot listen on socket {path}: another program listens there"]
