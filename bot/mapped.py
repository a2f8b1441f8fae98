"""Mapped file: named arrays as bytes that are mapped into memory, not read, under a digest."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.archive import whole_file

Named = Mapping[str, NDArray[Any]]

_HEADER_BYTES = 4096
_ALIGNMENT = 64


def write_mapped(path: Path, kind: str, version: int, arrays: Named) -> None:
    """Write the arrays; the file appears whole, and what stood there before stays until then.

    Raises OSError, as for a full disk, and leaves no half file then.
    """
    rows: list[list[Any]] = []
    end = 0
    for name, array in arrays.items():
        rows.append([name, array.dtype.str, array.shape, end])
        end += math.ceil(array.nbytes / _ALIGNMENT) * _ALIGNMENT
    data = np.zeros(end, np.uint8)
    for row, array in zip(rows, arrays.values(), strict=True):
        data[row[3] : row[3] + array.nbytes] = array.reshape(-1).view(np.uint8)
    header = json.dumps(
        {"kind": kind, "version": version, "arrays": rows, "sha256": _sum(rows, data)}
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(header.ljust(_HEADER_BYTES - 1).encode() + b"\n")
        file.write(data.data)


def read_mapped(path: Path, kind: str, version: int) -> dict[str, NDArray[Any]]:
    """The arrays in the file, mapped copy on write, so that processes share their memory.

    The sum of the whole file is checked every time: that takes 20 ms for 20 MB. Raises
    FileNotFoundError if there is no file, OSError if it cannot be read, ValueError, in one sentence
    that names it, if it is damaged.
    """
    try:
        content = np.asarray(np.memmap(path, np.uint8, "c"))
        header = json.loads(content[:_HEADER_BYTES].tobytes())
        rows, data = header["arrays"], content[_HEADER_BYTES:]
        written = header["kind"], header["version"], header["sha256"]
        if written != (kind, version, _sum(rows, data)):
            raise ValueError("not what was written")
        arrays = {}
        for name, dtype, shape, start in rows:
            size = math.prod(shape) * np.dtype(dtype).itemsize
            arrays[name] = data[start : start + size].view(dtype).reshape(shape)
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"the {kind} {path} are damaged") from None
    return arrays


def _sum(rows: list[list[Any]], data: NDArray[np.uint8]) -> str:
    """The sha256 of what the header says about the arrays and of their bytes."""
    digest = hashlib.sha256(json.dumps(rows).encode())
    digest.update(data.data)
    return digest.hexdigest()
