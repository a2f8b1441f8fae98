"""Offers: a double or a resignation that one side puts to the other, and how it is answered."""

from collections.abc import Callable

from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Game, Resignation, ResignationAnswer
from protocol.backgammon.table.table import KINDS_OF_WINS, Dice
from protocol.backgammon.terminal.announcement import act_text, parse_stake, points_text
from protocol.backgammon.terminal.conversation import NO, YES, Conversation

ANSWERS = (*YES, "accept", "agree"), (*NO, "reject", "decline")
"""Words that accept a resignation and that decline it, gnubg's among them."""


class Offers:
    """The cube and the resignations of one conversation, by people and by bots."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    @property
    def asks_person(self) -> bool:
        """Whether a person has to choose between roll and double, or to answer a double."""
        seat = self._asked
        return seat is not None and self._conversation.bot(seat) is None

    @property
    def asks_bot(self) -> bool:
        """Whether a bot has to do so."""
        seat = self._asked
        return seat is not None and self._conversation.bot(seat) is not None

    @property
    def choice(self) -> str:
        """The choices, in words."""
        table = self._conversation.table
        if not table.answers:
            return "roll or double" if table.setting.dice is Dice.AUTO else "dice or double"
        *words, last = (act.value for act in table.answers)
        return f"{', '.join(words)} or {last}"

    @property
    def prompt(self) -> str:
        """The question to the person."""
        return f"{self._conversation.name(self._asked or 0)}, {self.choice}> "

    @property
    def _asked(self) -> int | None:
        """The seat that has to do something with the cube, None if nobody has."""
        table = self._conversation.table
        is_asked = isinstance(table.game.request, ChooseCubeAction | AnswerDouble)
        return table.game.asked if is_asked and not table.result else None

    def act(self, act: CubeAction | DoubleAnswer) -> None:
        """Let the person asked do so with the cube; ValueError with the reason if that cannot be.

        The roll is only noted: making it is up to the caller.
        """
        table = self._conversation.table
        seat = table.game.asked if table.game.is_rolling else self._asked
        if seat is not None and self._conversation.bot(seat) is not None:
            raise ValueError(f"{self._conversation.name(seat)} is the one to choose")
        refusal = table.refusal(act)
        if refusal and isinstance(act, CubeAction):
            raise ValueError(f"no doubling now: {refusal}")
        self._do(act)

    def answer(self, word: str, answer: DoubleAnswer) -> None:
        """Answer the double that waits by gnubg's word for it, which has two meanings.

        It also answers a resignation, which is a question of its own.
        """
        if not self._conversation.table.game.doubles or self._conversation.table.result:
            raise ValueError(f"there is no double and no resignation to {word}")
        self.act(answer)

    def let_bot_act(self) -> None:
        """Ask the bot; it rolls, doubles, answers, or offers to resign."""
        table, seat = self._conversation.table, self._asked
        bot = None if seat is None else self._conversation.bot(seat)
        if bot is None or table.game.request is None:
            raise ValueError("no bot has to act")
        decision = bot.decide(table.game.request)

        def act() -> None:
            answer = answer_of(table.game, decision)
            if isinstance(answer, CubeAction | DoubleAnswer):
                self._do(answer)

        self.offer_for_bot(decision.resigns if isinstance(decision, CubeDecision) else 0, act)

    def offer_for_bot(self, level: int, go_on: Callable[[], None]) -> None:
        """Put the resignation of the bot on roll to the other side, and go on if it is declined.

        level: 0 if it does not resign. What was declined in this position is not offered again.
        """
        conversation, table = self._conversation, self._conversation.table
        if not level or table.refusal(Resignation(level)):
            go_on()
            return
        seat = table.mover
        what = f"{KINDS_OF_WINS[level]}, {points_text(table.stake(level))}"
        conversation.send(f"{conversation.does(seat, 'offer')} to resign {what}.")
        self._put(level, f"{conversation.name(1 - seat)}: accept?", go_on)

    def resign(self, rest: str) -> None:
        """Let the person on roll offer what the words say, or ask what."""
        conversation, table = self._conversation, self._conversation.table
        if table.result or table.game.turn is None:
            raise ValueError("no game is being played")
        if table.game.doubles:
            raise ValueError("the double has to be answered first")
        if conversation.bot(table.mover) is not None:
            raise ValueError(
                f"{conversation.name(table.mover)} is on roll; resign in your own turn"
            )
        if rest:
            self._offer(rest)
        else:
            question = "Resign a single game, a gammon or a backgammon? [s/g/b, Enter for none] "
            conversation.ask(question, lambda line: self._offer(line) if line else None)

    def _offer(self, word: str) -> None:
        """Put a person's resignation to the other side."""
        conversation, level = self._conversation, parse_stake(word)
        if refusal := conversation.table.refusal(Resignation(level)):
            raise ValueError(refusal)
        question = (
            f"{conversation.name(1 - conversation.table.mover)}: accept {KINDS_OF_WINS[level]}?"
        )
        self._put(level, question, lambda: None)

    def _put(self, level: int, question: str, go_on: Callable[[], None]) -> None:
        """Ask the side that is not on roll whether it accepts, and go on if it declines."""
        conversation, table = self._conversation, self._conversation.table
        seat = 1 - table.mover
        bot = conversation.bot(seat)

        def accept() -> None:
            table.resign(level)
            conversation.change()
            conversation.tell_result()

        def decline() -> None:
            table.resign(level, ResignationAnswer.DECLINE)
            conversation.keep()
            conversation.send(f"{conversation.does(seat, 'decline')}: the game goes on.")
            go_on()

        if bot is None:
            conversation.draw_change()
            conversation.confirm(question, accept, decline, words=ANSWERS)
            return
        offered = table.game.after(Resignation(level))
        if not isinstance(offered, Game) or offered.request is None:
            raise ValueError("a resignation waits for its answer")
        answer = answer_of(offered, bot.decide(offered.request))
        (accept if answer is ResignationAnswer.ACCEPT else decline)()

    def _do(self, act: CubeAction | DoubleAnswer) -> None:
        conversation, seat = self._conversation, self._asked
        conversation.table.answer(act)
        if act is CubeAction.ROLL:
            conversation.keep()
            return
        conversation.change()
        if seat is not None:
            conversation.send(act_text(conversation.table, seat, act, conversation.look))
        conversation.tell_result()
