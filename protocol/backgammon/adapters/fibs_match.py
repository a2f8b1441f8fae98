"""FIBS match: a match as the lines of FIBS tell it, and our answers as its commands.

Points are counted as the server counts them: ours may go up, then 24 is our 1.
Source: FIBS Client Protocol Detailed Specification 1.3, Game Play and Game Commands.
"""

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Answer, Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.clip import ClipLine, Kind
from protocol.backgammon.formats.notation import BAR, OFF, parse_play, point_text
from protocol.backgammon.formats.server_board import ServerBoard
from protocol.backgammon.servers.followed_match import FollowedMatch

RESIGNATIONS = {1: "n", 2: "g", 3: "b"}
WORDS = {
    CubeAction.ROLL: "roll",
    CubeAction.DOUBLE: "double",
    DoubleAnswer.TAKE: "accept",
    DoubleAnswer.DROP: "reject",
    DoubleAnswer.BEAVER: "accept",
    ResignationAnswer.ACCEPT: "accept",
    ResignationAnswer.DECLINE: "reject",
}


class FibsMatch:
    """Tells a followed match what the lines of FIBS say of it, and FIBS what we answer."""

    def __init__(self, match: FollowedMatch) -> None:
        self.match = match
        self._is_ascending = False
        self.was_rolled_for = False
        """Whether the server has rolled for us where we could have doubled."""

    def show(self, board: ServerBoard) -> None:
        """Follow a board; raises ValueError for one that no match can show."""
        self._is_ascending = board.is_ascending
        self.match.show(board)

    def receive(self, told: ClipLine) -> None:
        """Follow what a line tells of the match, if it is of ours."""
        seat = self._seat(told)
        if seat is None:
            return
        match told.kind:
            case Kind.GAME:
                self.match.begin_game()
            case Kind.OPENING:
                self.match.opened(told.number("own"), told.number("other"))
            case Kind.ROLLED:
                self._rolled(seat, Roll.of_dice(told.number("one"), told.number("two")))
            case Kind.MOVED:
                self._moved(told)
            case Kind.STUCK:
                self.match.stuck(seat)
            case Kind.DOUBLED:
                self.match.told(seat, CubeAction.DOUBLE)
            case Kind.TAKEN:
                self.match.told(seat, DoubleAnswer.TAKE)
            case Kind.RESIGNS:
                self.match.resigns(seat, told.number("points"))
            case Kind.DECLINED:
                self.match.declined(seat)
            case Kind.DROPPED:
                game = self.match.game
                winner = 0 if told["winner"] else 1 - seat
                points = told.number("points") or 1
                if game is not None and game.doubles and game.turn is not None:
                    # BaldLies may tell fewer points, or leave out who drops
                    winner, points = game.turn, game.state.cube.value
                self.match.won(winner, points)
            case Kind.ACCEPTED | Kind.GAME_WON:
                self.match.won(seat, told.number("points"))

    def command(self, answer: Answer) -> str:
        """The command of an answer."""
        match answer:
            case CheckerPlay():
                return "move " + " ".join(
                    f"{self._point(leg.source)}-{self._point(leg.target)}" for leg in answer.legs
                )
            case Resignation(points):
                return f"resign {RESIGNATIONS[points]}"
            case CubeAction() | DoubleAnswer() | ResignationAnswer():
                return WORDS[answer]
            case _:
                raise ValueError(f"FIBS does not ask for {answer!r:.80}")

    def _seat(self, told: ClipLine) -> int | None:
        """The seat that a line is about, None if somebody else's."""
        if not told["who"]:
            return 0
        return 1 if told["who"] == self.match.players[1] else None

    def _rolled(self, seat: int, roll: Roll) -> None:
        game = self.match.game
        if seat == 0 and game is not None and game.asked == 0 and game.may_double:
            self.was_rolled_for = not game.is_rolling
        self.match.told(seat, roll)

    def _moved(self, told: ClipLine) -> None:
        """The play of who has rolled; whatever cannot be read, the next board shows."""
        game = self.match.game
        if game is None or game.roll is None or game.turn is None:
            return
        if told["who"] and game.turn == 0:
            return
        is_ascending = self._is_ascending == (game.turn == 0)
        legs = [part.split("-") for part in told["moves"].lower().split() if part.count("-") == 1]
        words = [f"{_read(a, is_ascending)}/{_read(b, is_ascending)}" for a, b in legs]
        try:
            play = parse_play(" ".join(words), game.state.position, game.roll)
        except ValueError:
            return
        self.match.told(game.turn, play)

    def _point(self, point: int) -> str:
        """A point as the server counts ours."""
        is_turned = self._is_ascending and point not in (BAR, OFF)
        return point_text(BAR - point if is_turned else point)


def _read(word: str, is_ascending: bool) -> str:
    """A point as its mover counts it, from a word of the server."""
    if word in ("home", "h"):
        return "off"
    return str(BAR - int(word)) if is_ascending and word.isascii() and word.isdigit() else word
