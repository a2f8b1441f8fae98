"""API: what a page may ask about the game, with the types of everything checked."""

import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.rules.decision import ChooseCheckerPlay, ChooseCubeAction, Request
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import Cube, CubeOwner, MoneyRules
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.browser.rollout import LiveRollout, rollout_values
from protocol.backgammon.browser.sitting import Sitting
from protocol.backgammon.browser.thoughts import chances_of, hint_of, player_of_page, wake_player
from protocol.backgammon.browser.view import hint_view, ids_values, state_values
from protocol.backgammon.formats.mat_writing import mat_text
from protocol.backgammon.formats.met_file import read_table
from protocol.backgammon.formats.sgf_writing import sgf_text
from protocol.backgammon.table.exported_match import exported_match
from protocol.backgammon.table.kept_games import KeptGame, KeptGames, load_kept
from protocol.backgammon.table.set_up import table_set_up
from protocol.backgammon.table.table import HUMAN, SEEDS, Dice, Setting, Table
from protocol.backgammon.table.turn import completions
from protocol.question import number, optional, typed, wishes_in
from protocol.sitting import StaleError
from protocol.thinker import StoppedError
from protocol.web import Answer, Events, Values

MAX_TRIALS = 46656
MAX_TEXT = 2000
TableOf = Callable[[str, Setting], Table]
"""The table at the position that an ID tells, for players and rules; may raise ValueError."""


class Api:
    """The answers to a page, about one sitting.

    kept: where the game is kept, games: all of them; table_of: see TableOf. Close it.
    """

    def __init__(
        self,
        table: Table,
        kept: KeptGame,
        games: KeptGames,
        events: Events,
        table_of: TableOf,
        met: Path | None = None,
    ) -> None:
        self._games = games
        self._events = events
        self._table_of = table_of
        self._met = None if met is None else read_table(met)
        self._is_closed = False
        self.sitting = Sitting(table, kept, met=met, on_change=self._tell)
        self._rollout = LiveRollout(lambda values: events.send("rollout", values))
        self.sitting.open()
        self._tell()
        events.send("rollout", rollout_values(None, None))
        self._wake_bots()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def answers(self) -> dict[str, Answer]:
        """The answers by address."""
        return {
            "act": self._act,
            "new": self._new,
            "load": self._load,
            "games": self._kept,
            "hint": self._hint,
            "complete": self._complete,
            "rollout": self._roll_out,
            "rollout/stop": self._stop_rollout,
        }

    def close(self) -> None:
        """End what thinks and plays."""
        self._is_closed = True
        self._rollout.stop()
        self.sitting.close()

    def exported(self, name: str) -> tuple[str, bytes]:
        """The match so far as a file of that name: its media type and bytes."""
        with self.sitting.lock:
            match = exported_match(self.sitting.table)
        if name.endswith(".sgf"):
            return "application/x-go-sgf", sgf_text(match).encode()
        if name.endswith(".mat"):
            return "text/plain", mat_text(match).encode()
        raise ValueError(f"a match is exported as .sgf or .mat, not as {name[:40]!r}")

    def _tell(self) -> None:
        sitting = self.sitting
        with sitting.lock:
            self._events.send("state", state_values(sitting))

    def _act(self, values: Values) -> Values:
        do, version = typed(values, "do", str), typed(values, "version", int)
        given = _act_values(do, values)
        if do == "settings":
            self.sitting.wish(**_wishes(values))
        elif do == "set":
            self._sit_at(self._table_of(given["id"], self.sitting.table.setting))
        elif do == "edit":
            self._sit_at(self._edited(values))
        else:
            self.sitting.act(version, do, given)
        return {"version": self.sitting.version}

    def _sit_at(self, table: Table, kept: KeptGame | None = None) -> None:
        self.sitting.seat_at(table, kept or self._games.free())
        self._wake_bots()

    def _wake_bots(self) -> None:
        """Let the bots be loaded while a person looks at the board."""
        sitting, setting = self.sitting, self.sitting.table.setting
        seats = [seat for seat, name in enumerate(setting.players) if name != HUMAN]
        sitting.player.wake(
            wake_player,
            [(setting.players[at], setting.seed + at, setting.cube, sitting.met) for at in seats],
        )

    def _new(self, values: Values) -> Values:
        players = typed(values, "players", list)
        if len(players) != 2 or not all(isinstance(name, str) for name in players):
            raise ValueError("players: two names")
        for name in players:
            if name != HUMAN and (weights := player_of_page(name).weights) not in BASELINES:
                load_network(weights)
        seed = optional(values, "seed", int)
        setting = Setting(
            (players[0], players[1]),
            optional(values, "length", int),
            Dice(typed(values, "dice", str, "auto")),
            secrets.randbelow(SEEDS) if seed is None else seed,
            typed(values, "cube", bool, True),
            MoneyRules(typed(values, "jacoby", bool, True), typed(values, "beavers", bool, False)),
        )
        self._sit_at(Table(setting))
        return {"version": self.sitting.version}

    def _kept(self, values: Values) -> list[Values]:
        told: list[Values] = []
        for kept in self._games.all():
            try:
                table = kept.load()
                played = kept.played
            except ValueError as error:
                told.append({"name": kept.name, "failed": str(error)})
                continue
            if table is None:
                continue
            told.append(
                {
                    "name": kept.name,
                    "players": list(table.setting.players),
                    "length": table.setting.length,
                    "score": list(table.score),
                    "played": f"{played:%Y-%m-%dT%H:%M}",
                }
            )
        return told

    def _load(self, values: Values) -> Values:
        kept = self._games.called(typed(values, "name", str))
        self._sit_at(load_kept(kept), kept)
        return {"version": self.sitting.version}

    def _hint(self, values: Values) -> Values:
        question, game, setting, _ = self._question(values)
        level = self.sitting.wishes.advice
        try:
            hint = self.sitting.adviser.ask(
                hint_of, level, setting.cube, self.sitting.met, question, game.is_beavered
            )
        except (StoppedError, ChildProcessError) as error:
            raise ValueError(str(error) or "the hint was broken off") from None
        return hint_view(hint, level, question, game.asked or 0)

    def _complete(self, values: Values) -> Values:
        text = typed(values, "text", str)[:MAX_TEXT]
        with self.sitting.lock:
            turn = self.sitting.table.turn
        return {"lines": completions(turn, text) if turn and text.strip() else []}

    def _roll_out(self, values: Values) -> Values:
        trials = typed(values, "trials", int, 1296)
        if not 2 <= trials <= MAX_TRIALS:
            raise ValueError(f"trials: 2 to {MAX_TRIALS}, not {trials}")
        question, game, setting, told_id = self._question(values)
        if game.is_beavered:
            raise ValueError("the answer to a beaver is not rolled out")
        if game.resigned:
            raise ValueError("a rollout does not answer resignations: a hint does")
        self._rollout.start(
            question, trials, position_id=told_id, has_cube=setting.cube, met=self._met
        )
        return {}

    def _stop_rollout(self, values: Values) -> Values:
        self._rollout.stop()
        return {}

    def _watch(self) -> None:
        """Tell pages the chances of each new position, for as long as the sitting lasts."""
        sitting, told = self.sitting, None
        while not self._is_closed:
            with sitting.lock:
                table = sitting.table
                now = table.state, table.mover
                if now == told or table.result:
                    sitting.lock.wait(1)
                    continue
            try:
                equity, chances = sitting.adviser.ask(chances_of, now[0])
            except StoppedError:
                continue
            except ChildProcessError:
                told = now  # not asked again: every question would start a process
                continue
            told = now
            self._events.send("chances", _chances_of_first(equity, chances, now[1]))

    def _question(self, values: Values) -> tuple[Request, Game, Setting, str]:
        """The question at that version, its game, setting and ID; raises StaleError if the table
        has changed since.
        """
        version = typed(values, "version", int)
        with self.sitting.lock:
            table = self.sitting.table
            if version != self.sitting.version:
                raise StaleError
            is_dance = table.turn is not None and not table.turn.plays
            if table.result or table.game.turn is None or is_dance:
                raise ValueError("there is nothing to decide now")
            return table.question, table.game, table.setting, ids_values(table)["id"]

    def _edited(self, values: Values) -> Table:
        """The table at a position set up by hand."""
        points = typed(values, "points", list)
        if not all(type(count) is int and -15 <= count <= 15 for count in points):
            raise ValueError("points: 26 counts of checkers")
        seat = typed(values, "on_roll", int)
        if seat not in (0, 1):
            raise ValueError(f"on_roll: 0 or 1, not {seat}")
        cube = typed(values, "cube", dict, {})
        owner = optional(cube, "owner", int)
        owners = {None: CubeOwner.CENTRED, 0: CubeOwner.ON_ROLL, 1: CubeOwner.OTHER}
        if owner not in owners:
            raise ValueError(f"owner: null, 0 or 1, not {owner}")
        table = self.sitting.table
        setting = table.setting
        start = setting.rules.new_game(table.points, is_crawford=table.is_crawford).state
        shown = Cube(typed(cube, "value", int, 1), owners[owner])
        state = replace(start, position=Position(tuple(points)), cube=shown)
        if not state.has_possible_cube:
            raise ValueError(f"at this score no cube at {shown.value} can have that owner")
        state = state.turned() if seat else state
        dice = optional(values, "dice", list)
        request: Request = ChooseCubeAction(state)
        if dice is not None:
            request = ChooseCheckerPlay(state, Roll.of_dice(*_dice(dice)))
        return table_set_up(setting, request, seat, table.points, table.number)


