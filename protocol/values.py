"""Values for programs: JSON on stdout, a line for each."""

import json
import sys
from typing import Any


def print_values(values: Any) -> None:
    """Print values as a line of JSON, at once and in one piece.

    `print` writes the end of a line by itself: an interrupt between would leave the line open, and
    what is told after it would stand on it too.
    """
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()
