"""Pasted ID: the one position meant by what a person pastes, from a bare ID to a printed board.

GNU Backgammon prints its IDs in two lines over the board, on one line of its HTML, and with a
colon between them for the clipboard. That one and an XGID stand anywhere, in prose too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.backgammon.rules.decision import Request
from bot.backgammon.rules.position import Position
from protocol.backgammon.formats.position_id import (
    MATCH_LENGTH,
    POSITION_LENGTH,
    FinishedGame,
    MatchIdFields,
    finished_game,
    match_id,
    parse_match_id,
    parse_position_id,
    position_id,
    request_of,
)
from protocol.backgammon.formats.xgid import Xgid, parse_xgid, xgid_text

LABEL = re.compile(
    r"(?:GNU Backgammon\s+)?(?:(?<!\S)\w{1,10}[ -])?\b(?:GNUBG|Match)?ID\b[ \w]{0,12}[:=][\s:]*"
    r"|\bGNUBG ?ID\b",
    re.IGNORECASE,
)
"""A name of an ID, in the words of gnubg's other languages too: `Match ID   :`, `ID de match :`."""

XGID = re.compile(
    r"\bXGID\b\s{0,9}[=:]\s{0,9}([-\w:]*)|(?<![-\w])([-A-Pa-p]{26}:[-\w:]*)",
    re.IGNORECASE | re.ASCII,
)
"""One that is named, and one that is not."""

GNUBG_ID = re.compile(r"(?<![\w+/:])[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}(?![\w+/:])")
WORD = re.compile(r"(?<!\S)[^\W\d_]{2,}(?![^\s.,:;!?])")
"""A word of a sentence: neither an ID nor dice."""

BAR_ROW = "|BAR|"
PUNCTUATION = "\"'`*,;.?!()[]<>"


@dataclass(frozen=True, slots=True)
class PastedId:
    """The one ID in a text, and what it tells.

    text: the ID as Blot writes it. position: seen by the player on roll. record: what a match ID
    or an XGID says, None for a position alone. xgid: all that an XGID says, None if there is none.
    """

    text: str
    position: Position
    record: MatchIdFields | None = None
    xgid: Xgid | None = None

    @property
    def finished(self) -> FinishedGame | None:
        """The game if it is over, None if it goes on."""
        return finished_game(self.position, self.record)

    @property
    def request(self) -> Request:
        """The request to the player who has to decide; raises ValueError if the game is over.

        Without match ID and XGID it is a money game with the Jacoby rule, before the roll.
        """
        if self.finished:
            raise ValueError(f"{self.finished} ({self._kind} {self.text!r})")
        if self.xgid is not None:
            return self.xgid.request
        return request_of(self.position, self.record or UNTOLD)

    @property
    def _kind(self) -> str:
        if self.xgid:
            return "XGID"
        return "GNUbg ID" if self.record else "position ID"


UNTOLD = MatchIdFields(roller=1, decider=1, jacoby=True)
"""The match ID that is taken for a position that stands alone."""


def pasted_id(text: str) -> PastedId:
    """The ID in the text: an XGID, or a position ID with its match ID if there is one.

    Beside a board or an XGID, on other lines than a named ID, and in a sentence around a GNUbg ID,
    anything may stand; all else must be understood. Raises ValueError with one sentence if there
    is something else where an ID is due, no position at all, or two that differ.
    """
    xgid = _xgid(text)
    found: dict[str, list[str]] = {"position": [], "match": []}
    is_prose = xgid is not None or _is_sentence(text)
    for word, is_due in _words(XGID.sub(" ", text), is_prose=is_prose):
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
    if xgid:
        return _beside(xgid, *found["position"], *found["match"])
    if not found["position"]:
        if found["match"]:
            raise ValueError(
                f"{found['match'][0]} is a match ID; the position ID before it is missing"
            )
        raise ValueError(f"no position ID in {_shortened(text)}")
    record = parse_match_id(found["match"][0]) if found["match"] else None
    identity = ":".join(found["position"] + found["match"])
    return PastedId(identity, parse_position_id(found["position"][0]), record)


def _is_sentence(text: str) -> bool:
    """Whether words that are no name of an ID stand beside a GNUbg ID."""
    around, found = GNUBG_ID.subn(" ", text)
    return found > 0 and WORD.search(LABEL.sub(" ", around)) is not None


def _xgid(text: str) -> Xgid | None:
    """The XGID in the text, None if there is none; raises ValueError if it is none, or for two."""
    found: list[Xgid] = []
    for named, bare in XGID.findall(text):
        xgid = parse_xgid((named or bare).rstrip(":"))
        if xgid not in found:
            found.append(xgid)
    if len(found) > 1:
        first, second = (xgid_text(xgid) for xgid in found[:2])
        raise ValueError(f"two different XGIDs, {first} and {second}: paste one position alone")
    return found[0] if found else None


def _beside(xgid: Xgid, *others: str) -> PastedId:
    """The XGID; raises ValueError if another ID that stands beside it tells something else."""
    same = {position_id(xgid.position), match_id(xgid.record)}
    for other in others:
        if other not in same:
            raise ValueError(
                f"two different positions, {xgid_text(xgid)} and {other}: paste one alone"
            )
    return PastedId(xgid_text(xgid), xgid.position, xgid.record, xgid)


def _words(text: str, *, is_prose: bool) -> Iterator[tuple[str, bool]]:
    """The words that may be an ID, and whether each has to be one."""
    pieces = LABEL.split(text.strip())
    has_other_lines = len(pieces) > 1 and len(text.strip().splitlines()) > 1
    is_only_ids = not (is_prose or has_other_lines or BAR_ROW in text)
    for number, piece in enumerate(pieces):
        for place, words in enumerate(piece.split()):
            is_named = number > 0 and place == 0
            for word in words.strip(PUNCTUATION).split(":"):
                yield word, is_named or is_only_ids


def _kind(word: str) -> str:
    """The kind of ID a word is, position or match; raises ValueError if it is none.

    No word, number or play that gnubg prints is taken for one: of these lengths it would have to
    end in signs that no position and no match leaves there.
    """
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
