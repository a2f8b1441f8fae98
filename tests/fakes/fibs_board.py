"""What a fake FIBS needs: its raw boards, a clock, and the ways in which it misbehaves."""

from enum import Enum, auto

from bot.backgammon.rules.position import turned
from protocol.backgammon.formats.server_board import UNLIMITED

ME = "blot"


class Mischief(Enum):
    """Ways to misbehave."""

    LIE = auto()
    STALL = auto()
    FLOOD = auto()
    RESET = auto()
    GLUE = auto()
    AUTOPLAY = auto()
    SILENT_MOVES = auto()
    ESCAPE = auto()
    REFUSE = auto()
    DEAD_DOUBLE = auto()


class Clock:
    """A clock that goes on when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 0.001)


def board_line(game, rival, length, score, is_ascending):
    """The board line of a game for its seat 0; ascending: its points are counted up."""
    own = game.state if game.turn == 0 else game.state.turned()
    points = list(own.position.points)
    colour = 1
    if is_ascending:
        points, colour = list(turned(own.position).points), -1
    roll = (game.roll.low, game.roll.high) if game.roll else (0, 0)
    dice = (*roll, 0, 0) if game.turn == 0 else (0, 0, *roll)
    owner = game.cube_owner
    may = (0, 0) if game.doubles else (1, 1) if owner is None else (1 - owner, owner)
    turn = colour if (game.turn == 0) != bool(game.doubles) else -colour
    fields = (
        length or UNLIMITED,
        *score,
        *points,
        turn,
        *dice,
        game.state.cube.value,
        *may,
        int(bool(game.doubles) and game.turn == 1),
        colour,
        -colour,
        *((25, 0) if is_ascending else (0, 25)),
        *(own.position.off, own.position.other_off),
        *(own.position.points[25], -own.position.points[0]),
        *(0, 0, 0, 0),
    )
    return f"board:You:{rival}:" + ":".join(map(str, fields))


class FakeVoice:
    """Says lines to who listens, with the mischief of a server: see FakeFibs."""

    def _who(self):
        playing = self.rival if self._is_playing else "-"
        self._say(f"5 {ME} {playing} - 1 0 1500.00 10 0 1041253132 127.0.0.1 Blot -")
        other = ME if self._is_playing else "-"
        self._say(f"5 {self.rival} {other} - 1 0 1600.00 200 0 1041253132 127.0.0.1 x -", "6")

    def _say(self, *lines):
        for line in lines:
            if self._chance(Mischief.FLOOD, 0.05):
                self._out.extend(f"13 shouter {number} \x1b[31mbuy!" for number in range(300))
                self._out.append("x" * 5000)
                self._out.append("12 talker hello?")
            if Mischief.ESCAPE in self.mischief and not line.startswith("login"):
                line = f"\x1b[1m{line}\x1b]0;title\x07\x1b[0m"
            if self._chance(Mischief.GLUE, 0.1) and line.startswith("board:"):
                line += f"5 {self.rival} {ME} - 1 0 1600.00 200 0 1041253132 127.0.0.1 x -"
            if self._chance(Mischief.LIE, 0.05):
                self._out.append(self._lie())
            self._out.append(line)

    def _lie(self):
        game = self.game
        lies = [
            "You roll 7 and 9.",
            f"{self.rival} rolls 6 and 6.",
            f"{self.rival} moves 24-1 24-1 .",
            "You can't move.",
            f"{self.rival} doubles. Type 'accept' or 'reject'.",
            "Please move 4 pieces.",
            "It's your turn. Please roll or double",
            f"{self.rival} accepts the double. The cube shows 512.",
            "board:You:mallory:3:0:0:1:2:3",
            "** Whatever.",
        ]
        if game is not None and game.turn is not None:
            true = self._board_line().split(":")
            true[self.chance.randrange(3, 53)] = str(self.chance.randint(-3, 30))
            lies.append(":".join(true))
        return self.chance.choice(lies)

    def _chance(self, mischief, share):
        return mischief in self.mischief and self.chance.random() < share

    def _board(self):
        if self.game is not None and self.game.turn is not None:
            self._say(self._board_line())

    def _board_line(self):
        return board_line(self.game, self.rival, self.rules.length, self.points, self.is_ascending)
