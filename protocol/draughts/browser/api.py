"""API: what a page may ask about games of draughts, with the types of everything checked."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.draughts.arena.ballots import ballots
from bot.draughts.jobs import DEPTH_GAMES
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import VARIANTS, Variant
from bot.draughts.training.state_learning import LearningSettings
from protocol.draughts.browser.learning import FOLDER, LiveLearning
from protocol.draughts.browser.preparation import Preparation
from protocol.draughts.browser.sitting import Sitting
from protocol.draughts.browser.thoughts import check_player, ranking_by, wake_player
from protocol.draughts.browser.view import (
    Values,
    ballot_values,
    hint_values,
    record_values,
    state_values,
)
from protocol.draughts.browser.wishes import Wishes
from protocol.draughts.formats.fen import parse_fen
from protocol.draughts.formats.pdn import parse_pdn
from protocol.draughts.formats.pdn_writing import pdn_text
from protocol.draughts.table.kept_games import KeptGames
from protocol.draughts.table.table import HUMAN, Table
from protocol.question import optional, typed, wishes_in
from protocol.sitting import StaleError
from protocol.thinker import StoppedError
from protocol.web import STALE, Answer, Events, RefusedError

MAX_BODY = 1 << 22
"""Bytes of a question, which may hold a file of games."""

MAX_TEXT = 2000
MAX_LISTED = 500
"""Games of a file that a page lists."""

WISHES = "draughts-board.json"

KeptOf = Callable[[Variant], KeptGames]
"""The kept games of a variant; may raise ValueError."""


class Api:
    """The answers to a page, about one sitting.

    kept_of: see KeptOf; folder: where tables of states and wishes are kept. Close it.
    """

    def __init__(
        self, table: Table, kept: KeptGames, kept_of: KeptOf, folder: Path, events: Events
    ) -> None:
        self._events = events
        self._kept_of = kept_of
        self._kept = {table.variant.name: kept}
        self._wishes_file = folder / WISHES
        self._preparation = Preparation(lambda values: events.send("preparing", values))
        self._learning = LiveLearning(
            folder / FOLDER,
            lambda values: events.send("learning", values),
            prepare=lambda: self._preparation.need_kernels(DEPTH_GAMES),
            on_end=lambda: self.sitting.player.stop(),
        )
        self.sitting = Sitting(
            table,
            kept,
            Wishes.load(self._wishes_file),
            prepare=self._preparation.need_players,
            on_change=self._tell,
        )
        self.sitting.open()
        self._preparation.begin()
        self._tell()

    @property
    def answers(self) -> dict[str, Answer]:
        """The answers by address."""
        return {
            "act": self._act,
            "new": self._new,
            "load": self._load,
            "games": self._games,
            "pdn": self._pdn,
            "hint": self._hint,
            "ballots": lambda values: ballot_values(_variant(values)),
            "tables": self._tables,
            "learn": self._learn,
            "learn/stop": self._stop_learning,
        }

    def close(self) -> None:
        """End what thinks, learns and plays; a run that learns is saved."""
        self._preparation.close()  # learning may wait for it
        self._learning.stop()
        self.sitting.close()

    def exported(self, name: str) -> tuple[str, bytes]:
        """The game so far as a file of that name: its media type and bytes."""
        if not name.endswith(".pdn"):
            raise ValueError(f"a game is exported as .pdn, not as {name[:40]!r}")
        with self.sitting.lock:
            record = self.sitting.table.record
        return "application/x-draughts-pdn", pdn_text([record]).encode()

    def _tell(self) -> None:
        sitting = self.sitting
        with sitting.lock:
            self._events.send("state", state_values(sitting))

    def _act(self, values: Values) -> Values:
        do, version = typed(values, "do", str), typed(values, "version", int)
        given = _act_values(do, values)
        if do == "settings":
            self._wish(wishes_in(values))
        elif do == "set":
            table = self.sitting.table
            start = parse_fen(given["fen"], table.variant)
            self._sit_at(Table(start, table.players), is_paused=True)
        else:
            self.sitting.act(version, do, given)
        return {"version": self.sitting.version}

    def _wish(self, wishes: Values) -> None:
        self.sitting.wish(**wishes)
        try:
            self.sitting.wishes.save(self._wishes_file)
        except OSError as error:
            raise ValueError(str(error)) from None

    def _sit_at(self, table: Table, *, is_paused: bool = False) -> None:
        kept = self._kept_games(table.variant)
        self.sitting.seat_at(table, kept, is_paused=is_paused)
        names = table.players
        self.sitting.player.wake(
            wake_player,
            [(name, seat, table.variant) for seat, name in enumerate(names) if name != HUMAN],
        )

    def _kept_games(self, variant: Variant) -> KeptGames:
        """The kept games of a variant, with those that another Blot has written since."""
        if variant.name not in self._kept:
            self._kept[variant.name] = self._kept_of(variant)
        self._kept[variant.name].read_again(variant)
        return self._kept[variant.name]

    def _new(self, values: Values) -> Values:
        variant = _variant(values)
        players = _pair(values, "players", str)
        for name in players:
            if name != HUMAN:
                check_player(name, variant)
        white, black = _pair(values, "depths", int | None)
        wishes = replace(self.sitting.wishes, white=white, black=black)
        start, moves = Position.start(variant), []
        origin = typed(values, "origin", str, "start")
        if origin == "fen":
            start = parse_fen(typed(values, "fen", str)[:MAX_TEXT], variant)
        elif origin == "ballot":
            openings = ballots(variant)
            chosen = optional(values, "ballot", int)
            chosen = secrets.randbelow(len(openings)) if chosen is None else chosen
            if not 0 <= chosen < len(openings):
                raise ValueError(f"ballot: 0 to {len(openings) - 1}, not {chosen}")
            moves = list(openings[chosen])
        elif origin != "start":
            raise ValueError(f"origin: start, ballot or fen, not {origin[:40]!r}")
        table = Table(start, (players[0], players[1]), moves)
        self._wish({"white": wishes.white, "black": wishes.black})
        self._sit_at(table)
        return {"version": self.sitting.version}

    def _games(self, values: Values) -> list[Values]:
        told: list[Values] = []
        for variant in VARIANTS.values():
            try:
                with self.sitting.lock:
                    kept = self._kept_games(variant)
                    records, digest = kept.earlier, kept.digest
            except ValueError as error:
                told.append({"variant": variant.name, "failed": str(error)})
                continue
            listed = [
                record_values(record) | {"n": n, "variant": variant.name, "digest": digest}
                for n, record in enumerate(records)
            ]
            told.extend(listed[::-1])
        return told

    def _load(self, values: Values) -> Values:
        """Go on with a game by its number in the list of that digest."""
        variant, n, digest = _variant(values), typed(values, "n", int), typed(values, "digest", str)
        with self.sitting.lock:
            kept = self._kept_games(variant)
            if digest != kept.digest:
                raise RefusedError("the kept games have changed since: list them again", STALE)
            # what a bot does now must not come between: the game is taken, but nobody sits at it
            self._sit_at(seated(kept.take(n)), is_paused=True)
        return {"version": self.sitting.version}

    def _pdn(self, values: Values) -> Values:
        """Open a game of a file; without its number the first games and how many there are, if
        there are several.
        """
        text, n = typed(values, "text", str), optional(values, "n", int)
        read = parse_pdn(text, self.sitting.table.variant)
        if n is None and len(read.games) > 1:
            listed = [record_values(record) for record in read.games[:MAX_LISTED]]
            return {"games": listed, "all": len(read.games)}
        n = n or 0
        if not 0 <= n < len(read.games):
            raise ValueError(str(read.faults[0]) if read.faults else f"there is no game {n + 1}")
        fault = next((str(fault) for fault in read.faults if fault.place == n), None)
        if fault is not None and not read.games[n].moves:
            raise ValueError(fault)
        record, players = read.games[n], (HUMAN, HUMAN)
        table = Table.of_moves(record, players)
        if len(table.moves) == len(record.moves):
            table = Table.of_record(record, players)
        elif table.result is not None:
            fault = f"what follows the end of the game is left out: {table.result.ending.value}"
        self._sit_at(table)
        return {"version": self.sitting.version, "fault": fault}

    def _hint(self, values: Values) -> Values:
        version, sitting = typed(values, "version", int), self.sitting
        with sitting.lock:
            table, advice = sitting.table, sitting.wishes.advice
            if version != sitting.version:
                raise StaleError
            if table.result is not None:
                raise ValueError("there is nothing to decide now")
            game = table.game
        try:
            self._preparation.need_players((advice,), table.variant)
            found = sitting.adviser.ask(ranking_by, advice, game)
        except (StoppedError, ChildProcessError) as error:
            raise ValueError(str(error) or "the hint was broken off") from None
        return hint_values(found, game, advice)

    def _tables(self, values: Values) -> list[Values]:
        """The tables of states that were learnt here."""
        paths = self._learning.tables(_variant(values).name)
        return [{"file": str(path), "name": f"{path.parent.name}/{path.name}"} for path in paths]

    def _learn(self, values: Values) -> Values:
        settings = LearningSettings(
            variant=_variant(values).name,
            games=typed(values, "games", int),
            depth=typed(values, "depth", int),
            is_shared=typed(values, "is_shared", bool, True),
        )
        self._learning.start(settings)
        return {}

    def _stop_learning(self, values: Values) -> Values:
        self._learning.stop()
        return {}


def seated(table: Table) -> Table:
    """The table, with people in place of players that do not play at a page."""

    def is_here(name: str) -> bool:
        try:
            check_player(name, table.variant)
        except ValueError:
            return False
        return True

    white, black = (name if name == HUMAN or is_here(name) else HUMAN for name in table.players)
    table.players = white, black
    return table


def _variant(values: Values) -> Variant:
    name = typed(values, "variant", str)
    if name not in VARIANTS:
        raise ValueError(f"variant: {' or '.join(VARIANTS)}, not {name[:40]!r}")
    return VARIANTS[name]


def _pair(values: Values, name: str, kind: Any) -> list[Any]:
    """Two values of a kind, White's first."""
    found = typed(values, name, list)
    if len(found) != 2 or not all(
        isinstance(each, kind) and not isinstance(each, bool) for each in found
    ):
        raise ValueError(f"{name}: one for each player")
    return list(found)


def _act_values(do: str, values: Values) -> Values:
    """The values that an act needs besides, of the right types."""
    match do:
        case "move":
            return {"n": typed(values, "n", int)}
        case "text":
            return {"text": typed(values, "text", str)[:MAX_TEXT]}
        case "set":
            return {"fen": typed(values, "fen", str)[:MAX_TEXT]}
    return {}
