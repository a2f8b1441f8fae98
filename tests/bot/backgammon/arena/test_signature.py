"""One number for how an engine plays."""

import numpy as np
import pytest

from bot.backgammon.arena.signature import signature
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import Network, layers_of, random_network
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, CubeAction, CubeDecision

NETWORK = random_network(8, 1)


@pytest.fixture(scope="module")
def plain():
    return signature(Engine(NetworkEvaluator(NETWORK)))


class OtherEngine(Engine):
    """Decides otherwise, once, for a question that suits it."""

    def __init__(self, kind):
        super().__init__(NetworkEvaluator(NETWORK))
        self.kind = kind
        self.is_done = False

    def decide(self, request):
        decision = super().decide(request)
        if self.is_done or not isinstance(request, self.kind):
            return decision
        if self.kind is ChooseCheckerPlay:
            if len(decision.rated) < 2:
                return decision
            self.is_done = True
            return type(decision)(decision.rated[1].play, decision.rated)
        self.is_done = True
        if self.kind is AnswerDouble:
            other = next(answer for answer in type(decision.answer) if answer != decision.answer)
            return type(decision)(other, decision.chances)
        return CubeDecision(CubeAction.DOUBLE, decision.chances)


def test_signature_has_seven_digits_and_stays(plain):
    assert 1_000_000 <= plain <= 9_999_999
    assert signature(Engine(NetworkEvaluator(NETWORK), candidates=1)) == plain


def test_signature_of_other_weights_is_another(plain):
    assert signature(Engine(NetworkEvaluator(random_network(8, 2)))) != plain


def test_signature_stays_if_weights_change_and_no_play(plain):
    layers = NETWORK.layers
    last = layers.last * np.float32(1 + 1e-6)
    same = Network(
        layers_of(layers.first, layers.biases, last=last, last_biases=layers.last_biases)
    )
    assert signature(Engine(NetworkEvaluator(same))) == plain


@pytest.mark.parametrize(
    "kind", [ChooseCheckerPlay, AnswerDouble, OtherEngine], ids=["play", "take", "nothing"]
)
def test_one_other_decision_is_another_signature(plain, kind):
    assert (signature(OtherEngine(kind)) != plain) == (kind is not OtherEngine)
