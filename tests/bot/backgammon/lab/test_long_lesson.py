"""A long lesson: examples made first, and learnt for as long as there is time."""

import re

import numpy as np
import pytest

from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.evaluation.kinds import KINDS, Kind, kinds_of
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.kernels.lookahead import Mix
from bot.backgammon.lab import long_lesson
from bot.backgammon.lab.long_lesson import (
    Lesson,
    learnt,
    main,
    make,
    rate_at,
    read_examples,
    standing,
    student_of,
)
from bot.backgammon.training.lookahead import examples_of
from bot.backgammon.training.student import Student
from bot.files import alone_with
from bot.generator import new_generator

pytestmark = pytest.mark.slow  # whole games that look ahead take minutes uncompiled

TEACHER = "easy"
MIX = Mix(0.2, 4, 0.6, 0.95)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with two files of examples."""
    path = tmp_path_factory.mktemp("lesson")
    assert [make(path, TEACHER, "", MIX, 7, 5) for _ in range(2)] == [0, 1]
    return path


@pytest.fixture
def lesson(folder):
    lesson = Lesson(student_of(load_network(TEACHER), 1), folder, 100_000, 4, 1)
    lesson.look()
    return lesson


def command(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["long_lesson", *map(str, arguments)])
    main()


def test_file_has_the_examples_of_its_seed_and_number(folder):
    _, arrays = read_examples(folder / "7-00001.npz")
    expected = examples_of(load_network(TEACHER), "", MIX, new_generator(7, 1), 5)
    for name, array in zip(("boards", "targets", "places"), expected, strict=False):
        assert np.array_equal(arrays[name], array)


def test_all_files_are_learnt_from_and_new_ones_when_they_come(lesson, folder, tmp_path):
    sizes = [len(read_examples(path)[1]["boards"]) for path in folder.iterdir()]
    assert lesson.filled == sum(sizes)
    lesson.look()
    assert lesson.filled == sum(sizes)
    growing = Lesson(student_of(load_network(TEACHER), 1), tmp_path, 100_000, 4, 1)
    growing.look()
    assert growing.filled == 0
    make(tmp_path, TEACHER, "", MIX, 1, 5)
    growing.look()
    assert growing.filled > 0


@pytest.mark.parametrize("kind", [Kind.ON_THE_BAR, Kind.ACE_POINT])
def test_games_begin_so_that_the_kind_named_may_come_of_it(kind, tmp_path):
    mix = Mix(0.0, 1, 0.95, 0.95)
    assert [make(tmp_path, TEACHER, "", mix, 7, 1, [kind]) for _ in range(8)] == [*range(8)]
    files = sorted(tmp_path.iterdir())
    starts = np.stack([read_examples(path)[1]["boards"][0] for path in files])
    numbers, is_first = kinds_of(starts)
    assert (numbers == KINDS.index(kind)).sum() >= 4
    assert len(np.unique(starts, axis=0)) == 8
    assert len({*is_first.tolist()}) == 2


def test_every_game_of_a_kind_is_played(tmp_path):
    make(tmp_path, TEACHER, "", Mix(0.0, 4, 0.95, 0.95), 3, 6, [Kind.BACK_GAME])
    counts, arrays = read_examples(tmp_path / "3-00000.npz")
    assert counts[0] == 6
    assert counts[1] > 6 * 15
    assert len(arrays["boards"]) > counts[1]


def test_rate_rises_at_once_and_falls_to_nothing():
    rates = [rate_at(share, 0.5) for share in (0, 0.005, 0.01, 0.5, 1)]
    assert rates == pytest.approx([0, 0.25, 0.5, 0.25, 0], abs=1e-3)


def test_learning_comes_nearer_to_the_targets(lesson):
    boards, targets, _ = lesson._window.batch(2000, np.random.default_rng(1))

    def error():
        return float(((lesson.network.outcomes(boards) - targets) ** 2).mean())

    before = error()
    for _ in range(200):
        lesson.learn(0.01, 4)
    assert error() < 0.7 * before
    assert lesson.drawn > 190 * long_lesson.BATCH


def test_learning_ends_with_its_time(lesson, monkeypatch):
    clock = iter(np.arange(100.0))
    monkeypatch.setattr(long_lesson.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(long_lesson, "BATCHES_BETWEEN_LOOKS", 2)
    assert [*learnt(lesson, 0.001, 4, 10)] == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])


def test_commands_make_and_learn(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(long_lesson, "GAMES_OF_FILE", 3)
    made = ["--teacher", TEACHER, "--pruner", "", "--seed", 5]
    command(monkeypatch, "make", tmp_path, *made, "--files", 2)
    assert capsys.readouterr().out == "5-00000\n5-00001\n"
    (tmp_path / "5-00000.npz").unlink()
    command(monkeypatch, "make", tmp_path, *made, "--files", 1)
    assert capsys.readouterr().out == "5-00002\n"
    command(monkeypatch, "test", tmp_path, *made)
    assert capsys.readouterr().out == f"test-{TEACHER}\n"
    with pytest.raises(SystemExit, match=f"there is a .*test-{TEACHER}.npz already"):
        command(monkeypatch, "test", tmp_path, *made)
    out = tmp_path / "out" / "next.npz"
    out.parent.mkdir()
    learning = ["--start", TEACHER, "--out", out, "--minutes", 0.02]
    command(monkeypatch, "learn", tmp_path, *learning)
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("at the start: 0 examples drawn from ")
    assert f" by {TEACHER}" in first.split(", a play loses ")[1]
    assert last.startswith("at the end: ")
    network = load_network(str(out))
    assert network.history["drawn"] > 0
    before = load_network(TEACHER).history
    assert network.history["games"] == before["games"] + 6
    assert network.history["plies"] > before["plies"] + 6 * 10
    assert network.shape == load_network(TEACHER).shape


def test_command_makes_games_of_kinds_by_the_trace_of_layouts(tmp_path, monkeypatch):
    monkeypatch.setattr(long_lesson, "GAMES_OF_FILE", 2)
    kinds = [Kind.PRIMES, Kind.LATE_HIT]
    given = ["--teacher", TEACHER, "--pruner", "", "--seed", 5, "--layout-lambda", 0.7]
    command(monkeypatch, "make", tmp_path, *given, "--files", 1, "--kinds", *kinds)
    (tmp_path / "plain").mkdir()
    make(tmp_path / "plain", TEACHER, "", Mix(0.2, 4, 0.1, 0.7), 5, 2, kinds)
    made, plain = (
        read_examples(each / "5-00000.npz")[1] for each in (tmp_path, tmp_path / "plain")
    )
    assert all(np.array_equal(made[name], plain[name]) for name in ("boards", "targets", "places"))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--kinds", Kind.BACK_GAME, "--lambda", 0.5], "--lambda is for games from the start"),
        (["--kinds", Kind.BACK_GAME, "--layouts", 0.5], "--layouts: not allowed with .*--kinds"),
        (["--layouts", 0, "--layout-lambda", 0.5], "--layout-lambda is for games of layouts"),
        (["--layouts", 1, "--lambda", 0.5], "with --layouts 1 there are none"),
        (["--kinds", Kind.RACE], "--kinds: invalid choice: 'race'"),
    ],
)
def test_games_of_kinds_that_cannot_be_made_are_refused(
    given, reason, tmp_path, monkeypatch, capsys
):
    with pytest.raises(SystemExit):
        command(monkeypatch, "make", tmp_path, *given)
    assert re.search(reason, capsys.readouterr().err)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("way", ["make", "test"])
def test_teacher_that_there_is_not_leaves_no_folder(way, tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match="no weights 'nobody'"):
        command(monkeypatch, way, tmp_path / "new", "--teacher", "nobody")
    assert not (tmp_path / "new").exists()


def test_new_network_begins_with_the_random_weights_of_its_seed(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(long_lesson, "learnt", lambda *_: iter(()))
    out = tmp_path / "new.npz"
    new = ["--units", 12, 6, "--phases", 8, "--seed", 3]
    command(monkeypatch, "learn", folder, *new, "--out", out)
    network = load_network(str(out))
    assert network.shape == "244-12-8x6-5"
    assert network.history == {"games": 10, "plies": network.history["plies"], "drawn": 0}
    expected = Student(PLAYERS, (12, 6), 3, 8).layers
    assert all(map(np.array_equal, network.layers, expected))


def test_no_game_of_a_test_is_learnt_from(tmp_path, monkeypatch):
    monkeypatch.setattr(long_lesson, "GAMES_OF_FILE", 3)
    given = ["--teacher", TEACHER, "--pruner", "", "--seed", 5]
    command(monkeypatch, "make", tmp_path, *given, "--files", 1, "--layouts", 0)
    command(monkeypatch, "test", tmp_path, *given)
    (test,) = long_lesson.tests_of(tmp_path).values()
    learnt_from = read_examples(tmp_path / "5-00000.npz")[1]["boards"]
    known = {board.tobytes() for board in learnt_from[10:]}
    assert sum(board.tobytes() in known for board in test["boards"][10:]) < 0.1 * len(known)


def test_weights_are_no_examples(folder, tmp_path, monkeypatch):
    load_network(TEACHER).save(tmp_path / "weights.npz")
    with pytest.raises(SystemExit, match=r"weights\.npz is no file of examples, but"):
        command(monkeypatch, "learn", tmp_path, "--start", TEACHER, "--out", folder / "a.npz")


def test_without_test_examples_no_loss_is_told(lesson):
    assert standing(lesson, {}) == f"0 examples drawn from {lesson.filled:,}"


def test_a_network_that_another_lesson_makes_is_left_to_it(folder, tmp_path, monkeypatch):
    path = tmp_path / "next.npz"
    with alone_with(path), pytest.raises(SystemExit, match=r"another process is making .*next"):
        command(monkeypatch, "learn", folder, "--start", TEACHER, "--out", path)
    assert not path.exists()


def test_empty_folder_is_refused_in_a_sentence(tmp_path, monkeypatch):
    folder = tmp_path / "examples"
    folder.mkdir()
    with pytest.raises(SystemExit, match="has no examples to learn from"):
        command(monkeypatch, "learn", folder, "--start", TEACHER, "--out", tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--minutes", 0], "more than 0 minutes, not 0"),
        (["--out", "/"], "--out: / is a folder: name a file"),
        (["--out", "nowhere/next.npz"], "no folder nowhere to write next.npz to"),
        (["--minutes", "inf"], "more than 0 minutes, not inf"),
        (["--rate", 0], "--rate is above 0 and below 10, not 0"),
        (["--rate", "inf"], "--rate is above 0 and below 10, not inf"),
        (["--candidates", 9], "--candidates is 1 to 8, not 9"),
        (["--window", 10], "--window is 1,000 to 100,000,000, not 10"),
        (["--contrast", -1], "--contrast is 0 to 100, not -1"),
        (["--candidates", 1, "--contrast", 2], "with --candidates 1 there is one"),
        (["--phases", 8], "--phases are of a new network, with --units"),
        (["--units", 8], "--units: not allowed with argument --start"),
    ],
)
def test_lesson_that_could_not_end_well_is_not_begun(
    folder, given, reason, tmp_path, monkeypatch, capsys
):
    learning = ["--start", TEACHER, "--out", tmp_path / "a.npz"]
    with pytest.raises(SystemExit, match="2"):
        command(monkeypatch, "learn", folder, *learning, *given)
    assert reason in capsys.readouterr().err


def test_lesson_does_not_write_where_its_examples_are(folder, monkeypatch, capsys):
    learning = ["--start", TEACHER, "--out", folder / "a.npz"]
    with pytest.raises(SystemExit, match="2"):
        command(monkeypatch, "learn", folder, *learning)
    assert "is for examples, so --out is in another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("way", "name", "reason"),
    [
        ("make", "file", "file is a file: a folder is wanted"),
        ("learn", "none", "there is no folder"),
    ],
)
def test_folder_that_is_none_is_named(way, name, reason, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    given = ["--out", tmp_path / "a.npz"] if way == "learn" else ["--teacher", TEACHER]
    with pytest.raises(SystemExit, match="2"):
        command(monkeypatch, way, tmp_path / name, *given)
    assert reason in capsys.readouterr().err
