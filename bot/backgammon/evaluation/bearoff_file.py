"""Bear-off file: the databases as bytes that are mapped into memory, not read."""

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import BearoffDatabases, Rolls
from bot.mapped import read_mapped, write_mapped

VERSION = 1
"""Goes up when the databases or their file change; a file of another version is left alone."""

_KIND = "bear-off databases"


def write_databases(databases: BearoffDatabases, path: Path) -> None:
    """Write the databases; the file appears whole, and what stood there before stays until then.

    Raises OSError, as for a full disk, and leaves no half file then.
    """
    write_mapped(path, _KIND, VERSION, _named(databases))


def read_databases(path: Path) -> BearoffDatabases:
    """The databases in the file, mapped copy on write, so that processes share their memory.

    The sum of the whole file is checked every time: that takes 20 ms. Raises FileNotFoundError if
    there is no file, OSError if it cannot be read, ValueError, in one sentence that names it, if
    it is damaged.
    """
    arrays = read_mapped(path, _KIND, VERSION)
    try:
        all_off, first_off = (
            Rolls(*(arrays[f"{name}.{field}"] for field in Rolls._fields))
            for name in ("all_off", "first_off")
        )
        return BearoffDatabases(all_off, first_off, arrays["wins"], arrays["equities"])
    except KeyError:
        raise ValueError(f"the {_KIND} {path} are damaged") from None


def _named(databases: BearoffDatabases) -> dict[str, NDArray[Any]]:
    """All arrays by name, those of the rolls with a dot."""
    named: dict[str, NDArray[Any]] = {}
    for name, value in databases._asdict().items():
        if isinstance(value, Rolls):
            named |= {f"{name}.{field}": array for field, array in value._asdict().items()}
        else:
            named[name] = value
    return named
