"""TOML file: settings that a person has written down."""

import tomllib
from pathlib import Path
from typing import Any

from bot.files import bytes_of

MAX_BYTES = 1_000_000


def toml_in(path: Path) -> dict[str, Any]:
    """The table in a file; raises ValueError with a sentence if it cannot be read or has none."""
    data = bytes_of(path, MAX_BYTES)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no TOML: it is no text in UTF-8") from None
    except RecursionError:
        raise ValueError(f"{path} is no TOML: its brackets are nested too deeply") from None
    except ValueError as error:  # TOML's own, or Python's about a number of 5,000 digits
        raise ValueError(f"{path} is no TOML: {error}") from None
