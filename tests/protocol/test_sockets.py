import os
from contextlib import suppress

import pytest

from protocol.wire import close_listener, unix_listener


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
