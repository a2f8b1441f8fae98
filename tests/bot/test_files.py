import errno
import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot import files
from bot.archive import read_archive, write_whole
from bot.files import alone_with, bytes_of, lock, make_folder, open_to_read, stamp_of
from bot.weights import digest_of
from protocol.cli import main

LIMIT = 60.0


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe.mat"
    os.mkfifo(path)
    return path


def test_a_file_is_made_by_one_process_at_a_time(tmp_path):
    path = tmp_path / "made.npz"
    for _ in range(2):
        with alone_with(path):
            with pytest.raises(ValueError, match=r"another process is making .*made\.npz$"):
                alone_with(path).__enter__()
            assert not path.exists()
        assert list(tmp_path.iterdir()) == []


def test_no_descriptor_is_left_of_a_lock(tmp_path):
    os.close(free := os.dup(0))
    for _ in range(2):
        with alone_with(tmp_path / "made.npz"), pytest.raises(ValueError, match="another process"):
            alone_with(tmp_path / "made.npz").__enter__()
    os.close(still_free := os.dup(0))
    assert still_free == free


def test_who_fails_lets_others_make_the_file(tmp_path):
    path = tmp_path / "made.npz"
    with pytest.raises(RuntimeError), alone_with(path):
        raise RuntimeError
    with alone_with(path):
        path.touch()
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_that_is_taken_away_is_no_lock(tmp_path, monkeypatch):
    path = tmp_path / "made.npz"
    (tmp_path / ".made.npz.lock").touch()
    monkeypatch.setattr(files, "lock", lambda *_: (tmp_path / ".made.npz.lock").unlink())
    with pytest.raises(ValueError, match="another process is making"):
        alone_with(path).__enter__()


def test_a_file_is_opened(tmp_path):
    (tmp_path / "notes").write_bytes(b"8/5 6/5")
    with open_to_read(tmp_path / "notes") as file:
        assert file.read() == b"8/5 6/5"


def test_every_writing_of_a_file_has_a_stamp_of_its_own(tmp_path):
    path = tmp_path / "notes"
    assert stamp_of(path) is None
    stamps = []
    for _ in range(3):
        write_whole(path, lambda file: file.write(b"8/5 6/5"))
        assert stamp_of(path) == stamp_of(path)
        stamps.append(stamp_of(path))
    assert len({*stamps, None}) == 4


def test_a_folder_is_made_with_those_above_it_and_may_be_there(tmp_path):
    for _ in range(2):
        make_folder(tmp_path / "runs" / "quick")
        assert (tmp_path / "runs" / "quick").is_dir()
    (tmp_path / "notes").touch()
    with pytest.raises(OSError, match=r"^cannot make the folder .*notes/quick: Not a directory$"):
        make_folder(tmp_path / "notes" / "quick")


def test_a_file_that_is_not_there_is_told_with_its_name(tmp_path):
    with pytest.raises(ValueError, match=r"^cannot read .*notes: No such file or directory$"):
        bytes_of(tmp_path / "notes", 10)


def test_a_lock_is_free_again_when_its_file_is_closed(tmp_path):
    for _ in range(2):
        with (tmp_path / "a").open("wb") as one, (tmp_path / "a").open("wb") as other:
            lock(one.fileno(), "it is taken")
            with pytest.raises(ValueError, match=r"^it is taken$"):
                lock(other.fileno(), "it is taken")


def test_a_file_system_without_locks_is_used_without_them(tmp_path, monkeypatch):
    def refuse(descriptor, kind):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with alone_with(tmp_path / "made.npz"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_named_pipe_is_refused_at_once(pipe):
    with pytest.raises(OSError, match="it is a named pipe, no file"):
        open_to_read(pipe)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end_is_refused(device):
    with pytest.raises(OSError, match="it is a device, no file"):
        open_to_read(Path(device))


def test_nothing_is_nothing():
    with open_to_read(Path(os.devnull)) as file:
        assert file.read() == b""


@pytest.mark.parametrize("place", ["/dev/stdin", "/dev/fd/0"])
def test_a_pipe_of_the_shell_is_read(place):
    program = "from bot.files import open_to_read; from pathlib import Path; import sys; "
    program += "print(open_to_read(Path(sys.argv[1])).read())"
    done = subprocess.run(
        [sys.executable, "-c", program, place], input=b"31", capture_output=True, timeout=LIMIT
    )
    assert done.stdout == b"b'31'\n"


def test_weights_and_archives_in_a_pipe_are_refused(pipe):
    with pytest.raises(ValueError, match=r"pipe\.mat is no weights file"):
        read_archive(pipe, "weights file", 1)
    with pytest.raises(OSError, match="named pipe"):
        digest_of(pipe)


@pytest.mark.parametrize(
    "command",
    [
        ["hint", "4HPwATDgc/ABMA", "--dice", "31", "--weights"],
        ["play", "--load"],
        ["match", "--opponent", "pubeval", "--weights", "easy", "--length", "3", "--met"],
        ["train", "--settings"],
        ["train", "--report"],
        ["bench", "--judged"],
        ["bench", "--kinds"],
        ["serve", "--port", "0", "--log"],
        ["convert", "out.sgf"],
    ],
    ids=" ".join,
)
def test_no_command_waits_for_a_pipe(command, pipe, capsys):
    is_first = command[0] == "convert"
    words = ["convert", str(pipe), "out.sgf"] if is_first else [*command, str(pipe)]
    assert main(words) == 1
    *_, said = capsys.readouterr().err.splitlines()
    assert said.startswith("blot: ")
    assert "pipe.mat" in said


@pytest.mark.parametrize(
    ("limit", "most"),
    [(3, "3 bytes"), (1_500, "1,500 bytes"), (1_000_000, "1 MB"), (2_000_000, "2 MB")],
)
def test_a_file_that_is_too_long_is_told_the_limit(tmp_path, limit, most):
    path = tmp_path / "notes"
    path.write_bytes(b" " * limit)
    assert len(bytes_of(path, limit)) == limit
    path.write_bytes(b" " * (limit + 1))
    with pytest.raises(ValueError, match=f"notes is longer than {most}$"):
        bytes_of(path, limit)


def test_who_waits_makes_the_file_after_the_other(tmp_path):
    path = tmp_path / "made.npz"
    first = alone_with(path)
    first.__enter__()
    leaves = threading.Event()

    def leave():
        leaves.set()
        first.__exit__(None, None, None)

    threading.Timer(0.3, leave).start()
    with alone_with(path, LIMIT):
        assert leaves.is_set()
    assert list(tmp_path.iterdir()) == []


def test_a_place_without_room_for_a_lock_is_told_in_a_sentence(tmp_path):
    with pytest.raises(OSError, match=r"^cannot write .*\.made\.npz\.lock: No such file or dir"):
        alone_with(tmp_path / "nowhere" / "made.npz").__enter__()
