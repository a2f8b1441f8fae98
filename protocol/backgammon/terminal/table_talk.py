"""Table talk: what a person types at the table, and what is answered.

It knows nothing of the terminal: a line comes in by receive, text goes out by send, and while
nobody has to answer, step lets the next thing happen.
"""

from collections.abc import Callable

from bot.backgammon.rules.decision import (
    ChooseCheckerPlay,
    CubeAction,
    Decider,
    DoubleAnswer,
    PlayDecision,
)
from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.formats.notation import parse_dice
from protocol.backgammon.reports.hint import (
    COUNT,
    all_candidates,
    hint_lines,
    play_lines,
)
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from protocol.backgammon.table.table_id import table_ids
from protocol.backgammon.table.turn import completions
from protocol.backgammon.terminal.announcement import (
    HELP,
    guess_text,
    pips_text,
    roll_text,
    score_text,
    turn_text,
)
from protocol.backgammon.terminal.board_view import Look
from protocol.backgammon.terminal.conversation import Conversation, MakePlayer
from protocol.backgammon.terminal.game_files import GameFiles
from protocol.backgammon.terminal.offers import Offers
from protocol.backgammon.terminal.table_picture import Window
from protocol.backgammon.terminal.tutor import MakeAnalyst, Tutor
from protocol.backgammon.terminal.typed_play import TypedPlay
from protocol.errors import sentence

MAX_TEXT = 4_000
"""Characters of a line that are read."""


