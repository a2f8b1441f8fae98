"""gnubg's own analysis: our counts of its notes are those that it prints."""

import re
from dataclasses import astuple

import numpy as np
import pytest

from bot.backgammon.engine.analysis import Analyst, CubeVerdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.match_statistics import statistics_of
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import DoublingRefusal
from bot.backgammon.rules.record import Rules
from protocol.backgammon.adapters.gnubg_analysis import gnubg_analysis
from tests.games import random_match


def printed(statistics, title):
    line = next(line for line in statistics.splitlines() if line.startswith(title))
    return re.findall(r"([-+]\d+\.\d+) +\(", line) or line[40:].split()


@pytest.mark.gnubg
@pytest.mark.parametrize(
    "rules",
    [Rules(3), Rules(1), Rules(), Rules(2, has_cube=False), Rules(beavers=True, jacoby=False)],
)
def test_counts_and_sums_are_those_that_gnubg_prints(rules):
    match = random_match(rules, 7, games=4 if rules.beavers else 2, words=0.2, resigns=0.0)
    answers = [event.answer for game in match.games for event in game.events]
    assert (DoubleAnswer.BEAVER in answers) == rules.beavers
    found = gnubg_analysis(match, 0)
    players = statistics_of(zip(found.choices, found.verdicts, strict=True))
    for title, ours in (
        ("Total moves", [player.moves for player in players]),
        ("Unforced moves", [player.plays.count for player in players]),
        ("Total cube decisions", [player.cube_choices for player in players]),
        ("Close or actual cube decisions", [player.close_choices for player in players]),
        ("Doubles", [player.actions[CubeAction.DOUBLE] for player in players]),
        ("Takes", [player.actions[DoubleAnswer.TAKE] for player in players]),
        ("Passes", [player.actions[DoubleAnswer.DROP] for player in players]),
    ):
        assert list(map(int, printed(found.statistics, title))) == ours, title
    lost = [-player.plays.equity for player in players]
    assert list(map(float, printed(found.statistics, "Error total"))) == pytest.approx(
        lost, abs=1e-3
    )
    luck = [player.rolls.equity for player in players]
    assert list(map(float, printed(found.statistics, "Luck total"))) == pytest.approx(
        luck, abs=1e-3
    )


class Told:
    """Gives every position the chances that somebody told."""

    def __init__(self, chances):
        self._chances = np.array([astuple(chances)], np.float32)

    def outcomes(self, boards):
        return np.repeat(self._chances, len(boards), axis=0)


@pytest.mark.gnubg
def test_double_with_a_dead_cube_is_judged_as_by_gnubg():
    match = random_match(Rules(5), 0, words=0.2, resigns=0.0)
    found = gnubg_analysis(match, 0)
    losses = {}
    for choice, verdict in zip(found.choices, found.verdicts, strict=True):
        is_dead = choice.request.state.doubling_refusal is DoublingRefusal.DEAD
        if isinstance(verdict, CubeVerdict) and is_dead:
            engine = Engine(Told(verdict.chances), met=found.met)
            ours = Analyst(engine, engine, found.met).verdict(choice)
            assert ours.evaluation.mwc == pytest.approx(verdict.evaluation.mwc, abs=1e-4)
            assert ours.loss * ours.stake == pytest.approx(verdict.loss * verdict.stake, abs=1e-4)
            losses[choice.answer] = ours.loss * ours.stake
    assert losses[CubeAction.DOUBLE] > 0.03
