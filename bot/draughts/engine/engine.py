"""Engine: Blot as a player of draughts."""

from threading import Event

from bot.draughts.engine.search import Search
from bot.draughts.evaluation.endings import no_endings
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.kernels.endings import Endings
from bot.draughts.kernels.search import Knowledge
from bot.draughts.rules.board import rules_of
from bot.draughts.rules.decision import Found, Limits, Tell
from bot.draughts.rules.game import Game

TABLE_ROWS = 1 << 20
"""Rows of the table if nobody says how many; they take 16 MB."""


class Engine:
    """A player that searches with an evaluation, and with endings that are solved.

    limits: for searches that come without any. See Search for the rest.
    """

    def __init__(
        self,
        evaluation: PatternEvaluation,
        limits: Limits | None = None,
        *,
        endings: Endings | None = None,
        rows: int = TABLE_ROWS,
        threads: int = 1,
        is_plain: bool = False,
    ) -> None:
        self.variant = evaluation.variant
        self._limits = limits or Limits(seconds=1.0)
        known = Knowledge(
            rules_of(self.variant),
            evaluation.patterns,
            no_endings() if endings is None else endings,
        )
        self._search = Search(known, rows=rows, threads=threads, is_plain=is_plain)

    def forget(self) -> None:
        """Forget earlier searches, as before a new game."""
        self._search.forget()

    def search(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """The move to play within the limits, or soon after the stop; see Player.

        tell hears of each depth that is finished. A score counts men; a game won in n plies is 300
        less n hundredths. An only move is played at once, but for an infinite search. Raises
        ValueError if the game is over, or of another variant.
        """
        if game.position.variant != self.variant:
            raise ValueError(
                f"this engine plays {self.variant.name} draughts, not {game.position.variant.name}"
            )
        if game.result is not None:
            raise ValueError(f"the game is over: {game.result.ending.value}")
        if len(game.moves) == 1 and not limits.is_infinite:
            only = Found(game.moves[0], line=game.moves)
            tell(only)
            return only
        return self._search.found(game, self._limits if limits == Limits() else limits, stop, tell)
