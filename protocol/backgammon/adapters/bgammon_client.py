"""bgammon client: a player on bgammon.org, who makes matches and waits for opponents in them.

Nobody is invited there: a match is made with a length, and whoever likes joins it. Who resigns
cannot say how many points are offered, so that we play lost games to their end. Who resigns or
drops a double loses what the board would, see `BoardDrops`.
Source: tslocum/bgammon, PROTOCOL.md and pkg/server/server_command.go.
"""

import logging
from typing import ClassVar

from bot.backgammon.rules.decision import CubeAction, Decider, DoubleAnswer
from bot.backgammon.rules.game import Answer
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.bgammon import (
    BgammonBoard,
    Event,
    number_of,
    parse_bgammon_board,
    parse_event,
    text_of,
)
from protocol.backgammon.formats.notation import bare_play_text
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.board_drops import BoardDrops, place_with_board_drops
from protocol.backgammon.servers.courtesy import plain
from protocol.backgammon.servers.player import (
    Player,
    RefusedLoginError,
    Send,
    ServerClient,
)
from protocol.backgammon.servers.seat import ServerError
from protocol.errors import MalformedLineError

CLIENT = "blot/en"
HELLO_SECONDS, LOGIN_SECONDS, IDLE_SECONDS = 3.0, 30.0, 120.0
"""Seconds to wait for the server's first word, for a login, and for anything at all: it pings."""

CREATE_SECONDS, REFUSED_SECONDS = 2.0, 60.0
"""Seconds before a match is made, and before one after an opponent was sent away."""

IN_USE = "already in use"
"""Words of the notice by which bgammon's server refuses a login with a name that is logged in."""

UNKNOWN_EXPERIENCE = 1_000_000
"""The server does not tell how much somebody has played."""

WORDS = {
    CubeAction.ROLL: "roll",
    CubeAction.DOUBLE: "double",
    DoubleAnswer.TAKE: "ok",
    DoubleAnswer.BEAVER: "ok",
    DoubleAnswer.DROP: "resign",
}

_log = logging.getLogger("blot.bgammon")


