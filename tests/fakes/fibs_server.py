"""A fake FIBS with one opponent, who plays at random; it is refereed by the rules of Game.

It can misbehave: see Mischief. Time is a clock of its own, which goes on when there is silence.
"""

import random
from collections import deque

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import (
    Ending,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import parse_play
from protocol.wire import ClientError
from tests.fakes.fibs_board import ME, Clock, FakeVoice, Mischief


class FakeFibs(FakeVoice):
    """The server, and the opponent on it; a stream of the one connection at a time."""

    def __init__(self, seed=1, lengths=(1, 3), mischief=(), rival="mallory", ascending=False):
        self.clock = Clock()
        self.chance = random.Random(seed)
        self.lengths = lengths
        self.mischief = set(mischief)
        self.rival = rival
        self.is_ascending = ascending
        self.heard: list[str] = []
        self.finished: list[tuple[int, int]] = []
        self.saved: tuple[Rules, tuple[int, int], bool, Game | None] | None = None
        self.connections = self.refusals = 0
        self._out: deque[str] = deque()
        self._is_open = False
        self._is_in = False
        self._is_playing = False
        self._has_invited = False
        self._joins = False
        self.rules = Rules(1)
        self.points = (0, 0)
        self.is_crawford = False
        self.game: Game | None = None

    # the stream of the client

    def connect(self):
        self.connections += 1
        self._out.clear()
        self._is_open, self._is_in, self._has_invited = True, False, False
        self._say("Welcome to a fake.", "", "login: ")
        return self

    def close(self):
        self._is_open = False
        if self._is_playing:
            self._save()

    def read(self, seconds):
        if not self._is_open:
            raise ClientError("the fake hung up")
        if self._chance(Mischief.RESET, 0.004) and self._is_in:
            self._is_open = False
            raise ClientError("the fake hung up")
        if self._out:
            return self._out.popleft()
        if seconds > 0:
            self.clock.sleep(seconds)
            self._invite()
        return None

    def send(self, line, told=None):
        if not self._is_open:
            raise ClientError("the fake hung up")
        self.heard.append(line if told is None else told)
        if self._chance(Mischief.STALL, 0.05) and self._is_playing:
            return
        if self._chance(Mischief.REFUSE, 0.05) and line != "board" and self._is_playing:
            self._say("** You did something wrong.")
            return
        word, _, rest = line.partition(" ")
        handler = getattr(self, f"_do_{word}", None)
        if handler is None:
            self._say(f"** Unknown command: '{word}'")
        else:
            handler(rest)

    # what the client may say

    def _do_login(self, rest):
        assert rest.split()[-1] == "secret99"
        self._is_in = True
        self._say(f"1 {ME} 1041253132 127.0.0.1")
        self._say(f"2 {ME} 1 1 0 1 0 0 1 1 10 1 0 0 1 1500.00 0 0 0 1 0 UTC", "3", "hello", "4")
        self._who()

    def _do_set(self, rest):
        self._say("Value of 'boardstyle' set to 3.")

    def _do_toggle(self, rest):
        self._say("** You're now ready to invite or join someone.")

    def _do_show(self, rest):
        self._say("no saved games." if self.saved is None else f"**{self.rival} 1 0 - 0")

    def _do_rawwho(self, rest):
        self._who()

    def _do_tell(self, rest):
        self._say(f"16 {rest}")

    def _do_bye(self, rest):
        self._is_open = False

    def _do_invite(self, rest):
        if self.saved is not None:
            self._resume()

    def _do_join(self, rest):
        if rest and self.saved is not None:
            self._resume()
        elif rest and not self._is_playing:
            length = self.chance.choice(self.lengths)
            self.rules = Rules(length, jacoby=False)
            self.points, self.is_crawford, self._is_playing = (0, 0), False, True
            kind = f"a {length} point" if length else "an unlimited"
            self._say(f"** You are now playing {kind} match with {self.rival}")
            self._begin()
        elif self._joins:
            self._begin()

    def _do_leave(self, rest):
        if self._is_playing:
            self._say("** You terminated the game. The game was saved.")
            self._save()

    def _do_board(self, rest):
        if not self._is_playing:
            self._say("** You're not playing.")
        elif self.game is not None:
            self._board()

    def _do_roll(self, rest):
        if self._asked(0, CubeAction.ROLL, Roll(1, 1)):
            self._roll()
            self._opponent()

    def _do_double(self, rest):
        if self._asked(0, CubeAction.DOUBLE):
            self._to(CubeAction.DOUBLE)
            self._say(f"You double. Please wait for {self.rival} to accept or reject.")
            self._opponent()

    def _do_accept(self, rest):
        if self.game is not None and self.game.resigned and self.game.asked == 0:
            points = self.game.resigned * self.game.state.cube.value
            self._to(ResignationAnswer.ACCEPT)
            self._say(f"You accept and win {points} point{'s' * (points != 1)}.")
            self._over(points, 0)
        elif self._asked(0, DoubleAnswer.TAKE):
            self._to(DoubleAnswer.TAKE)
            self._say(f"You accept the double. The cube shows {self.game.state.cube.value}.")
            self._opponent()

    def _do_reject(self, rest):
        if self.game is not None and self.game.resigned and self.game.asked == 0:
            self._to(ResignationAnswer.DECLINE)
            self._say("You reject. The game continues.")
            self._opponent()
        elif self._asked(0, DoubleAnswer.DROP):
            points = self.game.state.cube.value
            self._to(DoubleAnswer.DROP)
            self._say(f"You give up. {self.rival} wins {points} point{'s' * (points != 1)}.")
            self._over(points, 1)

    def _do_resign(self, rest):
        times = {"n": 1, "g": 2, "b": 3}[rest]
        if self._asked(0, Resignation(times)):
            points = times * self.game.state.cube.value
            self._to(Resignation(times))
            self._say(f"You want to resign. {self.rival} will win {points} points.")
            if self.chance.random() < 0.5:
                self._to(ResignationAnswer.ACCEPT)
                self._say(f"{self.rival} accepts and wins {points} points.")
                self._over(points, 1)
            else:
                self._to(ResignationAnswer.DECLINE)
                self._say(f"{self.rival} rejects. The game continues.")

    def _do_move(self, rest):
        game = self.game
        if game is None or game.turn != 0 or game.roll is None or game.resigned:
            self.refusals += 1
            self._say("** It's not your turn to move.")
            return
        parts = [part.split("-") for part in rest.split()]
        text = " ".join(f"{self._own(a)}/{self._own(b)}" for a, b in parts)
        try:
            play = parse_play(text, game.state.position, game.roll)
        except ValueError:
            self.refusals += 1
            self._say("** Illegal move.")
            return
        self._moved(play)

    # how it goes on

    def _own(self, word):
        if not word.isdigit() or not self.is_ascending:
            return word
        return str(25 - int(word))

    def _seen(self, point, seat):
        if point in (0, 25):
            return "bar" if point else "off"
        return str(point if (seat == 0) != self.is_ascending else 25 - point)

    def _asked(self, seat, *answers):
        if self.game is None or self.game.asked != seat:
            self.refusals += 1
            self._say("** It's not your turn.")
            return False
        if all(self.game.refusal(answer) for answer in answers):
            self.refusals += 1
            self._say("** You can't do that now.")
            return False
        return True

    def _to(self, answer):
        after = self.game.after(answer)
        self.result = after if isinstance(after, Result) else None
        if self.result is None:
            self.game = after

    def _begin(self):
        self._joins = False
        self.game = self.rules.new_game(self.points, is_crawford=self.is_crawford)
        self._say(f"Starting a new game with {self.rival}.")
        while self.game.turn is None:
            dice = self.chance.randint(1, 6), self.chance.randint(1, 6)
            self._to(OpeningRoll(*dice))
            self._say(f"You rolled {dice[0]}, {self.rival} rolled {dice[1]}")
        first = "It's your turn to move." if self.game.turn == 0 else "{} makes the first move."
        self._say(first.format(self.rival))
        self._board()
        if self.game.turn == 0:
            self._say("Please move 2 pieces.")
        self._opponent()

    def _roll(self):
        game = self.game
        roll = Roll.of_dice(self.chance.randint(1, 6), self.chance.randint(1, 6))
        self._to(roll)
        name = "You roll" if game.turn == 0 else f"{self.rival} rolls"
        self._say(f"{name} {roll.low} and {roll.high}.")
        self._board()
        plays = legal_plays(game.state.position, roll)
        if not plays:
            name = "You" if game.turn == 0 else self.rival
            self._say(f"{name} can't move.")
            self._moved(None)
        elif game.turn == 0 and len(plays) == 1 and Mischief.AUTOPLAY in self.mischief:
            self._moved(plays[0])
        elif game.turn == 0:
            self._say(f"Please move {len(plays[0].legs)} pieces.")

    def _moved(self, play):
        game, seat = self.game, self.game.turn
        if play is None:
            self._to(CheckerPlay((), game.state.position))
        else:
            self._to(play)
            legs = " ".join(
                f"{self._seen(leg.source, seat)}-{self._seen(leg.target, seat)}"
                for leg in play.legs
            )
            if seat == 1 and Mischief.SILENT_MOVES not in self.mischief:
                self._say(f"{self.rival} moves {legs} .")
        if self.result is not None:
            points = self.result.points
            plural = "s" * (points != 1)
            if seat == 0:
                self._say(f"You win the game and get {points} point{plural}. Congratulations!")
            else:
                self._say(f"{self.rival} wins the game and gets {points} point{plural}. Sorry.")
            self._over(points, seat)
            return
        self._board()
        self._opponent()

    def _opponent(self):
        """The opponent goes on; and so does the server where it is ours to roll."""
        while self._is_playing and self.game is not None:
            game = self.game
            if game.asked == 0:
                if game.roll is None and not game.doubles and not game.resigned:
                    if game.may_double and Mischief.AUTOPLAY not in self.mischief:
                        self._say("It's your turn. Please roll or double")
                        return
                    self._roll()
                    continue
                return
            if game.doubles:
                self._answer_double()
            elif game.roll is not None:
                self._moved(self.chance.choice(legal_plays(game.state.position, game.roll)))
                return
            elif self._may_double(game) and self.chance.random() < 0.1:
                self._to(CubeAction.DOUBLE)
                self._say(f"{self.rival} doubles. Type 'accept' or 'reject'.")
            elif self.chance.random() < 0.02 and game.declined < 1:
                self._to(Resignation(1))
                points = game.state.cube.value
                self._say(
                    f"{self.rival} wants to resign. You will win {points} points."
                    " Type 'accept' or 'reject'."
                )
            else:
                self._roll()

    def _may_double(self, game):
        is_dead_turned = Mischief.DEAD_DOUBLE in self.mischief
        return game.may_double or (is_dead_turned and game.refusal(CubeAction.DOUBLE) is None)

    def _answer_double(self):
        if self.chance.random() < 0.7:
            self._to(DoubleAnswer.TAKE)
            cube = self.game.state.cube.value
            self._say(f"{self.rival} accepts the double. The cube shows {cube}.")
        else:
            points = self.game.state.cube.value
            self._to(DoubleAnswer.DROP)
            plural = "s" * (points != 1)
            self._say(f"{self.rival} gives up. You win {points} point{plural}.")
            self._over(points, 0)

    def _over(self, points, winner):
        result = self.result or Result(winner, 1, points, Ending.RESIGNED)
        before = self.points
        won = list(before)
        won[winner] += points
        self.points = won[0], won[1]
        self.game, self.result = None, None
        if self.rules.is_over(self.points):
            first, second = self.points if winner == 0 else self.points[::-1]
            name = "You win" if winner == 0 else f"{self.rival} wins"
            self._say(f"{name} the {self.rules.length} point match {first}-{second} .")
            self.finished.append(self.points)
            self._is_playing, self._has_invited = False, False
            self._who()
            return
        self.is_crawford = self.rules.is_crawford_next(before, result)
        self._joins = True
        self._say("Type 'join' if you want to play the next game, type 'leave' if you don't.")

    def _save(self):
        self.saved = self.rules, self.points, self.is_crawford, self.game
        self._is_playing, self._has_invited = False, False

    def _resume(self):
        self.rules, self.points, self.is_crawford, self.game = self.saved
        self.saved, self._is_playing = None, True
        self._say(f"You are now playing with {self.rival}. Your running match was loaded.")
        if self.game is None:
            self._begin()
            return
        if self.game.resigned:
            self._to(ResignationAnswer.DECLINE)
        self._board()
        self._opponent()

    def _invite(self):
        if not self._is_in or self._is_playing or self._has_invited or not self._is_open:
            return
        self._has_invited = True
        if self.saved is not None:
            self._say(f"{self.rival} wants to resume a saved match with you.")
        else:
            length = self.chance.choice(self.lengths)
            kind = f"a {length} point" if length else "an unlimited"
            self._say(f"{self.rival} wants to play {kind} match with you.")
        self._say(f"Type 'join {self.rival}' to accept.")
