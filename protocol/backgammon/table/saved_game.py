"""Saved game: a table as a file.

The file is JSON: setting, score and the record of the game, event by event. All of it is played
again and checked when it is read. Games of the match before it are there as SGF. Version 1 knew no
cube, and version 2 had a turn's dice and play in one row; both are still read.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.archive import whole_file
from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Answer, Game, OpeningRoll, Resignation, ResignationAnswer
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord, replay
from bot.backgammon.rules.roll import Roll
from bot.files import bytes_of
from protocol.backgammon.formats.notation import bare_play_text, parse_chains, parse_play, play_text
from protocol.backgammon.formats.position_id import gnubg_id, parse_gnubg_id
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from protocol.backgammon.table.set_up import table_set_up
from protocol.backgammon.table.table import GAMMONS_COUNT, Dice, Setting, Table
from protocol.backgammon.table.turn import Turn

FORMAT = "blot game"
VERSION = 3
CUBELESS_VERSION = 1
MAX_BYTES = 16_000_000
"""Room for a session of some ten thousand games."""

_WORDS: dict[str, dict[str, Answer]] = {
    "cube": {word.value: word for kind in (CubeAction, DoubleAnswer) for word in kind},
    "resignation": {word.value: word for word in ResignationAnswer},
}


def save(table: Table, path: Path) -> None:
    """Write the table whole or not at all; raises ValueError if that cannot be done."""
    data = (json.dumps(_values(table), indent=1, ensure_ascii=False) + "\n").encode()
    if len(data) > MAX_BYTES:
        raise ValueError(f"cannot save {path}: the session is too long, begin another")
    try:
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise ValueError(f"cannot save {path}: {error.strerror}") from None


def load(path: Path) -> Table:
    """The table in a file; raises ValueError with one sentence unless it is whole and legal."""
    return table_of(path, values_in(path))


def values_in(path: Path) -> dict[str, Any]:
    """The values in the file of a saved game, of which nothing is played again yet.

    Raises ValueError with one sentence for a file that is none.
    """
    data = bytes_of(path, MAX_BYTES)
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError(f"{path} is no saved game of Blot: it is not JSON, or cut off") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"{path} is no saved game of Blot")
    if values.get("version") not in range(CUBELESS_VERSION, VERSION + 1):
        raise ValueError(
            f"{path} is a saved game of version {values.get('version')!r}, "
            f"this Blot reads versions {CUBELESS_VERSION} to {VERSION}"
        )
    return values


def table_of(path: Path, values: dict[str, Any]) -> Table:
    """The table that values_in a file tell of; raises ValueError unless it is whole and legal."""
    try:
        return _table(values)
    except KeyError as error:
        raise ValueError(f"{path} is damaged: {error} is missing") from None
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _values(table: Table) -> dict[str, Any]:
    setting, turn = table.setting, table.turn
    match = MatchRecord(setting.players, setting.rules, (table.record,))
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(setting.players),
        "length": setting.length,
        "dice": setting.dice.value,
        "seed": setting.seed,
        "points": list(table.points),
        "game": table.number,
        "cube": setting.cube,
        "jacoby": setting.money.jacoby,
        "beavers": setting.money.beavers,
        "crawford": table.is_crawford,
        "past": _past_text(replace(match, games=table.past)) if table.past else "",
        "events": list(_rows(match)),
        "legs": bare_play_text(turn.legs) if turn else "",
    }


def _table(values: dict[str, Any]) -> Table:
    first, second = _list(values["players"], str, "players", 2)
    points = _list(values["points"], int, "points", 2)
    length = None if values["length"] is None else _value(values["length"], int, "length")
    cube, money, is_crawford = False, GAMMONS_COUNT, False
    if values["version"] != CUBELESS_VERSION:
        cube, jacoby, beavers, is_crawford = (
            _value(values[name], bool, name) for name in ("cube", "jacoby", "beavers", "crawford")
        )
        money = MoneyRules(jacoby, beavers)
    setting = Setting(
        (first, second),
        length,
        Dice(_value(values["dice"], str, "dice")),
        _value(values["seed"], int, "seed"),
        cube,
        money,
    )
    number = _value(values["game"], int, "game")
    table = Table(setting, (points[0], points[1]), number, is_crawford=is_crawford)
    for row in _event_rows(values, table):
        try:
            if "set_up" in row:
                table = _set_up(table, row)
            else:
                _do(table, row)
        except ValueError as error:
            raise ValueError(f"turn {len(table.turns) + 1}: {error}") from None
    if past := _value(values.get("past", ""), str, "past"):
        table.past = parse_sgf(past).whole.games
    if legs := _legs(values):
        if table.turn is None:
            raise ValueError(f"no dice are rolled for the legs {legs[:40]}")
        table.turn = _with_legs(table.turn, legs)
    return table


def _with_legs(turn: Turn, text: str) -> Turn:
    """The turn after the legs; older Blots joined those of one checker, whichever die was first."""
    after = turn
    for chain in parse_chains(text):
        for ends in pairwise(chain):
            leg = next((leg for leg in after.next_legs if (leg.source, leg.target) == ends), None)
            if leg is None:
                return turn.with_text(text)
            after = after.with_leg(leg)
    return after


@lru_cache(maxsize=4)
def _past_text(match: MatchRecord) -> str:
    """The games before this one, as SGF; the same games again and again while one goes on."""
    return sgf_text(match)


def _event_rows(values: dict[str, Any], table: Table) -> Iterator[dict[str, Any]]:
    """The events; before version 3 from the turns and what came after them at the table."""
    if values["version"] == VERSION:
        yield from _list(values["events"], dict, "events")
        return
    for row in _list(values["turns"], dict, "turns"):
        if "cube" in row:
            yield row
        else:
            yield {"player": row["player"], "dice": row["dice"]}
            yield {"player": row["player"], "play": row["play"]}
    if values["turn"] is not None:
        turn = _value(values["turn"], dict, "turn")
        yield {"player": turn["player"], "dice": turn["dice"]}
    if values["resigned"] is not None:
        yield {"player": table.mover + 1, "resign": values["resigned"]}
        yield {"player": 2 - table.mover, "resignation": ResignationAnswer.ACCEPT.value}


def _legs(values: dict[str, Any]) -> str:
    """The legs of the turn being played, empty if there are none."""
    if values["version"] == VERSION:
        return str(_value(values["legs"], str, "legs"))
    turn = values["turn"]
    return "" if turn is None else str(_value(turn["play"], str, "play"))


def _rows(match: MatchRecord) -> Iterator[dict[str, Any]]:
    """The acts of the game, in their order, and whose they were."""
    for game, event in replay(match):
        player = 1 if game.asked is None else game.asked + 1
        match event.answer:
            case OpeningRoll(first, second):
                dice = [max(first, second), min(first, second)]
                yield {"player": 1 if first > second else 2, "dice": dice}
            case Roll(high, low):
                yield {"player": player, "dice": [high, low]}
            case CheckerPlay():
                yield {"player": player, "play": play_text(event.answer, game.state.position)}
            case CubeAction() | DoubleAnswer():
                yield {"player": player, "cube": event.answer.value}
            case Resignation(points):
                yield {"player": player, "resign": points}
            case ResignationAnswer():
                yield {"player": player, "resignation": event.answer.value}
            case Game(state, turn):
                request = event.answer.request or ChooseCubeAction(state)
                yield {"player": (turn or 0) + 1, "set_up": gnubg_id(request, roller=turn or 0)}


def _set_up(table: Table, row: dict[str, Any]) -> Table:
    """The table with the game set up by hand that the row tells; nothing has come before."""
    if table.game.turn is not None:
        raise ValueError("a position is set up in mid-game")
    player = _value(row["player"], int, "player") - 1
    request = parse_gnubg_id(_value(row["set_up"], str, "set_up"))
    made = table_set_up(table.setting, request, player, table.points, table.number)
    if made.is_crawford != table.is_crawford:
        raise ValueError(f"it is {'' if made.is_crawford else 'not '}the Crawford game")
    return made


def _do(table: Table, row: dict[str, Any]) -> None:
    """Do at the table what a row of the game tells."""
    if table.result:
        raise ValueError("the game is over before it")
    player = _value(row["player"], int, "player") - 1
    if "dice" in row:
        dice = sorted(_list(row["dice"], int, "dice", 2), reverse=player == 0)
        if player not in (0, 1) or table.game.turn not in (None, player):
            raise ValueError(f"player {player + 1} is not on roll")
        table.throw(dice[0], dice[1])
        return
    kind = next((kind for kind in ("play", "cube", "resign", "resignation") if kind in row), "")
    if player != table.game.asked:
        done = row[kind] if kind in _WORDS else kind or "do nothing"
        raise ValueError(f"player {player + 1} is not the one to {str(done)[:40]}")
    table.follow(_answer(table.game, row, kind))


def _answer(game: Game, row: dict[str, Any], kind: str) -> Answer:
    """The answer in a row that has no dice; raises ValueError if there is none."""
    if kind == "play":
        if game.roll is None:
            raise ValueError("the dice are not rolled yet")
        return parse_play(_value(row["play"], str, "play"), game.state.position, game.roll)
    if kind == "resign":
        return Resignation(_value(row["resign"], int, "resign"))
    words = _WORDS.get(kind)
    if words is None:
        raise ValueError(f"nothing is done in {str(row)[:40]}")
    word = _value(row[kind], str, kind)
    if word not in words:
        raise ValueError(f"nothing called {word[:40]!r} is done with a {kind}")
    return words[word]


def _value(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{name} cannot be {str(value)[:40]!r}")
    return value


def _list(value: Any, kind: type, name: str, count: int | None = None) -> list[Any]:
    values: list[Any] = _value(value, list, name)
    if count is not None and len(values) != count:
        raise ValueError(f"{name} has {len(values)} entries, not {count}")
    return [_value(entry, kind, name) for entry in values]