class BgammonClient(ServerClient):
    """One login on bgammon.org; see FibsClient."""

    longest: ClassVar[int] = 1 << 16

    def __init__(self, player: Player, send: Send) -> None:
        super().__init__(player, send)
        self._name = player.account.name
        self.place = place_with_board_drops(player.account.server)
        self.agenda.put(Task.HELLO, HELLO_SECONDS)
        self.agenda.put(Task.LOGIN, LOGIN_SECONDS)

    @property
    def decider(self) -> Decider:
        """Who decides for us, by what a drop costs here."""
        return BoardDrops(self.player.decider)

    def receive(self, line: str) -> None:
        """Take one line; raises ServerError if the server does not let us in."""
        self.agenda.put(Task.SILENT, IDLE_SECONDS)
        if line.startswith("hello"):
            self._log_in()
            return
        try:
            self._hear(parse_event(line))
        except (MalformedLineError, ValueError) as error:
            _log.warning("a line of the server cannot be read: %s", error)
            if self.seat is not None:
                self.agenda.put(Task.SERVER, 1.0)

    def _do(self, task: Task) -> None:
        match task:
            case Task.HELLO:
                self._log_in()
            case Task.CREATE:
                if self.seat is None:
                    self.player.give_up(self.player.unfinished())  # nothing is saved there
                    self._send(f"create public {self._length} 0")
            case Task.ANSWER:
                self._answer()
            case Task.SERVER:
                if self.seat is not None:
                    self.seat.ask_again()
                    self._send("board")
            case Task.OPPONENT:
                self._leave()
            case _:
                raise AssertionError(f"nobody here does {task}")

    def stop(self) -> None:
        """Play no other match, and go."""
        self._is_stopping = True
        if self.seat is None:
            self._say_goodbye()

    @property
    def _length(self) -> int:
        least, most = self.player.policy.lengths
        return min(max(self.player.policy.offer, least), most)

    def _log_in(self) -> None:
        if self._has_tried:
            return
        self._has_tried = True
        self.agenda.drop(Task.HELLO)
        account = self.player.account
        line = f"loginjson {CLIENT} {account.name}"
        self._send(f"{line} {account.password}", told=f"{line} ********")

    def _hear(self, event: Event) -> None:
        name = plain(text_of(event, "Player"))
        match event["Type"]:
            case "welcome":
                self.is_in = True
                # it writes names its own way: blot for Blot, BOT_blot for bot_blot
                self._name = plain(text_of(event, "PlayerName")) or self._name
                self.agenda.drop(Task.LOGIN)
                self.agenda.put(Task.CREATE, CREATE_SECONDS)
            case "ping":
                self._send(f"pong {plain(text_of(event, 'Message'))}")
            case "notice" if not self.is_in:
                sentence = f"the server says: {plain(text_of(event, 'Message'))}"
                # it has not yet seen that our last connection is lost
                refusal = ServerError if IN_USE in sentence else RefusedLoginError
                raise refusal(sentence)
            case "joined":
                self.agenda.drop(Task.CREATE)
            case "left" if name == self._name:
                self._be_free(CREATE_SECONDS)
            case "left" if self.seat is not None:
                self.seat.forget()
            case "failedcreate":
                self.agenda.put(Task.CREATE, REFUSED_SECONDS)
            case "board":
                self._show(parse_bgammon_board(event))
            case "rolled":
                self._rolled(name, event)
            case "win":
                self._won(name, event)
            case "say" if name != self._name:
                self._speak(name, "answer", self.player.policy.answer)
            case "failedroll" | "failedmove" | "failedok" if self.seat is not None:
                if self.seat.has_answered and not self.seat.refused():
                    self._leave(by_opponent=False)
                else:
                    self._send("board")

    def _rolled(self, name: str, event: Event) -> None:
        """Dice, also of a turn that the server plays by itself and no board shows."""
        match = self.seat.match if self.seat is not None else None
        if match is None or match.game is None:
            return
        dice = number_of(event, "Roll1"), number_of(event, "Roll2")
        if not all(1 <= die <= 6 for die in dice):
            return
        if match.game.turn is None:
            match.opened(*dice)
        else:
            match.told(int(name != self._name), Roll.of_dice(*dice))

    def _won(self, name: str, event: Event) -> None:
        """A game is over; the points of matches to one point are not told."""
        if self.seat is None:
            return
        winner = int(name != self._name)
        self.seat.match.won(winner, max(number_of(event, "Points"), 1))

    def _show(self, shown: BgammonBoard) -> None:
        """Follow a board of our match."""
        board = shown.board
        if not board.opponent:
            return
        if self.seat is None and not self._sit(shown):
            return
        assert self.seat is not None
        match = self.seat.match
        self.other_rating = float(shown.rating[1])
        if shown.winner is not None:
            if match.rules.is_over(board.points):
                self.stand_up(shown.winner, board.points)
                self._leave()
            return
        if board.turn is None:
            match.begins(board)
            self._open(shown)
            return
        if shown.is_partial:
            if board.turn == 0 and shown.is_played:
                self._send("ok")
            return
        match.show(board)
        self.seat.look(is_prompted=True)

    def _sit(self, shown: BgammonBoard) -> bool:
        """Take our seat against who has joined, or send them away; whether we play."""
        name, length = plain(shown.board.opponent), shown.board.length
        reason = self.player.refusal(name, length, UNKNOWN_EXPERIENCE)
        if reason is not None or self._is_stopping or shown.winner is not None:
            decline = self.player.policy.decline
            if decline and reason is not None:
                self._speak(name, f"decline {reason}", f"{decline} {reason}")
            self._leave(REFUSED_SECONDS)
            return False
        self.player.rate(float(shown.rating[0]), is_playing=False)
        # what was known of before has been given up when this match was made
        self.sit_down(name, length, is_resumed=True)
        assert self.seat is not None
        self.seat.never_resigns()
        self._speak(name, "greeting", self.player.policy.greeting)
        return True

    def _open(self, shown: BgammonBoard) -> None:
        """Roll our die of the opening, once."""
        assert self.seat is not None
        self.seat.look()
        if shown.dice[0] == 0:
            self.agenda.put(Task.ANSWER, self.player.policy.delay)

    def _answer(self) -> None:
        if self.seat is None:
            return
        game = self.seat.match.game
        if game is not None and game.turn is None:
            self._send("roll")
            return
        answer = self.seat.answer()
        if answer is not None:
            self._send(_command(answer))

    def _leave(self, seconds: float = CREATE_SECONDS, *, by_opponent: bool = True) -> None:
        """Leave the match, and make another one after so many seconds.

        by_opponent: whether it is the opponent's doing, if the match is not over.
        """
        self._send("leave")
        self._be_free(seconds, by_opponent=by_opponent)

    def _be_free(self, seconds: float, *, by_opponent: bool = True) -> None:
        """The match is left: by us, or by the server, a quarter of an hour after the opponent."""
        if self.seat is not None:
            self.interrupt(by_opponent=by_opponent)
        self.agenda.drop(Task.ANSWER, Task.SERVER, Task.OPPONENT)
        if self._is_stopping:
            self._say_goodbye()
        elif Task.CREATE not in self.agenda:
            self.agenda.put(Task.CREATE, seconds)

    def _say_goodbye(self) -> None:
        self._send("disconnect")
        self.is_done = True

    def _speak(self, name: str, kind: str, sentence: str) -> None:
        if sentence and self.player.courtesy.allows(name, kind):
            self._send(f"say {plain(sentence)}")


def _command(answer: Answer) -> str:
    """The command of an answer; a roll without a play is passed on."""
    match answer:
        case CheckerPlay(legs=()):
            return "ok"
        case CheckerPlay():
            return f"move {bare_play_text(answer.legs)}"
        case CubeAction() | DoubleAnswer():
            return WORDS[answer]
        case _:
            raise ValueError(f"bgammon.org does not ask for {answer!r:.80}")
