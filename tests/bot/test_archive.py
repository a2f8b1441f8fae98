"""Files of arrays, written whole or not at all."""

import os
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from bot.archive import layout_of, read_archive, whole_file, write_archive, write_whole

HEADER = {"version": 3, "name": "x"}
ARRAYS = {"weights": np.arange(6.0).reshape(2, 3)}


def test_archive_gives_header_and_arrays_back(tmp_path):
    write_archive(tmp_path / "a.npz", HEADER, ARRAYS)
    header, arrays = read_archive(tmp_path / "a.npz", "thing", 3)
    assert header == HEADER
    assert np.array_equal(arrays["weights"], ARRAYS["weights"])
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_failed_write_leaves_the_old_file_and_no_half_one(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    write_archive(path, HEADER, ARRAYS)

    def full(file, **content):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match=r"cannot write .*a\.npz: No space left"):
        write_archive(path, {"version": 3, "name": "y"}, ARRAYS)
    assert read_archive(path, "thing", 3)[0]["name"] == "x"
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_all_of_a_file_is_on_the_disk_before_it_takes_the_place_of_another(tmp_path, monkeypatch):
    path, kept = tmp_path / "a.npz", []
    write_whole(path, lambda file: file.write(b"before"))
    sync = os.fsync

    def look(descriptor):
        kept.append((os.fstat(descriptor).st_size, path.read_bytes()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    write_whole(path, lambda file: file.write(b"later"))
    assert kept == [(5, b"before")]
    assert path.read_bytes() == b"later"


def test_file_takes_the_place_of_no_folder(tmp_path):
    with pytest.raises(OSError, match=r"^cannot write .*: Is a directory$"):
        write_archive(tmp_path, HEADER, ARRAYS)


def test_a_layout_is_shape_and_type():
    assert layout_of(ARRAYS) == {"weights": ((2, 3), np.dtype(np.float64))}


def test_file_may_have_as_long_a_name_as_there_is(tmp_path):
    path = tmp_path / f"{'λ' * 125}.npz"
    write_archive(path, HEADER, ARRAYS)
    assert list(tmp_path.iterdir()) == [path]


def test_file_takes_the_place_of_no_pipe(tmp_path):
    path = tmp_path / "a.npz"
    os.mkfifo(path)
    with pytest.raises(OSError, match=r"cannot write .*a\.npz: it is a device or a pipe, no file"):
        write_archive(path, HEADER, ARRAYS)
    with pytest.raises(OSError, match="no file") as refused, whole_file(path):
        pass
    assert refused.value.filename == str(path)
    assert path.is_fifo()


@pytest.mark.parametrize("is_there", [True, False], ids=["there", "not there yet"])
def test_file_that_a_link_points_to_is_written_and_the_link_stays(tmp_path, is_there):
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.npz", tmp_path / "link.npz"
    if is_there:
        target.write_bytes(b"old")
    link.symlink_to(target.relative_to(tmp_path))
    write_archive(link, HEADER, ARRAYS)
    assert link.is_symlink()
    assert read_archive(target, "thing", 3)[0] == HEADER
    assert [path.name for path in target.parent.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken"])
def test_other_file_is_named(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.npz is no thing of Blot"):
        read_archive(tmp_path / "a.npz", "thing", 3)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_file_with_a_wrong_bit_anywhere_is_read_or_named(tmp_path, save):
    path = tmp_path / "a.npz"
    save(path, header=np.array('{"version": 3}'), weights=np.arange(20.0))
    whole = path.read_bytes()
    for place in range(0, 8 * len(whole), 3):
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        with suppress(ValueError):
            read_archive(path, "thing", 3)


def test_array_larger_than_any_memory_is_damage(tmp_path):
    words = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({10**15},), }}".encode()
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as file:
        file.writestr("w.npy", b"\x93NUMPY\x01\x00" + len(words).to_bytes(2, "little") + words)
    with pytest.raises(ValueError, match=r"a\.npz is no thing of Blot, or is damaged"):
        read_archive(tmp_path / "a.npz", "thing", 3)


def test_a_folder_and_a_file_of_another_kind_are_told_apart(tmp_path):
    with pytest.raises(ValueError, match="is a folder, no thing"):
        read_archive(tmp_path, "thing", 3)
    write_archive(tmp_path / "a.npz", HEADER, ARRAYS)
    assert read_archive(tmp_path / "a.npz", "thing", 3, ["name"])[0] == HEADER
    with pytest.raises(ValueError, match=r"a\.npz is no thing, but something else of Blot"):
        read_archive(tmp_path / "a.npz", "thing", 4, ["name", "mark"])
    write_archive(tmp_path / "b.npz", {**HEADER, "settings": {"rate": 1}}, ARRAYS)
    assert read_archive(tmp_path / "b.npz", "thing", 3, ["rate", "weights"])


def test_array_without_header_is_no_archive(tmp_path):
    np.savez(tmp_path / "a.npz", weights=np.zeros(3))
    with pytest.raises(ValueError, match="is no thing"):
        read_archive(tmp_path / "a.npz", "thing", 3)
    with (tmp_path / "b.npy").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(ValueError, match="is no thing"):
        read_archive(tmp_path / "b.npy", "thing", 3)


def test_missing_file_and_other_version_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"no thing .*a\.npz"):
        read_archive(tmp_path / "a.npz", "thing", 3)
    write_archive(tmp_path / "a.npz", HEADER, ARRAYS)
    with pytest.raises(ValueError, match="version 3, this Blot reads version 4"):
        read_archive(tmp_path / "a.npz", "thing", 4)
