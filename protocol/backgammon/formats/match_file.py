"""Match file: a match in a file, in the format that the ending of the name tells."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from bot.archive import whole_file
from bot.backgammon.rules.record import MatchRecord
from bot.files import bytes_of
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.mat_writing import fit_name, mat_text
from protocol.backgammon.formats.match_reading import Fault, ReadMatch
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from protocol.backgammon.formats.xg import parse_xg
from protocol.encoding import cut_off, decoded

MAX_BYTES = 20_000_000
MAX_NAME, MAX_NAME_BYTES = 40, 100
"""Letters of a player in the name of a file, and their bytes: a file's name has 255 at most."""

CHARSET = re.compile(rb"\bCA\s*\[\s*([\w.:-]{1,40})\s*\]", re.ASCII)
"""Where an .sgf file names its charset."""


def _read_xg(data: bytes) -> ReadMatch:
    """The match of an .xg file, without its analyses."""
    read = parse_xg(data)
    fault = Fault(0, 0, read.fault) if read.fault else None
    return ReadMatch(read.match, fault, "analyses" if read.analyses else "")


def _read_sgf(data: bytes) -> ReadMatch:
    """The match of an .sgf file, in the charset that it names if that is needed."""
    charset = CHARSET.search(data)
    return parse_sgf(decoded(data, charset[1].decode()) if charset else decoded(data))


READERS: dict[str, Callable[[bytes], ReadMatch]] = {
    ".mat": lambda data: parse_mat(decoded(data)),
    ".txt": lambda data: parse_mat(decoded(data)),
    ".sgf": _read_sgf,
    ".xg": _read_xg,
}
"""The readers, by the ending of a file's name; servers write .mat as .txt."""

WRITERS: dict[str, Callable[[MatchRecord], str]] = {".mat": mat_text, ".sgf": sgf_text}
"""The writers, by the ending of a file's name."""


def read_match(path: Path) -> ReadMatch:
    """The match in a file, as far as it can be read; raises ValueError if it is none."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{path} is no match file: its name ends with none of {_all(READERS)}")
    data = bytes_of(path, MAX_BYTES)
    try:
        return reader(data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def writer_of(path: Path) -> Callable[[MatchRecord], str]:
    """The writer of such a file; raises ValueError for one that nothing here writes."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise ValueError(f"a match is written to a name with {_all(WRITERS)}, not to {path}")
    return writer


def write_match(match: MatchRecord, path: Path) -> None:
    """Write the match to a file, whole or not at all, once it reads back as the same.

    Raises ValueError if its format has no room for the match, or it cannot be written.
    """
    write = writer_of(path)
    try:
        data = write(match).encode()
        _check(match, READERS[path.suffix.lower()](data), path)
    except ValueError as error:
        raise ValueError(f"cannot write {path}: {error}") from None
    try:
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


def _check(match: MatchRecord, read: ReadMatch, path: Path) -> None:
    """Raise ValueError unless games and rules are as they were."""
    filed = as_filed(match)
    pairs = zip(filed.games, read.match.games, strict=False)
    for number, (ours, theirs) in enumerate(pairs, start=match.first_game):
        if (ours.points, ours.is_crawford) != (theirs.points, theirs.is_crawford):
            about = f"the score of game {number}, and whether it is Crawford's"
            raise ValueError(f"{path.suffix} has no room for {about}")
    pairs = zip(filed.games, read.whole.games, strict=True)
    for number, (ours, theirs) in enumerate(pairs, start=match.first_game):
        answers = [[event.answer for event in game.events] for game in (ours, theirs)]
        if ours.result != theirs.result or answers[0] != answers[1]:
            raise ValueError(f"{path.suffix} has no room for game {number} as it was played")


def dated_name(players: tuple[str, str], at: datetime, ending: str) -> str:
    """A file's name by date and players: 2026-01-02_153000_Alice-Bob.mat."""
    names = "-".join(map(_short_name, players))
    return f"{at:%Y-%m-%d_%H%M%S}_{names}{ending}"


def _short_name(player: str) -> str:
    """The player's name as a part of a file's, whose bytes are limited: letters and digits."""
    letters = "".join(sign if sign.isalnum() else "_" for sign in fit_name(player))
    return cut_off(letters, MAX_NAME, MAX_NAME_BYTES)


def _all(endings: Iterable[str]) -> str:
    *others, last = endings
    return f"{', '.join(others)} or {last}"
