"""Pasted ID: the one position meant by what a person pastes, from a bare ID to a printed board.

GNU Backgammon prints its IDs in two lines over the board, on one line of its HTML, and with a
colon between them for the clipboard.
"""

import re
from collections.abc import Iterator

LABEL = re.compile(
    r"(?:GNU Backgammon\s+)?(?:(?<!\S)\w{1,10}[ -])?\b(?:GNUBG|Match)?ID\b[ \w]{0,12}[:=][\s:]*"
    r"|\bGNUBG ?ID\b",
    re.IGNORECASE,
)
"""A name of an ID, in the words of gnubg's other languages too: `Match ID   :`, `ID de match :`."""

BAR_ROW = "|BAR|"
PUNCTUATION = "\"'`,;.()<>"

_BARE_XGID = re.compile(r"[-A-Pa-p]{26}:\S*")
_XGID = re.compile(rf"\bXGID\b[\s:=]*\S*|(?<!\S){_BARE_XGID.pattern}", re.IGNORECASE)


def pasted_id(text: str) -> str:
    """The position ID in the text, with its match ID behind a colon if there is one.

    Beside a board, and on other lines than a named ID, anything may stand; all else must be
    understood. Raises ValueError with one sentence if there is something else where an ID is
    due, an XGID, no position at all, or two that differ.
    """
    xgid = _XGID.search(text)
    if xgid:
        raise ValueError(
            f"this is an XGID, {xgid[0][:60]!r}; blot reads GNU Backgammon's IDs, POSITION:MATCH"
        )
    found: dict[str, list[str]] = {"position": [], "match": []}
    for word, is_due in _words(text):
        try:
            ids = found[_kind(word)]
        except ValueError:
            if is_due:
                raise
            continue
        if word not in ids:
            ids.append(word)
    for kind, ids in found.items():
        if len(ids) > 1:
            raise ValueError(
                f"two different {kind} IDs, {ids[0]} and {ids[1]}: paste one position alone"
            )
    if not found["position"]:
        if found["match"]:
            raise ValueError(
                f"{found['match'][0]} is a match ID; the position ID before it is missing"
            )
        raise ValueError(f"no position ID in {_shortened(text)}")
    return ":".join(found["position"] + found["match"])


def without_dash(argument: str) -> str:
    """The argument, a bare XGID behind a blank: it often begins with a dash, as options do."""
    return f" {argument}" if _BARE_XGID.match(argument) else argument


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """The words that may be an ID, and whether each has to be one."""
    pieces = LABEL.split(text.strip())
    has_other_lines = len(pieces) > 1 and len(text.strip().splitlines()) > 1
    is_only_ids = not has_other_lines and BAR_ROW not in text
    for number, piece in enumerate(pieces):
        for place, words in enumerate(piece.split()):
            is_named = number > 0 and place == 0
            for word in words.strip(PUNCTUATION).split(":"):
                yield word, is_named or is_only_ids


def _kind(word: str) -> str:
    """Whether it is an ID of a position or of a match; raises ValueError if it is none.

    No word, number or play that gnubg prints is taken for one: of these lengths it would have to
    end in signs that no position and no match leaves there.
    """
    from protocol.backgammon.formats.position_id import (
        MATCH_LENGTH,
        POSITION_LENGTH,
        parse_match_id,
        parse_position_id,
    )

    if len(word) == POSITION_LENGTH:
        parse_position_id(word)
        return "position"
    if len(word) == MATCH_LENGTH:
        parse_match_id(word)
        return "match"
    raise ValueError(
        f"a position ID has {POSITION_LENGTH} characters and a match ID has {MATCH_LENGTH}, "
        f"{word[:40]!r} has {len(word)}"
    )


def _shortened(text: str) -> str:
    """The beginning of the text, on one line."""
    words = " ".join(text.split())
    return repr(words if len(words) <= 60 else f"{words[:60]}...")
