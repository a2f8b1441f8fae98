"""Runs: checkpoints, tests and snapshots, and going on after any end."""

import csv
import shutil
from dataclasses import replace

import numpy as np
import pytest

from bot.archive import read_archive, write_archive
from bot.backgammon.evaluation.network import Network, random_network
from bot.backgammon.training.measurement import read_measurements
from bot.backgammon.training.run import CHECKPOINT_VERSION, Run
from bot.backgammon.training.settings import LearnerName, Schedule, Settings
from bot.backgammon.training.settings_table import settings_text, values_in_file
from bot.backgammon.training.temporal_difference import TemporalDifference

SMALL = Settings(
    games=35,
    hidden_units=8,
    rates=(0.05, 0.01),
    seed=4,
    most_plies=200,
    test_every=15,
    test_games=4,
)


@pytest.fixture(autouse=True, scope="module")
def short_rounds():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TemporalDifference, "round_games", 10)
        yield


class KilledError(Exception):
    """Stands for a death that nobody saw coming."""


def killed_at(games):
    def report(progress):
        if progress.games >= games:
            raise KilledError

    return report


def ignore(progress):
    assert progress.seconds > 0


def stop_at(run, games):
    return lambda: run.progress.games >= games


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that was never stopped."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    Run.start(folder, SMALL).go_on(ignore)
    return folder


def rows_without_time(folder):
    with (folder / "tests.csv").open(newline="") as file:
        return [{**row, "seconds": None} for row in csv.DictReader(file)]


def assert_equal_but_for_time(one, other):
    names = sorted(path.relative_to(one) for path in one.rglob("*"))
    assert names == sorted(path.relative_to(other) for path in other.rglob("*"))
    weights = [name for name in names if name.suffix == ".npz" and name.stem != "checkpoint"]
    assert len(weights) == 4
    assert all((one / name).read_bytes() == (other / name).read_bytes() for name in weights)
    assert rows_without_time(one) == rows_without_time(other)
    (header, state), (_, other_state) = (
        read_archive(folder / "checkpoint.npz", "checkpoint", CHECKPOINT_VERSION)
        for folder in (one, other)
    )
    assert header["seconds"] > 0
    assert state.keys() == other_state.keys()
    assert all(np.array_equal(state[name], other_state[name]) for name in state)


@pytest.mark.slow
def test_run_ends_with_a_weights_file_that_tells_its_history(whole):
    loaded = Network.load(whole / "weights.npz")
    assert loaded.history["games"] == SMALL.games
    assert loaded.history["settings"]["seed"] == 4
    assert loaded.history["learner"] == "td"


@pytest.mark.slow
def test_every_test_has_a_row_and_a_snapshot(whole):
    rows = read_measurements(whole / "tests.csv")
    assert [row.games for row in rows] == [15, 30, 35]
    snapshots = sorted((whole / "snapshots").iterdir())
    assert [path.name for path in snapshots] == [f"{row.games:09}.npz" for row in rows]
    assert Network.load(snapshots[0]).history["games"] == 15
    assert snapshots[-1].read_bytes() == (whole / "weights.npz").read_bytes()


@pytest.mark.slow
def test_run_that_dies_goes_on_bit_equal_from_its_last_checkpoint(whole, tmp_path):
    for games, left in ((10, 0), (25, 15), (30, 15)):
        run = Run.resume(tmp_path) if games > 10 else Run.start(tmp_path, SMALL)
        with pytest.raises(KilledError):
            run.go_on(killed_at(games))
        assert Run.resume(tmp_path).progress.games == left
    Run.resume(tmp_path).go_on(ignore)
    assert_equal_but_for_time(whole, tmp_path)


