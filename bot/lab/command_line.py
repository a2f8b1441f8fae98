"""Command line: numbers in their bounds and failures in one sentence, for modules that are run."""

import argparse
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.seed import MAX_SEED
from bot.signals import ended_as_by_ctrl_c

_OURS = [Path(__file__).resolve().parents[2] / name for name in ("bot", "protocol", "tests")]


class _DefaultsShown(argparse.ArgumentDefaultsHelpFormatter):
    """Help that says of each option what it is if it is not given, if that is one word."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        is_word = isinstance(action.default, str | int | float) and action.nargs != 0
        return super()._get_help_string(action) if is_word else action.help


def lab_parser(doc: str) -> argparse.ArgumentParser:
    """A parser for a module that is run, told of by its docstring; the help shows defaults."""
    return argparse.ArgumentParser(
        description=doc.splitlines()[0], allow_abbrev=False, formatter_class=_DefaultsShown
    )


@contextmanager
def told_in_a_sentence() -> Iterator[None]:
    """End the process with one sentence and code 1 if arguments or files are wrong, and with code
    130 if it is interrupted, by SIGTERM or a terminal that hangs up too. A ValueError that no line
    of ours raises, as one of numpy, is not hidden.
    """
    try:
        with ended_as_by_ctrl_c():
            yield
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None
    except OSError as error:
        raise SystemExit(_sentence(error)) from None
    except ValueError as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        is_ours = any(Path(last.filename).is_relative_to(folder) for folder in _OURS)
        if not (is_ours and (last.line or "").startswith("raise")):
            raise  # nobody said it on purpose: a mistake of the program
        raise SystemExit(str(error)) from None


def whole_number(
    least: int, most: int | None = None, *, is_even: bool = False
) -> Callable[[str], int]:
    """An argparse type: a whole number from the least to the most."""
    bounds = f"from {least:,} on" if most is None else f"from {least:,} to {most:,}"
    told = f"{'an even' if is_even else 'a whole'} number {bounds}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most) or (is_even and number % 2):
            raise argparse.ArgumentTypeError(f"{told} is wanted, not {text!r}")
        return number

    return read


def seed_number(text: str) -> int:
    """An argparse type: the number that chance comes from."""
    return whole_number(0, MAX_SEED)(text)


def number_from(least: float) -> Callable[[str], float]:
    """An argparse type: a number that is no less."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = least - 1
        if not number >= least:
            raise argparse.ArgumentTypeError(f"a number from {least:g} on is wanted, not {text!r}")
        return number

    return read


def existing_file(text: str) -> Path:
    """An argparse type: a file that is there."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is a folder: a file is wanted")
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


def existing_folder(text: str) -> Path:
    """An argparse type: a folder that is there."""
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is a file: a folder is wanted")
    return path


def folder_to_fill(text: str) -> Path:
    """An argparse type: a folder that is there, or can be made."""
    path = Path(text)
    return existing_folder(text) if path.exists() else path


def file_to_write(text: str) -> Path:
    """An argparse type: a file that may be there or not, in a folder that is."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is a folder: name a file")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"there is no folder {path.parent} to write {path.name} to"
        )
    return path


def _sentence(error: OSError) -> str:
    """An error of the system as a sentence that names the file."""
    if error.filename is None:
        return error.strerror or str(error)
    return f"cannot use {error.filename}: {error.strerror}"
