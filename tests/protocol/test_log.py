import errno
import io
import logging
import os
import threading
from collections.abc import Iterator

import pytest

from protocol import wire
from protocol.wire import log as wire_log


@pytest.fixture
def own_log() -> Iterator[logging.Logger]:
    """The log of Blot without the handlers that commands have left; they are back at the end."""
    blot = logging.getLogger("blot")
    handlers, level = blot.handlers.copy(), blot.level
    blot.handlers.clear()
    yield blot
    for handler in blot.handlers:
        handler.close()
    blot.handlers[:], blot.level = handlers, level


def test_a_log_that_is_full_begins_anew(tmp_path, monkeypatch, own_log):
    monkeypatch.setattr(wire_log, "MAX_LOG_BYTES", 1000)
    wire.keep_log(str(tmp_path / "log"))
    for number in range(200):
        own_log.debug("line %d", number)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["log", "log.1"]
    assert all(0 < file.stat().st_size <= 1000 for file in files)
    assert "line 199" in files[0].read_text()


def test_a_log_on_a_full_disk_loses_lines_and_says_so_once(tmp_path, own_log, capsys):
    class FullDisk(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    wire.keep_log(str(tmp_path / "log"))
    file = own_log.handlers[-1]
    file.stream.close()
    file.stream = FullDisk()
    for number in range(3):
        own_log.debug("line %d", number)
    (said,) = capsys.readouterr().err.splitlines()
    assert said.endswith("log: No space left on device; its lines are lost")


def test_a_pipe_that_nobody_reads_is_no_log(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"cannot write log .*pipe: No such device or address"):
        wire.keep_log(str(tmp_path / "pipe"))


def warn(log: logging.Logger, peer: str, count: int) -> None:
    def work() -> None:
        for number in range(count):
            log.warning("refused: line %d of %s", number, peer)

    thread = threading.Thread(target=work, name=peer)
    thread.start()
    thread.join()


def test_warnings_about_a_peer_are_limited_and_counted(own_log, monkeypatch, capsys):
    wire.keep_log()
    warn(own_log, "peer 1", 1000)
    warn(own_log, "peer 2", 1)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == wire_log.PEERS_WARNINGS + 2
    assert said[-2] == "further warnings about peer 1 are left out for a while"
    assert said[-1].endswith("refused: line 0 of peer 2")
    monkeypatch.setattr(wire_log, "WINDOW_SECONDS", 0)
    warn(own_log, "peer 1", 1)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "990 warnings were left out"
    assert said[1].endswith("refused: line 0 of peer 1")


def test_warnings_about_many_peers_are_limited_and_counted_at_the_end(own_log, capsys):
    wire.keep_log()
    for number in range(1000):
        warn(own_log, f"peer {number}", 2)
    own_log.handlers[-1].close()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == wire_log.WARNINGS + 2
    assert said[-2:] == [
        "further warnings about all peers are left out for a while",
        "1950 warnings were left out",
    ]


def test_log_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(OSError, match=r"cannot write log .*none/log: No such file"):
        wire.keep_log(str(tmp_path / "none" / "log"))


def test_a_log_has_no_escape_sequences(tmp_path, own_log, capsys):
    wire.keep_log(str(tmp_path / "log"))
    own_log.warning("%d > %s", 1, "\x1b[2Jboard:\tx\ry")
    for written in (tmp_path / "log").read_text(), capsys.readouterr().err:
        assert written.endswith(" 1 > ?[2Jboard:\tx?y\n")