class TableTalk:
    """The conversation around one table; Ctrl-C, windows and waiting are the terminal's.

    make_player seats a bot, make_advisor gives the engine for hints, make_analyst who judges for
    the tutor; all are told what is played, and may raise ValueError. window tells the size of the
    terminal; tutor: from what loss on the tutor speaks, None for never.
    """

    # Longer than a screen, with many parameters: it is given what a conversation needs of the
    # outside, each a thing of its own, and lists every word with what it does.
    def __init__(
        self,
        table: Table,
        send: Callable[[str], None],
        *,
        make_player: MakePlayer,
        make_advisor: Callable[[Setting], Decider],
        make_analyst: MakeAnalyst,
        kept: KeptGame,
        look: Look | None = None,
        window: Callable[[], Window] = Window,
        on_result: Callable[[Table], None] = lambda table: None,
        tutor: float | None = None,
    ) -> None:
        self.is_left = False
        self._make_advisor = make_advisor
        self._on_result = on_result
        self._advisors: dict[bool, Decider] = {}
        self._conversation = Conversation(
            table,
            send,
            make_player=make_player,
            kept=kept,
            look=look or Look(),
            window=window,
            on_result=self._ended,
        )
        self._offers = Offers(self._conversation)
        self._files = GameFiles(self._conversation)
        self._tutor = Tutor(self._conversation, make_analyst, tutor)
        self._typed = TypedPlay(
            self._conversation, lambda play: self._tutor.check(play, lambda: self._finish(play))
        )
        self._alone: dict[str, Callable[[], None]] = {
            "roll": self._roll,
            "double": lambda: self._act(CubeAction.DOUBLE),
            "take": lambda: self._act(DoubleAnswer.TAKE),
            "drop": lambda: self._act(DoubleAnswer.DROP),
            "beaver": lambda: self._act(DoubleAnswer.BEAVER),
            "accept": lambda: self._act(DoubleAnswer.TAKE, "accept"),
            "reject": lambda: self._act(DoubleAnswer.DROP, "reject"),
            "pass": lambda: self._act(DoubleAnswer.DROP),
            "undo": self._undo,
            "pips": lambda: self._send(pips_text(self.table, self._conversation.look)),
            "score": lambda: self._send(f"{score_text(self.table, self._conversation.look)}."),
            "id": lambda: self._send(table_ids(self.table)),
            "board": self.draw,
            "new": self._files.new,
            "help": lambda: self._send(HELP),
            "?": lambda: self._send(HELP),
            "quit": self._quit,
            "exit": self._quit,
        }
        self._with_words: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "tutor": self._tutor.set,
            "resign": self._offers.resign,
            "move": self._typed.move,
            "save": self._files.save,
            "export": self._files.export,
            "load": self._files.load,
        }

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._conversation.table

    @property
    def kept_as(self) -> str:
        """The name by which the game as it stands is kept; empty if it is not."""
        return self._conversation.kept.name if self._conversation.is_kept else ""

    @property
    def waits(self) -> bool:
        """Whether a person has to say something before the game goes on."""
        table = self.table
        if self.is_left or self._conversation.pending or table.result or self._offers.asks_person:
            return True
        if table.turn is None:
            return table.setting.dice is Dice.MANUAL and not self._offers.asks_bot
        return self._conversation.bot(table.mover) is None and bool(table.turn.plays)

    def step(self) -> None:
        """Roll the dice, or let a bot act, or pass; only while nobody has to say something."""
        table = self.table
        if self._offers.asks_bot:
            self._offers.let_bot_act()
        elif table.turn is None:
            self._throw(*table.thrown_dice())
        elif not table.turn.plays:
            self._finish(CheckerPlay((), table.turn.position))
        else:
            bot = self._conversation.bot(table.mover)
            decision = bot.decide(table.question) if bot else None
            if not isinstance(decision, PlayDecision):
                raise ValueError(
                    f"no play but {decision} from {self._conversation.name(table.mover)}"
                )
            play = decision.play
            self._offers.offer_for_bot(decision.resigns, lambda: self._finish(play))

    def prompt(self) -> str:
        """The question to the person, asked with the board if it has changed."""
        table, name = self.table, self._conversation.name
        if self._conversation.pending:
            return self._conversation.pending[0]
        self._conversation.draw_change()
        if table.result:
            return f"Enter for the next {'match' if table.is_match_over else 'game'}> "
        if self._offers.asks_person:
            return self._offers.prompt
        if table.turn is None:
            if table.game.turn is None:
                return f"Opening dice, {name(0)} first> "
            return f"{name(table.mover)}, dice> "
        rolled = f"{table.turn.roll.high}-{table.turn.roll.low}"
        if table.turn.legs:
            left = "-".join(map(str, table.turn.dice_left))
            rolled = f"{left} left" if left else "Enter ends the turn"
        return f"{name(table.mover)} {rolled}> "

    def completions(self, text: str) -> list[str]:
        """The completions of a line: commands and legal plays."""
        if self._conversation.pending or not text.strip():
            return []
        words = (*self._with_words, *self._alone)
        commands = [word for word in words if word.startswith(text.lower().lstrip())]
        return commands + self._play_completions(text)

    def _play_completions(self, text: str) -> list[str]:
        """Legal plays that the line may become, those of the command move too."""
        turn = self.table.turn
        if turn is None or self.table.result:
            return []
        word, blank, rest = text.lstrip().partition(" ")
        if word.lower() == "move" and blank:
            return [f"{word} {play}" for play in completions(turn, rest)]
        return completions(turn, text)

    def receive(self, line: str) -> None:
        """Do what the line says; one that cannot be done is answered with the reason."""
        line = line.strip()
        try:
            if len(line) > MAX_TEXT:
                raise ValueError(f"a line has {MAX_TEXT:,} letters at most")
            if self._conversation.pending:
                self._conversation.answer(line)
                return
            word, _, rest = line.partition(" ")
            word, rest = word.lower(), rest.strip()
            if word in self._with_words:
                self._with_words[word](rest)
            elif word not in self._alone:
                self._answer(line)
            elif rest:
                raise ValueError(f"{word} stands alone, without {rest[:40]!r}")
            else:
                self._alone[word]()
        except ValueError as error:
            self._send(sentence(error) + guess_text(line, (*self._with_words, *self._alone)))

    def draw(self) -> None:
        """Show the board."""
        self._conversation.draw()

    def draw_soon(self) -> None:
        """Show the board before the next question."""
        self._conversation.draw_soon()

    def keep(self) -> None:
        """Keep the game for the next start, or nothing if there is none worth it."""
        self._conversation.keep()

    def _send(self, text: str) -> None:
        self._conversation.send(text)

    def _throw(self, first: int, second: int) -> None:
        self.table.throw(first, second)
        self._conversation.change()
        self._send(roll_text(self.table, first, second, self._conversation.look))

    def _roll(self) -> None:
        if self.table.turn:
            raise ValueError("the dice are rolled already")
        if self.table.setting.dice is Dice.MANUAL:
            raise ValueError("type the dice as they fell, such as 31")
        self._tutor.check(CubeAction.ROLL, self._roll_now)

    def _roll_now(self) -> None:
        self._offers.act(CubeAction.ROLL)
        self._throw(*self.table.thrown_dice())

    def _act(self, act: CubeAction | DoubleAnswer, word: str = "") -> None:
        """Let the person do so with the cube, after the tutor; word: gnubg's for an answer."""

        def go_on() -> None:
            if word and isinstance(act, DoubleAnswer):
                self._offers.answer(word, act)
            else:
                self._offers.act(act)

        self._tutor.check(act, go_on)

    def _finish(self, play: CheckerPlay) -> None:
        """End the turn with the play, and say what was played and won."""
        table = self.table
        turn, seat = table.turn, table.mover
        table.answer(play)
        self._conversation.change()
        if turn:
            self._send(turn_text(table, seat, play, turn.position, self._conversation.look))
        if HUMAN not in table.setting.players:
            self._conversation.draw()
        self._conversation.tell_result()

    def _answer(self, line: str) -> None:
        """Take a line that is no command: dice, a play, or Enter."""
        table = self.table
        if table.result:
            if line:
                raise ValueError("the game is over: Enter begins the next one")
            self._conversation.sit_at(table.next_game())
        elif table.game.doubles:
            raise ValueError(f"answer the double: {self._offers.choice}")
        elif table.turn is None and table.setting.dice is Dice.AUTO:
            if line:
                raise ValueError("the dice are not rolled yet: Enter rolls, double offers the cube")
            self._roll()
        elif table.turn is None:
            dice = parse_dice(line)
            self._tutor.check(CubeAction.ROLL, lambda: self._throw(*dice))
        else:
            self._typed.receive(line)

    def _ended(self, table: Table) -> None:
        """Sum the game up and hand it on; raises ValueError if it cannot be filed."""
        self._tutor.sum_up()
        self._on_result(table)

    def _hint(self, rest: str) -> None:
        if rest and not (rest.isascii() and rest.isdigit() and int(rest) > 0):
            raise ValueError(f"hint takes a number of plays, not {rest!r}")
        table = self.table
        if table.result:
            raise ValueError("the game is over: there is nothing to choose")
        if table.game.turn is None:
            raise ValueError("before the opening roll there is nothing to choose")
        question = table.question
        uses_cube = table.setting.cube
        if uses_cube not in self._advisors:
            self._advisors[uses_cube] = self._make_advisor(table.setting)
        advisor = self._advisors[uses_cube]
        if not (table.turn and isinstance(question, ChooseCheckerPlay)):
            is_beavered = table.game.is_beavered
            hint = hint_lines(question, advisor, uses_cube=uses_cube, is_beavered=is_beavered)
            self._send("\n".join(hint))
            return
        candidates = all_candidates(question, advisor)
        left = [row for row in candidates if table.turn.allows(row.play)]
        best = candidates[0] if candidates else None
        shown = left[: int(rest or COUNT)]
        lines = play_lines(shown, table.position, best, uses_cube=uses_cube)
        self._send("\n".join(lines))

    def _undo(self) -> None:
        undone = self.table.take_back()
        self._conversation.change()
        self._send(f"Taken back: {undone}.")

    def _quit(self) -> None:
        self.is_left = True
