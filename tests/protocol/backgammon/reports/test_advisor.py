"""The engine that is asked for advice."""

from dataclasses import replace

import pytest

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS
from protocol.backgammon.reports.advisor import advisor


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [None, 2.0])
def test_processes_are_started_before_the_time_of_the_first_decision_runs(monkeypatch, seconds):
    prepared = []
    monkeypatch.setattr(Engine, "prepare", lambda engine: prepared.append(engine))
    best = LEVELS["best"]
    with advisor(replace(best, roller=replace(best.roller, seconds=seconds))) as engine:
        assert prepared == ([] if seconds is None else [engine])
