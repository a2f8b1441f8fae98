"""Game: a game of draughts as a value, and every rule of how it goes on and ends.

Source of the draws: FMJD Annex 1, articles 6.1 to 6.4, for international draughts; see CZECH in
bot.draughts.rules.variant for the other. The limits are the variant's.
"""

from dataclasses import dataclass
from enum import Enum

from bot.draughts.rules.legality import illegality, legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import Side, Variant


class Ending(Enum):
    """A way for a game to end."""

    NO_MOVE = "no move left"
    REPETITION = "the same position for the third time"
    KING_MOVES = "moves by kings only"
    ONE_AGAINST_THREE = "a king alone against three pieces"
    ONE_AGAINST_TWO = "a king alone against one or two pieces"
    KINGS_ALONE = "a king against a king"
    AGREED = "an agreement"
    RESIGNED = "a resignation"
    FORFEITED = "a player that failed"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game; the winner is None if it is drawn."""

    winner: Side | None
    ending: Ending


@dataclass(frozen=True, slots=True)
class Game:
    """A game before a move, or one that was met when it was already over.

    earlier: the positions since the last capture or man's move, oldest first, this one left out.
    king_moves: plies by kings only, without a capture, up to here. against_three, against_two:
    plies since a king alone stood against three pieces, and against one or two, for the first time;
    None if it never did. Both clocks run on, whatever is captured.
    """

    position: Position
    earlier: tuple[Position, ...] = ()
    king_moves: int = 0
    against_three: int | None = None
    against_two: int | None = None

    @classmethod
    def start(cls, variant: Variant) -> "Game":
        """A game before its first move."""
        return cls.of(Position.start(variant))

    @classmethod
    def of(cls, position: Position) -> "Game":
        """A game met in a position, of which nothing earlier is known."""
        pieces = _pieces_against_a_king(position)
        return cls(
            position,
            against_three=0 if pieces == 3 else None,
            against_two=0 if pieces in (1, 2) else None,
        )

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves."""
        return legal_moves(self.position)

    @property
    def result(self) -> Result | None:
        """The result if the game is over before this move, None while it goes on.

        A player without a move has lost even if the last move also brought a draw about.
        """
        if not self.moves:
            return Result(self.position.turn.other, Ending.NO_MOVE)
        ending = self._draw()
        return None if ending is None else Result(None, ending)

    def refusal(self, move: Move) -> str | None:
        """Why the rules do not allow the move, as a clause; None if they do."""
        if self.result is not None:
            return f"the game is over: {self.result.ending.value}"
        return illegality(move, self.position)

    def after(self, move: Move) -> "Game | Result":
        """The game after a move, or the result if that ends it.

        Raises ValueError with the reason if the rules do not allow the move.
        """
        if refusal := self.refusal(move):
            raise ValueError(refusal)
        before = self.position
        is_quiet = not move.captured and bool(before.kings(before.turn) & set_of([move.start]))
        position = position_after(before, move)
        pieces = _pieces_against_a_king(position)
        game = Game(
            position,
            (*self.earlier, before) if is_quiet else (),
            self.king_moves + 1 if is_quiet else 0,
            _ticked(self.against_three, pieces == 3),
            _ticked(self.against_two, pieces in (1, 2)),
        )
        return game.result or game

    def agreed(self) -> Result:
        """The result if both players agree to a draw."""
        return Result(None, Ending.AGREED)

    def resigned(self, side: Side) -> Result:
        """The result if a side resigns."""
        return Result(side.other, Ending.RESIGNED)

    def forfeited(self) -> Result:
        """The result if the player to move fails: it crashes, hangs, or wants an illegal move."""
        return Result(self.position.turn.other, Ending.FORFEITED)

    def _draw(self) -> Ending | None:
        """The first ending that draws the game here."""
        draws = self.position.variant.draws
        if self.earlier.count(self.position) + 1 >= draws.repetitions:
            return Ending.REPETITION
        if self.king_moves >= draws.king_moves:
            return Ending.KING_MOVES
        if _has_run_out(self.against_three, draws.one_against_three):
            return Ending.ONE_AGAINST_THREE
        if _has_run_out(self.against_two, draws.one_against_two):
            return Ending.ONE_AGAINST_TWO
        if draws.kings_alone and _are_kings_alone(self.position):
            return Ending.KINGS_ALONE
        return None


def _ticked(plies: int | None, stands: bool) -> int | None:
    """A clock after one more ply; it starts when its ending stands on the board."""
    if plies is None:
        return 0 if stands else None
    return plies + 1


def _has_run_out(plies: int | None, limit: int | None) -> bool:
    return plies is not None and limit is not None and plies >= limit


def _pieces_against_a_king(position: Position) -> int:
    """Number of pieces, with a king among them, against a king alone; 0 in other endings."""
    for side in Side:
        is_alone = position.kings(side).bit_count() == 1 and not position.men(side)
        if is_alone and position.kings(side.other):
            return position.pieces(side.other).bit_count()
    return 0


def _are_kings_alone(position: Position) -> bool:
    """Whether a king stands against a king and neither can capture."""
    if _pieces_against_a_king(position) != 1:
        return False
    turned = Position(
        position.variant,
        position.turn.other,
        position.white_men,
        position.white_kings,
        position.black_men,
        position.black_kings,
    )
    return not any(move.captured for each in (position, turned) for move in legal_moves(each))
