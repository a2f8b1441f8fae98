"""The first teacher of learning by lookahead."""

from dataclasses import replace

import numpy as np

from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.settings import LearnerName, Settings
from tests.plain.networks import decided_network


def test_a_network_to_go_on_from_may_have_a_teacher_that_sees_something_else(tmp_path):
    start, teacher = random_network(8, 5), decided_network(6, 4, inputs=PLAYERS)
    start.save(tmp_path / "start.npz")
    teacher.save(tmp_path / "teacher.npz")
    settings = Settings(
        learner=LearnerName.LOOKAHEAD,
        units=(8,),
        inputs=str(start.inputs),
        start=str(tmp_path / "start.npz"),
        teacher=str(tmp_path / "teacher.npz"),
    )
    learner = Lookahead(settings)
    assert np.array_equal(learner.network.layers.first, start.layers.first)
    resumed = Lookahead(replace(settings, start="", teacher=""))
    resumed.restore(learner.state())
    for name, array in teacher.layers._asdict().items():
        assert np.array_equal(resumed.state()[f"teacher_{name}"], array)
    assert str(resumed.state()["teacher_inputs"]) == str(PLAYERS)
    alone = Lookahead(replace(settings, teacher=""))
    assert np.array_equal(alone.state()["teacher_first"], start.layers.first)
