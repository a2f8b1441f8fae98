"""Sitting: people and bots at a table of backgammon that pages show."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.engine.match_statistics import PlayerStatistics
from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Answer, Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.browser.thoughts import decision_of, summary_of, verdict_of
from protocol.backgammon.browser.wishes import Wishes
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.svg_board import place_point
from protocol.backgammon.table.forced_play import forced_play
from protocol.backgammon.table.judgement import choice_at
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import HUMAN, KINDS_OF_WINS, Dice, PlayedTurn, Table
from protocol.backgammon.table.turn import Turn
from protocol.sitting import Sitting as AnySitting

_WORDS: dict[str, Answer] = {
    "roll": CubeAction.ROLL,
    "double": CubeAction.DOUBLE,
    "take": DoubleAnswer.TAKE,
    "drop": DoubleAnswer.DROP,
    "beaver": DoubleAnswer.BEAVER,
    "accept": ResignationAnswer.ACCEPT,
    "decline": ResignationAnswer.DECLINE,
}
_SAID = {
    CubeAction.DOUBLE: "doubles",
    DoubleAnswer.TAKE: "takes",
    DoubleAnswer.DROP: "drops",
    DoubleAnswer.BEAVER: "beavers",
    ResignationAnswer.ACCEPT: "accepts",
    ResignationAnswer.DECLINE: "declines",
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A choice that gave something away, and may still be taken back."""

    choice: Choice
    verdict: Verdict


