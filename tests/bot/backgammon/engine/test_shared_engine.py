import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.engine.shared_engine import SharedEngine
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import ROLLS

LIMIT = 60.0
STATES = [GameState(START), GameState(START, score=Score(5, 0, 3))]
REQUESTS = [ChooseCheckerPlay(state, roll) for roll in ROLLS for state in STATES]
REQUESTS += [kind(state) for kind in (ChooseCubeAction, AnswerDouble) for state in STATES]


def engine():
    return Engine(CompositeEvaluator(random_network(8, 1)), SearchSettings(0), candidates=1)


@pytest.mark.parametrize("engines", [16, 2, 1])
def test_threads_at_once_get_the_answers_of_one_alone(engines):
    alone, shared = engine(), SharedEngine(engine, engines)
    asked = REQUESTS * 10
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(shared.decide, asked))
        worths = list(threads.map(shared.worth, STATES * 20))
    assert found == [alone.decide(request) for request in REQUESTS] * 10
    assert worths == [alone.worth(state) for state in STATES] * 20


class SlowEngine(Engine):
    """Thinks until it is let go."""

    def __init__(self, thinking, enough):
        super().__init__(CompositeEvaluator(random_network(8, 1)))
        self._thinking, self._enough = thinking, enough
        self.is_closed = False

    def worth(self, state):
        self._thinking.release()
        assert self._enough.wait(LIMIT)
        return super().worth(state)

    def close(self):
        self.is_closed = True


def test_no_more_engines_are_made_than_allowed_and_all_are_closed():
    thinking, enough, made = threading.Semaphore(0), threading.Event(), []

    def make():
        made.append(SlowEngine(thinking, enough))
        return made[-1]

    shared = SharedEngine(make, 2)
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(shared.worth, STATES[0]) for _ in range(4)]
        for _ in range(2):
            assert thinking.acquire(timeout=LIMIT)
        assert not thinking.acquire(timeout=0.1)
        enough.set()
        assert len({answer.result(LIMIT) for answer in answers}) == 1
    assert len(made) == 2
    shared.close()
    assert all(each.is_closed for each in made)


def test_so_many_engines_are_prepared_as_are_asked_for():
    made = []

    class PreparedEngine(SlowEngine):
        def prepare(self):
            made.append(self)

    shared = SharedEngine(lambda: PreparedEngine(None, None), 3)
    shared.prepare(2)
    assert len({*map(id, made)}) == len(made) == 2


def test_an_engine_that_fails_is_used_again():
    shared = SharedEngine(engine, 1)
    for _ in range(3):
        with pytest.raises(ValueError, match="a request is one of"):
            shared.decide("double")
    assert shared.decide(REQUESTS[0]) == engine().decide(REQUESTS[0])
