"""Files of arrays, written whole or not at all."""

import numpy as np
import pytest

from bot.archive import read_archive, write_archive

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


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken"])
def test_other_file_is_named(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.npz is no thing of Blot"):
        read_archive(tmp_path / "a.npz", "thing", 3)


def test_a_folder_and_a_file_of_another_kind_are_told_apart(tmp_path):
    with pytest.raises(ValueError, match="is a folder, no thing"):
        read_archive(tmp_path, "thing", 3)
    write_archive(tmp_path / "a.npz", HEADER, ARRAYS)
    assert read_archive(tmp_path / "a.npz", "thing", 3, ["name"])[0] == HEADER
    with pytest.raises(ValueError, match=r"a\.npz is no thing, but something else of Blot"):
        read_archive(tmp_path / "a.npz", "thing", 4, ["name", "mark"])


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
