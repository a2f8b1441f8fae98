"""XG archive: the files packed inside a file of eXtreme Gammon.

A header with a picture for the desktop, the packed files one behind the other, an index of them,
and a trailer with the checksum. All numbers are little-endian.
Source: eXtreme Gammon, "XG file format" (2013); compared with nine files of the program.
"""

import struct
import zlib

MAGIC = b"RGMH"
HEADER = struct.Struct("<4s2IQI")
"""Magic, version, size of the header, offset and size of the picture."""

TRAILER = struct.Struct("<6I12x")
"""Checksum, number of files, version, sizes of index and files as they are packed, packed index?"""

ENTRY = struct.Struct("<256p256p4I2B2x")
"""Name, folder, size, size as it is packed, where it begins, checksum, 0 if packed, by how much."""

MAX_FILES = 16
MAX_FILE = 64 * 2**20
"""Bytes of a file, packed or not: a match of 100 games takes 25 MB."""

Entry = tuple[bytes, bytes, int, int, int, int, int, int]


def unpacked(data: bytes, *names: str) -> dict[str, bytes]:
    """The files of these names in an archive, as far as it has them.

    No more is unpacked of each than the archive says, and never more than MAX_FILE. Raises
    ValueError with one sentence if it is no archive, or damaged.
    """
    if data[: len(MAGIC)] != MAGIC:
        raise ValueError("no .xg file: it does not begin with RGMH")
    if not HEADER.size + TRAILER.size <= len(data) <= MAX_FILE:
        raise ValueError(f"an .xg file cannot have {len(data)} bytes")
    _, _, header_size, _, picture_size = HEADER.unpack_from(data)
    checksum, count, _, index_size, packed_size, is_packed = TRAILER.unpack_from(
        data, len(data) - TRAILER.size
    )
    begin = header_size + picture_size
    if begin + packed_size + index_size + TRAILER.size != len(data):
        raise ValueError("the .xg file is damaged: its parts are not as long as it says")
    if zlib.crc32(data[begin : -TRAILER.size]) != checksum:
        raise ValueError("the .xg file is damaged: its checksum is another")
    if not 1 <= count <= MAX_FILES:
        raise ValueError(f"the .xg file says that it holds {count} files")
    files = data[begin : begin + packed_size]
    index = data[begin + packed_size : -TRAILER.size]
    size = count * ENTRY.size
    entries = ENTRY.iter_unpack(_inflated(index, size) if is_packed else _checked(index, size))
    by_name = {entry[0]: entry for entry in entries}
    return {
        name: _file(files, by_name[name.encode()]) for name in names if name.encode() in by_name
    }


def _file(files: bytes, entry: Entry) -> bytes:
    """The file of an entry of the index."""
    _, _, size, packed_size, begin, checksum, is_plain, _ = entry
    packed = files[begin : begin + packed_size]
    file = _checked(packed, size) if is_plain else _inflated(packed, size)
    if zlib.crc32(file) != checksum:
        raise ValueError("a file in the .xg file is damaged: its checksum is another")
    return file


def _inflated(packed: bytes, size: int) -> bytes:
    """The bytes unpacked; raises ValueError unless there are so many."""
    if size > MAX_FILE:
        raise ValueError(f"a file in the .xg file cannot have {size} bytes")
    try:
        file = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error:
        raise ValueError("a file in the .xg file is damaged: it cannot be unpacked") from None
    return _checked(file, size)


def _checked(file: bytes, size: int) -> bytes:
    if len(file) != size:
        raise ValueError("a file in the .xg file is damaged: it has another size")
    return file
