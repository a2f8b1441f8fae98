"""`blot train`, run as people run it."""

import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from bot.backgammon.evaluation.inputs import INPUT_SETS
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.training.measurement import read_measurements
from bot.backgammon.training.presets import PRESETS, STANDARD
from bot.backgammon.training.temporal_difference import TemporalDifference
from protocol.cli import main
from tests.processes import child, hang_ups_heard

BLOT = [sys.executable, "-c", "import sys; from protocol.cli import main; sys.exit(main())"]
LIMIT = 300.0
"""Seconds any wait in these tests may take; kernels may have to be compiled first."""

SMALL = ["--hidden", "16", "--test-every", "1000", "--test-games", "40"]
SMALL += ["--max-plies", "200", "--seed", "5", "--workers", "1"]
RATES = {
    name and f"{name} ": " ".join(map(str, STANDARD[name or "td"].rates))
    for name in ("", "mutation", "lookahead")
}
SHORT = ["--games", "3000", *SMALL]


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
    assert len(re.findall(r"^error and bias .*, back game \d+ [+-]\d+ /", done.stderr, re.M)) == 3
    assert len(weights_of(folder)) == 4


@pytest.mark.slow
def test_killed_training_goes_on_to_the_same_weights(whole, tmp_path):
    with begun("train", "--out", str(tmp_path), *SHORT) as blot:
        blot.kill()
    assert not (tmp_path / "weights.npz").exists()
    assert main(["train", "--resume", str(tmp_path)]) == 0
    assert weights_of(tmp_path) == weights_of(whole[0])


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_training_says_how_to_go_on(whole, tmp_path, number):
    with hang_ups_heard(), begun("train", "--out", str(tmp_path), *SHORT) as blot:
        blot.send_signal(number)
        said = blot.communicate(timeout=LIMIT)[1]
    assert blot.returncode == 130
    assert said.endswith(f"stopped; go on with: blot train --resume {tmp_path}\n")
    assert main(["train", "--resume", str(tmp_path)]) == 0
    assert weights_of(tmp_path) == weights_of(whole[0])


def test_worker_that_the_end_of_training_ended_as_well_did_not_die(tmp_path, monkeypatch, capsys):
    def advance(learner, games):
        if games:
            signal.raise_signal(signal.SIGTERM)  # `timeout` sends it to the workers as well
            raise ChildProcessError("a worker process died")

    monkeypatch.setattr(TemporalDifference, "advance", advance)
    assert main(["train", "--out", str(tmp_path / "run"), *SHORT]) == 130
    said = capsys.readouterr().err
    assert said.endswith(f"stopped; go on with: blot train --resume {tmp_path / 'run'}\n")


def failure(capsys, *arguments, code=1):
    """What a command that fails says, which is one sentence."""
    assert main(arguments) == code
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix("blot: ").removesuffix("\n")


@pytest.mark.slow
def test_second_training_in_a_folder_is_refused(tmp_path, capsys):
    with begun("train", "--out", str(tmp_path), *SMALL, "--games", "1000000") as blot:
        said = failure(capsys, "train", "--resume", str(tmp_path))
        blot.kill()
    assert said == f"another process is training in {tmp_path}"


@pytest.mark.parametrize(
    "given", [["--hidden", "3"], ["--preset", "quick"], ["--settings", "x"], ["--rates", "1"]]
)
def test_settings_beside_resume_are_refused_by_name(capsys, given):
    said = failure(capsys, "train", "--resume", "none", "--games", "3", *given, code=2)
    assert said == (
        "a run goes on with its own settings: beside --resume only --games may be given, the games "
        f"it is to play in all, not {given[0]}"
    )


def test_games_beyond_all_bounds_are_wrong_usage_for_a_run_too(capsys):
    said = failure(capsys, "train", "--resume", "none", "--games", "10000000000000", code=2)
    assert said == "--games is 1 to 1,000,000,000,000, not 10,000,000,000,000"


@pytest.mark.parametrize(
    "given", [["--games", "3"], ["--preset", "quick"], ["--units", "3"], ["--cluster", "local"]]
)
def test_settings_beside_report_are_refused_by_name(capsys, given):
    said = failure(capsys, "train", "--report", "none", *given, code=2)
    assert said == (
        f"--report draws what was measured and trains nothing: {given[0]} has no use beside it"
    )


