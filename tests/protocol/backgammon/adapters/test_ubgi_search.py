"""What an engine that speaks UBGI hears while it searches."""

import pytest

from protocol.backgammon.adapters.ubgi_engine import UbgiEngine
from protocol.wire import Goodbye
from tests.fakes.cube_player import CubePlayer

START = "position gnubgid 4HPwATDgc/ABMA"


class Beside:
    """Runs the search when it is told to, as a thread would."""

    def __init__(self):
        self.searches = []
        self.answers = []
        self.stop = None
        self.engine = UbgiEngine(self.make_engine, self.answers.append, begin=self.searches.append)
        self.tell(START, "dice 3 1", "go")

    def make_engine(self, settings, *, cube, stop):
        self.stop = stop
        return CubePlayer()

    def tell(self, *lines):
        for line in lines:
            self.engine.receive(line)

    def finish(self):
        self.searches.pop()()


def test_during_a_search_nothing_is_heard_but_stop_quit_and_isready():
    talk = Beside()
    talk.tell("isready", "go", "dice 6 1", "go role chequer")
    assert talk.answers == [
        "readyok",
        "error bad_state go: a search is in progress",
        "error bad_state dice: a search is in progress",
        "error bad_state go: a search is in progress",
    ]
    talk.finish()
    assert talk.answers[-1] == "bestmove 8/5 6/5"
    assert len(talk.searches) == 0


def test_stop_reaches_the_search_and_does_not_last():
    talk = Beside()
    talk.tell("stop")
    talk.finish()
    assert talk.stop.is_set()
    talk.tell("go")
    assert not talk.stop.is_set()


def test_quit_breaks_a_search_off():
    talk = Beside()
    with pytest.raises(Goodbye):
        talk.tell("quit")
    talk.finish()
    assert talk.stop.is_set()
