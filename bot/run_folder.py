"""Run folder: what stands in it, and that no two runs share one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from bot.files import Stamp, lock, make_folder, stamp_of

CHECKPOINT = "checkpoint.npz"
SETTINGS = "settings.toml"
TESTS = "tests.csv"
SNAPSHOTS = "snapshots"
WEIGHTS = "weights.npz"
CURVE = "curve.png"


def new_folder(name: str) -> Path:
    """A folder in runs/ that was not there before: runs/name, runs/name-2 and so on."""
    for number in count(1):
        folder = Path("runs", name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if folder.parent.is_dir():
                continue
            raise OSError(
                f"cannot make the folder {folder}: {folder.parent} is no folder"
            ) from None
        except OSError as error:
            raise OSError(f"cannot make the folder {folder}: {error.strerror}") from None
        return folder
    raise AssertionError


def prepare(folder: Path) -> None:
    """Make the folder of a new run; raises ValueError if the run would write over something."""
    if (folder / CHECKPOINT).exists():
        raise ValueError(f"{folder} holds another run: resume it or choose another folder")
    for path in (folder / name for name in (SETTINGS, TESTS, SNAPSHOTS, WEIGHTS, CURVE)):
        if path.exists() and not (path.is_dir() and not any(path.iterdir())):
            raise ValueError(f"{path} would be written over: choose another folder for the run")
    prepare_snapshots(folder)


def prepare_snapshots(folder: Path) -> None:
    """Make the folder of snapshots, which people may have put elsewhere since the run began."""
    make_folder(folder / SNAPSHOTS)


@contextmanager
def alone_in(folder: Path, checkpoint: Stamp) -> Iterator[None]:
    """Keeps other processes from training in the folder, where the system has locks for that.

    checkpoint: its stamp when the run was read or last written. Raises ValueError if another
    process is training there, or has trained since then.
    """
    if os.name == "nt":  # no folder can be opened there
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        lock(descriptor, f"another process is training in {folder}")
        if checkpoint != stamp_of(folder / CHECKPOINT):
            raise ValueError(f"another process has trained in {folder}: resume it again")
        yield
    finally:
        os.close(descriptor)
