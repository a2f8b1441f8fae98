import os
from contextlib import suppress

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