class Sitting(AnySitting):
    """A table, who plays at it, and what a page can be told of it.

    met: the file of match equities of bots and hints, Blot's own if None.
    """

    wishes: Wishes

    def __init__(
        self,
        table: Table,
        kept: KeptGame,
        *,
        met: Path | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(Wishes(), on_change)
        self.met = met
        self._sit_down(table, kept)

    def seat_at(self, table: Table, kept: KeptGame) -> None:
        """Go on at another table; the game so far stays where it is kept."""
        with self.lock:
            self._sit_down(table, kept)
            self._note("new_game")
            self._change()
        self.player.stop()

    def _sit_down(self, table: Table, kept: KeptGame) -> None:
        self.table, self.kept = table, kept
        self._begin_log()
        self._forget()

    def _forget(self) -> None:
        """Forget what belongs to a question that is not asked any more."""
        self.lesson: Lesson | None = None
        self.summary: tuple[PlayerStatistics, PlayerStatistics] | None = None
        self._judged: CheckerPlay | CubeAction | DoubleAnswer | None = None
        self._is_hurried = False

    @property
    def asked(self) -> int | None:
        """The seat that has to do something, None if none has or either may."""
        return None if self.table.result else self.table.game.asked

    @property
    def asks(self) -> str:
        """The thing that is waited for: what a person has to do, or `bot`."""
        table, seat = self.table, self.asked
        if table.result:
            return "next"
        if self.lesson:
            return "lesson"
        request = table.game.request
        if request is None and table.setting.dice is Dice.MANUAL:
            return "opening" if table.game.turn is None else "dice"
        if self._judged is not None or request is None or not self.is_person(seat or 0):
            return "bot"
        match request:
            case AnswerResignation():
                return "resignation"
            case AnswerDouble():
                return "double"
            case ChooseCubeAction():
                return "roll"
        return "play" if table.turn and table.turn.plays and not self._forced() else "bot"

    @property
    def may(self) -> list[str]:
        """The acts that would be allowed now."""
        table, asks = self.table, self.asks
        undo = ["undo"] if table.may_take_back else []
        if asks in ("next", "bot"):
            return ["next", *undo] if asks == "next" else ["stop"]
        if asks == "lesson":
            return ["keep", "take-back"]
        words = [word for word, answer in _WORDS.items() if table.refusal(answer) is None]
        resign = ["resign"] if self.stakes else []
        if asks == "roll":
            return [*words, *resign, *undo]
        if asks == "play":
            made = ["confirm"] if table.turn and table.turn.is_complete else []
            legs = ["undo-turn"] if table.turn and table.turn.legs else []
            return [*made, *legs, "move", "text", *undo, *resign]
        return words if asks in ("double", "resignation") else ["dice", *undo]

    @property
    def stakes(self) -> dict[int, int]:
        """The points that each resignation which may be offered now would cost, by its kind."""
        kinds = [kind for kind in KINDS_OF_WINS if self.table.refusal(Resignation(kind)) is None]
        return {kind: self.table.stake(kind) for kind in kinds}

    def is_person(self, seat: int) -> bool:
        """Whether a person sits there."""
        return self.table.setting.players[seat] == HUMAN

    @property
    def last(self) -> PlayedTurn | None:
        """The turn that was played last in this game."""
        return self.table.turns[-1] if self.table.turns else None

    def _do(self, do: str, values: dict[str, Any]) -> None:
        table = self.table
        match do:
            case "move" if table.turn:
                places = values["from"], values["to"]
                source, target = (place_point(place, table.mover) for place in places)
                table.turn = table.turn.with_move(source, target)
            case "text" if table.turn:
                table.turn = table.turn.with_text(values["text"])
            case "undo":
                table.take_back()
                with suppress(ValueError):
                    while self._forced():  # it would be made again at once
                        table.take_back()
                self._forget()
                self._note("undone")
            case "confirm" if table.turn:
                self._decide(table.turn.play)
            case "resign":
                self._answer(Resignation(values["points"]))
            case "dice":
                self._throw(*values["dice"])
            case "next":
                self._forget()
                self.table = table.next_game()
                self._note("new_game")
            case "keep" if self.lesson:
                answer = self.lesson.choice.answer
                self.lesson = None
                if answer is not None:
                    self._answer(answer)
            case "undo-turn" | "take-back":
                self.lesson = None
                if table.turn:
                    table.turn = Turn(table.turn.position, table.turn.roll)
            case _:
                self._decide(_WORDS[do])

    def _decide(self, answer: Answer) -> None:
        """Let a person's answer count, or be judged before if there is a tutor."""
        if (
            isinstance(answer, CheckerPlay | CubeAction | DoubleAnswer)
            and self.wishes.tutor is not None
            and choice_at(self.table, answer)
        ):
            self._judged = answer
        else:
            self._answer(answer)

    def _answer(self, answer: Answer) -> None:
        """Do so at the table, and note it."""
        table, seat, position = self.table, self.table.game.asked, self.table.position
        table.answer(answer)
        self._judged, self._is_hurried = None, False
        match answer:
            case CheckerPlay() if answer.legs:
                self._note("plays", seat, text=short_play_text(answer, position))
            case CheckerPlay():
                self._note("cannot_move", seat)
            case Resignation(points):
                self._note("resigns", seat, points=points)
            case _ if answer in _SAID:
                self._note(_SAID[answer], seat)
        if table.result:
            result = table.result
            self._note("wins", result.winner, points=result.points, kind=result.kind_counted)

    def _throw(self, first: int, second: int) -> None:
        is_opening = self.table.game.turn is None
        self.table.throw(first, second)
        dice = [first, second] if is_opening else sorted((first, second), reverse=True)
        self._note("rolls", self.table.mover, dice=dice)

    def _keep(self) -> None:
        if not self.table.is_under_way:
            self.kept.forget()
        elif self.kept.takes(self.table):
            self.kept.keep(self.table)

    def _forced(self) -> CheckerPlay | None:
        """The play that a person need not be asked for; None if there is a choice."""
        turn = self.table.turn
        if turn is None or turn.legs or not self.wishes.auto:
            return None
        return forced_play(turn)

    def _is_due(self) -> bool:
        if self.table.result:
            return (
                self.summary is None
                and self.wishes.tutor is not None
                and HUMAN in self.table.setting.players
            )
        return self.asks == "bot"

    def _step(self, version: int) -> None:
        with self.lock:
            table, judged, seat = self.table, self._judged, self.table.game.asked
            request, level, setting = table.game.request, self.wishes.advice, table.setting
            asks_bot = seat is not None and not self.is_person(seat) and request is not None
            is_dance = table.turn is not None and not table.turn.plays
            is_hurried, stops = self._is_hurried, self.player.stops
        if table.result:
            summary = self.adviser.ask(summary_of, level, self.met, table)
            self._conclude(version, lambda: setattr(self, "summary", summary))
        elif judged is not None:
            choice = choice_at(table, judged)
            assert choice is not None, "nothing else is judged"
            verdict = self.adviser.ask(verdict_of, level, setting.cube, self.met, choice)
            self._conclude(version, lambda: self._judge(choice, verdict))
        elif asks_bot and request is not None and seat is not None and not is_dance:
            asked = setting.players[seat], setting.seed + seat, setting.cube, self.met, request
            decision = self.player.ask(decision_of, *asked, is_hurried, stops=stops)
            self._conclude(version, lambda: self._answer(answer_of(table.game, decision)))
        else:
            self._conclude(version, self._go_on)

    def _judge(self, choice: Choice, verdict: Verdict) -> None:
        limit, answer = self.wishes.tutor, choice.answer
        self._judged = None
        if limit is not None and verdict.loss > limit:
            self.lesson = Lesson(choice, verdict)
        elif answer is not None:
            self._answer(answer)

    def _go_on(self) -> None:
        """Throw the dice, or make the play that is forced."""
        table = self.table
        if table.turn is None:
            self._throw(*table.thrown_dice())
        else:
            self._answer(self._forced() or CheckerPlay((), table.turn.position))

    def _forgive(self) -> bool:
        """Let a person's own answer count without a tutor."""
        judged, self._judged = self._judged, None
        if judged is not None:
            self._answer(judged)
        if self.table.result:
            self.summary = PlayerStatistics(), PlayerStatistics()
        return judged is not None or self.table.result is not None
