"""Saved game: a table as a file, and the one game that is kept between two sittings.

The file is JSON: setting, score and the turns of the game, with what was done with the cube between
them. All of it is played again and checked when it is read. Version 1 knew no cube.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.archive import whole_file
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.formats.notation import parse_play, play_text
from protocol.backgammon.table.doubling import Act, CubeAct
from protocol.backgammon.table.table import GAMMONS_COUNT, Dice, PlayedTurn, Setting, Table
from protocol.backgammon.table.turn import Turn

FORMAT = "blot game"
VERSION = 2
CUBELESS_VERSION = 1
MOST_BYTES = 1_000_000


def kept_path() -> Path:
    """Where this user's game is kept: in the state folder of the XDG base directories."""
    given = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return folder / "blot" / "game.json"


@dataclass(frozen=True, slots=True)
class KeptGame:
    """The game that is offered at the next start."""

    path: Path

    def keep(self, table: Table) -> None:
        """Write the table; raises ValueError if that cannot be done."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"the folder {self.path.parent} cannot be made: {error}") from None
        save(table, self.path)

    def load(self) -> Table | None:
        """The table kept, None if there is none; raises ValueError for a damaged one."""
        return load(self.path) if self.path.exists() else None

    def forget(self) -> None:
        """Keep nothing."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def set_aside(self) -> Path:
        """Move a damaged file out of the way; where it is now."""
        aside = self.path.with_suffix(".damaged")
        self.path.replace(aside)
        return aside


def save(table: Table, path: Path) -> None:
    """Write the table whole or not at all; raises ValueError if that cannot be done."""
    text = json.dumps(_values(table), indent=1, ensure_ascii=False) + "\n"
    try:
        with whole_file(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise ValueError(f"cannot save {path}: {error.strerror}") from None


def load(path: Path) -> Table:
    """The table in a file; raises ValueError with one sentence unless it is whole and legal."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise ValueError(f"{path} is no saved game of Blot: it is too long")
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError(f"{path} is no saved game of Blot: it is not JSON, or cut off") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError(f"{path} is no saved game of Blot")
    if values.get("version") not in (CUBELESS_VERSION, VERSION):
        raise ValueError(
            f"{path} is a saved game of version {values.get('version')!r}, "
            f"this Blot reads versions {CUBELESS_VERSION} and {VERSION}"
        )
    try:
        return _table(values)
    except KeyError as error:
        raise ValueError(f"{path} is damaged: {error} is missing") from None
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _values(table: Table) -> dict[str, Any]:
    setting, turn = table.setting, table.turn
    return {
        "format": FORMAT,
        "version": VERSION,
        "players": list(setting.players),
        "length": setting.length,
        "dice": setting.dice.value,
        "seed": setting.seed,
        "points": list(table.points),
        "game": table.game,
        "cube": setting.cube,
        "jacoby": setting.money.jacoby,
        "beavers": setting.money.beavers,
        "crawford": table.is_crawford,
        "turns": list(_rows(table)),
        "turn": turn
        and {
            "player": table.mover + 1,
            "dice": [turn.roll.high, turn.roll.low],
            "play": play_text(CheckerPlay(turn.legs, turn.now), turn.position),
        },
        "resigned": table.resigned,
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
    game = _value(values["game"], int, "game")
    table = Table(setting, (points[0], points[1]), game, is_crawford=is_crawford)
    for row in _list(values["turns"], dict, "turns"):
        try:
            _do(table, row)
        except ValueError as error:
            raise ValueError(f"turn {len(table.turns) + 1}: {error}") from None
    if values["turn"] is not None:
        row = _value(values["turn"], dict, "turn")
        turn, text = _thrown(table, row), _value(row["play"], str, "play")
        table.turn = turn.with_text(text) if text else turn
    if values["resigned"] is not None:
        _refuse_after_end(table)
        if table.doubling.asked is not None:
            raise ValueError("nobody resigns while a double waits")
        table.resign(_value(values["resigned"], int, "resigned"))
    return table


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    """What was done in the game, in its order; an act comes before the turn of its number."""
    done: list[tuple[int, CubeAct | PlayedTurn]] = [(act.turn, act) for act in table.acts]
    done += enumerate(table.turns)
    for _, each in sorted(done, key=lambda pair: (pair[0], isinstance(pair[1], PlayedTurn))):
        if isinstance(each, CubeAct):
            yield {"player": each.player + 1, "cube": each.act.value}
        else:
            yield {
                "player": each.player + 1,
                "dice": [each.roll.high, each.roll.low],
                "play": play_text(each.play, each.position),
            }


def _do(table: Table, row: dict[str, Any]) -> None:
    """Do at the table what a row of the game tells."""
    if "cube" not in row:
        turn = _thrown(table, row)
        table.finish_turn(parse_play(_value(row["play"], str, "play"), turn.position, turn.roll))
        return
    _refuse_after_end(table)
    word = _value(row["cube"], str, "cube")
    if word not in (act.value for act in Act):
        raise ValueError(f"nothing called {word[:40]!r} is done with a cube")
    asked = table.mover if table.doubling.asked is None else table.doubling.asked
    if _value(row["player"], int, "player") != asked + 1:
        raise ValueError(f"player {row['player']} is not the one to {word}")
    table.act(Act(word))


def _thrown(table: Table, row: dict[str, Any]) -> Turn:
    """The turn with the dice of a row thrown; its player must be the one on roll."""
    _refuse_after_end(table)
    player = _value(row["player"], int, "player") - 1
    dice = sorted(_list(row["dice"], int, "dice", 2), reverse=player == 0)
    if player not in (0, 1) or table.on_roll not in (None, player):
        raise ValueError(f"player {player + 1} is not on roll")
    return table.throw(dice[0], dice[1])


def _refuse_after_end(table: Table) -> None:
    if table.result:
        raise ValueError("the game is over before it")


def _value(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{name} cannot be {str(value)[:40]!r}")
    return value


def _list(value: Any, kind: type, name: str, count: int | None = None) -> list[Any]:
    values: list[Any] = _value(value, list, name)
    if count is not None and len(values) != count:
        raise ValueError(f"{name} has {len(values)} entries, not {count}")
    return [_value(entry, kind, name) for entry in values]