@pytest.mark.parametrize("place", [[], ["--out", "none"], ["--resume", "none"]])
def test_picture_without_report_is_refused(capsys, place):
    said = failure(capsys, "train", *place, "--picture", "x.png", code=2)
    assert said == "--picture names the picture of --report, which is not given"


def test_picture_of_a_kind_that_is_not_drawn_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["train", "--report", "none", "--picture", "x.foo"])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert "argument --picture: a name that ends with .png, .svg or .pdf, not x.foo; see" in said


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--units", "3"], "--units is for the learner lookahead, and this run's is td"),
        (["--phases", "1"], "--phases is for the learner lookahead, and this run's is td"),
        (["--teacher", "default"], "--teacher is for the learner lookahead, and this run's is td"),
        (
            ["--learner", "lookahead", "--hidden", "256"],
            "--hidden is for the learner td, backpropagation or "
            "mutation, and this run's is lookahead",
        ),
        (
            ["--learner", "lookahead", "--preset", "quick"],
            "--preset quick: hidden is for the learner td, backpropagation or "
            "mutation, and this run's is lookahead",
        ),
        (
            ["--learner", "lookahead", "--units", "8", "--phases", "8"],
            "--phases 8 have a second layer each: give --units two numbers or more",
        ),
        (["--hidden", "0"], "--hidden is 1 to 4,096, not 0"),
        (["--max-plies", "0"], "--max-plies is 1 to 1,000,000, not 0"),
        (["--schedule", "constant"], "a constant schedule has one rate: give it with --rates"),
        (["--start", "nobody.npz"], "no weights file nobody.npz"),
        (
            ["--start", "ahead-256-64"],
            "a network 244-256-64-5 cannot start this run: it has 2 hidden layers, and this run 1",
        ),
        (
            ["--start", "td-128", "--inputs", "players-1"],
            "a network 196-128-5 cannot start this run: its inputs are classic-1, and this run's "
            "players-1",
        ),
        (["--games", "0"], "--games is 1 to 1,000,000,000,000, not 0"),
        (
            ["--learner", "lookahead", "--layouts", "0", "--layout-lambda", "0.5"],
            "--layout-lambda changes nothing with layouts 0, as no game begins with one",
        ),
        (
            ["--learner", "lookahead", "--candidates", "1", "--contrast", "8"],
            "--contrast changes nothing with candidates 1, which have none to differ from",
        ),
        (["--outputs", "3"], "--outputs are 1, 2, 4 or 5, not 3"),
        (["--inputs", "senses-1"], "no input set 'senses-1'; known: " + ", ".join(INPUT_SETS)),
        (
            ["--learner", "backpropagation", "--lambda", "0.5"],
            "--lambda is for the learner td or lookahead, and this run's is backpropagation",
        ),
        (
            ["--learner", "mutation", "--rates", "0.1"],
            "--rates counts for the learner mutation with the schedule trials alone",
        ),
        (
            ["--learner", "mutation", "--workers", "2"],
            "--workers is for the learner td, backpropagation or lookahead, and this run's is "
            "mutation",
        ),
    ],
)
def test_setting_that_cannot_apply_is_refused_and_no_folder_made(
    capsys, tmp_path, monkeypatch, given, sentence
):
    monkeypatch.chdir(tmp_path)
    code = 1 if "--start" in given else 2
    for place in ([], ["--out", "new"]):
        assert failure(capsys, "train", *place, *given, code=code) == sentence
    assert not list(tmp_path.glob("*/*"))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("units = [3]", [], "{}: units is for the learner lookahead, and this run's is td"),
        (
            'learner = "lookahead"\nmax-plies = 3',
            [],
            "{}: max-plies is for the learner td, backpropagation or "
            "mutation, and this run's is lookahead",
        ),
        (
            "hidden_units = 8",
            ["--learner", "lookahead"],
            "{}: hidden is for the learner td, backpropagation or "
            "mutation, and this run's is lookahead",
        ),
        (
            "lamda = 0.6",
            [],
            "cannot read settings from {}: no setting 'lamda'; did you mean lambda?",
        ),
    ],
)
def test_key_that_cannot_apply_is_refused_with_its_file(capsys, tmp_path, text, given, sentence):
    file = tmp_path / "run.toml"
    file.write_text(text)
    out = str(tmp_path / "run")
    said = failure(capsys, "train", "--out", out, "--settings", str(file), *given)
    assert said == sentence.format(file)
    assert not (tmp_path / "run").exists()


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