def _chances_of_first(equity: float, chances: Sequence[float], mover: int) -> Values:
    """Chances and equity of seat 0, from those of the player on roll."""
    if mover:
        win, gammon, backgammon, lost_gammon, lost_backgammon = chances
        chances, equity = (1 - win, lost_gammon, lost_backgammon, gammon, backgammon), -equity
    return {"chances": list(chances), "equity": equity}


def _act_values(do: str, values: Values) -> Values:
    """The values that an act needs besides, of the right types."""
    match do:
        case "move":
            return {name: typed(values, name, str) for name in ("from", "to")}
        case "text":
            return {"text": typed(values, "text", str)[:MAX_TEXT]}
        case "set":
            return {"id": typed(values, "id", str)}
        case "dice":
            return {"dice": _dice(typed(values, "dice", list))}
        case "resign":
            points = typed(values, "points", int)
            if points not in (1, 2, 3):
                raise ValueError(f"points: 1, 2 or 3, not {points}")
            return {"points": points}
    return {}


def _wishes(values: Values) -> Values:
    """The wishes among the values, of the right types."""
    wishes = wishes_in(values)
    if "tutor" in values:
        wishes["tutor"] = None if values["tutor"] is None else number(values, "tutor")
    return wishes


def _dice(dice: list[Any]) -> tuple[int, int]:
    """Two dice as they were typed; raises ValueError if they are none."""
    if len(dice) != 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
        raise ValueError(f"dice: two numbers from 1 to 6, not {str(dice)[:40]}")
    return dice[0], dice[1]
