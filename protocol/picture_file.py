"""Picture file: the name of a file to draw into, whose ending tells what kind of picture it is."""

import argparse
from pathlib import Path

ENDINGS = (".png", ".svg", ".pdf")


def picture_file(text: str) -> Path:
    """The path of a picture; raises ArgumentTypeError for a kind that is not drawn."""
    path = Path(text)
    if path.suffix.lower() not in ENDINGS:
        *others, last = ENDINGS
        raise argparse.ArgumentTypeError(
            f"a name that ends with {', '.join(others)} or {last}, not {text}"
        )
    return path
