"""Files: opened to be read, unless that would mean to wait for somebody; locks; folders made."""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

Stamp = tuple[int, int] | None
"""The mark of one writing of a file, another for the next; None if there is no file."""

_LOOK_AGAIN = 0.01
"""Seconds until a lock that another process has is looked at again."""


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file as it stands."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def open_to_read(path: Path) -> BinaryIO:
    """A file, opened to be read as bytes.

    A pipe only where a shell holds its other end, as `<(...)` and `/dev/stdin` do, and no device
    but a terminal. Raises OSError for anything else, as `open` does.
    """
    kind = path.stat().st_mode
    if stat.S_ISFIFO(kind) and not _is_descriptor(path):
        raise OSError(errno.EINVAL, "it is a named pipe, no file", str(path))
    file = path.open("rb")
    if stat.S_ISCHR(kind) and not (file.isatty() or os.path.samefile(path, os.devnull)):
        file.close()
        raise OSError(errno.EINVAL, "it is a device, no file", str(path))
    return file


def bytes_of(path: Path, limit: int) -> bytes:
    """The bytes of a file that has so many at most; raises ValueError, with a sentence, if not."""
    try:
        with open_to_read(path) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > limit:
        most = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit:,} bytes"
        raise ValueError(f"{path} is longer than {most}")
    return data


def make_folder(folder: Path) -> None:
    """Make a folder that may be there, and those above it; raises OSError in one sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"cannot make the folder {folder}: {error.strerror}") from None


def lock(descriptor: int, taken: str) -> None:
    """Keep other processes out of an open file or folder, where the system has locks for that.

    Raises ValueError, with what is to be said then, if one is in it. Closed, it is free again.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(taken) from None
    except OSError:
        pass  # a file system without locks


@contextmanager
def alone_with(path: Path, wait: float = 0.0) -> Iterator[None]:
    """Keeps other processes from making a file, by a hidden one beside it while it lasts.

    The file itself cannot be locked, as each writing puts another in its place. Raises ValueError
    if another process still makes it after so many seconds, OSError if there is no room beside it.
    """
    beside = path.with_name(f".{path.name}.lock")
    end = time.monotonic() + wait
    while (descriptor := _locked(beside)) is None:
        if time.monotonic() >= end:
            raise ValueError(f"another process is making {path}")
        time.sleep(_LOOK_AGAIN)
    try:
        yield
    finally:
        beside.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """The file, made and locked, as a descriptor; None if another process has the lock."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror}") from None
    try:
        lock(descriptor, "it is taken")
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            return descriptor
    except (ValueError, FileNotFoundError):
        pass  # the other process may just be at its end, and have taken the lock away
    os.close(descriptor)
    return None


def _is_descriptor(path: Path) -> bool:
    """Whether the path names what this process has open, and no place in a folder."""
    real = os.path.realpath(path)
    return real.startswith("/dev/fd/") or (real.startswith("/proc/") and "/fd/" in real)
