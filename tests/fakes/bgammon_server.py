"""A fake bgammon.org with one opponent, who plays at random; made from PROTOCOL.md and its source.

Checkers are moved one by one and confirmed with `ok`, doubles declined with `resign`, and a game
that was resigned is over at once; both cost what the board would. Time is a clock that goes on when
there is silence.
"""

import json
import random
from collections import deque

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, OpeningRoll, Result
from bot.backgammon.rules.legality import points_after
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import parse_play
from protocol.wire import ClientError
from tests.fakes.fibs_board import ME, Clock

RIVAL = "mallory"
PASSWORD = "secret99"


class FakeBgammon:
    """The server and the opponent; resets: whether connections are lost now and then.

    name: how it writes ours.
    """

    def __init__(self, seed=1, *, resets=False, refuses_login=False, name=ME):
        self.name = name
        self.clock = Clock()
        self.chance = random.Random(seed)
        self.resets = resets
        self.refuses_login = refuses_login
        self.heard = []
        self.finished = []
        self.connections = self.refusals = 0
        self.rules = None
        self._out = deque()
        self._is_open = False
        self._is_joined = False

    def connect(self):
        self.connections += 1
        self._out = deque(["hello Welcome to a fake! Please log in."])
        self._is_open = True
        return self

    def close(self):
        self._is_open = False

    def read(self, seconds):
        if not self._is_open:
            raise ClientError("the fake hung up")
        if self.resets and self.rules is not None and self.chance.random() < 0.01:
            self._is_open = False
        if self._out:
            return self._out.popleft()
        if seconds > 0:
            self.clock.sleep(seconds)
            if self.rules is not None and not self._is_joined:
                self._join()
            elif self.chance.random() < 0.05:
                self._say("ping", Message="1234")
        return None

    def send(self, line, told=None):
        if not self._is_open:
            raise ClientError("the fake hung up")
        self.heard.append(line if told is None else told)
        word, _, rest = line.partition(" ")
        getattr(self, f"_do_{word}")(rest)

    def _say(self, kind, player="", **fields):
        self._out.append(json.dumps({"Type": kind, "Player": player, **fields}))

    def _do_loginjson(self, rest):
        assert rest.split()[-1] == PASSWORD
        if self.refuses_login:
            self._say("notice", Message="Connection terminated: No account was found")
            return
        self._say("welcome", PlayerName=self.name, Clients=2, Games=0)
        if self.rules is not None:
            self._say("joined", self.name, GameID=1, PlayerNumber=1)
            self._board()

    def _do_create(self, rest):
        kind, points, variant = rest.split()
        assert (kind, variant) == ("public", "0")
        self.rules, self.points, self.is_crawford = Rules(int(points)), (0, 0), False
        self._is_joined = False
        self._say("joined", self.name, GameID=1, PlayerNumber=1)

    def _join(self):
        self._is_joined = True
        self._say("joined", RIVAL, GameID=1, PlayerNumber=2)
        self._begin()
        self._say("say", RIVAL, Message="hello \x1b[31m")

    def _begin(self):
        self.game = self.rules.new_game(self.points, is_crawford=self.is_crawford)
        self.dice = [0, 0]
        self._legs = ()
        self._board()
        self._roll_die(1)

    def _roll_die(self, seat):
        """One die of the opening; once both are there the game begins, or they are rolled anew."""
        self.dice[seat] = self.chance.randint(1, 6)
        self._say("rolled", (self.name, RIVAL)[seat], Roll1=self.dice[0], Roll2=self.dice[1])
        while all(self.dice):
            self._to(OpeningRoll(*self.dice))
            if self.game.turn is not None:
                self._board()
                self._opponent()
                return
            self.dice = [self.chance.randint(1, 6), self.chance.randint(1, 6)]
            self._say("rolled", RIVAL, Roll1=self.dice[0], Roll2=self.dice[1])

    def _do_roll(self, rest):
        if self.game.turn is None and not self.dice[0]:
            self._roll_die(0)
        elif self.game.turn == 0 and self.game.roll is None and not self.game.doubles:
            self._roll()
        else:
            self._refuse("failedroll")

    def _roll(self):
        dice = self.chance.randint(1, 6), self.chance.randint(1, 6)
        self._say("rolled", (self.name, RIVAL)[self.game.turn], Roll1=dice[0], Roll2=dice[1])
        self._to(Roll.of_dice(*dice))
        self._board()

    def _do_move(self, rest):
        game = self.game
        try:
            play = parse_play(rest, game.state.position, game.roll)
        except ValueError:
            self._refuse("failedmove")
            return
        self._legs = play.legs
        self._board()

    def _do_ok(self, rest):
        game = self.game
        if game.doubles and game.turn == 1:
            self._to(DoubleAnswer.TAKE)
            self._board()
            self._opponent()
        elif game.turn == 0 and game.roll is not None and not self._left():
            points = game.state.position.points
            for leg in self._legs:
                points = points_after(points, leg)
            self._play(CheckerPlay(self._legs, Position(points)))
        else:
            self._refuse("failedok")

    def _left(self):
        return bool(legal_plays(self.game.state.position, self.game.roll)) and not self._legs

    def _do_double(self, rest):
        self._to(CubeAction.DOUBLE)
        self._say("notice", Message="Double offered to opponent.")
        self._board()
        self._opponent()

    def _do_resign(self, rest):
        self._give_up(0)

    def _give_up(self, seat):
        """A double dropped or the game resigned: a backgammon if a checker is back, and so on."""
        points = self.game.state.position.points
        if self.game.turn != seat:
            points = tuple(-count for count in reversed(points))
        is_back = any(count > 0 for count in points[19:])
        is_off = sum(count for count in points if count > 0) < 15
        kind = 3 if is_back else 1 if is_off else 2
        self.result = self.game.won(1 - seat, kind, Ending.RESIGNED)
        self._over(resigned=(self.name, RIVAL)[seat])

    def _do_board(self, rest):
        self._board()

    def _do_leave(self, rest):
        self.rules = None
        self._say("left", self.name)

    def _do_pong(self, rest):
        assert rest == "1234"

    def _do_say(self, rest):
        self._say("say", self.name, Message=rest)

    def _do_disconnect(self, rest):
        self._is_open = False

    def _refuse(self, kind):
        self.refusals += 1
        self._say(kind, Reason="no")

    def _to(self, answer):
        after = self.game.after(answer)
        self.result = after if isinstance(after, Result) else None
        if self.result is None:
            self.game = after

    def _play(self, play):
        self._legs = ()
        self._to(play)
        if self.result is not None:
            self._over()
            return
        self._board()
        self._opponent()

    def _opponent(self):
        while self.rules is not None and self.game.turn is not None and self.game.asked == 1:
            game = self.game
            if game.doubles:
                if self.chance.random() < 0.3:
                    self._give_up(1)
                    return
                self._to(DoubleAnswer.TAKE)
                self._board()
            elif game.roll is not None:
                plays = legal_plays(game.state.position, game.roll)
                none = CheckerPlay((), game.state.position)
                play = self.chance.choice(plays) if plays else none
                self._legs = play.legs[:1]
                self._board()
                self._play(play)
                return
            elif game.may_double and self.chance.random() < 0.1:
                self._to(CubeAction.DOUBLE)
                self._say("notice", Message=f"{RIVAL} offers a double.")
                self._board()
            else:
                self._roll()

    def _over(self, resigned=""):
        result, before = self.result, self.points
        won = list(before)
        won[result.winner] += result.points
        self.points = won[0], won[1]
        told = result.points if self.rules.length > 1 else 0
        self._say(
            "win", (self.name, RIVAL)[result.winner], Points=told, Rating=0, Resigned=resigned
        )
        if self.rules.is_over(self.points):
            self._board(winner=result.winner)
            self.finished.append(self.points)
            return
        self.is_crawford = self.rules.is_crawford_next(before, result)
        self._begin()

    def _board(self, winner=None):
        game, is_mine = self.game, self.game.turn in (None, 0)
        points = game.state.position.points
        for leg in self._legs:
            points = points_after(points, leg)
        if not is_mine:
            points = tuple(-count for count in reversed(points))
        own = sum(count for count in points if count > 0)
        other = -sum(count for count in points if count < 0)
        dice = self.dice if game.turn is None else [0, 0]
        if game.roll is not None:
            dice = [game.roll.high, game.roll.low]
        players = [
            {"Number": 1, "Name": self.name, "Rating": 1500, "Points": self.points[0]},
            {"Number": 2, "Name": RIVAL if self._is_joined else "", "Rating": 1600}
            | {"Points": self.points[1]},
        ]
        available = [[6, 5]] if game.roll is not None and self._left() else []
        owner = game.cube_owner
        self._say(
            "board",
            Player1=players[0],
            Player2=players[1],
            Variant=0,
            Board=[15 - own, *points[1:25], other - 15, points[25], points[0]],
            Turn=0 if game.turn is None else game.turn + 1,
            Roll1=dice[0],
            Roll2=dice[1],
            Moves=[[leg.source, leg.target] for leg in self._legs] or None,
            Winner=0 if winner is None else winner + 1,
            Points=self.rules.length,
            Crawford=int(self.is_crawford),
            DoubleValue=game.state.cube.value,
            DoublePlayer=0 if owner is None else owner + 1,
            DoubleOffered=game.doubles > 0,
            PlayerNumber=1,
            Available=available,
            Forced=False,
        )
