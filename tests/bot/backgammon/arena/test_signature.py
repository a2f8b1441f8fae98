"""One number for how Blot plays: it stays when nothing but last digits changes, else it differs."""

from dataclasses import replace
from functools import partial
from itertools import zip_longest

import numpy as np
import pytest

from bot.backgammon.arena import signature as signature_module
from bot.backgammon.arena.signature import SEARCHES, choices, signature, signature_engines
from bot.backgammon.engine import engine as engine_module
from bot.backgammon.engine import search as search_module
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.nets import pruner_of
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES, load_databases
from bot.backgammon.evaluation.cube import EFFICIENCIES, cube_table
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.met import computed_table
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.lab.cube.fit import UNIFORM
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.weights import DEFAULT, listed_weights, tree_weights, weights_aliases

SMALL = random_network(8, 1)
LISTED = listed_weights()[weights_aliases()[DEFAULT]].signature


TREE = tree_weights()


def engines(
    network=None, databases=None, pruner=DEFAULT, searches=SEARCHES, met=None, tree=DEFAULT
):
    """The engines of the default's signature, but for what is given."""
    network = network or load_network()
    databases = databases or load_databases(print)
    pruner = pruner_of(network) if pruner is DEFAULT else pruner
    tree = load_network(TREE) if tree is DEFAULT else tree
    evaluator = CompositeEvaluator(network, databases, tree and CompositeEvaluator(tree, databases))
    return [Engine(evaluator, each, candidates=1, pruner=pruner, met=met) for each in searches]


def filtered(name):
    """The searches of the signature with other move filters."""
    return [
        SearchSettings(each.ply, FILTERS[name] if each.ply else each.filters) for each in SEARCHES
    ]


def perturbed(network, seed):
    """The network as a machine plays it that adds up otherwise: with other last digits.

    What is in whole numbers adds up to the same on all machines.
    """
    noise = np.random.default_rng(seed)
    layers = network.playing
    upper = (
        array
        if array.dtype == np.int16
        else (array * (1 + 1e-6 * noise.standard_normal(array.shape))).astype(np.float32)
        for array in layers.upper
    )
    changed = replace(network)
    vars(changed)["playing"] = layers._replace(upper=type(layers.upper)(*upper))
    return changed


class OneOther:
    """An engine that decides one question of a kind otherwise, the first with another answer."""

    def __init__(self, kind):
        self.engine = Engine(CompositeEvaluator(SMALL), candidates=1)
        self.kind = kind

    def decide(self, request):
        decision = self.engine.decide(request)
        if self.kind is None or not isinstance(request, self.kind):
            return decision
        match request:
            case ChooseCheckerPlay(state):
                other = replace(decision.play, after=state.position)
                decision = replace(decision, play=other, margin=1.0)
            case ChooseCubeAction():
                turned = (
                    CubeAction.ROLL if decision.action is CubeAction.DOUBLE else CubeAction.DOUBLE
                )
                decision = replace(decision, action=turned, evaluation=None)
            case AnswerDouble():
                turned = (
                    DoubleAnswer.TAKE if decision.answer is DoubleAnswer.DROP else DoubleAnswer.DROP
                )
                decision = replace(decision, answer=turned, evaluation=None)
            case AnswerResignation():
                decision = replace(decision, accepted=not decision.accepted, margin=1.0)
        self.kind = None
        return decision


def number_of(kind):
    return signature([OneOther(kind), *(OneOther(None) for _ in SEARCHES[1:])]).number


@pytest.mark.slow
def test_any_one_other_choice_is_another_signature(monkeypatch):
    for name, few in (("GAMES", 1), ("MAX_PLIES", 12), ("LAYOUTS", ())):
        monkeypatch.setattr(signature_module, name, few)
    plain = number_of(None)
    assert 1_000_000 <= plain <= 9_999_999
    assert number_of(None) == plain
    others = {
        number_of(kind)
        for kind in (ChooseCheckerPlay, ChooseCubeAction, AnswerDouble, AnswerResignation)
    }
    assert plain not in others
    assert len(others) == 4


@pytest.fixture(scope="module")
def listed():
    """What the default chooses, and by how much."""
    return list(choices(signature_engines(DEFAULT, print)))


def is_another(changed, listed):
    """Whether these engines have another signature; they are asked until one chooses otherwise."""
    pairs = zip_longest(choices(changed), listed, fillvalue=(None, 0.0))
    return any(choice != other for (choice, _), (other, _) in pairs)


@pytest.mark.slow
def test_default_plays_as_listed_and_no_lead_lies_at_the_margin(monkeypatch, listed):
    monkeypatch.setattr(signature_module, "choices", lambda engines: listed)
    found = signature(())
    assert found.number == LISTED
    assert found.slack > 2e-6


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_last_digits_of_the_weights_leave_the_signature(seed, listed):
    network = load_network()
    pruner = perturbed(pruner_of(network), seed)
    tree = perturbed(load_network(TREE), seed)
    changed = engines(perturbed(network, seed), pruner=pruner, tree=tree)
    assert not is_another(changed, listed)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [
        {"databases": NO_DATABASES},
        {"pruner": None},
        {"pruner": "medium"},
        {"searches": filtered("tiny")},
        {"tree": None},
        {"met": RATES._replace(efficiency=0.68)},
        {"searches": (*SEARCHES[:2], SEARCHES[1], SEARCHES[3])},
        {"searches": (*SEARCHES[:3], SEARCHES[2])},
    ],
    ids=["bear-off", "no pruner", "pruner", "filter", "tree", "MET", "2-ply", "3-ply"],
)
def test_one_changed_part_is_another_signature(changed, listed):
    if changed.get("pruner"):
        changed = {"pruner": load_network(changed["pruner"])}
    if "met" in changed:
        changed = {"met": computed_table("another", changed["met"])}
    assert is_another(engines(**changed), listed)


@pytest.mark.slow
def test_back_games_looked_into_by_the_tree_are_another_signature(monkeypatch, listed):
    monkeypatch.setattr(
        search_module, "have_two_anchors", lambda boards: np.zeros(len(boards), np.bool_)
    )
    assert is_another(engines(), listed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("cube_table", partial(cube_table, efficiencies=EFFICIENCIES._replace(contact=0.32))),
        ("cube_table", partial(cube_table, efficiencies=EFFICIENCIES._replace(race=0.75))),
        ("cube_table", partial(cube_table, efficiencies=UNIFORM)),
        ("points_to_offer", lambda board, cube, databases: 0),
        ("NEVER", -0.01),
    ],
    ids=["contact cube", "race cube", "one efficiency", "offers", "accepts"],
)
def test_one_changed_rule_is_another_signature(monkeypatch, name, changed, listed):
    monkeypatch.setattr(engine_module, name, changed)
    assert is_another(engines(), listed)
