"""TOML file: settings that a person has written down."""

import tomllib
from pathlib import Path
from typing import Any

from bot.files import bytes_of

MAX_BYTES = 1_000_000


def toml_in(path: Path) -> dict[str, Any]:
    """The table in a file; raises ValueError with a sentence if it cannot be read or has none."""
    try:
        return tomllib.loads(bytes_of(path, MAX_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no TOML: it is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is no TOML: {error}") from None
