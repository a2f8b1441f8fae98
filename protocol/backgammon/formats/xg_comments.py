"""XG comments: what people wrote beside a match of eXtreme Gammon, in rich text, as plain text.

Each comment is a line, in which #1 #2 stand for the end of a line.
Source: eXtreme Gammon, "XG file format" (2013); Microsoft, "Rich Text Format Specification" 1.9.1.
"""

import re
from collections.abc import Iterator

RICH = b"{\\rtf"
SIGN = re.compile(
    r"(?P<left_out>\{\\(?:\*|(?:fonttbl|colortbl|stylesheet|info)\b))|(?P<brace>[{}])"
    r"|\\u(?P<number>-?\d{1,6}) ?|\\'(?P<byte>[0-9a-f]{2})|\\(?P<word>[a-z]{1,32})(?:-?\d{1,10})? ?"
    r"|\\(?P<escaped>.)|(?P<text>[^\\{}]+)|\\$",
    re.IGNORECASE | re.DOTALL,
)
WORDS = {
    "par": "\n",
    "line": "\n",
    "tab": "\t",
    "bullet": "\u2022",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": " ",
    "enspace": " ",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
}
ESCAPED = {"\\": "\\", "{": "{", "}": "}", "~": " ", "_": "-"}
"""Signs behind a backslash: themselves, or a blank and a hyphen at which no line ends."""

LETTERS = "cp1252"
MAX_BYTES = 2**20
"""Of all comments together; nobody writes so much beside a match."""


def comments(file: bytes) -> tuple[str, ...]:
    """The comments in order; one that is not rich text is taken as it stands.

    Raises ValueError if they are too long to be comments.
    """
    if len(file) > MAX_BYTES:
        raise ValueError(f"the comments in the .xg file have {len(file)} bytes")
    lines = file.split(b"\r\n")
    return tuple(_comment(line.replace(b"\x01\x02", b"\r\n")) for line in lines)


def _comment(line: bytes) -> str:
    text = line.decode(LETTERS, errors="replace")
    if not line.startswith(RICH):
        return text.strip()
    return "".join(_plain(text)).strip()


def _plain(text: str) -> Iterator[str]:
    """The letters of a rich text; groups that only describe it are left out."""
    depth, left_out = 0, 0
    is_replaced = False  # a letter beyond western Windows is followed by one for old programs
    for sign in SIGN.finditer(text):
        if sign["left_out"] or sign["brace"] == "{":
            depth += 1
            left_out = left_out or (depth if sign["left_out"] else 0)
        elif sign["brace"]:
            left_out = 0 if left_out == depth else left_out
            depth -= 1
        elif not left_out:
            letters = _letters(sign)
            yield letters[1:] if is_replaced and not sign["number"] else letters
            is_replaced = sign["number"] is not None


def _letters(sign: re.Match[str]) -> str:
    """The letters that one sign of a rich text stands for."""
    if sign["number"]:
        return _letter(int(sign["number"]) % 65536)
    if sign["byte"]:
        return bytes.fromhex(sign["byte"]).decode(LETTERS, errors="replace")
    if sign["word"]:
        return WORDS.get(sign["word"].lower(), "")
    if sign["escaped"]:
        return ESCAPED.get(sign["escaped"], "")
    return (sign["text"] or "").replace("\r", "").replace("\n", "")


def _letter(number: int) -> str:
    """A letter of 16 bits; halves of one with more are lost."""
    return "\ufffd" if 0xD800 <= number < 0xE000 else chr(number)
