"""Found values: what an attempt has found so far, each once, kept in a journal by its key."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.journal import Journal, open_journal

KIND, BEGINNING = "journal", b'{"about"'
"""The kind of the journal, and the beginning of its first line."""


class FoundValues:
    """Values by key: each is found once, however often the finding is interrupted.

    about: all that the values depend on, as JSON can say; place: what a person names for the
    journal, in a word. Raises ValueError for a journal that was begun with something else, or is
    damaged.
    """

    def __init__(self, journal: Journal, about: Mapping[str, Any], place: str = "folder") -> None:
        self._journal = journal
        self._values: dict[str, Any] = {}
        wanted = json.loads(json.dumps(about))
        if journal.next_line is None:
            journal.add({"about": wanted})
            return
        begun = self._taken("about")["about"]
        if begun != wanted:
            raise ValueError(
                f"{journal.path} was begun with {_told(begun)}: give these again, or another "
                f"{place}"
            )
        while journal.next_line is not None:
            values = self._taken("key", "value")
            self._values[values["key"]] = values["value"]

    @property
    def is_empty(self) -> bool:
        """True as long as nothing was found."""
        return not self._values

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def found(self, key: str, find: Callable[[], Any]) -> Any:
        """The value of a key, which is asked for where it is not known yet; as JSON gives it."""
        if key not in self._values:
            value = json.loads(json.dumps(find()))
            self._journal.add({"key": key, "value": value})
            self._values[key] = value
        return self._values[key]

    def _taken(self, *names: str) -> dict[str, Any]:
        """The next line, which has such values."""
        assert self._journal.next_line is not None
        try:
            values: dict[str, Any] = json.loads(self._journal.next_line)
            if not all(name in values for name in names):
                raise ValueError
        except (ValueError, TypeError, RecursionError):
            path = self._journal.path
            raise ValueError(f"{path} is no journal of Blot, or is damaged") from None
        self._journal.take()
        return values


@contextmanager
def found_values(
    path: Path, about: Mapping[str, Any], place: str = "folder"
) -> Iterator[FoundValues]:
    """The values in a file, to which others are added in the block; see FoundValues.

    Raises ValueError too if the file cannot be used or another process adds to it.
    """
    with open_journal(path, KIND, BEGINNING) as journal:
        yield FoundValues(journal, about, place)


def _told(about: object) -> str:
    if not isinstance(about, dict):
        return repr(about)[:80]
    told = {
        name: ",".join(map(str, value)) if isinstance(value, list) else value
        for name, value in about.items()
        if value is not None
    }
    return ", ".join(f"{name} {value}" for name, value in told.items())[:400]
