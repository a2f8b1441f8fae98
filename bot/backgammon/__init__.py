"""Backgammon for programs: the public names, each loaded from its module when first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.backgammon.engine.engine import Engine as Engine
    from bot.backgammon.engine.level import LEVELS as LEVELS
    from bot.backgammon.engine.level import Level as Level
    from bot.backgammon.engine.level import level as level
    from bot.backgammon.engine.move_filter import FILTERS as FILTERS
    from bot.backgammon.engine.move_filter import MoveFilter as MoveFilter
    from bot.backgammon.engine.rollout import rolled_out as rolled_out
    from bot.backgammon.engine.rollout import rollouts as rollouts
    from bot.backgammon.engine.rollout_result import RolledOut as RolledOut
    from bot.backgammon.engine.rollout_result import RolledOutCube as RolledOutCube
    from bot.backgammon.engine.rollout_result import RolledOutPlay as RolledOutPlay
    from bot.backgammon.engine.rollout_result import Rollout as Rollout
    from bot.backgammon.engine.rollout_start import Start as Start
    from bot.backgammon.engine.rollout_start import cubeless_start as cubeless_start
    from bot.backgammon.engine.rollout_start import play_start as play_start
    from bot.backgammon.engine.rollout_start import roll_start as roll_start
    from bot.backgammon.engine.rollout_start import take_start as take_start
    from bot.backgammon.engine.rollout_trials import RolloutPlayer as RolloutPlayer
    from bot.backgammon.engine.rollout_trials import RolloutSettings as RolloutSettings
    from bot.backgammon.engine.search import SearchSettings as SearchSettings
    from bot.backgammon.evaluation.bearoff import load_databases as load_databases
    from bot.backgammon.evaluation.evaluator import CompositeEvaluator as CompositeEvaluator
    from bot.backgammon.evaluation.met import MatchEquityTable as MatchEquityTable
    from bot.backgammon.evaluation.met import blot_table as blot_table
    from bot.backgammon.evaluation.network import Network as Network
    from bot.backgammon.evaluation.network import load_network as load_network
    from bot.backgammon.rules.decision import AnswerDouble as AnswerDouble
    from bot.backgammon.rules.decision import AnswerResignation as AnswerResignation
    from bot.backgammon.rules.decision import Candidate as Candidate
    from bot.backgammon.rules.decision import ChooseCheckerPlay as ChooseCheckerPlay
    from bot.backgammon.rules.decision import ChooseCubeAction as ChooseCubeAction
    from bot.backgammon.rules.decision import CubeAction as CubeAction
    from bot.backgammon.rules.decision import CubeDecision as CubeDecision
    from bot.backgammon.rules.decision import CubeEvaluation as CubeEvaluation
    from bot.backgammon.rules.decision import Decider as Decider
    from bot.backgammon.rules.decision import Decision as Decision
    from bot.backgammon.rules.decision import DoubleAnswer as DoubleAnswer
    from bot.backgammon.rules.decision import DoubleDecision as DoubleDecision
    from bot.backgammon.rules.decision import PlayDecision as PlayDecision
    from bot.backgammon.rules.decision import ProperAction as ProperAction
    from bot.backgammon.rules.decision import Request as Request
    from bot.backgammon.rules.decision import ResignationDecision as ResignationDecision
    from bot.backgammon.rules.match import Cube as Cube
    from bot.backgammon.rules.match import CubeOwner as CubeOwner
    from bot.backgammon.rules.match import GameState as GameState
    from bot.backgammon.rules.match import MoneyRules as MoneyRules
    from bot.backgammon.rules.match import Score as Score
    from bot.backgammon.rules.outcome import Chances as Chances
    from bot.backgammon.rules.outcome import points_won as points_won
    from bot.backgammon.rules.play import CheckerPlay as CheckerPlay
    from bot.backgammon.rules.play import Leg as Leg
    from bot.backgammon.rules.play import legal_plays as legal_plays
    from bot.backgammon.rules.position import START as START
    from bot.backgammon.rules.position import Position as Position
    from bot.backgammon.rules.position import turned as turned
    from bot.backgammon.rules.roll import ROLLS as ROLLS
    from bot.backgammon.rules.roll import Roll as Roll

_NAMES = {
    "rules.position": "START Position turned",
    "rules.roll": "ROLLS Roll",
    "rules.play": "CheckerPlay Leg legal_plays",
    "rules.outcome": "Chances points_won",
    "rules.match": "Cube CubeOwner GameState MoneyRules Score",
    "rules.decision": "AnswerDouble AnswerResignation Candidate ChooseCheckerPlay ChooseCubeAction "
    "CubeAction CubeDecision CubeEvaluation Decider Decision DoubleAnswer DoubleDecision "
    "PlayDecision ProperAction Request ResignationDecision",
    "evaluation.bearoff": "load_databases",
    "evaluation.evaluator": "CompositeEvaluator",
    "evaluation.met": "MatchEquityTable blot_table",
    "evaluation.network": "Network load_network",
    "engine.engine": "Engine",
    "engine.level": "LEVELS Level level",
    "engine.move_filter": "FILTERS MoveFilter",
    "engine.rollout": "rolled_out rollouts",
    "engine.rollout_result": "RolledOut RolledOutCube RolledOutPlay Rollout",
    "engine.rollout_start": "Start cubeless_start play_start roll_start take_start",
    "engine.rollout_trials": "RolloutPlayer RolloutSettings",
    "engine.search": "SearchSettings",
}
"""The public names by their modules; the imports above tell type checkers as much."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_MODULES)


if not TYPE_CHECKING:  # a checker that saw it would let every name through

    def __getattr__(name: str) -> Any:
        """Load a public name; PEP 562."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value  # asked for once, then as quick as any other
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
