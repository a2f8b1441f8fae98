"""Mistakes: of who typed a command, and of the other side of a line."""

import os
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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


@contextmanager
def as_argument() -> Iterator[None]:
    """Let a function be the type of an option: its ValueError becomes argparse's own error."""
    try:
        yield
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


class WireError(Exception):
    """The other side of a line broke the protocol; one sentence for it and for the log."""


class MalformedLineError(WireError):
    """A line, and the field of it that could not be read."""

    def __init__(self, field: str, line: str) -> None:
        super().__init__(f"cannot read {field} in {line[:80]!r}")


def sentence_of(error: Exception) -> str:
    """The error in one sentence: one of the system names its file, without the system's number."""
    if not (isinstance(error, OSError) and error.strerror):
        return str(error)
    if error.filename:
        return f"cannot use {os.fsdecode(error.filename)}: {error.strerror}"
    return error.strerror if _has_folder() else "the current folder is gone; go to another one"


def sentence(error: Exception) -> str:
    """The error as a sentence of its own, for a person; one that begins with a file leaves it."""
    text = sentence_of(error)
    begins = text[:1].upper() if text.partition(" ")[0].rstrip(":,.?!").isalpha() else text[:1]
    return begins + text[1:] + "." * (not text.endswith((".", "?", "!")))


def typed_path(text: str) -> Path:
    """The path that a person has typed, ~ for a home; raises ValueError if it can be none."""
    if "\0" in text:
        raise ValueError("no file has a name with a NUL in it")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"cannot use {text[:80]}: there is no such home") from None


def _has_folder() -> bool:
    """Whether the folder in which this process works is still there."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True
