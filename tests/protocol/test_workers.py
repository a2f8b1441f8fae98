from bot.backgammon.engine import rollout_trials
from bot.backgammon.training.settings import BOUNDS
from protocol.workers import MAX_WORKERS


def test_every_command_takes_as_many_processes():
    assert MAX_WORKERS == rollout_trials.MAX_WORKERS == BOUNDS["workers"][1]
