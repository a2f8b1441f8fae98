"""Tutor: tells a person of what was given away once it is done, and offers to take it back."""

from collections.abc import Callable

from bot.backgammon.engine.analysis import Analyst, Verdict
from bot.backgammon.engine.match_statistics import Fortune, PlayerStatistics
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.reports.lesson import lesson_lines, summary_text
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.table.turn import Turn
from protocol.backgammon.terminal.conversation import Conversation

MakeAnalyst = Callable[[Setting], Analyst]
"""Gives who judges what is done in a game of this setting; may raise ValueError."""

STANDARD = 0.03
"""Equity from whose loss on the tutor speaks: what gnubg marks as doubtful."""

MAX_LOSS = 3.0
REQUESTS = {
    CheckerPlay: ChooseCheckerPlay,
    CubeAction: ChooseCubeAction,
    DoubleAnswer: AnswerDouble,
}


def parse_loss(text: str) -> float:
    """The equity in a text; raises ValueError if it is none that anybody could lose."""
    try:
        loss = float(text)
    except ValueError:
        loss = -1.0
    if not 0 <= loss <= MAX_LOSS:
        raise ValueError(f"the tutor takes equity from 0 to {MAX_LOSS:g}, not {text[:40]!r}")
    return loss


class Tutor:
    """The tutor of one conversation; limit: the loss beyond which it speaks, None for never."""

    def __init__(
        self, conversation: Conversation, make_analyst: MakeAnalyst, limit: float | None
    ) -> None:
        self._conversation = conversation
        self._make_analyst = make_analyst
        self._limit = limit
        self._last = STANDARD if limit is None else limit
        self._analysts: dict[bool, Analyst] = {}
        self._known: dict[tuple[object, object], Verdict] = {}
        if limit is not None:
            self._analyst()

    def set(self, text: str) -> None:
        """Be on, off, or on from another loss; without a word tell which it is."""
        word = text.lower()
        if word == "off":
            self._limit = None
        elif word == "on":
            self._limit = self._last
        elif word:
            self._limit = self._last = parse_loss(text)
        state = "off" if self._limit is None else f"on, from a loss of {self._limit:g}"
        self._conversation.send(f"The tutor is {state}.")

    def check(
        self, answer: CheckerPlay | CubeAction | DoubleAnswer, go_on: Callable[[], None]
    ) -> None:
        """Go on with what a person has decided; if it loses too much, only if that is to stay."""
        table = self._conversation.table
        choice = _choice(table, answer)
        if self._limit is None or choice is None:
            go_on()
            return
        verdict = self._verdict(choice)
        if verdict.loss <= self._limit:
            go_on()
            return
        self._conversation.send("\n".join(lesson_lines(choice, verdict)))
        self._conversation.confirm("Take it back?", lambda: self._take_back(table), go_on)

    def sum_up(self) -> None:
        """Say what the people gave away in the game that has ended, and how lucky all were."""
        table = self._conversation.table
        if self._limit is None or table.result is None:
            return
        setting = table.setting
        players = PlayerStatistics(), PlayerStatistics()
        record = MatchRecord(setting.players, setting.rules, (table.record,))
        for choice in choices_of(record):
            if setting.players[choice.seat] == HUMAN:
                players[choice.seat].add(self._verdict(choice))
            elif isinstance(choice.request, ChooseCheckerPlay):
                self._add_luck(players[choice.seat], choice, choice.request)
        for seat, player in enumerate(players):
            name = self._conversation.name(seat)
            if setting.players[seat] == HUMAN:
                self._conversation.send(summary_text(f"{name}:", player))
            else:
                self._conversation.send(f"{name}: luck {player.rolls.equity:+.3f}.")
        self._known.clear()

    def _add_luck(
        self, player: PlayerStatistics, choice: Choice, request: ChooseCheckerPlay
    ) -> None:
        state, roll = request.state, request.roll
        luck = self._analyst().luck(state, roll, is_opening=choice.is_opening)
        player.rolls.add(luck, 1.0)
        player.fortunes[Fortune.of(luck)] += 1

    def _verdict(self, choice: Choice) -> Verdict:
        """The verdict on a choice, found once in a game."""
        key = choice.request, choice.answer
        if key not in self._known:
            self._known[key] = self._analyst().verdict(choice)
        return self._known[key]

    def _analyst(self) -> Analyst:
        """The analyst of this game, seated when first asked for."""
        setting = self._conversation.table.setting
        if setting.cube not in self._analysts:
            self._analysts[setting.cube] = self._make_analyst(setting)
        return self._analysts[setting.cube]

    def _take_back(self, table: Table) -> None:
        """Let the person decide again; the legs of a play go back where they came from."""
        if table.turn:
            table.turn = Turn(table.turn.position, table.turn.roll)
            self._conversation.change()
        self._conversation.send("Taken back.")


def _choice(table: Table, answer: CheckerPlay | CubeAction | DoubleAnswer) -> Choice | None:
    """The choice of the person asked; None if the answer is none, or none that is judged."""
    request, seat = table.game.request, table.game.asked
    if table.result or seat is None or table.setting.players[seat] != HUMAN:
        return None
    if table.game.refusal(answer) or table.game.doubles > 1:
        return None
    if not isinstance(request, ChooseCheckerPlay | ChooseCubeAction | AnswerDouble):
        return None
    if not isinstance(request, REQUESTS[type(answer)]):
        return None
    return Choice(table.number, len(table.turns) + 1, 0, seat, request, answer)
