"""XG archive: what is packed is unpacked, and no more than it says."""

import struct
import tracemalloc
import zlib

import pytest

from protocol.backgammon.formats.xg_archive import MAX_FILE, TRAILER, unpacked
from tests.plain.xg_files import xg_file

CONTENT = b"records" * 500


def with_bytes(data, place, new):
    """The data with other bytes at a place, counted from the end if below 0, and its checksum."""
    place %= len(data)
    data = data[:place] + new + data[place + len(new) :]
    return checked(data)


def checked(data):
    """The data with the checksum that it has."""
    header, picture = 8232, struct.unpack_from("<I", data, 20)[0]
    checksum = struct.pack("<I", zlib.crc32(data[header + picture : -TRAILER.size]))
    return data[: -TRAILER.size] + checksum + data[4 - TRAILER.size :]


def with_size(data, size):
    """The data, packed plainly, whose index gives its second file another size."""
    index = len(data) - TRAILER.size - 532
    return with_bytes(data, index + 512, struct.pack("<I", size))


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("picture", [b"", b"a picture"])
def test_file_is_found_behind_the_picture(packed, picture):
    assert unpacked(xg_file([CONTENT], packed=packed, picture=picture), "temp.xg", "a") == {
        "temp.xg": CONTENT
    }


PLAIN = xg_file([CONTENT], packed=False)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "no .xg file: it does not begin with RGMH"),
        (b"; [Site]\n 5 point match", "no .xg file"),
        (PLAIN[:40], "cannot have 40 bytes"),
        (PLAIN[:-1], "its parts are not as long as it says"),
        (PLAIN + b"\0", "its parts are not as long as it says"),
        (PLAIN.replace(b"recordsrecords", b"recordsRecords", 1), "its checksum is another"),
        (checked(PLAIN.replace(b"recordsr", b"recordsR", 1)), "a file in the .xg file is damaged"),
        (with_bytes(PLAIN, 4 - TRAILER.size, struct.pack("<I", 17)), "says that it holds 17 files"),
        (with_bytes(PLAIN, 4 - TRAILER.size, struct.pack("<I", 3)), "it has another size"),
        (with_size(PLAIN, 5), "it has another size"),
        (checked(xg_file([CONTENT]).replace(b"\x78\x9c\xed", b"\x78\x9c\xff")), "be unpacked"),
    ],
)
def test_damaged_archive_is_refused_in_one_sentence(data, complaint):
    with pytest.raises(ValueError, match=complaint):
        unpacked(data, "temp.xg")


def test_no_more_is_unpacked_than_the_archive_says():
    bomb = zlib.compress(bytes(200 * 2**20), 9)
    data = xg_file([bomb], packed=False)  # the entry made to say that these bytes are packed
    index = len(data) - TRAILER.size - 532
    for size, complaint in ((1000, "it has another size"), (MAX_FILE + 1, "cannot have")):
        entry = struct.pack("<4I2B", size, len(bomb), 8, 0, 0, 2)
        damaged = with_bytes(data, index + 512, entry)
        tracemalloc.start()
        with pytest.raises(ValueError, match=complaint):
            unpacked(damaged, "temp.xg")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 4 * len(data)
