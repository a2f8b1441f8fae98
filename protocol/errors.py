"""Mistakes: of who typed a command, and of the other side of a line."""

from collections.abc import Iterator
from contextlib import contextmanager


class UsageError(ValueError):
    """Options that no command can follow, whatever files hold: one sentence, and exit code 2."""


@contextmanager
def as_usage() -> Iterator[None]:
    """Turn a ValueError of the block, or function, into wrong usage; only options are read in it.

    Files that are wrong are none of it.
    """
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from None


class WireError(Exception):
    """The other side of a line broke the protocol; one sentence for it and for the log."""


class MalformedLineError(WireError):
    """A line, and the field of it that could not be read."""

    def __init__(self, field: str, line: str) -> None:
        super().__init__(f"cannot read {field} in {line[:80]!r}")
