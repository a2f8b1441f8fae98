"""The first teacher of learning by lookahead."""

from dataclasses import replace

import numpy as np

from bot.archive import read_archive, write_archive
from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.run import CHECKPOINT_VERSION, Run
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


def test_a_checkpoint_from_before_that_names_no_teacher_beside_its_start(tmp_path):
    random_network(8, 5).save(tmp_path / "start.npz")
    settings = Settings(
        learner=LearnerName.LOOKAHEAD, units=(8,), start=str(tmp_path / "start.npz")
    )
    run = Run.start(tmp_path / "run", settings)
    path = tmp_path / "run" / "checkpoint.npz"
    header, state = read_archive(path, "checkpoint", CHECKPOINT_VERSION)
    del state["teacher_inputs"]
    old = {**header["settings"], "teacher": "default"}
    write_archive(path, header | {"settings": old}, state)
    resumed = Run.resume(tmp_path / "run")
    assert resumed.settings == run.settings == settings
