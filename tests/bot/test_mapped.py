"""Arrays that stay in their file."""

import os

import numpy as np
import pytest

from bot.mapped import read_mapped, write_mapped

ARRAYS = {
    "chances": np.arange(5, dtype=np.float32),
    "none": np.zeros((0, 3), np.int8),
    "plays": np.arange(600, dtype=np.int16).reshape(2, 300),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "made" / "cache" / "ends"
    write_mapped(path, "endings", 3, ARRAYS)
    return path


def test_arrays_are_read_as_they_were_written(path):
    arrays = read_mapped(path, "endings", 3)
    assert arrays.keys() == ARRAYS.keys()
    for name, array in arrays.items():
        assert array.dtype == ARRAYS[name].dtype
        assert np.array_equal(array, ARRAYS[name])
        assert array.ctypes.data % array.itemsize == 0, "kernels want them aligned"
    assert [each.name for each in path.parent.iterdir()] == ["ends"]


def test_what_is_written_into_an_array_does_not_reach_the_file(path):
    read_mapped(path, "endings", 3)["plays"][:] = 7
    assert np.array_equal(read_mapped(path, "endings", 3)["plays"], ARRAYS["plays"])


def test_file_with_a_wrong_byte_anywhere_or_cut_off_is_named(path):
    whole = path.read_bytes()
    places = [*range(0, 400, 7), *range(4096, len(whole), 97)]
    damaged = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in places]
    for content in (*damaged, whole[:-1], whole[:4000], b"[]", b"{}", b""):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"^the endings .*ends are damaged$"):
            read_mapped(path, "endings", 3)


def test_file_of_another_kind_or_version_is_not_taken_for_it(path):
    for kind, version in (("races", 3), ("endings", 4)):
        with pytest.raises(ValueError, match=f"^the {kind} .*ends are damaged$"):
            read_mapped(path, kind, version)


def test_file_that_is_not_there_is_not_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_mapped(tmp_path / "ends", "endings", 3)


def test_failed_write_leaves_the_old_file(path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_mapped(path, "endings", 3, {"chances": np.zeros(1)})
    assert read_mapped(path, "endings", 3).keys() == ARRAYS.keys()
    assert [each.name for each in path.parent.iterdir()] == ["ends"]
