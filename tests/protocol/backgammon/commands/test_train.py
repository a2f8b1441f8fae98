"""`blot train`, run as people run it."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from bot.backgammon.training.measurement import read_measurements
from protocol.cli import main
from tests.processes import child

BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
LIMIT = 300.0
"""Seconds any wait in these tests may take; kernels may have to be compiled first."""

SHORT = ["--games", "3000", "--hidden", "16", "--test-every", "1000", "--test-games", "40"]
SHORT += ["--max-plies", "200", "--seed", "5"]


def run_blot(*arguments):
    return subprocess.run([*BLOT, *arguments], capture_output=True, text=True, timeout=LIMIT)


@contextmanager
def begun(*arguments):
    """A training that has made its first test; nobody looks at what it says any more."""
    with child([*BLOT, *arguments], LIMIT, stderr=subprocess.PIPE) as blot:
        assert any(line.startswith("after 1,000 games") for line in blot.stderr)
        yield blot


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that was never stopped, and what was said about it."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return folder, run_blot("train", "--out", str(folder), *SHORT)


def weights_of(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in [folder / "weights.npz", *(folder / "snapshots").iterdir()]
    }


@pytest.mark.slow
def test_training_tells_its_tests_and_where_the_weights_are(whole):
    folder, done = whole
    assert done.returncode == 0
    assert done.stdout.startswith("196-16-5, ")
    assert str(folder / "weights.npz") in done.stdout
    tests = re.findall(
        r"^after ([\d,]+) games, .* against pubeval, .* against random", done.stderr, re.M
    )
    assert tests == ["1,000", "2,000", "3,000"]
    assert len(weights_of(folder)) == 4


@pytest.mark.slow
def test_killed_training_goes_on_to_the_same_weights(whole, tmp_path):
    with begun("train", "--out", str(tmp_path), *SHORT) as blot:
        blot.kill()
    assert not (tmp_path / "weights.npz").exists()
    assert run_blot("train", "--resume", str(tmp_path)).returncode == 0
    assert weights_of(tmp_path) == weights_of(whole[0])


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_training_says_how_to_go_on(whole, tmp_path, number):
    with begun("train", "--out", str(tmp_path), *SHORT) as blot:
        blot.send_signal(number)
        said = blot.communicate(timeout=LIMIT)[1]
    assert blot.returncode == 130
    assert said.endswith(f"stopped; go on with: blot train --resume {tmp_path}\n")
    assert run_blot("train", "--resume", str(tmp_path)).returncode == 0
    assert weights_of(tmp_path) == weights_of(whole[0])


@pytest.mark.slow
def test_second_training_in_a_folder_is_refused(tmp_path):
    with begun("train", "--out", str(tmp_path), *SHORT, "--games", "1000000") as blot:
        second = run_blot("train", "--resume", str(tmp_path))
        blot.kill()
    assert second.returncode == 1
    assert second.stderr == f"blot: another process is training in {tmp_path}\n"


def failure(capsys, *arguments):
    """What a command that fails says, which is one sentence."""
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix("blot: ").removesuffix("\n")


def test_settings_beside_resume_are_refused(capsys):
    assert "goes on with its own settings" in failure(
        capsys, "train", "--resume", "none", "--games", "3"
    )


def test_settings_beside_report_are_refused(capsys):
    assert "give no settings" in failure(capsys, "train", "--report", "none", "--games", "3")


def test_picture_without_report_is_refused(capsys):
    assert "--report" in failure(capsys, "train", "--out", "none", "--picture", "x.png")


def test_report_of_a_folder_without_run_names_it(capsys, tmp_path):
    assert failure(capsys, "train", "--report", str(tmp_path)) == (
        f"{tmp_path} holds no run: there is no tests.csv in it"
    )


def test_unreadable_settings_are_named_and_no_folder_made(capsys, tmp_path):
    file = tmp_path / "run.toml"
    file.write_text("games = many")
    said = failure(capsys, "train", "--out", str(tmp_path / "run"), "--settings", str(file))
    assert said.startswith(f"cannot read settings from {file}: ")
    assert not (tmp_path / "run").exists()


def test_options_count_more_than_a_file_than_a_preset(tmp_path, monkeypatch):
    file = tmp_path / "run.toml"
    file.write_text("games = 77\nseed = 3\n")
    taken = []

    def start(folder, settings):
        taken.append(settings)
        raise ValueError("enough")

    monkeypatch.setattr("bot.backgammon.training.run.Run.start", start)
    main(["train", "--out", "x", "--preset", "quick", "--settings", str(file), "--seed", "4"])
    main(["train", "--out", "x", "--preset", "quick"])
    (changed, quick) = taken
    assert (changed.games, changed.seed) == (77, 4)
    assert changed.hidden_units == quick.hidden_units
    assert changed.games != quick.games


@pytest.mark.slow
def test_report_draws_the_curves_of_several_runs(whole, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="draws with matplotlib")
    folder = whole[0]
    assert len(read_measurements(folder / "tests.csv")) == 3
    picture = tmp_path / "both.png"
    assert main(["train", "--report", str(folder), str(folder), "--picture", str(picture)]) == 0
    assert capsys.readouterr().out == f"{picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")
