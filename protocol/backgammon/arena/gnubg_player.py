"""GNU Backgammon as a player of ours: it is asked every question, and keeps neither dice nor score.

Source: GNU Backgammon 1.07, its command `external`.
"""

from collections.abc import Sequence
from contextlib import ExitStack

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.decision import (
    AnswerResignation,
    ChooseCheckerPlay,
    CubeAction,
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.game import MAX_BEAVERS
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from protocol.backgammon.adapters.outside_player import UNKNOWN, is_most
from protocol.backgammon.arena.timed_gnubg import gnubg_seat
from protocol.backgammon.arena.timed_seat import LIMIT
from protocol.errors import WireError


class GnubgPlayer:
    """A gnubg at so many plies, started again whenever it has failed; close it.

    match_format: its rules of money games and of the cube hold; limit: seconds for each answer;
    command: see gnubg_seat.
    Raises WireError if gnubg cannot be started.
    """

    def __init__(
        self,
        plies: int,
        match_format: MatchFormat,
        limit: float = LIMIT,
        command: Sequence[str] = (),
    ) -> None:
        self._plies = plies
        self._command = command
        self._limit = limit
        self._rules = (
            f"set cube use {'on' if match_format.cube else 'off'}",
            f"set jacoby {'on' if match_format.jacoby else 'off'}",
            f"set beavers {MAX_BEAVERS if match_format.beavers else 0}",
            "set evaluation chequerplay evaluation cubeful "
            + ("on" if match_format.cube else "off"),
        )
        self._start()

    def _start(self) -> None:
        with ExitStack() as started:
            self._seat = started.enter_context(
                gnubg_seat(self._plies, self._command, limit=self._limit, rules=self._rules)
            )
            self._running = started.pop_all()

    def close(self) -> None:
        """End gnubg."""
        self._running.close()

    def decide(self, request: Request) -> Decision:
        """The decision of gnubg; raises ForfeitError if it fails.

        It is not asked about resignations, for which its lines have no words: one is accepted if no
        more can be won.
        """
        if isinstance(request, AnswerResignation):
            return ResignationDecision(is_most(request), UNKNOWN)
        state = request.state
        plays: tuple[CheckerPlay, ...] = ()
        if isinstance(request, ChooseCheckerPlay):
            plays = legal_plays(state.position, request.roll)
            if not plays:
                return PlayDecision(CheckerPlay((), state.position), ())
        try:
            _, answer = self._seat.ask(request)
        except WireError as error:
            lines = tuple(self._seat.transcript)
            self.close()
            self._start()
            raise ForfeitError(str(error), lines) from None
        if isinstance(answer, CubeAction):
            return CubeDecision(answer, UNKNOWN)
        if isinstance(answer, DoubleAnswer):
            return DoubleDecision(answer, UNKNOWN)
        play = next((play for play in plays if play.after.points == answer), None)
        if play is None:
            lines = tuple(self._seat.transcript)
            raise ForfeitError(f"gnubg answered with no legal play: {answer}", lines)
        return PlayDecision(play, ())
