"""Table: who sits at a board of draughts, the game so far, and how it goes back and on."""

from dataclasses import dataclass, field, replace
from itertools import takewhile

from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.legality import position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, RecordedMove, Score
from bot.draughts.rules.variant import Side, Variant

HUMAN = "human"
"""The name of a person, as a player."""


@dataclass
class Table:
    """A game with its players by name, White's first; it changes as they move.

    start: the position that it began with. Raises ValueError if the game is over there. source: the
    record it was read from, of which what is said about the game and its moves is kept.
    """

    start: Position
    players: tuple[str, str] = (HUMAN, HUMAN)
    moves: list[Move] = field(default_factory=list)
    result: Result | None = None
    source: GameRecord | None = None

    def __post_init__(self) -> None:
        self._games = [Game.of(self.start)]
        if self.game.result is not None:
            raise ValueError(f"the game is over in this position: {self.game.result.ending.value}")
        moves, self.moves = self.moves, []
        for move in moves:
            self.play(move)

    @classmethod
    def of_record(cls, record: GameRecord, players: tuple[str, str] | None = None) -> "Table":
        """The table at which a recorded game was played, or goes on.

        players: in place of those that the record names. A result that the moves do not tell was
        agreed on, or one side gave up. Raises ValueError if moves come after the end of a game.
        """
        names = dict(record.tags)
        named = (names.get("White", HUMAN), names.get("Black", HUMAN))
        table = cls(record.start, players or named, list(record.moves), source=record)
        if table.result is None and record.score is not None:
            white, black = record.score
            if white == black:
                table.end(table.game.agreed())
            else:
                table.end(table.game.resigned(Side.BLACK if white > black else Side.WHITE))
        return table

    @classmethod
    def of_moves(cls, record: GameRecord, players: tuple[str, str]) -> "Table":
        """The table after the moves of a record, as far as the rules let the game go on.

        Who played by hand may have gone on after a draw that nobody claimed.
        """
        table = cls(record.start, players)
        for move in record.moves:
            if table.result is not None:
                break
            table.play(move)
        return table

    @property
    def variant(self) -> Variant:
        """The kind of draughts."""
        return self.start.variant

    @property
    def game(self) -> Game:
        """The game before the next move; before the last one if that ended it."""
        return self._games[-1]

    @property
    def position(self) -> Position:
        """The position on the board, after the last move."""
        before = self.game.position
        return position_after(before, self.moves[-1]) if self._is_over_by_move else before

    @property
    def _is_over_by_move(self) -> bool:
        return len(self.moves) == len(self._games)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game before each move that was made."""
        return tuple(self._games[: len(self.moves)])

    @property
    def last(self) -> Move | None:
        """The last move, None before the first."""
        return self.moves[-1] if self.moves else None

    @property
    def on_move(self) -> str:
        """The name of the player whose turn it is."""
        return self.player(self.game.position.turn)

    def player(self, side: Side) -> str:
        """The name of a side's player."""
        return self.players[0 if side is Side.WHITE else 1]

    def play(self, move: Move) -> None:
        """Make a move; raises ValueError if the game is over or the rules do not allow it."""
        if self.result is not None:
            raise ValueError("the game is over")
        after = self.game.after(move)
        self.moves.append(move)
        if isinstance(after, Game):
            self._games.append(after)
        else:
            self.result = after

    def end(self, result: Result) -> None:
        """End the game by an agreement or a resignation; raises ValueError if it is over."""
        if self.result is not None:
            raise ValueError("the game is over")
        self.result = result

    def undo(self) -> None:
        """Take the last move back, and those before it up to a person's own.

        A resignation or an agreement is taken back alone. Raises ValueError if there is nothing to
        take back.
        """
        if self.result is not None and not self._is_over_by_move:
            self._forget_result()
            return
        if not self.moves:
            raise ValueError("no move has been made")
        if HUMAN in self.players and not any(
            self._mover(number) == HUMAN for number in range(len(self.moves))
        ):
            raise ValueError("none of the moves is a person's")
        self._forget_result()
        while True:
            if not self._is_over_by_move:
                self._games.pop()
            self.moves.pop()
            if not self.moves or HUMAN not in self.players or self.on_move == HUMAN:
                return

    def _forget_result(self) -> None:
        """Let the game go on, whatever its source says of its end."""
        self.result = None
        if self.source is not None:
            self.source = replace(self.source, score=None)

    def _mover(self, number: int) -> str:
        return self.player(self._games[number].position.turn)

    @property
    def record(self) -> GameRecord:
        """The game as a record, for a file; as far as it is its source's, with what that says."""
        source = GameRecord(self.start) if self.source is None else self.source
        both = zip(source.line.moves, self.moves, strict=False)
        told = tuple(takewhile(lambda pair: pair[0].move == pair[1], both))
        moves = (*(each for each, _ in told), *map(RecordedMove, self.moves[len(told) :]))
        tags = dict(source.tags) | {"White": self.players[0], "Black": self.players[1]}
        return GameRecord(
            self.start,
            replace(source.line, moves=moves),
            source.score or self._score,
            tuple(tags.items()),
        )

    @property
    def _score(self) -> Score | None:
        if self.result is None:
            return None
        if self.result.winner is None:
            return 1, 1
        return (2, 0) if self.result.winner is Side.WHITE else (0, 2)
