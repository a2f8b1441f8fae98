"""Runs of self-play."""

import json
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from bot.archive import write_archive
from bot.draughts.evaluation.patterns import PatternEvaluation, twins
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.variant import CZECH
from bot.draughts.training import self_play
from bot.draughts.training.run import Run
from bot.draughts.training.self_play import SelfPlay
from bot.draughts.training.settings import Settings
from bot.draughts.training.state_learning import LearningSettings
from bot.draughts.training.state_run import StateRun
from bot.files import stamp_of
from bot.run_folder import CHECKPOINT, alone_in

QUICK = Settings("czech", games=4, depth=1, opening=60, endings=0, seed=5)


def weights_of(run_or_learner):
    evaluation = run_or_learner.evaluation
    return evaluation.regions.tobytes(), evaluation.terms.tobytes()


def learnt(settings=QUICK):
    learner = SelfPlay(settings)
    learner.advance(settings.games)
    return learner


def test_a_game_moves_weights_and_their_twins_the_other_way():
    evaluation = learnt().evaluation
    start = PatternEvaluation.untrained(CZECH)
    moved = np.argwhere(evaluation.regions != start.regions)
    assert len(moved) > 100
    turned, places = twins(), len(start.regions)
    for place, content, phase in moved:
        twin = evaluation.regions[places - 1 - place, turned[content], phase]
        assert evaluation.regions[place, content, phase] == -twin


def test_the_same_seed_gives_the_same_weights_and_another_others():
    assert weights_of(learnt()) == weights_of(learnt())
    other = Settings("czech", games=4, depth=1, opening=60, endings=0, seed=6)
    assert weights_of(learnt()) != weights_of(learnt(other))


def test_a_game_that_stands_still_in_its_searches_goes_on_as_it_would_have(monkeypatch):
    settings = replace(QUICK, depth=3, opening=4)
    expected = weights_of(learnt(settings))
    monkeypatch.setattr(self_play, "_NODES_AT_ONCE", 7)
    assert weights_of(learnt(settings)) == expected


def test_a_game_that_will_not_end_hears_signals(broken_off_soon):
    SelfPlay(QUICK).advance(1)  # so that no kernel is left to be loaded
    learner = SelfPlay(replace(QUICK, depth=20))
    with broken_off_soon():
        learner.advance(1)


def test_after_a_game_that_was_broken_off_one_begins_at_its_beginning(monkeypatch):
    expected = weights_of(learnt())
    calls = count(1)

    def broken_off(*game):
        if next(calls) == 200:
            raise KeyboardInterrupt
        return learn_from_game(*game)

    learn_from_game = self_play.learn_from_game
    monkeypatch.setattr(self_play, "_NODES_AT_ONCE", 1)
    monkeypatch.setattr(self_play, "learn_from_game", broken_off)
    learner = SelfPlay(QUICK)
    with pytest.raises(KeyboardInterrupt):
        learner.advance(QUICK.games)
    learner.advance(QUICK.games - learner.games)
    assert weights_of(learner) == expected


def test_a_run_gone_on_with_ends_as_one_that_never_stopped(tmp_path):
    learner = SelfPlay(QUICK)
    learner.advance(2)
    stopped = Run(tmp_path, learner)
    stopped.save()
    resumed = Run.resume(tmp_path)
    assert resumed.progress.games == 2
    found = resumed.go_on(lambda progress: None)
    whole = learnt()
    assert weights_of(resumed) == weights_of(whole)
    for name, array in resumed._learner.state().items():
        assert (array == whole.state()[name]).all()
    saved = PatternEvaluation.load(tmp_path / "weights.npz")
    assert (saved.regions == found.regions).all()
    assert saved.history["games"] == 4


def test_a_run_that_is_stopped_is_saved(tmp_path):
    settings = Settings("czech", games=40, depth=1, opening=60, endings=0)
    run = Run.start(tmp_path / "run", settings)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(lambda progress: None, is_stopped=lambda: True)
    assert Run.resume(tmp_path / "run").progress.games == 10


def test_a_run_writes_over_nothing(tmp_path):
    Run.start(tmp_path, QUICK)
    with pytest.raises(ValueError, match="holds another run"):
        Run.start(tmp_path, QUICK)


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"holds no run: there is no checkpoint\.npz in it"):
        Run.resume(tmp_path)


def test_a_checkpoint_of_other_settings_is_refused(tmp_path):
    Run.start(tmp_path, QUICK)
    path = tmp_path / "checkpoint.npz"
    with np.load(path) as content:
        arrays = dict(content)
    header = json.loads(str(arrays["header"]))
    header["settings"]["variant"] = "international"
    arrays["header"] = np.array(json.dumps(header))
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="cannot be gone on with: its regions are of another"):
        Run.resume(tmp_path)


def test_a_checkpoint_of_another_game_is_not_taken_for_one_of_another_version(tmp_path):
    header = {"version": 4, "settings": {"learner": "td"}, "seconds": 1.0, "measurements": []}
    write_archive(tmp_path / "checkpoint.npz", header, {"first": np.zeros((2, 2))})
    said = r"checkpoint\.npz is no {}, but something else of Blot or of another game"
    for kind in (Run, StateRun):
        with pytest.raises(ValueError, match=said.format("checkpoint of draughts")):
            kind.resume(tmp_path)
    with pytest.raises(ValueError, match=said.format("table of states")):
        StateTable.load(tmp_path / "checkpoint.npz")


def test_two_runs_do_not_share_a_folder(tmp_path):
    run = Run.start(tmp_path, QUICK)
    alone = alone_in(tmp_path, stamp_of(tmp_path / CHECKPOINT))
    with alone, pytest.raises(ValueError, match="another process is training"):
        run.go_on(lambda progress: None)


@pytest.mark.parametrize(
    ("kind", "settings"), [(Run, QUICK), (StateRun, LearningSettings(games=4, depth=1))]
)
def test_run_that_went_on_meanwhile_is_not_set_back(kind, settings, tmp_path):
    kind.start(tmp_path, settings)
    late = kind.resume(tmp_path)
    kind.resume(tmp_path).go_on(lambda progress: None)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(ValueError, match=r"another process has trained in .*: resume it again"):
        late.go_on(lambda progress: None)
    assert (tmp_path / CHECKPOINT).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"variant": "chess"}, "no draughts 'chess'"),
        ({"games": 0}, "--games is 1 to 1,000,000,000, not 0"),
        ({"games": 10**23}, "--games is 1 to 1,000,000,000, not 100,000,"),
        ({"depth": 0}, "--depth is 1 to 1,000,000,000, not 0"),
        ({"random_every": 0}, "--random-every is 1 to 1,000,000,000, not 0"),
        ({"opening": -1}, "--opening is 1 to 1,000,000,000, not -1"),
        ({"rate": 1e9}, r"the rate is above 0 and at most 1, not 1e\+09"),
        ({"trace": 1.5}, "--lambda is from 0 to 1"),
        ({"rate": 0.001}, "the last rate is above 0 and at most the first, 0.001, not 0.003"),
        ({"depth": 21}, "would never end"),
        ({"endings": 1}, "endings of 0 or of 2 to 4 pieces"),
        ({"seed": -1}, "a seed is from 0"),
    ],
)
def test_settings_without_sense_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        Settings(**{"variant": "czech", **change})
