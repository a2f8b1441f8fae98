"""XG files, written: small .xg files of our own, as eXtreme Gammon lays them out."""

import struct
import zlib
from itertools import count

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, OpeningRoll
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.record import replay
from bot.backgammon.rules.roll import Roll

PLAYERS = (1, -1)
ANSWERS = {DoubleAnswer.DROP: 0, DoubleAnswer.TAKE: 1, DoubleAnswer.BEAVER: 2}
ANSWER_PLACES = (20, 24, 28)
UNTOLD = -1
PICTURE = b"\xff\xd8 a picture"
FIRST_DAY = 45000.5


def xg_file(parts, *, packed=True, picture=PICTURE, comments=b""):
    """The archive with the comments in one file, which is always packed, and the records."""
    content = b"".join(parts)
    stored = zlib.compress(content) if packed else content
    written = zlib.compress(comments)
    plain = 0 if packed else 1
    entries = [
        struct.pack(
            "<256p256p4I2B2x",
            b"temp.xgc",
            b"",
            len(comments),
            len(written),
            0,
            zlib.crc32(comments),
            0,
            2,
        ),
        struct.pack(
            "<256p256p4I2B2x",
            b"temp.xg",
            b"",
            len(content),
            len(stored),
            len(written),
            zlib.crc32(content),
            plain,
            2,
        ),
    ]
    index = zlib.compress(b"".join(entries)) if packed else b"".join(entries)
    header = struct.pack("<4s2IQI", b"RGMH", 1, 8232, 0, len(picture)).ljust(8232, b"\0")
    files = written + stored
    trailer = struct.pack(
        "<6I12x", zlib.crc32(files + index), 2, 1, len(index), len(files), int(packed)
    )
    return header + picture + files + index + trailer


def record(kind, *fields, blank=b""):
    """A record of a kind, with fields (place, format, values...)."""
    data = bytearray(blank.ljust(2560, b"\0"))
    data[8] = kind
    for place, form, *values in fields:
        struct.pack_into(f"<{form}", data, place, *values)
    return bytes(data)


def match_header(rules, names=("Ann", "Bob"), *, version=32, **changed):
    """The record of a match or session."""
    fields = {
        "length": (92, "i", rules.length or 99999),
        "variation": (96, "i", 0),
        "rules": (100, "3B", rules.crawford, rules.jacoby, rules.beavers),
        "ratings": (104, "2d", 1612.4, 0.0),
        "date": (128, "d", FIRST_DAY),
        "version": (552, "i", version),
        "magic": (556, "I", 0x494C4D44),
        "comments": (576, "2i", -1, -1),
        "cube limit": (612, "i", 10 if rules.has_cube else 0),
        "event": (622, "258s", "Кубок".encode("utf-16-le")),
        "first": (880, "258s", names[0].encode("utf-16-le")),
        "second": (1138, "258s", names[1].encode("utf-16-le")),
        "old first": (9, "41p", b"Anne"),
        "old second": (50, "41p", b"Bob\xe9"),
        "old event": (136, "129p", b"Cup"),
    }
    return record(0, *(fields | changed).values())


def game_header(game, position=START, automatic_doubles=0, comments=(-1, -1)):
    """The record with which a game begins."""
    return record(
        1,
        (12, "2iB", *game.points, game.is_crawford),
        (21, "26b", *position.points),
        (56, "3i", *comments, automatic_doubles),
    )


def below(position, seat):
    """The points as player 1 sees them."""
    return (position if seat == 0 else turned(position)).points


def cube_record(game, double, answers=(), evaluation=None, *fields):
    """The record of what can be done before a roll; evaluation: chances, three equities."""
    seat = game.turn or 0
    told = [(place, "i", ANSWERS[a]) for place, a in zip(ANSWER_PLACES, answers, strict=False)]
    chances, equities = evaluation or ((0.0,) * 7, (0.0,) * 3)
    return record(
        2,
        (12, "2i", PLAYERS[seat], double),
        (20, "3i", UNTOLD, UNTOLD, UNTOLD),
        *told,
        (36, "26b", *below(game.state.position, seat)),
        (92, "i", 2),
        (120, "h", 1 if evaluation else -100),
        (124, "7f", *chances),
        (152, "3f", *equities),
        *fields,
    )


def play_record(game, seat, roll, play, candidates=(), *fields):
    """The record of a roll; play: None if nobody did; candidates: plays with seven numbers."""
    position = game.state.position
    seen = position if game.turn is not None or seat == 0 else turned(position)
    analysed = [
        field
        for number, (each, numbers) in enumerate(candidates)
        for field in (
            (192 + 26 * number, "26b", *each.after.points),
            (1280 + 4 * number, "h", 1002),
            (1408 + 28 * number, "7f", *numbers),
        )
    ]
    return record(
        3,
        (9, "26b", *below(seen, seat)),
        (35, "26b", *(play.after.points if play else (0,) * 26)),
        (64, "i", PLAYERS[seat]),
        (100, "2i", *roll),
        (188, "i", len(candidates)),
        (2308, "B", play is not None),
        *analysed,
        *fields,
    )


def game_footer(result):
    """The record with which a game ends."""
    termination = result.kind
    if result.ending is not Ending.PLAYED:
        termination = 0 if result.ending is Ending.DROPPED else 100 + result.kind
    return record(4, (24, "3i", PLAYERS[result.winner], result.points, termination))


def records_of(match, **changed):
    """The records of a match of ours; what no .xg file tells is left out."""
    parts = [match_header(match.rules, match.players, **changed)]
    steps = iter(list(replay(match)))
    for game in match.games:
        told = [next(steps) for _ in game.events]
        parts.append(game_header(game))
        parts += actions_of(told)
        if game.result:
            parts.append(game_footer(game.result))
    parts.append(record(5))
    return parts


def actions_of(told):
    """The records of cube and plays in one game."""
    for place, (game, event) in enumerate(told):
        match event.answer:
            case CubeAction.DOUBLE:
                answers = [a.answer for _, a in told[place + 1 : place + 5]]
                given = [a for a in answers if isinstance(a, DoubleAnswer)]
                stop = next((i for i, a in zip(count(1), given, strict=False) if ANSWERS[a] < 2), 4)
                yield cube_record(game, 1, given[:stop])
            case CubeAction.ROLL:
                yield cube_record(game, 0)
            case Roll() | OpeningRoll():
                yield from roll_of(game, event.answer, told[place + 1 :])


def roll_of(game, rolled, following):
    """The records of a roll and its play; a tie in the opening is not told."""
    if isinstance(rolled, OpeningRoll):
        if rolled.is_tie:
            return
        seat = 0 if rolled.first > rolled.second else 1
        roll = (rolled.first, rolled.second)
    else:
        seat, roll = game.turn, (rolled.high, rolled.low)
        if not game.is_rolling:
            yield cube_record(game, -2)
    plays = [event.answer for _, event in following if isinstance(event.answer, CheckerPlay)]
    yield play_record(game, seat, roll, plays[0] if plays else None)