@pytest.mark.slow
def test_run_that_is_stopped_loses_nothing(whole, tmp_path):
    for games in (10, 15, 25, 30, 35):
        run = Run.resume(tmp_path) if games > 10 else Run.start(tmp_path, SMALL)
        with pytest.raises(KeyboardInterrupt):
            run.go_on(ignore, is_stopped=stop_at(run, games))
        assert Run.resume(tmp_path).progress.games == games
    Run.resume(tmp_path).go_on(ignore)
    assert_equal_but_for_time(whole, tmp_path)


def test_snapshots_may_be_put_elsewhere_while_a_run_rests(tmp_path):
    run = Run.start(tmp_path, replace(SMALL, games=10))
    (tmp_path / "snapshots").rmdir()
    run.go_on(ignore)
    assert len(list((tmp_path / "snapshots").iterdir())) == 1


def test_finished_run_stays_as_it_is(whole, tmp_path):
    before = {path: path.read_bytes() for path in whole.rglob("*") if path.is_file()}
    Run.resume(whole).go_on(ignore)
    assert {path: path.read_bytes() for path in whole.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_checkpoints_come_as_often_as_wanted(tmp_path):
    run = Run.start(tmp_path, SMALL)
    with pytest.raises(KilledError):
        run.go_on(killed_at(10), seconds_between_checkpoints=0.0)
    assert Run.resume(tmp_path).progress.games == 10


@pytest.mark.slow
def test_endless_games_are_counted_and_told(tmp_path):
    run = Run.start(tmp_path, replace(SMALL, most_plies=30))
    network = run.go_on(ignore)
    assert run.progress.broken_off > SMALL.games / 2
    assert network.history["broken_off"] == run.progress.broken_off


@pytest.mark.slow
def test_training_that_comes_apart_is_told(tmp_path):
    run = Run.start(tmp_path, replace(SMALL, rates=(9.9,)))
    run._learner.restore(run._learner.state() | {"biases": np.full(8, np.nan, np.float32)})
    with pytest.raises(ValueError, match="came apart, so try smaller rates"):
        run.go_on(ignore)


def test_folder_of_another_run_is_not_overwritten(tmp_path):
    Run.start(tmp_path, SMALL)
    before = (tmp_path / "checkpoint.npz").read_bytes()
    with pytest.raises(ValueError, match="another run: resume it"):
        Run.start(tmp_path, SMALL)
    assert (tmp_path / "checkpoint.npz").read_bytes() == before


def test_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"cannot make the folder .*file"):
        Run.start(tmp_path / "file", SMALL)


def test_folder_without_run_cannot_be_resumed(tmp_path):
    with pytest.raises(ValueError, match="holds no run"):
        Run.resume(tmp_path)


@pytest.mark.slow
def test_second_process_in_a_folder_is_refused_to_the_end(tmp_path):
    run = Run.start(tmp_path, SMALL)

    def report(progress):
        with pytest.raises(ValueError, match="another process is training in"):
            Run.resume(tmp_path).go_on(ignore)

    run.go_on(report)


@pytest.mark.slow
def test_run_that_went_on_meanwhile_is_not_set_back(tmp_path):
    Run.start(tmp_path, SMALL)
    late = Run.resume(tmp_path)
    Run.resume(tmp_path).go_on(ignore)
    before = (tmp_path / "checkpoint.npz").read_bytes()
    with pytest.raises(ValueError, match=r"another process has trained in .*: resume it again"):
        late.go_on(ignore)
    assert (tmp_path / "checkpoint.npz").read_bytes() == before


@pytest.mark.slow
def test_settings_of_a_run_make_it_again(whole, tmp_path):
    again = replace(Settings(), **values_in_file(whole / "settings.toml"))
    assert again == SMALL
    Run.start(tmp_path, again).go_on(ignore)
    assert_equal_but_for_time(whole, tmp_path)
    assert (tmp_path / "settings.toml").read_bytes() == (whole / "settings.toml").read_bytes()


def test_settings_stand_in_the_folder_from_the_start(tmp_path):
    Run.start(tmp_path, SMALL)
    text = (tmp_path / "settings.toml").read_text()
    assert text.endswith(settings_text(SMALL))
    assert text.count("#") == 2


