"""A talk at a table without a terminal, for the tests around it."""

from bot.backgammon.arena.baselines import BASELINES, baseline
from bot.backgammon.engine.analysis import Analyst
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from protocol.backgammon.arena.named_players import is_outside, outside_player
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.terminal.table_picture import Window
from protocol.backgammon.terminal.table_talk import TableTalk
from tests.fakes.cube_player import cube_player


def seat(name, seed, setting):
    if is_outside(name):
        return outside_player(name, cube=setting.cube)
    return cube_player(name) if name not in BASELINES else baseline(name, seed)


class Sitting:
    """A talk with all that it has sent, its game kept in a folder of the test."""

    def __init__(self, table, folder, window=None, tutor=None):
        self.sent = []
        self.advisor = Engine(NetworkEvaluator(random_network(8, seed=5)))
        self.kept = KeptGame(folder / "kept" / "game.json")
        self.window = window or Window()
        self.talk = TableTalk(
            table,
            self.sent.append,
            make_player=seat,
            make_advisor=lambda setting: self.advisor,
            make_analyst=lambda setting: Analyst(self.advisor, self.advisor),
            kept=self.kept,
            window=lambda: self.window,
            tutor=tutor,
        )

    @property
    def table(self):
        return self.talk.table

    def wait(self):
        """Let the game go on until a person is asked; the question."""
        while not self.talk.waits:
            self.talk.step()
        return self.talk.prompt()

    def say(self, line):
        """What is sent in answer to a line, until the next question."""
        before = len(self.sent)
        self.talk.receive(line)
        self.wait()
        return "\n".join(self.sent[before:])


def ask(sitting, line):
    """The question that a command brings."""
    sitting.talk.receive(line)
    return sitting.talk.prompt()
