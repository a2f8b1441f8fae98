"""Table talk: what a person types at the table, and what is answered.

It knows nothing of the terminal: a line comes in by receive, text goes out by send, and while
nobody has to answer, step lets the next thing happen.
"""

from collections.abc import Callable
from pathlib import Path

from bot.backgammon.decision import (
    AnswerResignation,
    ChooseCheckerPlay,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.engine import Engine
from bot.backgammon.play import CheckerPlay
from protocol.backgammon.announcement import (
    HELP,
    does_text,
    guess_text,
    parse_stake,
    pips_text,
    result_text,
    seat_names,
    sentence,
    throw_text,
    turn_text,
)
from protocol.backgammon.board_view import Look
from protocol.backgammon.gnubg_external import Decider
from protocol.backgammon.hint import COUNT, chances_lines, play_lines, rated_plays
from protocol.backgammon.notation import POINT_OF_WORD, parse_dice
from protocol.backgammon.position_id import gnubg_id
from protocol.backgammon.saved_game import KeptGame, load, save
from protocol.backgammon.table import HUMAN, LEVELS, Dice, Table
from protocol.backgammon.table_picture import Window, drawn_text, picture_of
from protocol.backgammon.turn import completions, point_text

MOST_TEXT = 200
"""Characters of a line that are read."""

YES, NO = ("y", "yes"), ("", "n", "no")


class TableTalk:
    """The conversation around one table; Ctrl-C, windows and waiting are the terminal's.

    make_player seats a bot by name and seed, make_advisor gives the engine for hints; both may
    raise ValueError. window tells the size of the terminal.
    """

    def __init__(
        self,
        table: Table,
        send: Callable[[str], None],
        *,
        make_player: Callable[[str, int], Decider],
        make_advisor: Callable[[], Engine],
        kept: KeptGame,
        look: Look | None = None,
        window: Callable[[], Window] = Window,
    ) -> None:
        self.is_left = False
        self._send = send
        self._make_player = make_player
        self._make_advisor = make_advisor
        self._advisor: Engine | None = None
        self._kept = kept
        self._look = look or Look()
        self._window = window
        self._small_window: Window | None = None
        self._complaint = ""
        self._pending: tuple[str, Callable[[str], None]] | None = None
        self._alone: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "pips": lambda: self._send(pips_text(self._table, self._look)),
            "id": self._id,
            "board": self._draw,
            "new": self._new,
            "help": lambda: self._send(HELP),
            "?": lambda: self._send(HELP),
            "quit": self._quit,
        }
        self._with_words: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "resign": self._resign,
            "save": self._save,
            "load": self._load,
        }
        self._sit_down(table)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self._table

    @property
    def waits(self) -> bool:
        """Whether a person has to say something before the game goes on."""
        table = self._table
        if self.is_left or self._pending or table.result:
            return True
        if table.turn is None:
            return table.setting.dice is Dice.MANUAL
        return self._players[table.mover] is None and bool(table.turn.plays)

    def step(self) -> None:
        """Throw the dice, or let a bot play, or pass; only while nobody has to say something."""
        table = self._table
        if table.turn is None:
            self._throw(*table.thrown_dice())
        elif not table.turn.plays:
            self._finish(CheckerPlay((), table.turn.position))
        else:
            player = self._players[table.mover]
            decision = player.decide(table.question) if player else None
            if not isinstance(decision, PlayDecision):
                raise ValueError(f"no play but {decision} from {self._name(table.mover)}")
            self._finish(decision.play)

    def prompt(self) -> str:
        """The question to the person, asked with the board if it has changed."""
        table = self._table
        if self._pending:
            return self._pending[0]
        if self._is_board_due:
            self._draw()
        if table.result:
            return f"Enter for the next {'match' if table.is_match_over else 'game'}> "
        if table.turn is None:
            if table.on_roll is None:
                return f"Opening dice, {self._name(0)} first> "
            return f"{self._name(table.mover)}, dice> "
        thrown = f"{table.turn.roll.high}-{table.turn.roll.low}"
        if table.turn.legs:
            left = "-".join(map(str, table.turn.dice_left))
            thrown = f"{left} left" if left else "Enter ends the turn"
        return f"{self._name(table.mover)} {thrown}> "

    def completions(self, text: str) -> list[str]:
        """What the line may become: commands and legal plays."""
        if self._pending or not text.strip():
            return []
        words = (*self._with_words, *self._alone)
        commands = [word for word in words if word.startswith(text.lower().lstrip())]
        turn = self._table.turn
        return commands + (completions(turn, text) if turn and not self._table.result else [])

    def receive(self, line: str) -> None:
        """Do what the line says; one that cannot be done is answered with the reason."""
        line = line.strip()[:MOST_TEXT]
        try:
            if self._pending:
                _, answer = self._pending
                self._pending = None
                answer(line)
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

    def keep(self) -> None:
        """Keep the game for the next start, or nothing if there is none worth it."""
        if self._table.is_match_over:
            self._kept.forget()
        elif self._table.is_begun:
            try:
                self._kept.keep(self._table)
            except ValueError as error:
                if str(error) != self._complaint:
                    self._complaint = str(error)
                    self._send(f"The game is not kept: {error}.")

    def _sit_down(self, table: Table) -> None:
        """Seat the players of a table; raises ValueError, nothing changed, if one is missing."""
        players = [
            None if name == HUMAN else self._make_player(name, table.setting.seed + seat)
            for seat, name in enumerate(table.setting.players)
        ]
        self._table = table
        self._players = players
        self._set()

    def _set(self) -> None:
        """Note that the table has changed."""
        self._source: int | None = None
        self._is_board_due = True
        self.keep()

    def _name(self, seat: int) -> str:
        name = seat_names(self._table.setting.players)[seat]
        return f"{self._look.signs.checkers[seat]} {name}"

    def _draw(self) -> None:
        window = self._window()
        if window.is_too_small and window != self._small_window:
            self._send(window.excuse)
        self._small_window = window if window.is_too_small else None
        self._send(drawn_text(picture_of(self._table, self._source), self._look, window))
        self._is_board_due = False

    def _throw(self, first: int, second: int) -> None:
        self._table.throw(first, second)
        self._set()
        self._send(throw_text(self._table, first, second, self._look))

    def _finish(self, play: CheckerPlay) -> None:
        """End the turn with the play, and say what was played and won."""
        table = self._table
        turn, seat = table.turn, table.mover
        table.finish_turn(play)
        self._set()
        if turn:
            self._send(turn_text(table, seat, play, turn.position, self._look))
        if HUMAN not in table.setting.players:
            self._draw()
        if table.result:
            self._send(result_text(table, self._look))

    def _answer(self, line: str) -> None:
        """Take a line that is no command: dice, a play, or Enter."""
        table = self._table
        if table.result:
            if line:
                raise ValueError("the game is over: Enter begins the next one")
            self._table = table.next_game()
            self._set()
        elif table.turn is None:
            self._throw(*parse_dice(line))
        elif line.lower() in POINT_OF_WORD:
            self._name_point(POINT_OF_WORD[line.lower()])
        elif line:
            had_legs = bool(table.turn.legs)
            turn = table.turn.with_text(line)
            if turn.is_complete and not had_legs:
                self._finish(turn.play)
            else:
                table.turn = turn
                self._set()
        elif table.turn.legs and table.turn.is_complete:
            self._finish(table.turn.play)
        elif not table.turn.legs and len(table.turn.plays) == 1:
            self._finish(table.turn.plays[0])
        else:
            self._source = None
            self._draw()

    def _name_point(self, point: int) -> None:
        """Take a point as where a checker comes from, or then as where it goes."""
        turn = self._table.turn
        if turn is None:
            return
        legs = [leg for leg in turn.next_legs if leg.source == self._source]
        for leg in legs:
            if leg.target == point:
                self._table.turn = turn.with_leg(leg)
                self._set()
                return
        targets = [leg.target for leg in turn.next_legs if leg.source == point]
        if not targets:
            sources = dict.fromkeys(point_text(leg.source) for leg in turn.next_legs)
            raise ValueError(
                f"no checker can go from {point_text(point)}"
                + (f", only from {' '.join(sources)}" if sources else ": the roll is played")
            )
        self._source = point
        self._draw()
        self._send(f"{point_text(point)} may go to {' or '.join(map(point_text, targets))}.")

    def _confirm(self, question: str, act: Callable[[], None], decline: str = "") -> None:
        """Ask before acting; anything but yes and no is asked again."""

        def take(line: str) -> None:
            if line.lower() in YES:
                act()
            elif line.lower() not in NO:
                self._send("Answer yes or no.")
                self._confirm(question, act, decline)
            elif decline:
                self._send(decline)

        self._pending = f"{question} [y/N] ", take

    def _hint(self, rest: str) -> None:
        if rest and not (rest.isascii() and rest.isdigit() and int(rest) > 0):
            raise ValueError(f"hint takes a number of plays, not {rest!r}")
        table = self._table
        if table.result:
            raise ValueError("the game is over: there is nothing to choose")
        question = table.question
        self._advisor = self._advisor or self._make_advisor()
        if not (table.turn and isinstance(question, ChooseCheckerPlay)):
            self._send("\n".join(chances_lines(self._advisor.chances(table.position))))
            return
        rated = rated_plays(question, self._advisor)
        left = [row for row in rated if table.turn.allows(row.play)]
        best = rated[0].equity if rated else None
        self._send("\n".join(play_lines(left[: int(rest or COUNT)], table.position, best)))

    def _undo(self) -> None:
        undone = self._table.take_back()
        self._set()
        self._send(f"Taken back: {undone}.")

    def _resign(self, rest: str) -> None:
        table = self._table
        if table.result or table.on_roll is None:
            raise ValueError("no game is being played")
        if self._players[table.mover] is not None:
            raise ValueError(f"{self._name(table.mover)} is on roll; resign in your own turn")
        if rest:
            self._offer(rest)
        else:
            question = "Resign a single game, a gammon or a backgammon? [s/g/b, Enter for none] "
            self._pending = question, lambda line: self._offer(line) if line else None

    def _offer(self, word: str) -> None:
        """Offer a resignation to the other side."""
        points, table = parse_stake(word), self._table
        player = self._players[1 - table.mover]
        refusal = f"{does_text(table, 1 - table.mover, 'decline', self._look)}: the game goes on."
        if player is None:
            question = f"{self._name(1 - table.mover)}: accept {LEVELS[points]}?"
            self._confirm(question, lambda: self._give_up(points), refusal)
            return
        decision = player.decide(AnswerResignation(table.question.state, points))
        if isinstance(decision, ResignationDecision) and decision.accepted:
            self._give_up(points)
        else:
            self._send(refusal)

    def _give_up(self, points: int) -> None:
        self._table.resign(points)
        self._set()
        self._send(result_text(self._table, self._look))

    def _id(self) -> None:
        """Tell the ID; the player on roll has the seat below, as gnubg counts."""
        own, other = self._table.score[self._table.mover], self._table.score[1 - self._table.mover]
        points = (other, own) if self._table.setting.length is None else (0, 0)
        self._send(gnubg_id(self._table.question, session_points=points))

    def _save(self, rest: str) -> None:
        path = _path("save", rest)

        def write() -> None:
            save(self._table, path)
            self._send(f"Saved: {path}")

        if path.exists():
            self._confirm(f"{path} is there already; write over it?", write)
        else:
            write()

    def _load(self, rest: str) -> None:
        table = load(_path("load", rest))
        if self._table.is_begun:
            question = "Leave this game for the one in the file?"
            self._confirm(question, lambda: self._sit_down(table))
        else:
            self._sit_down(table)

    def _new(self) -> None:

        def begin() -> None:
            self._kept.forget()
            self._table = self._table.new_match()
            self._set()

        if self._table.is_begun and not self._table.is_match_over:
            self._confirm("Give up this game and the score?", begin)
        else:
            begin()

    def _quit(self) -> None:
        self.is_left = True


def _path(command: str, rest: str) -> Path:
    if not rest:
        raise ValueError(f"{command} takes a file: {command} game.json")
    return Path(rest).expanduser()
