"""Encoding: files are read and results printed, whatever letters they or the stream have."""

import codecs
from io import TextIOWrapper
from typing import TextIO

IN_ASCII = {"±": "+-"}
"""Signs that reports use, in letters that every stream has."""

WESTERN = "cp1252"
"""The charset of Windows in the West."""

_NAME = "blot"


def lose_nothing(*streams: TextIO) -> None:
    """Let a stream write in other letters what it has no letters for, instead of failing there.

    What Blot does not write itself, as a file's name, comes out with backslashes.
    """
    codecs.register_error(_NAME, _in_ascii)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def has_letters(stream: TextIO, signs: str) -> bool:
    """Whether a stream can write all these signs."""
    try:
        signs.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def decoded(data: bytes, charset: str = WESTERN) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, else in the charset if it is one.

    Without a charset, or in one that is not known, it is read as Windows wrote it in the West.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(charset if _is_charset(charset) else WESTERN, errors="replace")


def _is_charset(name: str) -> bool:
    """Whether Python knows the charset, and it has ASCII in the usual places."""
    try:
        return b"CA[]".decode(name) == "CA[]"
    except (LookupError, ValueError):
        return False


def shown(text: str) -> str:
    """Text from elsewhere, fit for a log or a sentence: without what a terminal would obey."""
    return "".join(sign if sign.isprintable() or sign == "\t" else "?" for sign in text)


def shown_lines(text: str) -> str:
    """Lines with text from elsewhere in them, each fit to be shown."""
    return "\n".join(map(shown, text.split("\n")))


def cut_off(text: str, letters: int, octets: int) -> str:
    """The text up to so many letters and so many bytes of UTF-8, as names of files are limited."""
    return text[:letters].encode()[:octets].decode(errors="ignore")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replacement of text that cannot be encoded, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    texts = (IN_ASCII.get(sign) or ascii(sign)[1:-1] for sign in signs)
    return "".join(texts), error.end
