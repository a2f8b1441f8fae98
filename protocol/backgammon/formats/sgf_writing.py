"""SGF writing: a match as GNU Backgammon writes it in SGF."""

from collections.abc import Iterator

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, Game, OpeningRoll, Result
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.record import Annotations, Event, GameRecord, MatchRecord, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed, automatic_cube
from protocol.backgammon.formats.notation import BAR, OFF
from protocol.backgammon.formats.sgf_grammar import property_text
from protocol.backgammon.formats.sgf_set_up import COLOURS, roll_text, set_up_text

PROGRAM = "Blot"


def sgf_text(match: MatchRecord) -> str:
    """The match in SGF; raises ValueError if it breaks the rules, no node can tell something, or it
    has no game.
    """
    filed = as_filed(match)
    if not filed.games:
        raise ValueError("no game has begun yet, and an SGF file has one")
    moments = replay(filed)
    texts = []
    for place, record in enumerate(filed.games):
        nodes = _nodes([next(moments) for _ in record.events])
        texts.append(_root_text(filed, place) + "".join(nodes) + ")\n")
    next(moments, None)  # what is wrong at the end of the last game is said here
    return "\n".join(texts)


def _root_text(match: MatchRecord, place: int) -> str:
    record, rules, occasion = match.games[place], match.rules, match.occasion
    length, number = rules.length or 0, match.first_game - 1 + place
    info = [f"length:{length}", f"game:{number}"]
    info += [f"{side}s:{points}" for side, points in zip("wb", record.points, strict=True)]
    root = "(;FF[4]GM[6]CA[UTF-8]" + property_text("AP", [PROGRAM]) + property_text("MI", info)
    told = {"PW": match.players[0], "PB": match.players[1]}
    if place == 0:
        told |= {
            "WR": occasion.ratings[0],
            "BR": occasion.ratings[1],
            "DT": occasion.date,
            "EV": occasion.event,
            "RO": occasion.round,
            "PC": occasion.place,
            "AN": occasion.annotator,
            "GC": match.comment,
        }
    told["RU"] = ":".join(_rule_words(match, record))
    cube = automatic_cube(record.events[0]) if record.events else None
    told["CV"] = str(cube.value) if cube else ""
    told["RE"] = _result_text(record.result) if record.result else ""
    told["C"] = record.comment
    root += "".join(
        property_text(name, [value])
        for name, value in told.items()
        if value or name in ("PW", "PB")
    )
    return root + _annotations_text(record.annotations)


def _rule_words(match: MatchRecord, record: GameRecord) -> Iterator[str]:
    rules = match.rules
    if not rules.has_cube:
        yield "NoCube"
        if record.result and not record.result.counts_gammons:
            yield "Jacoby"  # else GNU Backgammon counts the gammon
        return
    if rules.length is not None:
        if rules.crawford:
            yield "Crawford"
        if record.is_crawford:
            yield "CrawfordGame"
        return
    if rules.jacoby:
        yield "Jacoby"
    if rules.beavers:
        yield "Beavers"


def _result_text(result: Result) -> str:
    resigned = "R" if result.ending is Ending.RESIGNED else ""
    return f"{COLOURS[result.winner]}+{result.points}{resigned}"


def _nodes(moments: list[tuple[Game, Event]]) -> Iterator[str]:
    roll: Roll | None = None
    for place, (game, event) in enumerate(moments):
        beside = _beside_text(event)
        match event.answer:
            case OpeningRoll() | Roll():
                seat, roll = _thrown(game, event.answer)
                following = moments[place + 1] if place + 1 < len(moments) else None
                if not (following and isinstance(following[1].answer, CheckerPlay)):
                    yield roll_text(COLOURS[seat], roll) + beside
            case CheckerPlay(legs):
                seat, roll = game.turn or 0, game.roll or roll
                dice = f"{roll.high}{roll.low}" if roll else ""
                yield f"\n;{COLOURS[seat]}[{dice}{legs_letters(legs, seat)}]{beside}"
            case CubeAction() | DoubleAnswer():
                word = event.answer.value
                is_beaver = event.answer is DoubleAnswer.BEAVER
                yield f"\n;{COLOURS[game.asked or 0]}[{'double' if is_beaver else word}]{beside}"
            case Game():
                if place or automatic_cube(event) is None:
                    yield set_up_text(event.answer) + beside
                elif beside:
                    yield f"\n;{beside}"


def _thrown(game: Game, answer: OpeningRoll | Roll) -> tuple[int, Roll]:
    """The player who has rolled, and the roll."""
    if isinstance(answer, Roll):
        return game.turn or 0, answer
    return int(answer.first < answer.second), Roll.of_dice(answer.first, answer.second)


def legs_letters(legs: tuple[Leg, ...], seat: int) -> str:
    """The legs of a seat's play as pairs of letters."""
    return "".join(_letter(point, seat) for leg in legs for point in (leg.source, leg.target))


def _letter(point: int, seat: int) -> str:
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") - 1 + (BAR - point if seat else point))


def _beside_text(event: Event) -> str:
    comment = property_text("C", [event.comment]) if event.comment else ""
    return comment + _annotations_text(event.annotations)


def _annotations_text(annotations: Annotations) -> str:
    return "".join(property_text(name, values) for name, values in annotations)
