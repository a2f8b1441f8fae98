"""Weights: find a network's file by name, and check that it is the one listed."""

import hashlib
import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.archive import write_whole
from bot.files import open_to_read

DEFAULT = "default"
"""The name that stands for the best network; the manifest's aliases say which that is."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the manifest: a network that comes with Blot.

    signature: how it plays, as `blot signature` tells; None if that is not listed. tree: the name
    of the network that evaluates for it in searches deeper than one ply, but for back games; None
    if it does so itself.
    """

    name: str
    file: str
    sha256: str
    inputs: str
    shape: str
    games: int
    strength: str
    command: str
    signature: int | None = None
    tree: str | None = None


def weights_folder() -> Path:
    """The folder of weights beside the packages, or inside them if Blot was installed as a copy."""
    package = Path(__file__).parent
    for folder in (package.parent / "weights", package / "_weights"):
        if (folder / "manifest.toml").exists():
            return folder
    raise ValueError(f"no weights folder beside {package}; install Blot again")


def listed_weights() -> dict[str, Listed]:
    """The networks in the manifest, by their own names."""
    return _manifest()[1]


def weights_aliases() -> dict[str, str]:
    """Other names that networks in the manifest go by, as `hard`, with each one's own name."""
    return _manifest()[0]


def weights_file(name: str = DEFAULT) -> Path:
    """The file of a listed name, an alias or a path.

    Raises ValueError if there is none, or the file is not the one listed (by its sha256).
    """
    if name in _brought:
        return _brought[name]
    aliases, rows = _manifest()
    row = rows.get(aliases.get(name, name))
    if row is not None:
        return _checked(row.file, row.sha256)
    path = Path(name)
    if os.path.exists(name):  # False too for a name that is too long for any file
        return path
    if path.suffix:
        raise ValueError(f"no weights file {path}")
    names = ", ".join([*aliases, *rows])
    raise ValueError(f"no weights {name!r}: give a file or one of {names}")


def tree_weights(name: str = DEFAULT) -> str | None:
    """The network listed for the deep searches of a name or alias; None if there is none."""
    aliases, rows = _manifest()
    row = rows.get(aliases.get(name, name))
    return None if row is None else row.tree


def weights_digest(name: str = DEFAULT) -> str:
    """The sha256 of all that evaluates for a name, an alias or a path.

    Of two networks if one of them is a tree. Raises ValueError if there is no such network.
    """
    digest, tree = digest_of(weights_file(name)), tree_weights(name)
    if tree is None:
        return digest
    return hashlib.sha256((digest + digest_of(weights_file(tree))).encode()).hexdigest()


def bring_weights(names: Iterable[str]) -> None:
    """Have the nodes of a cluster that is in use find these weights, also those in a file of ours.

    Raises ValueError if there is no such network, OSError if its file cannot be read.
    """
    from bot.workers import everywhere_first

    aliases, rows = _manifest()
    for name in dict.fromkeys(names):
        if name and name not in aliases and name not in rows:
            with open_to_read(weights_file(name)) as file:
                everywhere_first(_take_weights, name, file.read())


_brought: dict[str, Path] = {}
"""Files that were brought to this node, by the names that are used for them elsewhere."""


def _take_weights(name: str, content: bytes) -> None:
    from bot.kernels import user_cache

    path = user_cache() / "brought" / f"{hashlib.sha256(content).hexdigest()}.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda file: file.write(content))
    _brought[name] = path


def benchmark_file() -> Path:
    """The file of positions to measure networks by, see bot.backgammon.arena.benchmark.

    Raises ValueError if it is missing or not the one listed.
    """
    return _listed_file("benchmark")


def match_equities_file() -> Path:
    """The file of match equities that were rolled out, see bot.backgammon.evaluation.met.

    Raises ValueError if it is missing or not the one listed.
    """
    return _listed_file("match_equities")


def evaluation_file(name: str) -> Path:
    """The file of a listed evaluation that is no network, as `draughts-czech`.

    Raises ValueError if it is not listed, missing or not the one listed.
    """
    rows = _table()["evaluations"]
    if name not in rows:
        raise ValueError(f"no evaluation {name!r}: it is one of {', '.join(rows)}")
    return _checked(rows[name]["file"], rows[name]["sha256"])


def digest_of(path: Path) -> str:
    """The sha256 of a file's bytes, in 64 hexadecimal digits."""
    with open_to_read(path) as file:
        return hashlib.sha256(file.read()).hexdigest()


def _manifest() -> tuple[dict[str, str], dict[str, Listed]]:
    """Aliases, each with the name it stands for; and the networks by name."""
    table = _table()
    fields = Listed.__dataclass_fields__
    rows = {
        name: Listed(name, **{key: row[key] for key in fields if key in row})
        for name, row in table["networks"].items()
    }
    return dict(table["aliases"]), rows


def _table() -> dict[str, Any]:
    path = weights_folder() / "manifest.toml"
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(1)
def _read(path: Path, written: int) -> dict[str, Any]:  # once, as long as it is not written anew
    with path.open("rb") as file:
        return tomllib.load(file)


def _listed_file(table: str) -> Path:
    row = _table()[table]
    return _checked(row["file"], row["sha256"])


def _checked(name: str, sha256: str) -> Path:
    path = weights_folder() / name
    if not path.exists():
        raise ValueError(f"the weights file {path} is listed but missing")
    if digest_of(path) != sha256:
        raise ValueError(f"the weights file {path} is damaged: its sha256 is not the one listed")
    return path
