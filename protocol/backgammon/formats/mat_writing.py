"""Mat writing: a match as GNU Backgammon and eXtreme Gammon write it as text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, Game, OpeningRoll
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import TAG, TAGS

LEFT_CELL, BEFORE_RIGHT_PLAYER, BEFORE_RIGHT_WINS = 27, 31, 34
UNFIT_IN_A_NAME = re.compile(r'^\s*[;#]|[:"\[\]()\x00-\x1f\x7f\u0085\u2028\u2029]')
BEFORE_A_NUMBER = re.compile(r",(?=\s*\d)")
"""A comma behind which readers look for a rating; GNU Backgammon takes all that follows for one."""


@dataclass(frozen=True, slots=True)
class _Cell:
    seat: int
    text: str
    is_result: bool = False


def mat_text(match: MatchRecord) -> str:
    """The match as .mat; raises ValueError if it breaks the rules, or there is no room for a game.

    Comments to games and plays, and analysis, are left out.
    """
    filed = as_filed(match)
    moments = replay(filed)
    texts = [_header_text(filed)]
    for number, record in enumerate(filed.games, start=filed.first_game):
        told = [next(moments) for _ in record.events]
        try:
            cells = [*_cells(told), *_result_cells(record)]
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        texts.append(_game_text(filed, record, number, cells))
    next(moments, None)  # what is wrong at the end of the last game is said here
    return "\n".join(texts)


def lost_in_mat(match: MatchRecord) -> str:
    """The parts of the match that .mat has no room for, in words; empty if there is nothing."""
    filed = as_filed(match)
    events = [event for game in filed.games for event in game.events]
    comments = any(event.comment for event in events) or any(game.comment for game in filed.games)
    annotations = any(each.annotations for each in events)
    annotations |= any(game.annotations for game in filed.games)
    lost = ["comments"] * comments + ["analysis and other annotations"] * annotations
    names = any(name and fit_name(name) != name for name in match.players)
    lost += ["some signs of the players' names"] * names
    return " and ".join(lost)


def fit_name(name: str) -> str:
    """The name as .mat can hold it, without the signs that end it there or begin a rating."""
    fit = re.sub(r"\s+", " ", UNFIT_IN_A_NAME.sub("_", name)).strip() or "_"
    return BEFORE_A_NUMBER.sub("_", fit)


def _header_text(match: MatchRecord) -> str:
    occasion, rules = match.occasion, match.rules
    first, second = map(fit_name, match.players)
    date = re.sub(r"^(\d{4})-(\d\d)-(\d\d)$", r"\1.\2.\3", occasion.date)
    tags = {
        "Site": occasion.place,
        "Event": occasion.event,
        "Round": occasion.round,
        "Player 1": first,
        "Player 2": second,
        "Player 1 Elo": occasion.ratings[0],
        "Player 2 Elo": occasion.ratings[1],
        "EventDate": date,
        "Transcriber": occasion.annotator,
        "Variation": "Backgammon",
        **dict(_rule_tags(rules)),
    }
    comments = [line for line in match.comment.splitlines() if line.strip()]
    looks = {found["name"].rstrip() for line in comments if (found := TAG.fullmatch(line.strip()))}
    tags |= dict.fromkeys(sorted(looks & TAGS - tags.keys()), "")  # else read as the rules
    lines = [f'; [{n} "{_one_line(text)}"]' for n, text in tags.items() if text or n in looks]
    lines += [f"; {line}" for line in comments]
    return "\n".join([*lines, "", f" {rules.length or 0} point match", ""])


def _rule_tags(rules: Rules) -> Iterator[tuple[str, str]]:
    if not rules.has_cube:
        yield "CubeLimit", "1"
    elif rules.length is not None:
        yield "Crawford", _switch(rules.crawford)
    else:
        yield "Jacoby", _switch(rules.jacoby)
        yield "Beaver", _switch(rules.beavers)


def _switch(is_on: bool) -> str:
    return "On" if is_on else "Off"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cells(moments: list[tuple[Game, Event]]) -> Iterator[_Cell]:
    """The cells of what was done, with its player."""
    for place, (game, event) in enumerate(moments):
        following = moments[place + 1] if place + 1 < len(moments) else None
        match event.answer:
            case OpeningRoll(first, second) | Roll(first, second):
                is_first = isinstance(event.answer, OpeningRoll)
                seat = int(first < second) if is_first else game.turn or 0
                dice = f"{max(first, second)}{min(first, second)}:"
                if following is None:
                    yield _Cell(seat, f"{dice} ????")
                elif isinstance(following[1].answer, CheckerPlay):
                    played, play = following[0], following[1].answer
                    yield _Cell(seat, f"{dice} {_play_text(play, played)}")
            case CubeAction.DOUBLE:
                yield _Cell(game.asked or 0, f" Doubles => {2 * game.cube_shown}")
            case DoubleAnswer.BEAVER:
                word = "Beavers" if game.doubles == 1 else "Raccoons"
                yield _Cell(game.asked or 0, f" {word} => {2 * game.cube_shown}")
            case DoubleAnswer.TAKE if game.doubles == 1:
                yield _Cell(game.asked or 0, " Takes")
            case DoubleAnswer.DROP:
                yield _Cell(game.asked or 0, " Drops")
            case Game():
                raise ValueError("a .mat file has no room for a position or a cube set up by hand")


def _play_text(play: CheckerPlay, game: Game) -> str:
    points = list(game.state.position.points)
    text = ""
    for leg in play.legs:
        points[leg.source] -= 1
        is_hit = leg.target > 0 and points[leg.target] == -1
        points[leg.target] = 1 if is_hit else points[leg.target] + 1
        text += f"{leg.source}/{leg.target}{'*' * is_hit} "
    return text


def _result_cells(record: GameRecord) -> Iterator[_Cell]:
    if record.result:
        points = record.result.points
        plural = "s" * (points != 1)
        yield _Cell(record.result.winner, f"Wins {points} point{plural}", is_result=True)


def _game_text(match: MatchRecord, record: GameRecord, number: int, cells: list[_Cell]) -> str:
    first, second = map(fit_name, match.players)
    left = f"{first} : {record.points[0]}"
    lines = [
        f" Game {number}",
        f" {left:<{BEFORE_RIGHT_PLAYER}} {second} : {record.points[1]}".rstrip(),
    ]
    rows: list[list[str]] = []
    result = ""
    for cell in cells:
        if cell.is_result:
            is_dropped = record.result is not None and record.result.ending is Ending.DROPPED
            if is_dropped and cell.seat == 1 and rows and len(rows[-1]) == 1:
                rows[-1].append(cell.text)
            else:
                result = " " * (BEFORE_RIGHT_WINS if cell.seat else 6) + cell.text
        elif cell.seat == 0:
            rows.append([cell.text])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(cell.text)
        else:
            rows.append(["", cell.text])
    for place, row in enumerate(rows, start=1):
        # GNU Backgammon pads too, and reads a row of under 15 characters on into the row before.
        lines.append(f"{place:3}) {row[0]:<{LEFT_CELL}} {''.join(row[1:]).rstrip()}")
    return "\n".join([*lines, result]) + "\n" if result else "\n".join(lines) + "\n"
