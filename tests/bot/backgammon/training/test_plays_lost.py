"""What plays cost by their teacher's search."""

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.lookahead import Mix
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.training.lookahead import Lookahead, _examples
from bot.backgammon.training.plays_lost import plays_lost
from bot.generator import new_generator
from tests.bot.backgammon.training.test_lookahead import TINY

TEACHER, OTHER = random_network(10, 3), random_network(10, 4)


class Here:
    """A network that is there already."""

    def __init__(self, network):
        self.network = network

    def get(self):
        return self.network


@pytest.fixture(scope="module")
def pieces():
    """Three of one game each."""
    mix = Mix(layouts=0.0, candidates=4, trace=0.0, layout_trace=0.0)
    return [_examples(Here(TEACHER), "", mix, new_generator(seed), 1)[:3] for seed in range(3)]


def plain_losses(network, boards, targets, places):
    """What the play costs that the network thinks best, roll by roll."""
    said = [chances_of(each).equity for each in network.outcomes(boards)]
    left = [chances_of(each).equity for each in targets]
    ends = [*np.flatnonzero(places == 0)[1:], len(boards)]
    losses, start = [], 0
    for end in ends:
        chosen = min(range(start, end), key=said.__getitem__)
        losses.append(left[chosen] - min(left[start:end]))
        start = end
    return losses


def test_plays_cost_what_they_do_one_by_one_and_are_as_sure_as_the_games_say(pieces):
    lost = plays_lost(OTHER, TEACHER, pieces)
    for found, network in ((lost.student, OTHER), (lost.teacher, TEACHER)):
        games = [plain_losses(network, *piece) for piece in pieces]
        plays = [each for game in games for each in game]
        assert found.mean == pytest.approx(fmean(plays), abs=1e-6)
        off = [sum(game) - len(game) * found.mean for game in games]
        error = (sum(each**2 for each in off) * 3 / 2) ** 0.5 / len(plays)
        assert found.error == pytest.approx(error, abs=1e-6)
    assert 0 < lost.teacher.mean < lost.student.mean


def test_who_says_what_the_search_found_loses_nothing(pieces):
    boards, targets, places = pieces[0]

    class Knowing:
        def outcomes(self, _):
            return targets

    assert plays_lost(Knowing(), TEACHER, pieces[:1]).student.mean == 0
    nothing = (boards[:0], targets[:0], places[:0])
    assert plays_lost(OTHER, TEACHER, [nothing]) is None


@pytest.mark.slow
def test_a_learner_is_tested_alike_by_any_number_of_workers():
    found = []
    for workers in (1, 2):
        learner = Lookahead(replace(TINY, workers=workers))
        try:
            learner.advance(0)
            found.append(learner.plays_lost(40))
        finally:
            learner.close()
    assert found[0] == found[1]
    assert found[0].student.mean > 0


@pytest.mark.slow
def test_a_learner_is_judged_by_the_teacher_that_it_learnt_from():
    learner = Lookahead(replace(TINY, workers=1, promote_every=4))
    try:
        learner.advance(0)
        before = learner.plays_lost(20).teacher
        learner.advance(4)
        lost = learner.plays_lost(20)
        assert lost.student.mean > lost.teacher.mean == before.mean
        learner.advance(4)
        assert learner.plays_lost(20).teacher != lost.teacher
    finally:
        learner.close()
