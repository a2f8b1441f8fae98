"""SGF grammar: a file as trees of nodes, whatever their properties mean.

Only the main line of each tree is kept, the first variation wherever there are several.
Source: the definition of SGF FF[4], https://www.red-bean.com/sgf/sgf4.html.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"\s+|(?P<sign>[();])|(?P<name>[A-Za-z]{1,32})"
    r"|\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)\]",
    re.DOTALL,
)
BEGIN = re.compile(r"\(\s*;")
"""The beginning of the first tree; what stands before it is no SGF, and passed over."""

ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


@dataclass(slots=True)
class Node:
    """The properties of one moment, each with its values, and where it stands in the text."""

    offset: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def value(self, name: str) -> str:
        """The first value of a property; empty if it has none."""
        return next(iter(self.properties.get(name, ())), "")


@dataclass(frozen=True, slots=True)
class Collection:
    """The main line of every tree in a file; broken: where and why it cannot be read on."""

    trees: list[list[Node]]
    broken: tuple[int, str] | None = None


def parse_collection(text: str) -> Collection:
    """The trees in the text, as far as it keeps to the grammar."""
    parser = _Parser()
    begin = BEGIN.search(text)
    place = begin.start() if begin else 0
    try:
        while place < len(text):
            found = TOKEN.match(text, place)
            if not found:
                raise ValueError(f"cannot read {text[place : place + 20]!r}")
            parser.take(found, place)
            place = found.end()
        if parser.depth:
            raise ValueError("a bracket ) is missing")
    except ValueError as error:
        return Collection(parser.trees, (place, str(error)))
    return Collection(parser.trees)


class _Parser:
    """Takes token by token; of sibling variations only the first is kept."""

    def __init__(self) -> None:
        self.trees: list[list[Node]] = []
        self.depth = 0
        self._is_past = False
        self._node: Node | None = None
        self._name = ""
        self._has_values = True

    def take(self, token: re.Match[str], place: int) -> None:
        """Raises ValueError for a token that cannot stand here."""
        sign, name, value = token["sign"], token["name"], token["value"]
        if (sign or name) and not self._has_values:
            raise ValueError(f"the property {self._name} has no value")
        if sign == "(":
            self._open()
        elif sign == ")":
            self._close()
        elif sign == ";":
            self._begin_node(place)
        elif name:
            if self._node is None:
                raise ValueError(f"the property {name} stands outside of a node")
            self._name, self._has_values = "".join(filter(str.isupper, name)), False
        elif value is not None:
            self._add(value)

    def _open(self) -> None:
        if self.depth == 0:
            self.trees.append([])
            self._is_past = False
        elif not self.trees[-1]:
            raise ValueError("a tree begins with a node")
        self.depth += 1
        self._node = None

    def _close(self) -> None:
        if not self.depth:
            raise ValueError("there is no tree to close")
        self.depth -= 1
        self._is_past = True
        self._node = None

    def _begin_node(self, place: int) -> None:
        if not self.depth:
            raise ValueError("a node stands outside of a tree")
        self._node, self._name = Node(place), ""
        if not self._is_past:
            self.trees[-1].append(self._node)

    def _add(self, value: str) -> None:
        if self._node is None or not self._name:
            raise ValueError("a value stands without a property")
        self._has_values = True
        text = ESCAPED.sub(lambda found: "" if found[1][0] in "\r\n" else found[1], value)
        self._node.properties.setdefault(self._name, []).append(text)


def property_text(name: str, values: Iterable[str]) -> str:
    """A property as it is written, its values in brackets."""
    escaped = (value.replace("\\", "\\\\").replace("]", "\\]") for value in values)
    return name + "".join(f"[{value}]" for value in escaped)
