"""Weights: find a network's file by name, and check that it is the one listed."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from bot.backgammon.network import Network

DEFAULT = "default"
"""The name that stands for the manifest's default network."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the manifest: a network that comes with Blot."""

    name: str
    file: str
    sha256: str
    inputs: str
    shape: str
    games: int
    strength: str
    command: str


def weights_folder() -> Path:
    """The folder of weights beside the packages, or inside them if Blot was installed as a copy."""
    package = Path(__file__).parent
    for folder in (package.parent / "weights", package / "_weights"):
        if (folder / "manifest.toml").exists():
            return folder
    raise ValueError(f"no weights folder beside {package}; install Blot again")


def listed_weights() -> dict[str, Listed]:
    """The networks in the manifest by name; the first is the default."""
    return {row.name: row for row in _manifest()[1]}


def load_network(name: str = DEFAULT) -> Network:
    """The network with a listed name, or in the file at a path.

    Raises ValueError if there is none, or the file is not the one listed (by its sha256).
    """
    default, rows = _manifest()
    if name == DEFAULT:
        name = default
    for row in rows:
        if row.name == name:
            return Network.load(_checked(row))
    path = Path(name)
    if path.exists() or path.suffix:
        return Network.load(path)
    names = ", ".join([DEFAULT, *(row.name for row in rows)])
    raise ValueError(f"no weights {name!r}: give a file or one of {names}")


def _manifest() -> tuple[str, list[Listed]]:
    path = weights_folder() / "manifest.toml"
    with path.open("rb") as file:
        table = tomllib.load(file)
    fields = Listed.__dataclass_fields__
    rows = [
        Listed(name, **{key: row[key] for key in fields if key != "name"})
        for name, row in table["networks"].items()
    ]
    return str(table["default"]), rows


def _checked(row: Listed) -> Path:
    path = weights_folder() / row.file
    if not path.exists():
        raise ValueError(f"the weights file {path} is listed but missing")
    if hashlib.sha256(path.read_bytes()).hexdigest() != row.sha256:
        raise ValueError(f"the weights file {path} is damaged: its sha256 is not the one listed")
    return path
