"""Bear-off file: the databases as bytes that are mapped into memory, not read."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import whole_file
from bot.backgammon.kernels.bearoff import BearoffDatabases, Rolls

VERSION = 1
"""Goes up when the databases or their file change; a file of another version is left alone."""

_HEADER_BYTES = 4096
_ALIGNMENT = 64

Bytes = NDArray[np.uint8]
Named = dict[str, NDArray[Any]]


def write_databases(databases: BearoffDatabases, path: Path) -> None:
    """Write the databases; the file appears whole, and what stood there before stays until then.

    Raises OSError, as for a full disk, and leaves no half file then.
    """
    arrays = _named(databases)
    rows: list[list[Any]] = []
    end = 0
    for name, array in arrays.items():
        rows.append([name, array.dtype.str, list(array.shape), end])
        end += math.ceil(array.nbytes / _ALIGNMENT) * _ALIGNMENT
    data = np.zeros(end, np.uint8)
    for row, array in zip(rows, arrays.values(), strict=True):
        data[row[3] : row[3] + array.nbytes] = array.reshape(-1).view(np.uint8)
    header = json.dumps(
        {
            "kind": "bear-off databases",
            "version": VERSION,
            "arrays": rows,
            "sha256": _sum(rows, data),
        }
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(header.ljust(_HEADER_BYTES - 1).encode() + b"\n")
        file.write(data.data)


def read_databases(path: Path) -> BearoffDatabases:
    """The databases in the file, mapped copy on write, so that processes share their memory.

    The sum of the whole file is checked every time: that takes 20 ms. Raises FileNotFoundError if
    there is no file, OSError if it cannot be read, ValueError, in one sentence that names it, if
    it is damaged.
    """
    try:
        return _tables_in(np.asarray(np.memmap(path, np.uint8, "c")))
    except (ValueError, KeyError, TypeError, IndexError):
        raise ValueError(f"the bear-off databases {path} are damaged") from None


def _tables_in(content: Bytes) -> BearoffDatabases:
    header = json.loads(content[:_HEADER_BYTES].tobytes())
    rows, data = header["arrays"], content[_HEADER_BYTES:]
    if header["version"] != VERSION or header["sha256"] != _sum(rows, data):
        raise ValueError("not what was written")
    arrays: Named = {}
    for name, kind, shape, start in rows:
        size = math.prod(shape) * np.dtype(kind).itemsize
        arrays[name] = data[start : start + size].view(kind).reshape(shape)
    return BearoffDatabases(
        Rolls(*(arrays[f"all_off.{field}"] for field in Rolls._fields)),
        Rolls(*(arrays[f"first_off.{field}"] for field in Rolls._fields)),
        arrays["wins"],
        arrays["equities"],
    )


def _named(databases: BearoffDatabases) -> Named:
    """All arrays by name, those of the rolls with a dot."""
    named: Named = {}
    for name, value in databases._asdict().items():
        if isinstance(value, Rolls):
            named |= {f"{name}.{field}": array for field, array in value._asdict().items()}
        else:
            named[name] = value
    return named


def _sum(rows: list[list[Any]], data: Bytes) -> str:
    """The sha256 of what the header says about the arrays and of their bytes."""
    digest = hashlib.sha256(json.dumps(rows).encode())
    digest.update(data.data)
    return digest.hexdigest()