def as_an_earlier_version_left_it(folder):
    """The folder without what earlier versions did not write."""
    (folder / "settings.toml").unlink()
    header, state = read_archive(folder / "checkpoint.npz", "checkpoint", CHECKPOINT_VERSION)
    del header["prolonged"]
    assert {"trace", "hidden_units", "most_plies"} <= set(header["settings"])
    write_archive(folder / "checkpoint.npz", header, state)


@pytest.mark.slow
def test_run_of_an_earlier_version_goes_on(whole, tmp_path):
    run = Run.start(tmp_path, SMALL)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=stop_at(run, 15))
    as_an_earlier_version_left_it(tmp_path)
    Run.resume(tmp_path).go_on(ignore)
    assert_equal_but_for_time(whole, tmp_path)


CONSTANT = replace(SMALL, rates=(0.02,), schedule=Schedule.CONSTANT)


@pytest.mark.slow
def test_run_prolonged_at_one_rate_is_the_run_of_as_many_games(tmp_path):
    Run.start(tmp_path / "whole", CONSTANT).go_on(ignore)
    Run.start(tmp_path / "parts", replace(CONSTANT, games=20)).go_on(ignore)
    network = Run.resume(tmp_path / "parts", games=35).go_on(ignore)
    assert all(map(np.array_equal, network.layers, Run.resume(tmp_path / "whole").network.layers))
    assert network.history["settings"]["games"] == 35
    assert network.history["prolonged"] == [(20, 20)]
    assert Network.load(tmp_path / "parts" / "weights.npz").history["games"] == 35
    assert [row.games for row in read_measurements(tmp_path / "parts" / "tests.csv")] == [
        *(15, 20, 30, 35)
    ]
    text = (tmp_path / "parts" / "settings.toml").read_text()
    assert "# After 20 games its end was moved from 20: " in text
    assert "\ngames = 35\n" in text


@pytest.mark.slow
def test_prolonging_spreads_the_rates_over_all_games(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "run")
    run = Run.resume(tmp_path / "run", games=70)
    assert SMALL.rate_at(35) == pytest.approx(0.01)
    assert run.settings.rate_at(35) == pytest.approx(0.03)
    assert run._learner.settings.rate_at(35) == pytest.approx(0.03)
    with pytest.raises(KilledError):
        run.go_on(killed_at(36))
    resumed = Run.resume(tmp_path / "run")
    assert (resumed.settings.games, resumed.prolonged) == (70, [(35, 35)])
    resumed.go_on(ignore)
    assert resumed.progress.games == 70


def test_prolonging_writes_nothing_until_the_run_goes_on(tmp_path):
    Run.start(tmp_path, SMALL)
    before = (tmp_path / "checkpoint.npz").read_bytes()
    Run.resume(tmp_path, games=50)
    assert (tmp_path / "checkpoint.npz").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 34])
def test_run_is_not_prolonged_to_what_it_has_played(whole, games):
    with pytest.raises(ValueError, match=f"has played 35 games: --games, .* not {games}"):
        Run.resume(whole, games=games)


@pytest.mark.slow
def test_run_goes_on_without_the_file_it_started_from(tmp_path):
    start = tmp_path / "start.npz"
    random_network(8, 3).save(start)
    settings = replace(SMALL, start=str(start))
    whole = Run.start(tmp_path / "whole", settings).go_on(ignore)
    run = Run.start(tmp_path / "parts", settings)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=stop_at(run, 15))
    start.unlink()
    parts = Run.resume(tmp_path / "parts").go_on(ignore)
    assert all(map(np.array_equal, whole.layers, parts.layers))
    assert parts.history["settings"]["start"] == str(start)


