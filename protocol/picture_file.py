"""Picture file: a file to draw into, the ending of whose name tells what kind of picture it is."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 120


def picture_file(text: str) -> Path:
    """The path of a picture; raises ArgumentTypeError for a kind that is not drawn."""
    path = Path(text)
    if path.suffix.lower() not in ENDINGS:
        *others, last = ENDINGS
        raise argparse.ArgumentTypeError(
            f"a name that ends with {', '.join(others)} or {last}, not {text}"
        )
    return path


def write_figure(figure: "Figure", path: Path) -> None:
    """Write what is drawn into a picture, whole or not at all.

    Raises ValueError for a kind that matplotlib cannot draw, and OSError if the file cannot be
    written, both in a sentence.
    """
    from bot.archive import write_whole

    kind = path.suffix.removeprefix(".")
    try:
        write_whole(path, lambda file: figure.savefig(file, format=kind, dpi=DOTS_PER_INCH))
    except ValueError as error:
        raise ValueError(f"cannot write {path}: {error}") from None
