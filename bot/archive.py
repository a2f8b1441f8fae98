"""Archive: named arrays with a header in one .npz file, written whole or not at all."""

import errno
import json
import os
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bot.files import open_to_read

Arrays = Mapping[str, NDArray[Any]]

_HEADER = "header"
_MAX_NAME_BYTES = 200
"""Bytes of a file's name that a temporary file has too; a whole name may have 255 at most."""

_DAMAGE = (
    *(OSError, EOFError, AttributeError, KeyError, TypeError, ValueError, BadZipFile),
    *(RuntimeError, zlib.error, MemoryError),
)
"""Errors of numpy and zipfile in a file that is something else or damaged: a bit that says it is
packed or encrypted, say, or an array without end."""


def write_archive(path: Path, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write the file; what stood there before stays until the new one is complete.

    header: what JSON can say. Raises OSError, as for a full disk, and leaves no half file then.
    """
    content: dict[str, Any] = {**arrays, _HEADER: np.array(json.dumps(header))}
    write_whole(path, lambda file: np.savez(file, **content))


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file by what `write` puts into it; what stood there stays until it is complete.

    Raises OSError, in one sentence that names the file, and leaves no half file then.
    """
    try:
        with whole_file(path) as file:
            write(file)
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write in the block, which stands at the path once all of it is written.

    What stood there before stays until then; a link stays, and leads to the new file. Raises
    OSError, and leaves no half file then; also where a device or a pipe stands, which a file would
    take the place of.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "it is a device or a pipe, no file", str(path))
    path = Path(os.path.realpath(path))
    shortened = os.fsdecode(os.fsencode(path.name)[:_MAX_NAME_BYTES])
    temporary = path.with_name(f".{shortened}.{os.getpid()}.{threading.get_ident()}")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def layout_of(arrays: Arrays) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Shape and type of each array by its name, whatever is in it."""
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


def read_archive(
    path: Path, kind: str, version: int, marks: Sequence[str] = ()
) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a file of this kind, as "weights file", and version.

    marks: names that stand in the header of this kind, in its settings or for its arrays, in any
    version, and in others not. Raises ValueError, in one sentence that names the file, if it is
    missing, damaged, something else or of another version.
    """
    try:
        with open_to_read(path) as file, np.load(file, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
        header = json.loads(str(arrays.pop(_HEADER)))
        found = header["version"]
    except FileNotFoundError:
        raise ValueError(f"no {kind} {path}") from None
    except IsADirectoryError:
        raise ValueError(f"{path} is a folder, no {kind}") from None
    except _DAMAGE:
        raise ValueError(f"{path} is no {kind} of Blot, or is damaged") from None
    settings = header.get("settings")
    names = {*header, *arrays, *(settings if isinstance(settings, dict) else ())}
    if not names.issuperset(marks):
        raise ValueError(f"{path} is no {kind}, but something else of Blot or of another game")
    if found != version:
        raise ValueError(
            f"{path} is a {kind} of version {found}, this Blot reads version {version}"
        )
    return header, arrays
