"""The names that other programs may import from bot.backgammon."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bot.backgammon

NAMES = """
AnswerDouble AnswerResignation CheckerPlay Chances ChooseCheckerPlay ChooseCubeAction
CompositeEvaluator Cube CubeAction CubeDecision CubeOwner CubeEvaluation Decider Decision
DoubleAnswer DoubleDecision Engine FILTERS GameState LEVELS Leg Level MatchEquityTable MoneyRules
MoveFilter Network PlayDecision Position ProperAction ROLLS Candidate Request ResignationDecision
Roll RolledOut RolledOutCube RolledOutPlay Rollout RolloutPlayer RolloutSettings START Score
SearchSettings Start blot_table cubeless_start legal_plays level load_network load_databases
play_start points_won roll_start rolled_out rollouts take_start turned
"""
"""Whoever takes one away breaks somebody's program."""


def test_public_names_are_these():
    assert sorted(bot.backgammon.__all__) == sorted(NAMES.split())


@pytest.mark.parametrize("name", NAMES.split())
def test_every_public_name_can_be_imported(name):
    scope = {}
    exec(f"from bot.backgammon import {name}", scope)
    assert scope[name] is getattr(bot.backgammon, name)


def test_type_checkers_are_told_the_same_modules():
    tree = ast.parse(Path(bot.backgammon.__file__).read_text(encoding="utf-8"))
    told = {
        alias.name: node.module.removeprefix("bot.backgammon.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("bot.")
        for alias in node.names
    }
    assert told == bot.backgammon._MODULES


def test_public_names_are_listed_before_they_are_loaded():
    assert set(NAMES.split()) <= set(dir(bot.backgammon))


def test_other_names_are_no_attributes():
    with pytest.raises(AttributeError, match=r"'bot\.backgammon' has no attribute 'Backgammon'"):
        _ = bot.backgammon.Backgammon


def test_importing_the_package_loads_nothing_else():
    code = "import sys, bot.backgammon; print({'numpy', 'numba'} & set(sys.modules))"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout == "set()\n"


@pytest.mark.parametrize("package", ["bot", "protocol"])
def test_packages_say_that_they_are_typed(package):
    assert (Path(bot.backgammon.__file__).parents[2] / package / "py.typed").exists()
