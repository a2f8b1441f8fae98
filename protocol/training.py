"""Training: how every command that trains begins a run in a folder, and says how it goes on."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from protocol.errors import sentence_of
from protocol.progress import tell

Run = TypeVar("Run")


def add_place(parser: argparse.ArgumentParser, resumed: str) -> argparse._MutuallyExclusiveGroup:
    """Add --out and --resume; resumed: what the latter does."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--out", metavar="DIR", type=Path, help="folder of a new run (default: a new one in runs)"
    )
    place.add_argument("--resume", metavar="DIR", type=Path, help=resumed)
    return place


def begun(options: argparse.Namespace, name: str, games: int, start: Callable[[Path], Run]) -> Run:
    """A new run of so many games, in the folder of --out or in one of that name in runs."""
    from bot.run_folder import new_folder

    if "out" in options:
        return start(options.out)
    folder = new_folder(name)
    try:
        run = start(folder)
    except BaseException:
        with suppress(OSError):
            folder.rmdir()
        raise
    tell(f"a new run of {games:,} games in {folder}")
    return run


@contextmanager
def resumable(command: str, folder: Path) -> Iterator[None]:
    """A block that trains the run in a folder; an interrupt and an OSError tell how it goes on."""
    way = f"blot {command} --resume {folder}"
    try:
        yield
    except KeyboardInterrupt:
        tell(f"stopped; go on with: {way}")
        raise
    except OSError as error:
        told = f"{sentence_of(error)}; the run stands at its last checkpoint: {way}"
        raise OSError(told) from None
