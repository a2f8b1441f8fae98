"""Tutor: tells a person of what was given away once it is done, and offers to take it back."""

from collections.abc import Callable

from bot.backgammon.engine.analysis import Analyst, Verdict
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import ChooseCheckerPlay, CubeAction, DoubleAnswer
from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.reports.lesson import lesson_lines, summary_text
from protocol.backgammon.table.judgement import choice_at, statistics_of
from protocol.backgammon.table.loss import STANDARD, parse_loss
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.table.turn import Turn
from protocol.backgammon.terminal.conversation import Conversation

MakeAnalyst = Callable[[Setting], Analyst]
"""Gives who judges what is done in a game of this setting; may raise ValueError."""


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
        self._known: dict[tuple[object, ...], Verdict] = {}
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
        choice = choice_at(table, answer)
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
        if self._limit is None:
            return
        for seat, player in enumerate(statistics_of(table, self._verdict, self._luck)):
            name = self._conversation.name(seat)
            if table.setting.players[seat] == HUMAN:
                self._conversation.send(summary_text(f"{name}:", player))
            else:
                self._conversation.send(f"{name}: luck {player.rolls.equity:+.3f}.")
        self._known.clear()

    def _luck(self, request: ChooseCheckerPlay, is_opening: bool) -> float:
        return self._analyst().luck(request.state, request.roll, is_opening=is_opening)

    def _verdict(self, choice: Choice) -> Verdict:
        """The verdict on a choice, found once in a game."""
        key = choice.request, choice.answer, self._conversation.table.setting.cube
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
