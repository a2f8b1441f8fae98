import numpy as np
import pytest

from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.lab.knowledge import OPENING_ROLLS, THESES, Question, answers
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import ROLLS, Roll


class Tidy:
    """Likes the position whose pips are most evenly spread at home, and saves nothing."""

    def outcomes(self, boards):
        outcomes = np.zeros((len(boards), 5), np.float32)
        outcomes[:, 0] = -boards[:, 18:24].min(axis=1) / 20.0
        return outcomes


@pytest.fixture(scope="module")
def strong():
    """The default network."""
    return CompositeEvaluator(load_network("default"))


def test_default_network_plays_as_accepted_in_all_positions(strong):
    for answer in answers([*THESES, *OPENING_ROLLS], strong, strong):
        assert answer.is_accepted, answer.question.topic
        assert answer.own_loss == answer.loss == 0.0


def test_network_that_tidies_its_home_loses_the_backgammon_that_the_stronger_saves(strong):
    [question] = [each for each in THESES if each.topic.startswith("takes its last checker")]
    [answer] = answers([question], Tidy(), strong)
    assert not answer.is_accepted
    assert answer.loss == pytest.approx(1.0, abs=1e-3)
    assert answer.own_loss < 0


def test_each_opening_roll_is_asked_once():
    rolls = [question.roll for question in OPENING_ROLLS]
    assert sorted(map(str, rolls)) == sorted(str(r) for r in ROLLS if r.high > r.low)
    assert {question.position for question in OPENING_ROLLS} == {START}


def test_question_without_an_accepted_play_is_refused(strong):
    question = Question("riddle", "nobody", START, Roll(2, 1), lambda before, play: False)
    with pytest.raises(ValueError, match="riddle: no legal play is accepted"):
        answers([question], strong, strong)
