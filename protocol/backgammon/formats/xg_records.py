"""XG records: what eXtreme Gammon writes down of a match, as values of its own words.

Each record has 2,560 bytes, its kind in the ninth. Points of a board are those of player 1, in
analyses and behind a play those of the player on roll; checkers of the other side count down. A
comment is its number in another file, below 0 if there is none.
Source: eXtreme Gammon, "XG file format" (2013); compared with nine files of the program.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

SIZE = 2560
KIND = 8
MATCH_MAGIC = 0x494C4D44
UNICODE_SINCE = 24
"""The version of the format from which on names have all letters."""

MAX_CANDIDATES = 32
POINTS = struct.Struct("<26b")
CHANCES = struct.Struct("<7f")
FIRST_DAY = date(1899, 12, 30)
MAX_DAYS = 10**6

NOT_ANALYSED = -100

Counts = tuple[int, ...]
"""Checkers on 26 points."""

Evaluation = tuple[float, ...]
"""Chances to lose a backgammon, a gammon, at all; to win, a gammon, a backgammon; the equity."""


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """The players and the match; length 0 is a money session, date is empty if it is none."""

    players: tuple[str, str]
    length: int
    variation: int
    crawford: bool
    jacoby: bool
    beavers: bool
    cube_limit: int
    ratings: tuple[float, float]
    date: str
    event: str
    round: str
    place: str
    transcriber: str
    comments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The score before a game, and where its checkers begin."""

    points: tuple[int, int]
    is_crawford: bool
    position: Counts
    automatic_doubles: int
    comments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CubeRecord:
    """The cube action of a player before the roll, and the equities of all.

    double: 1 if offered, 0 if not, below 0 if it could not be or the game had ended. take: 0 drop,
    1 take, 2 beaver, below 0 no answer; beaver_answer and raccoon_answer alike. equities: no
    double, double and take, double and drop; None if not analysed.
    """

    player: int
    double: int
    take: int
    beaver_answer: int
    raccoon_answer: int
    position: Counts
    is_edited: bool
    level: int
    evaluation: Evaluation
    equities: tuple[float, float, float] | None
    comment: int


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """A play by the position after it, how deep it was analysed, and what it is worth."""

    after: Counts
    level: int
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """A roll, and what was played if anything was."""

    player: int
    dice: tuple[int, int]
    position: Counts
    after: Counts
    is_played: bool
    is_edited: bool
    candidates: tuple[CandidateRecord, ...]
    comment: int


@dataclass(frozen=True, slots=True)
class GameFooter:
    """The end of a game: 0 by a drop, 1 to 3 at the last checker, 100 more by resignation."""

    winner: int
    points: int
    termination: int


Record = MatchHeader | GameHeader | CubeRecord | PlayRecord | GameFooter


