"""PDN grammar: the words of a PDN file and the lines on which they stand.

Source: the PGN standard, of which PDN is the draughts form; PDN 3.0 for remarks in brackets and
for the blank behind a move's sign, which it forbids to write, though many files have it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bot.draughts.rules.record import Score

SCORES: dict[str, Score | None] = {
    "2-0": (2, 0),
    "1-0": (2, 0),
    "1-1": (1, 1),
    "1/2-1/2": (1, 1),
    "0-2": (0, 2),
    "0-1": (0, 2),
    "0-0": (0, 0),
    "*": None,
}
"""The results in both scales."""

GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "*": 7}
"""The remarks, by their numbers as glyphs; a star marks a forced move."""


class Kind(Enum):
    """A kind of word."""

    TAG = "a tag"
    COMMENT = "a comment"
    OPEN = "an opening bracket"
    CLOSE = "a closing bracket"
    GLYPH = "a glyph"
    REMARK = "a remark"
    STAR = "a star by itself"
    NUMBER = "a move number"
    RESULT = "a result"
    MOVE = "a move"
    STRANGE = "something else"


@dataclass(frozen=True, slots=True)
class Token:
    """One word: its kind, its text without signs around it, the line from 1; name: of a tag."""

    kind: Kind
    text: str
    line: int
    name: str = ""


_PATTERN = r"""
    (?P<escape>^%[^\n]*)
    | \[\s*(?P<name>\w+)\s+"(?P<value>(?:\\.|[^"\\\n])*)"\s*\]
    | ;(?P<rest>[^\n]*)
    | \((?P<bracketed>[!?*]+)\)
    | (?P<open>\()
    | (?P<close>\))
    | \$(?P<glyph>\d{1,3})(?!\d)
    | (?P<remark>[!?*]+)
    | (?P<number>\d+\.+|\.+)
    | (?P<spaced>[a-j]?\d{1,2}(?:[-xX:]\ ?[a-j]?\d{1,2})+(?![^\s{}()\[\];$!?*.]))
    | (?P<word>[^\s{}()\[\];$!?*.]+)
    | (?P<strange>\S)
    """
_LAST_WORDS, _WORDS = (
    re.compile(comment + _PATTERN, re.VERBOSE | re.MULTILINE | re.ASCII)
    for comment in ("", r"\{(?P<comment>[^}]*)\} |")
)
"""Words behind the last bracket that ends a comment, and before it: to look for that end behind
every bracket that has none would take minutes."""
_ESCAPED = re.compile(r'\\(["\\])')
_REMARK = re.compile(r"!!|\?\?|!\?|\?!|[!?*]")
_WRITTEN_NUMBER = re.compile(r"\d+\.*", re.ASCII)


def tokens(text: str) -> Iterator[Token]:
    """The words of the text in order; several remarks in one are several words."""
    line, counted = 1, 0
    for found in _words(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield from _tokens_of(found, line, _is_apart(text, found))


def _words(text: str) -> Iterator[re.Match[str]]:
    last, place = text.rfind("}"), 0
    while found := (_WORDS if place <= last else _LAST_WORDS).search(text, place):
        yield found
        place = found.end()


def _is_apart(text: str, found: re.Match[str]) -> bool:
    return found.start() == 0 or text[found.start() - 1] in " \t\r\n)}"


def _tokens_of(found: re.Match[str], line: int, is_apart: bool) -> Iterator[Token]:
    """The words that one match holds."""
    kind, text = found.lastgroup, found[found.lastgroup or 0]
    if kind == "spaced":
        kind, text = "word", text.replace(" ", "")
    match kind:
        case "escape":
            return
        case "value":
            yield Token(Kind.TAG, _ESCAPED.sub(r"\1", text), line, found["name"])
        case "comment" | "rest":
            yield Token(Kind.COMMENT, " ".join(text.split()), line)
        case "remark" | "bracketed" if not (text == "*" and is_apart and kind == "remark"):
            for sign in _REMARK.findall(text):
                yield Token(Kind.REMARK, sign, line)
        case "remark":
            yield Token(Kind.STAR, text, line)
        case "word" if text in SCORES:
            yield Token(Kind.RESULT, text, line)
        case "word" if not _WRITTEN_NUMBER.fullmatch(text):
            yield Token(Kind.MOVE, text, line)
        case "word":
            yield Token(Kind.NUMBER, text, line)
        case _:
            assert kind is not None
            yield Token(Kind[kind.upper()], text, line)