@pytest.mark.parametrize(
    ("learner", "start", "words"),
    [
        ("td", "ahead-256-64", "its inputs are players-1, and this run's classic-1"),
        ("td", "td-128", "it has 128 hidden units, which may grow and not become 8"),
        ("lookahead", "td-128", "its inputs are classic-1, and this run's players-1"),
        ("lookahead", "phases-512-64", "512 64 hidden units, which may grow and not become 256 64"),
    ],
)
def test_network_that_cannot_be_started_from_leaves_no_folder(tmp_path, learner, start, words):
    inputs = "players-1" if learner == "lookahead" else "classic-1"
    settings = replace(SMALL, learner=LearnerName(learner), start=start, inputs=inputs)
    with pytest.raises(ValueError, match=f"cannot start this run: .*{words}"):
        Run.start(tmp_path / "run", settings)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 99}, "version 99, this Blot reads"),
        ({"settings": {"hiden": 8}}, "cannot be gone on with: no setting 'hiden'; did you mean"),
        ({"settings": {"hidden_units": 9}}, "does not fit"),
        ({"measurements": [{"games": 3}]}, "cannot be gone on with"),
    ],
)
def test_checkpoint_of_another_making_is_refused_and_kept(tmp_path, change, words):
    Run.start(tmp_path, SMALL)
    path = tmp_path / "checkpoint.npz"
    header, state = read_archive(path, "checkpoint", CHECKPOINT_VERSION)
    write_archive(path, header | change, state)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=words):
        Run.resume(tmp_path)
    assert path.read_bytes() == before


def test_run_of_another_game_is_told_so(tmp_path):
    header = {"version": 1, "settings": {"variant": "czech"}, "seconds": 1.0}
    write_archive(tmp_path / "checkpoint.npz", header, {})
    with pytest.raises(ValueError, match=r"no checkpoint of backgammon, but .*another game"):
        Run.resume(tmp_path)


def test_checkpoint_from_before_td_had_other_inputs_is_gone_on_with(tmp_path):
    run = Run.start(tmp_path, SMALL)
    path = tmp_path / "checkpoint.npz"
    header, state = read_archive(path, "checkpoint", CHECKPOINT_VERSION)
    new = ("outputs", "update", "noise", "duel_games", "step")
    old = {name: value for name, value in header["settings"].items() if name not in new}
    write_archive(path, header | {"settings": {**old, "inputs": "players-1"}}, state)
    resumed = Run.resume(tmp_path)
    assert resumed.settings == SMALL
    assert all(map(np.array_equal, resumed.network.layers, run.network.layers))


@pytest.mark.slow
@pytest.mark.parametrize("learner", [LearnerName.BACKPROPAGATION, LearnerName.MUTATION])
def test_run_of_every_learner_goes_on_as_if_never_stopped(tmp_path, learner):
    settings = replace(SMALL, learner=learner, games=40, test_every=20, duel_games=4)
    whole = Run.start(tmp_path / "whole", settings).go_on(ignore)
    run = Run.start(tmp_path / "parts", settings)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=stop_at(run, 20))
    parts = Run.resume(tmp_path / "parts").go_on(ignore)
    assert all(map(np.array_equal, whole.layers, parts.layers))
    assert parts.history["games"] == 40
    assert values_in_file(tmp_path / "parts" / "settings.toml")["learner"] == learner


def test_damaged_checkpoint_is_named(tmp_path):
    Run.start(tmp_path, SMALL)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ValueError, match=r"checkpoint\.npz is no checkpoint"):
        Run.resume(tmp_path)


@pytest.mark.slow
def test_full_disk_leaves_the_last_checkpoint(whole, tmp_path, monkeypatch):
    run = Run.start(tmp_path, SMALL)

    def full(file, **content):
        if run.progress.games > 15:
            raise OSError(28, "No space left on device")
        return savez(file, **content)

    savez = np.savez
    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match=r"cannot write .*000000030\.npz: No space left"):
        run.go_on(ignore)
    monkeypatch.undo()
    run = Run.resume(tmp_path)
    assert run.progress.games == 15
    run.go_on(ignore)
    assert_equal_but_for_time(whole, tmp_path)
