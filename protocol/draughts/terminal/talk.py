"""Talk: the conversation at a board of draughts, line by line."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event

from bot.draughts.engine.offer import agrees
from bot.draughts.rules.decision import Found, Limits, Player
from bot.draughts.rules.game import Result
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import Side
from protocol.draughts.formats.fen import fen_text
from protocol.draughts.formats.notation import move_text, parse_move
from protocol.draughts.formats.pdn_writing import result_text, write_pdn
from protocol.draughts.table.table import HUMAN, Table
from protocol.draughts.terminal.board_view import Look, board_text
from protocol.errors import sentence, typed_path

HELP = """\
A move: its number in the list, or 32-28, 28x19, a3-b4, c3:e5.
Enter       make the only move; else show the board
moves       list the legal moves
hint        a move, its score in men for who is to move, and the line expected
undo        take the last move of yours back
draw        agree on a draw; bots agree if they are not ahead
resign      lose the game         new    begin again
flip        turn the board round  fen    show the position
save FILE   write the game as PDN
help        this                  quit   leave; the game is kept"""

WIDTH = 78
MAX_DIGITS = 9
"""Digits of the number of a move that are read."""


class Talk:
    """The conversation of people and bots at a table.

    players: of White and Black, None for people. limits: of the bots' search. advisor: makes who
    gives hints, when the first is wanted. keep: hears of every change.
    """

    def __init__(
        self,
        table: Table,
        send: Callable[[str], None],
        *,
        players: tuple[Player | None, Player | None],
        limits: Limits,
        advisor: Callable[[], Player],
        look: Look,
        keep: Callable[[Table], None] = lambda table: None,
    ) -> None:
        self.table = table
        self.send = send
        self.look = look
        self.is_left = False
        self.stop = Event()
        self._players = players
        self._limits = limits
        self._make_advisor = advisor
        self._advisor: Player | None = None
        self._keep = keep
        self._complaint = ""
        self._is_board_due = True
        self._alone: dict[str, Callable[[], None]] = {
            "moves": self._list_moves,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "draw": self._draw_offer,
            "new": self._new,
            "flip": self._flip,
            "fen": lambda: self.send(fen_text(self.table.position)),
            "help": lambda: self.send(HELP),
            "?": lambda: self.send(HELP),
            "quit": self._quit,
            "exit": self._quit,
        }

    @property
    def waits(self) -> bool:
        """Whether a person is asked; else step lets a bot move."""
        return self.table.result is not None or self._bot(self._turn) is None

    def prompt(self) -> str:
        """The question, after the board if that has changed."""
        if self._is_board_due:
            self.draw()
        if self.table.result is not None:
            return "new, undo or quit: "
        return f"{self._side_text(self._turn)} to move: "

    def receive(self, line: str) -> None:
        """Do what a line says; what cannot be done is said in one sentence."""
        line = line.strip()
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        try:
            if word == "save":
                self._save(rest)
            elif word in self._alone and rest:
                raise ValueError(f"{word} stands alone, without {rest[:40]!r}")
            elif word in self._alone:
                self._alone[word]()
            elif word:
                self._check_going_on()
                self._move(self._typed(line))
            else:
                self._enter()
        except (ValueError, OSError) as error:
            self.send(sentence(error))

    def step(self) -> None:
        """Let the bot whose turn it is move; raises what its search does, the game as it was."""
        bot = self._bot(self._turn)
        assert bot is not None
        found = bot.search(self.table.game, self._limits, self.stop, lambda _: None)
        said = f"{self._side_text(self._turn)} moves {self._text(found.move)}"
        self._move(found.move)
        self.send(f"{said}{_score_text(found)}.")

    def completions(self, text: str) -> list[str]:
        """The lines that a text may become: commands, and moves for a person."""
        words = [word for word in (*self._alone, "save") if word.isalpha()]
        moves = [] if self.table.result is not None else self._texts(self.table.game.moves)
        return [each for each in (*moves, *words) if text and each.startswith(text)]

    def draw(self) -> None:
        """Show the board, the last move in brackets."""
        self._is_board_due = False
        last = self.table.last
        marked = () if last is None else (last.start, last.end)
        self.send(f"\n{board_text(self.table.position, self.look, marked)}\n")
        if self.table.result is not None:
            self.send(self._result_text(self.table.result))

    def draw_soon(self) -> None:
        """Show the board before the next question."""
        self._is_board_due = True

    def keep_by(self, act: Callable[[], None]) -> None:
        """Do what keeps the game, and tell once if that fails."""
        try:
            act()
        except (ValueError, OSError) as error:
            if str(error) != self._complaint:
                self._complaint = str(error)
                self.send(f"The game is not kept: {error}.")

    @property
    def _turn(self) -> Side:
        return self.table.game.position.turn

    def _bot(self, side: Side) -> Player | None:
        return self._players[0 if side is Side.WHITE else 1]

    def _side_text(self, side: Side) -> str:
        name = self.table.player(side)
        sign = self.look.sign(side, king=False)
        return f"{sign} {side.value}" if name == HUMAN else f"{sign} {side.value} ({name})"

    def _result_text(self, result: Result) -> str:
        score = result_text(self.table.record.score, self.table.variant)
        if result.winner is None:
            return f"A draw: {result.ending.value}, {score}."
        return f"{self._side_text(result.winner)} wins: {result.ending.value}, {score}."

    def _text(self, move: Move) -> str:
        return move_text(move, self.table.game.moves, self.table.variant)

    def _texts(self, moves: Sequence[Move]) -> list[str]:
        return [self._text(move) for move in moves]

    def _typed(self, text: str) -> Move:
        moves = self.table.game.moves
        if text.isascii() and text.isdecimal():
            if len(text) > MAX_DIGITS or not 1 <= int(text) <= len(moves):
                raise ValueError(f"the moves are numbered 1 to {len(moves)}, not {text[:20]}")
            return moves[int(text) - 1]
        return parse_move(text, moves, self.table.variant)

    def _move(self, move: Move) -> None:
        self.table.play(move)
        self._changed()

    def _changed(self) -> None:
        self._is_board_due = True
        self.keep_by(lambda: self._keep(self.table))

    def _enter(self) -> None:
        moves = self.table.game.moves
        if self.table.result is None and len(moves) == 1:
            self.send(f"The only move: {self._text(moves[0])}.")
            self._move(moves[0])
        else:
            self.draw()

    def _list_moves(self) -> None:
        self._check_going_on()
        numbered = [f"{i} {text}" for i, text in enumerate(self._texts(self.table.game.moves), 1)]
        width = max(map(len, numbered)) + 2
        columns = max(WIDTH // width, 1)
        for first in range(0, len(numbered), columns):
            row = numbered[first : first + columns]
            self.send("".join(f"{each:{width}}" for each in row).rstrip())

    def _hint(self) -> None:
        self._check_going_on()
        if self._advisor is None:
            self._advisor = self._make_advisor()
        found = self._advisor.search(self.table.game, Limits(), self.stop, lambda _: None)
        line = line_text(self.table.game.position, found.line or (found.move,))
        self.send(f"{line}{_score_text(found)}")

    def _undo(self) -> None:
        self.table.undo()
        self._changed()

    def _resign(self) -> None:
        self._check_going_on()
        self.table.end(self.table.game.resigned(self._turn))
        self._changed()

    def _draw_offer(self) -> None:
        """Agree on a draw with a person; a bot agrees unless it thinks that it is ahead."""
        self._check_going_on()
        other = self._turn.other
        bot = self._bot(other)
        if bot is not None and not agrees(bot, self.table.game, self._limits, self.stop):
            self.send(f"{self._side_text(other)} plays on.")
            return
        self.table.end(self.table.game.agreed())
        self._changed()

    def _check_going_on(self) -> None:
        if self.table.result is not None:
            raise ValueError("the game is over: new, undo or quit")

    def _new(self) -> None:
        self.table = Table(self.table.start, self.table.players)
        self._changed()

    def _flip(self) -> None:
        self.look = replace(self.look, flipped=not self.look.flipped)
        self.draw()

    def _save(self, name: str) -> None:
        if not name:
            raise ValueError("save takes a file: save game.pdn")
        path = typed_path(name)
        if path.exists():
            raise ValueError(f"{path} is there already: give another name")
        write_pdn([self.table.record], path)
        self.send(f"The game is in {path}.")

    def _quit(self) -> None:
        self.is_left = True


def line_text(position: Position, moves: Sequence[Move]) -> str:
    """Moves that follow each other from a position, as its variant's players write them."""
    words = []
    for move in moves:
        words.append(move_text(move, legal_moves(position), position.variant))
        position = position_after(position, move)
    return " ".join(words)


def _score_text(found: Found) -> str:
    """The score behind a move and the depth it was found at, as far as the player tells them."""
    parts = [] if found.score is None else [f"{found.score:+.2f}"]
    parts += [] if found.depth is None else [f"depth {found.depth}"]
    return f" ({', '.join(parts)})" if parts else ""
