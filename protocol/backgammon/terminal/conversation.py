"""Conversation: who sits at a table, what they are told and shown, and the question that waits."""

from collections.abc import Callable, Collection

from bot.backgammon.rules.decision import Decider
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.terminal.announcement import does_text, result_text, seat_names
from protocol.backgammon.terminal.board_view import Look
from protocol.backgammon.terminal.table_picture import Window, drawn_text, picture_of

YES, NO = ("y", "yes"), ("", "n", "no")

MakePlayer = Callable[[str, int, Setting], Decider]
"""Seats a bot by name and seed for what is played; may raise ValueError."""


class Conversation:
    """The people and bots at one table; the game is kept whenever the table has changed.

    is_kept: whether the game as it stands is in its file.
    pending: a question, and who takes the next line instead of the table.
    source: the point whose targets are marked, None for none. on_result: hears of each finished
    game; its ValueError is told.
    """

    def __init__(
        self,
        table: Table,
        send: Callable[[str], None],
        *,
        make_player: MakePlayer,
        kept: KeptGame,
        look: Look,
        window: Callable[[], Window],
        on_result: Callable[[Table], None] = lambda table: None,
    ) -> None:
        self.send = send
        self._on_result = on_result
        self.look = look
        self.kept = kept
        self.pending: tuple[str, Callable[[str], None]] | None = None
        self.source: int | None = None
        self._make_player = make_player
        self._window = window
        self._small_window: Window | None = None
        self._complaint = ""
        self.is_kept = False
        self.sit_down(table)

    def sit_down(self, table: Table, kept: KeptGame | None = None) -> None:
        """Seat the players of a table; raises ValueError, nothing changed, if one is missing.

        kept: where the game is kept from now on, None for where it was.
        """
        setting = table.setting
        players = [
            None if name == HUMAN else self._make_player(name, setting.seed + seat, setting)
            for seat, name in enumerate(setting.players)
        ]
        self._players = players
        self.kept = kept or self.kept
        self.sit_at(table)

    def sit_at(self, table: Table) -> None:
        """Go on at a table with the same players."""
        self.table = table
        self.change()

    def bot(self, seat: int) -> Decider | None:
        """The bot in that seat, None for a person."""
        return self._players[seat]

    def name(self, seat: int) -> str:
        """The name of a player, with the shape of the checkers, for a prompt."""
        name = seat_names(self.table.setting.players)[seat]
        return f"{self.look.signs.checkers[seat]} {name}"

    def does(self, seat: int, verb: str) -> str:
        """A player and what the player does."""
        return does_text(self.table, seat, verb, self.look)

    def change(self) -> None:
        """Note that the table has changed."""
        self.source = None
        self.draw_soon()
        self.keep()

    def tell_result(self) -> None:
        """Say how the game ended if it has, and let it be filed."""
        if self.table.result:
            self.send(result_text(self.table, self.look))
            try:
                self._on_result(self.table)
            except ValueError as error:
                self.send(f"The game is in no file: {error}.")

    def keep(self) -> None:
        """Keep the game for the next start, or nothing if there is none worth it."""
        self.is_kept = False
        if not self.kept.takes(self.table):
            return
        if not self.table.is_under_way:
            self.kept.forget()
            return
        name = self.kept.name
        try:
            self.kept.keep(self.table)
        except ValueError as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                self.send(f"The game is not kept: {error}.")
            return
        self.is_kept = True
        if self.kept.name != name:
            self.send(
                f"Another Blot plays the game kept as {name}; this one is kept as {self.kept.name}."
            )

    def draw(self) -> None:
        """Show the board."""
        window = self._window()
        if window.is_too_small and window != self._small_window:
            self.send(window.excuse)
        self._small_window = window if window.is_too_small else None
        self.send(drawn_text(picture_of(self.table, self.source), self.look, window))
        self._is_board_due = False

    def draw_soon(self) -> None:
        """Note that the board has to be shown before the next question."""
        self._is_board_due = True

    def draw_change(self) -> None:
        """Show the board if it has changed since it was shown."""
        if self._is_board_due:
            self.draw()

    def ask(self, question: str, answer: Callable[[str], None]) -> None:
        """Put a question; the next line goes to answer."""
        self.pending = question, answer

    def answer(self, line: str) -> None:
        """Hand the line to who asked."""
        if self.pending:
            (_, take), self.pending = self.pending, None
            take(line)

    def confirm(
        self,
        question: str,
        act: Callable[[], None],
        decline: Callable[[], None] | None = None,
        *,
        words: tuple[Collection[str], Collection[str]] = (YES, NO),
    ) -> None:
        """Ask before acting; anything but the words for yes and those for no is asked again."""
        yes, no = words

        def take(line: str) -> None:
            if line.lower() in yes:
                act()
            elif line.lower() not in no:
                self.send("Answer yes or no.")
                self.confirm(question, act, decline, words=words)
            elif decline:
                decline()

        self.ask(f"{question} [y/N] ", take)
