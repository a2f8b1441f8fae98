"""Courtesy: what is said on a server, to whom, and no more than once."""

import re
from collections import OrderedDict

MAX_NAMES = 1000
"""Names that are remembered; the one heard of longest ago is forgotten then."""

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?")


def plain(text: str) -> str:
    """The text without escape sequences and control characters, fit for a terminal and a log."""
    return "".join(sign for sign in _ESCAPE.sub("", text) if sign.isprintable())


class Names:
    """A set of names that does not grow without end; letters count alike whatever their case."""

    def __init__(self) -> None:
        self._names: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._names

    def add(self, name: str) -> None:
        """Remember a name."""
        self._names[name.lower()] = None
        self._names.move_to_end(name.lower())
        if len(self._names) > MAX_NAMES:
            self._names.popitem(last=False)

    def forget(self, name: str) -> None:
        """Forget a name."""
        self._names.pop(name.lower(), None)


class Courtesy:
    """Lets each kind of sentence be said once to a person, and none to who does not listen."""

    def __init__(self) -> None:
        self._said = Names()
        self._gagged_by = Names()

    def allows(self, name: str, kind: str) -> bool:
        """Whether somebody may be told a sentence of this kind, now and then never again."""
        key = f"{name} {kind}"
        if name in self._gagged_by or key in self._said:
            return False
        self._said.add(key)
        return True

    def gagged_by(self, name: str) -> None:
        """Remember that somebody does not listen to us."""
        self._gagged_by.add(name)
