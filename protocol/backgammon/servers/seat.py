"""Seat: our place in a match on a server: when something is asked of us, and what we answer."""

from dataclasses import dataclass, replace

from bot.backgammon.rules.answer import answer_by
from bot.backgammon.rules.decision import (
    AnswerResignation,
    CubeAction,
    Decider,
    ResignationDecision,
)
from bot.backgammon.rules.game import Answer, Game, Resignation, ResignationAnswer
from protocol.backgammon.servers.agenda import Agenda, Task
from protocol.backgammon.servers.followed_match import FollowedMatch
from protocol.backgammon.servers.policy import Policy
from protocol.errors import WireError

SERVER_SECONDS = 30.0
"""Seconds that a server may take to obey a command."""

MAX_SILENCES = 3
"""Times that it may not do so, before it is taken to be gone."""

MAX_REFUSALS = 3
"""Commands in a row that a server may refuse, before the match is left."""


class ServerError(WireError):
    """A server that went, fell silent or sent us away: one sentence."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to us: the match's moment, and whether the server has asked in words."""

    moment: tuple[object, ...]
    is_prompted: bool


class Seat:
    """Our seat in one match; what is to be done when stands in the agenda.

    Each question is answered once. If the server does not go on, it is asked how the match stands,
    and only what still waits then is answered again.
    """

    def __init__(
        self, match: FollowedMatch, decider: Decider, policy: Policy, agenda: Agenda
    ) -> None:
        self.match = match
        self._decider = decider
        self._policy = policy
        self._agenda = agenda
        self._asked: Question | None = None
        self._answered: tuple[object, ...] | None = None
        self._last: Answer | None = None
        self._silences = 0
        self._refusals = 0
        self._resigns = True
        self._moment: tuple[object, ...] | None = None

    def never_resigns(self) -> None:
        """Play lost games to their end from now on."""
        self._resigns = False

    def forget(self) -> None:
        """Forget what is asked, as the opponent has gone; it is asked anew when they are back."""
        self._asked = self._answered = None
        self._agenda.drop(Task.ANSWER, Task.SERVER)

    def look(self, *, is_prompted: bool = False) -> None:
        """See whether something new is asked of us, and put the answer on the agenda."""
        moment = self.match.moment
        if moment != self._moment:
            self._moment = moment
            self._silences = self._refusals = 0
            self._agenda.drop(Task.SERVER)
            self._agenda.put(Task.OPPONENT, self._policy.opponent_seconds)
        if not self.is_asked or moment == self._answered:
            self._asked = None
            self._agenda.drop(Task.ANSWER)
            return
        before = self._asked
        is_known = before is not None and before.moment == moment
        if before is not None and is_known and (before.is_prompted or not is_prompted):
            return
        self._asked = Question(moment, is_prompted)
        needs_no_words = self.match.resigned or (self.match.game and self.match.game.doubles)
        patience = 0.0 if is_prompted or needs_no_words else self._policy.patience
        self._agenda.put(Task.ANSWER, self._policy.delay + patience)

    @property
    def is_asked(self) -> bool:
        """Whether the match waits for us."""
        game = self.match.game
        return bool(self.match.resigned) or (game is not None and game.asked == 0)

    @property
    def has_answered(self) -> bool:
        """Whether the server has not yet obeyed our last answer."""
        return self._answered is not None and self._answered == self.match.moment

    def answer(self) -> Answer | None:
        """Our answer to what is asked, once; None if it was answered or nothing is asked."""
        moment = self.match.moment
        if not self.is_asked or moment == self._answered:
            return None
        game = self.match.game
        if self.match.resigned:
            self._last = self._resignation_answer(game)
        else:
            assert game is not None
            self._last = answer_by(self._decider, game)
            if isinstance(self._last, Resignation) and not self._resigns:
                self._last = answer_by(self._decider, replace(game, declined=3))
        self._answered = moment
        self._asked = None
        self._agenda.put(Task.SERVER, SERVER_SECONDS)
        return self._last

    def ask_again(self) -> None:
        """Have what waits answered anew, as the server did not obey, once it has shown the match.

        Raises ServerError if it has not done so several times.
        """
        self._silences += 1
        if self._silences >= MAX_SILENCES:
            raise ServerError("the server does not go on with the match")
        self._answered = None
        self._agenda.put(Task.SERVER, SERVER_SECONDS)

    def refused(self) -> bool:
        """Allow another answer, as the server refused ours; returns False if we should leave."""
        self._refusals += 1
        if isinstance(self._last, Resignation):
            self._resigns = False
        if self._last is CubeAction.DOUBLE:
            self.match.forbid_double()
        self._answered = None
        self._agenda.put(Task.SERVER, SERVER_SECONDS)
        return self._refusals < MAX_REFUSALS

    def _resignation_answer(self, game: Game | None) -> Answer:
        """Whether the opponent's resignation is accepted, whoever is on roll."""
        if game is None:
            return ResignationAnswer.DECLINE
        state = game.state if game.turn == 1 else game.state.turned()
        decision = self._decider.decide(AnswerResignation(state, self.match.resigned))
        assert isinstance(decision, ResignationDecision)
        return ResignationAnswer.ACCEPT if decision.accepted else ResignationAnswer.DECLINE
