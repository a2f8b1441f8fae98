"""Attempt: one go at an experiment, in a folder of its own, resumable."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bot.files import make_folder
from bot.lab.found_values import FoundValues, found_values

JOURNAL = "journal.jsonl"

KINDS = (".csv", ".png", ".md")
"""Endings of the files that an attempt makes, which have the experiment's name."""

Value = int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...]


class Scale(StrEnum):
    """A size of an experiment: small enough to be tried at once, or that of what is remade."""

    SMALL = "small"
    FULL = "full"


@dataclass(slots=True)
class Attempt:
    """One go at an experiment: its settings, its folder, and what was found before.

    settings: by name, as the experiment states them or as they were changed; note: told a sentence
    now and then; players: makes a player by its name, where a command can make more of them than
    the laboratory; prepare: called before anything is worked on, after wrong settings are told;
    broken_off: games that reached the limit of plies, in training and in duels.
    """

    folder: Path
    scale: Scale
    seed: int
    settings: Mapping[str, Any]
    note: Callable[[str], None]
    journal: FoundValues
    players: Callable[..., Any] | None = None
    prepare: Callable[[], object] = lambda: None
    broken_off: dict[str, int] = field(default_factory=dict)

    def found(self, key: str, find: Callable[[], Any]) -> Any:
        """The value of a key, found once and kept in the journal, as JSON gives it back."""

        def prepared() -> Any:
            self.prepare()
            return find()

        return self.journal.found(key, prepared)

    def knows(self, key: str) -> bool:
        """Whether the value of a key was found."""
        return key in self.journal

    def count_broken_off(self, place: str, games: int) -> None:
        """Add games that were broken off at a place, in words."""
        self.broken_off[place] = self.broken_off.get(place, 0) + games


@contextmanager
def opened_attempt(
    name: str,
    folder: Path,
    scale: Scale,
    seed: int,
    settings: Mapping[str, Any],
    *,
    is_resumed: bool,
    note: Callable[[str], None],
    players: Callable[..., Any] | None = None,
    prepare: Callable[[], object] = lambda: None,
) -> Iterator[Attempt]:
    """An attempt at the experiment of that name, with what its folder's journal holds.

    is_resumed: go on with what is there; players, prepare: see Attempt. Raises ValueError if the
    folder holds an attempt and is not to be gone on with, if it holds none and is, or one with
    other settings, and if something else stands where results would be written.
    """
    path = folder / JOURNAL
    if path.exists() and not is_resumed:
        raise ValueError(f"{folder} holds an attempt: go on with --resume, or choose another --out")
    for made in () if path.exists() else (folder / f"{name}{kind}" for kind in KINDS):
        if made.exists():
            raise ValueError(f"{made} would be written over: choose another --out")
    if is_resumed and not path.exists():
        raise ValueError(f"{folder} holds no attempt to go on with: there is no {JOURNAL} in it")
    make_folder(folder)
    about = {"experiment": name, "scale": str(scale), "seed": seed, **settings}
    is_refused = False
    try:
        with found_values(path, about) as values:
            try:
                yield Attempt(folder, scale, seed, settings, note, values, players, prepare)
            except ValueError:  # settings that make no sense, say: nothing begun leaves nothing
                is_refused = values.is_empty
                raise
    finally:
        if is_refused and [each.name for each in folder.iterdir()] == [JOURNAL]:
            path.unlink()
            folder.rmdir()
