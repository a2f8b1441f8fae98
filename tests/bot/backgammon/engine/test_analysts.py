"""Several processes that judge."""

from bot.backgammon.engine import analysts
from bot.backgammon.engine.analysts import AnalystSettings, _verdict, verdicts
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.roller import RollerSettings
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.choice import choices_of
from bot.backgammon.rules.record import Rules
from bot.workers.processes import share
from tests.games import random_match


def test_several_processes_find_what_one_does_in_the_same_order():
    choices = choices_of(random_match(Rules(3), 2, games=1))[:10]
    settings = AnalystSettings(Level("easy"))
    one, two = (list(verdicts(choices, settings, print, workers=count)) for count in (1, 2))
    assert one == two
    assert len(one) == 10


def test_a_worker_that_is_handed_other_settings_judges_by_those():
    (choice, *_) = choices_of(random_match(Rules(3), 2, games=1))
    settings = [AnalystSettings(Level(name)) for name in ("easy", "medium")]
    found = []
    for each in settings:
        share(each)
        found.append(_verdict(choice))
    share(None)
    assert found == [next(verdicts([choice], each, print)) for each in settings]
    assert found[0] != found[1]


def test_nothing_to_judge_is_no_work():
    assert list(verdicts([], AnalystSettings(Level("easy")), print, workers=2)) == []


def test_an_analyst_loads_the_weights_once(monkeypatch):
    loaded, load = [], Level.evaluator

    def noted(level, tell):
        loaded.append(level.weights)
        return load(level, tell)

    monkeypatch.setattr(Level, "evaluator", noted)
    (choice, *_) = choices_of(random_match(Rules(3), 2, games=1))
    next(verdicts([choice], AnalystSettings(Level("easy")), print))
    assert loaded == ["easy"]


def test_analyst_who_rolls_out_is_one_and_sees_at_once_what_needs_no_rollout(monkeypatch):
    def noted(level, tell, **more):
        engines.append(level)
        return engine(level, tell, **more)

    engines, engine = [], Level.engine
    monkeypatch.setattr(Level, "engine", noted)
    monkeypatch.setattr(analysts, "worker_pool", None)
    level = Level("easy", SearchSettings(1), roller=RollerSettings(workers=1))
    assert list(verdicts([], AnalystSettings(level), print, workers=2)) == []
    assert engines == [level, Level("easy")]
