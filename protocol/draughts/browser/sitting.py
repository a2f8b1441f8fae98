"""Sitting: people and bots at a table of draughts that pages show."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bot.draughts.rules.decision import Found
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import Side, Variant
from protocol.draughts.browser.thoughts import agreed_by, found_by
from protocol.draughts.browser.wishes import Wishes
from protocol.draughts.formats.notation import move_text, parse_move
from protocol.draughts.table.kept_games import KeptGames
from protocol.draughts.table.table import HUMAN, Table
from protocol.sitting import Sitting as AnySitting

SIDES = tuple(Side)
"""The sides by their seats."""

Prepare = Callable[[tuple[str, ...], Variant], None]
"""Has ready what the bots of these names think with; waits until it is."""


class Sitting(AnySitting):
    """A table, who plays at it, and what a page can be told of it.

    kept: where its game is kept. A demonstration, two bots, begins paused unless it is asked for;
    however fast it goes, it can be paused.
    """

    TIMELESS = frozenset({"pause"})
    wishes: Wishes

    def __init__(
        self,
        table: Table,
        kept: KeptGames,
        wishes: Wishes,
        *,
        prepare: Prepare,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(wishes, on_change)
        self._prepare = prepare
        self._sit_down(table, kept, is_paused=True)

    def seat_at(self, table: Table, kept: KeptGames, *, is_paused: bool = False) -> None:
        """Go on at another table; the game so far stays where it is kept."""
        with self.lock:
            was_bot = self.asks == "bot"
            self._sit_down(table, kept, is_paused=is_paused)
            self._note("new_game")
            self._change()
        if was_bot:
            self.player.stop()

    def _sit_down(self, table: Table, kept: KeptGames, *, is_paused: bool) -> None:
        self.table, self.kept = table, kept
        self.is_paused = is_paused and self.is_demonstration
        self._is_offered = False
        self._steps_once = False  # whether a demonstration pauses again after the next move
        self._last_kept: tuple[object, ...] = ()
        self._begin_log()

    @property
    def is_demonstration(self) -> bool:
        """Whether nobody plays but bots."""
        return HUMAN not in self.table.players

    @property
    def turn(self) -> int:
        """The seat that is to move."""
        return SIDES.index(self.table.game.position.turn)

    @property
    def asks(self) -> str:
        """The thing that is waited for: a person's move, the bot, or what follows."""
        if self.table.result is not None:
            return "next"
        if self._is_offered:
            return "bot"
        if self.table.on_move == HUMAN:
            is_forced = self.wishes.auto and len(self.table.game.moves) == 1
            return "bot" if is_forced else "move"
        return "paused" if self.is_paused else "bot"

    @property
    def may(self) -> list[str]:
        """The acts that would be allowed now."""
        back = ["undo"] if self.table.moves or self.table.result else []
        match self.asks:
            case "next":
                return ["again", *back]
            case "move":
                return ["move", "text", "draw", "resign", *back]
            case "paused":
                return ["step", "go", *back]
        return ["stop", "pause"] if self.is_demonstration else ["stop", *back]

    def act(self, version: int, do: str, values: dict[str, Any]) -> None:
        """Do what a person wants who saw that version; a bot that thinks is stopped by undo."""
        was_bot = self.asks == "bot"
        super().act(version, do, values)
        if was_bot and do == "undo":
            self.player.stop()

    def _do(self, do: str, values: dict[str, Any]) -> None:
        table = self.table
        match do:
            case "move":
                moves = table.game.moves
                if not 0 <= values["n"] < len(moves):
                    raise ValueError("there is no such move")
                self._move(moves[values["n"]])
            case "text":
                self._move(parse_move(values["text"], table.game.moves, table.variant))
            case "undo":
                table.undo()
                self._is_offered = False
                with suppress(ValueError):
                    while self.asks == "bot" and table.on_move == HUMAN:
                        table.undo()  # a forced move would be made again at once
                self.is_paused = self.is_demonstration
                self._note("undone")
            case "resign":
                self._note("resigns", self.turn)
                table.end(table.game.resigned(SIDES[self.turn]))
                self._note_result()
            case "draw":
                self._offer()
            case "again":
                self._sit_down(Table(table.start, table.players), self.kept, is_paused=False)
                self._note("new_game")
            case "pause" | "go":
                self.is_paused, self._steps_once = do == "pause", False
            case "step":
                self.is_paused = False
                self._steps_once = True

    def _offer(self) -> None:
        """Agree on a draw with a person; a bot is asked."""
        self._note("offers", self.turn)
        if self.table.players[1 - self.turn] == HUMAN:
            self._agree()
        else:
            self._is_offered = True

    def _agree(self) -> None:
        self.table.end(self.table.game.agreed())
        self._note_result()

    def _move(self, move: Move, found: Found | None = None) -> None:
        """Make a move, and note it with what a bot thought of it."""
        table, seat = self.table, self.turn
        texts = texts_of(move, table.game.moves, table.variant)
        table.play(move)
        self._is_hurried = False
        thought = {} if found is None else {"score": found.score, "depth": found.depth}
        self._note("moves", seat, **texts, **thought)
        self._note_result()
        if self._steps_once:
            self._steps_once, self.is_paused = False, True

    def _note_result(self) -> None:
        result = self.table.result
        if result is None:
            return
        if result.winner is None:
            self._note("draw", None, ending=result.ending.name.lower())
        else:
            self._note("wins", SIDES.index(result.winner), ending=result.ending.name.lower())

    def _keep(self) -> None:
        table = self.table
        stands = (table, len(table.moves), table.result)
        if stands == self._last_kept:
            return
        try:
            self.kept.keep(table)
        except OSError as error:
            raise ValueError(str(error)) from None
        self._last_kept = stands

    def _is_due(self) -> bool:
        return self.asks == "bot"

    def _step(self, version: int) -> None:
        """Let the bot move, or answer an offer, or make a person's only move."""
        with self.lock:
            table, seat, wishes = self.table, self.turn, self.wishes
            is_offered, is_hurried, stops = self._is_offered, self._is_hurried, self.player.stops
        asked = 1 - seat if is_offered else seat
        name = table.players[asked]
        if name == HUMAN:
            self._conclude(version, lambda: self._move(table.game.moves[0]))
            return
        self._prepare((name,), table.variant)
        depth = (wishes.white, wishes.black)[asked]
        asking = (name, asked, depth, table.game, is_hurried)
        if is_offered:
            is_agreed = self.player.ask(agreed_by, *asking, stops=stops)
            self._conclude(version, lambda: self._answer_offer(asked, is_agreed))
        else:
            found = self.player.ask(found_by, *asking, stops=stops)
            self._conclude(version, lambda: self._move(found.move, found))

    def _answer_offer(self, seat: int, is_agreed: bool) -> None:
        """Let a bot agree or decline."""
        self._is_offered = False
        if is_agreed:
            self._agree()
        else:
            self._note("declines", seat)

    def _forgive(self) -> bool:
        """Play on without an answer to an offer; a move has to come from somebody."""
        was_offered, self._is_offered = self._is_offered, False
        return was_offered


def texts_of(move: Move, moves: Sequence[Move], variant: Variant) -> dict[str, str]:
    """A legal move in both notations."""
    return {
        name: move_text(move, moves, variant, is_lettered=name == "letters")
        for name in ("numbers", "letters")
    }