def records(file: bytes) -> Iterator[Record]:
    """The records in order; those that tell nothing of the play are left out.

    Raises ValueError with a sentence for one that cannot be.
    """
    if len(file) % SIZE:
        raise ValueError(f"the records have {SIZE} bytes each, but the last one has not")
    for number in range(len(file) // SIZE):
        record = memoryview(file)[number * SIZE : (number + 1) * SIZE]
        if number == 0 and record[KIND] != 0:
            raise ValueError("the first record is not that of a match")
        if record[KIND] in _READERS:
            yield _READERS[record[KIND]](record)


def _match_header(record: memoryview) -> MatchHeader:
    version, magic = struct.unpack_from("<iI", record, 552)
    if magic != MATCH_MAGIC:
        raise ValueError("the record of the match is damaged")
    length, variation = struct.unpack_from("<2i", record, 92)
    crawford, jacoby, beavers = struct.unpack_from("<3B", record, 100)
    (cube_limit,) = struct.unpack_from("<i", record, 612)
    if version < UNICODE_SINCE:
        texts = [_short_text(record, place) for place in (9, 50, 136, 417, 283)]
    else:
        texts = [_text(record, place) for place in (880, 1138, 622, 1654, 1396)]
    first, second, event, round_, place = texts
    return MatchHeader(
        players=(first, second),
        length=0 if length == 99999 else length,
        variation=variation,
        crawford=crawford > 0,
        jacoby=jacoby > 0,
        beavers=beavers > 0,
        cube_limit=cube_limit if version >= 8 else 10,
        ratings=struct.unpack_from("<2d", record, 104),
        date=_date(*struct.unpack_from("<d", record, 128)),
        event=event,
        round=round_,
        place=place,
        transcriber=_text(record, 1960) if version >= 30 else "",
        comments=struct.unpack_from("<2i", record, 576),
    )


def _game_header(record: memoryview) -> GameHeader:
    first, second, crawford = struct.unpack_from("<2iB", record, 12)
    *comments, automatic_doubles = struct.unpack_from("<3i", record, 56)
    position = POINTS.unpack_from(record, 21)
    return GameHeader((first, second), crawford > 0, position, automatic_doubles, tuple(comments))


def _cube_record(record: memoryview) -> CubeRecord:
    player, double, take, beaver_answer, raccoon_answer = struct.unpack_from("<5i", record, 12)
    (flag,) = struct.unpack_from("<h", record, 120)
    (level,) = struct.unpack_from("<i", record, 92)
    return CubeRecord(
        player=player,
        double=double,
        take=take,
        beaver_answer=beaver_answer,
        raccoon_answer=raccoon_answer,
        position=POINTS.unpack_from(record, 36),
        is_edited=record[296] > 0,
        level=level,
        evaluation=CHANCES.unpack_from(record, 124),
        equities=None if flag == NOT_ANALYSED else struct.unpack_from("<3f", record, 152),
        comment=struct.unpack_from("<i", record, 292)[0],
    )


def _play_record(record: memoryview) -> PlayRecord:
    (player,) = struct.unpack_from("<i", record, 64)
    (count,) = struct.unpack_from("<i", record, 188)
    if not 0 <= count <= MAX_CANDIDATES:
        raise ValueError(f"a record of a play has {count} plays analysed")
    candidates = (
        CandidateRecord(
            POINTS.unpack_from(record, 192 + number * POINTS.size),
            struct.unpack_from("<h", record, 1280 + 4 * number)[0],
            CHANCES.unpack_from(record, 1408 + number * CHANCES.size),
        )
        for number in range(count)
    )
    return PlayRecord(
        player=player,
        dice=struct.unpack_from("<2i", record, 100),
        position=POINTS.unpack_from(record, 9),
        after=POINTS.unpack_from(record, 35),
        is_played=record[2308] > 0,
        is_edited=record[2528] > 0,
        candidates=tuple(candidates),
        comment=struct.unpack_from("<i", record, 2524)[0],
    )


def _game_footer(record: memoryview) -> GameFooter:
    return GameFooter(*struct.unpack_from("<3i", record, 24))


_READERS: dict[int, Callable[[memoryview], Record]] = {
    0: _match_header,
    1: _game_header,
    2: _cube_record,
    3: _play_record,
    4: _game_footer,
}


def _short_text(record: memoryview, place: int) -> str:
    """A text with its length before it, in the letters of western Windows."""
    length = record[place]
    return bytes(record[place + 1 : place + 1 + length]).decode("cp1252", errors="replace")


def _text(record: memoryview, place: int) -> str:
    """A text of up to 128 letters, which a zero ends."""
    text = bytes(record[place : place + 258]).decode("utf-16-le", errors="replace")
    return text.partition("\0")[0].strip()


def _date(days: float) -> str:
    """The day as 2025-11-08, empty if there is none."""
    if not 0 < days < MAX_DAYS:  # which is also true of what is no number
        return ""
    return (FIRST_DAY + timedelta(days=int(days))).isoformat()