@pytest.fixture
def started(monkeypatch):
    """Folders and settings of the runs that were to start; none does."""
    taken = []

    def start(folder, settings):
        taken.append((folder, settings))
        raise ValueError("enough")

    monkeypatch.setattr("bot.backgammon.training.run.Run.start", start)
    return taken


def test_options_count_more_than_a_file_than_a_preset(tmp_path, started):
    file = tmp_path / "run.toml"
    file.write_text("games = 77\nseed = 3\n")
    main(["train", "--out", "x", "--preset", "quick", "--settings", str(file), "--seed", "4"])
    main(["train", "--out", "x", "--preset", "quick"])
    (_, changed), (_, quick) = started
    assert (changed.games, changed.seed) == (77, 4)
    assert changed.hidden_units == quick.hidden_units
    assert changed.games != quick.games


def test_training_without_options_is_the_preset_default(tmp_path, started, monkeypatch):
    monkeypatch.chdir(tmp_path)
    main(["train"])
    main(["train", "--preset", "default", "--out", "runs/default"])
    main(["train", "--seed", "1"])
    assert {settings for _, settings in started} == {started[0][1]}
    assert {str(folder) for folder, _ in started} == {"runs/default"}
    assert started[0][1].games == PRESETS["default"].values["games"]


@pytest.mark.slow
def test_training_without_a_folder_makes_a_new_one_and_says_which(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    few = ["--games", "4", "--hidden", "4", "--workers", "1", "--test-games", "2"]
    for name in ("quick", "quick-2"):
        assert main(["train", "--preset", "quick", *few]) == 0
        said = capsys.readouterr()
        assert f"a new run of 4 games in runs/{name}\n" in said.err
        assert f"runs/{name}/weights.npz\n" in said.out
    assert (tmp_path / "runs/quick/weights.npz").read_bytes() == (
        tmp_path / "runs/quick-2/weights.npz"
    ).read_bytes()


@pytest.mark.slow
def test_finished_run_says_how_to_prolong_it_and_goes_on(whole, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(whole[0], folder)
    assert main(["train", "--resume", str(folder)]) == 0
    told = f"{folder} has played all its 3,000 games; --games, with more in all, prolongs it\n"
    assert told in capsys.readouterr().err
    assert failure(capsys, "train", "--resume", str(folder), "--games", "2999") == (
        f"the run in {folder} has played 3,000 games: --games, which counts those, is more than "
        "that, not 2,999"
    )
    assert main(["train", "--resume", str(folder), "--games", "3500"]) == 0
    assert [row.games for row in read_measurements(folder / "tests.csv")][-2:] == [3000, 3500]
    assert load_network(str(folder / "weights.npz")).history["games"] == 3500


@pytest.mark.slow
def test_training_starts_from_a_network_and_widens_it(whole, tmp_path, capsys):
    few = ["--games", "4", "--workers", "1", "--test-games", "2"]
    start = str(whole[0] / "weights.npz")
    assert main(["train", "--out", str(tmp_path / "same"), "--start", start, *few]) == 0
    wider = ["--start", start, "--hidden", "20"]
    assert main(["train", "--out", str(tmp_path / "wider"), *wider, *few]) == 0
    shapes = [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[::2]]
    assert shapes == ["196-16-5", "196-20-5"]


def test_help_says_what_each_preset_is_for_and_leaves_no_default_empty(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for name, preset in PRESETS.items():
        assert f"{name}: {preset.purpose}" in said
    assert all(f"{name}, " in said for name in INPUT_SETS)
    assert "a name or a file (default: none)" in said
    assert "(default: )" not in said


def test_help_names_the_learners_whose_default_is_another_one_and_no_others(capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for default in (
        "classic-1, lookahead players-1; with --start that of its network",
        "256, mutation 40; with --start that of its network",
        "5; with --start that of its network",
        "rectified; with --start that of its network",
        "1500000, mutation 500000, lookahead 200000",
        "2, lookahead 1",
        ", ".join(f"{learner}{rates}" for learner, rates in RATES.items()),
    ):
        assert f"(default: {default})" in said


@pytest.mark.slow
def test_report_draws_the_curves_of_several_runs(whole, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="draws with matplotlib")
    folder = whole[0]
    assert len(read_measurements(folder / "tests.csv")) == 3
    picture = tmp_path / "both.png"
    assert main(["train", "--report", str(folder), str(folder), "--picture", str(picture)]) == 0
    assert capsys.readouterr().out == f"{picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")
