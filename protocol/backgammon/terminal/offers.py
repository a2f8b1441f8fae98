"""Offers: a double or a resignation that one side puts to the other, and how it is answered."""

from collections.abc import Callable

from bot.backgammon.rules.beaver import answer_of_roller
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    CubeAction,
    CubeDecision,
    DoubleDecision,
    ResignationDecision,
)
from protocol.backgammon.table.doubling import Act
from protocol.backgammon.table.table import LEVELS, Dice
from protocol.backgammon.terminal.announcement import act_text, parse_stake, points_text
from protocol.backgammon.terminal.company import Company


class Offers:
    """The cube and the resignations of one company, by people and by bots."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._rolling: object = None
        self._declined: tuple[object, int] = None, 0

    @property
    def asks_person(self) -> bool:
        """Whether a person has to choose between roll and double, or to answer a double."""
        seat = self._asked
        return seat is not None and self._company.bot(seat) is None

    @property
    def asks_bot(self) -> bool:
        """Whether a bot has to do so; one that has chosen to roll is not asked again."""
        seat = self._asked
        return (
            seat is not None
            and self._company.bot(seat) is not None
            and self._rolling != self._moment
        )

    @property
    def choice(self) -> str:
        """What can be chosen, in words."""
        table = self._company.table
        if not table.answers:
            return "roll or double" if table.setting.dice is Dice.AUTO else "dice or double"
        *words, last = (act.value for act in table.answers)
        return f"{', '.join(words)} or {last}"

    @property
    def prompt(self) -> str:
        """The question to the person."""
        return f"{self._company.name(self._asked or 0)}, {self.choice}> "

    @property
    def _asked(self) -> int | None:
        table = self._company.table
        if table.result:
            return None
        return table.mover if table.may_double else table.doubling.asked

    @property
    def _moment(self) -> object:
        """What is the same only as long as nothing has happened."""
        table = self._company.table
        return table, len(table.turns), table.position, table.doubling

    def act(self, act: Act) -> None:
        """Let the person asked do so with the cube; ValueError with the reason if that cannot be.

        Rolling is only noted: throwing the dice is up to the caller.
        """
        seat = self._asked
        if seat is not None and self._company.bot(seat) is not None:
            raise ValueError(f"{self._company.name(seat)} is the one to choose")
        self._do(act)

    def let_bot_act(self) -> None:
        """Ask the bot; it doubles, answers, offers to resign, or is known to roll."""
        table, seat = self._company.table, self._asked
        bot = None if seat is None else self._company.bot(seat)
        if bot is None or seat is None:
            raise ValueError("no bot has to act")
        question = table.question
        decision = bot.decide(question)
        if isinstance(decision, DoubleDecision) and isinstance(question, AnswerDouble):
            if table.asks_beavered:
                decision = answer_of_roller(question, decision)
            act = Act(decision.answer.value)
            self._do(act if act in table.answers else Act.TAKE)
            return
        if not isinstance(decision, CubeDecision):
            raise ValueError(f"no cube action but {decision} from {self._company.name(seat)}")
        doubles = decision.action is CubeAction.DOUBLE
        self._rolling = self._moment
        self.offer_for_bot(decision.resigns, lambda: self._do(Act.DOUBLE) if doubles else None)

    def offer_for_bot(self, level: int, go_on: Callable[[], None]) -> None:
        """Put the resignation of the bot on roll to the other side, and go on if it is declined.

        level: 0 if it does not resign. What was declined in a game is not offered again in it.
        """
        company, table = self._company, self._company.table
        game, most = self._declined
        seat = table.mover
        if not level or (game == (table, seat) and level <= most):
            go_on()
            return
        what = f"{LEVELS[level]}, {points_text(table.stake(level))}"
        company.send(f"{company.does(seat, 'offer')} to resign {what}.")

        def decline() -> None:
            self._declined = (table, seat), level
            company.send(self._refusal(1 - seat))
            go_on()

        self._put(level, f"{company.name(1 - seat)}: accept?", decline)

    def resign(self, rest: str) -> None:
        """Let the person on roll offer what the words say, or ask what."""
        company, table = self._company, self._company.table
        if table.result or table.on_roll is None:
            raise ValueError("no game is being played")
        if table.doubling.asked is not None:
            raise ValueError("the double has to be answered first")
        if company.bot(table.mover) is not None:
            raise ValueError(f"{company.name(table.mover)} is on roll; resign in your own turn")
        if rest:
            self._offer(rest)
        else:
            question = "Resign a single game, a gammon or a backgammon? [s/g/b, Enter for none] "
            company.ask(question, lambda line: self._offer(line) if line else None)

    def _offer(self, word: str) -> None:
        """Put a person's resignation to the other side."""
        company, level = self._company, parse_stake(word)
        seat = 1 - company.table.mover
        question = f"{company.name(seat)}: accept {LEVELS[level]}?"
        self._put(level, question, lambda: company.send(self._refusal(seat)))

    def _put(self, level: int, question: str, decline: Callable[[], None]) -> None:
        """Ask the side that is not on roll whether it accepts."""
        company, table = self._company, self._company.table
        bot = company.bot(1 - table.mover)

        def accept() -> None:
            table.resign(level)
            company.change()
            company.tell_result()

        if bot is None:
            company.draw_change()
            company.confirm(question, accept, decline)
            return
        decision = bot.decide(AnswerResignation(table.question.state, level))
        if isinstance(decision, ResignationDecision) and decision.accepted:
            accept()
        else:
            decline()

    def _refusal(self, seat: int) -> str:
        return f"{self._company.does(seat, 'decline')}: the game goes on."

    def _do(self, act: Act) -> None:
        company, seat = self._company, self._asked
        company.table.act(act)
        company.change()
        if seat is not None and act is not Act.ROLL:
            company.send(act_text(company.table, seat, act, company.look))
        company.tell_result()
