"""The command `blot lab`."""

import signal
from dataclasses import replace

import pytest

from bot.backgammon.lab import outputs
from bot.backgammon.lab.laboratory import LABORATORY
from bot.lab.attempt import Scale
from protocol.cli import main
from tests.processes import hang_ups_heard

TINY = ["--set", "games=20", "hidden=2", "lambdas=0", "rates=0.1", "test-games=2"]


def test_experiments_are_listed(capsys):
    assert main(["lab"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = ["scale", *LABORATORY.modules, "knowledge"]
    assert [line.split()[0] for line in lines] == names
    assert lines[0].endswith("  small and full")


def test_experiment_shows_its_settings_and_makes_nothing(capsys):
    assert main(["lab", "outputs", "--scale", "full", "--show"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("One output or two\n")
    assert "  games=100000\n" in out
    assert "  lambdas=0.0,0.7\n" in out
    small = outputs.EXPERIMENT.settings_at(Scale.SMALL, {})["games"]
    assert main(["lab", "outputs", "--show"]) == 0
    assert f"  games={small}\n" in capsys.readouterr().out


@pytest.mark.slow
def test_experiment_is_made_and_gone_on_with(tmp_path, capsys):
    words = ["lab", "outputs", "--out", str(tmp_path / "one"), *TINY]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == str(tmp_path / "one" / "outputs.md")
    assert main(words) == 1
    assert "holds an attempt: go on with --resume" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_experiment_keeps_what_it_found_and_says_how_to_go_on(
    number, tmp_path, monkeypatch, capsys
):
    def interrupted(attempt):
        attempt.found("a value", lambda: 1)
        signal.raise_signal(number)

    monkeypatch.setattr(outputs, "EXPERIMENT", replace(outputs.EXPERIMENT, run=interrupted))
    monkeypatch.setattr("protocol.backgammon.commands.lab._prepare", lambda: None)
    folder = tmp_path / "one"
    with hang_ups_heard():
        assert main(["lab", "outputs", "--out", str(folder)]) == 130
    said = capsys.readouterr().err
    assert said == f"stopped; the same command with --out {folder} --resume goes on\n"
    assert '"a value"' in (folder / "journal.jsonl").read_text()


@pytest.mark.slow
def test_results_are_bound_with_one_page_that_tells_them_all(tmp_path, capsys):
    one, book = tmp_path / "one", tmp_path / "book"
    assert main(["lab", "outputs", "--out", str(one), *TINY]) == 0
    difference = capsys.readouterr().out.splitlines()[0]
    assert main(["lab", "--bind", str(one), "--out", str(book)]) == 0
    assert capsys.readouterr().out == f"{book}: outputs\n"
    assert {path.name for path in book.iterdir()} == {
        "README.md", "outputs.csv", "outputs.md", "outputs.png"
    }  # fmt: skip
    page = (book / "README.md").read_text("utf-8")
    assert "## [One output or two](outputs.md)" in page
    assert difference in page
    assert "| λ 0, rate 0.1, 2 outputs | 84 % |" in page
    assert main(["lab", "--bind", str(tmp_path), "--out", str(book)]) == 1
    assert "holds no results" in capsys.readouterr().err


def test_two_attempts_at_one_experiment_are_not_bound_together(tmp_path, capsys):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "outputs.md").write_text("a page")
    assert main(["lab", "--bind", str(one), str(other), "--out", str(tmp_path / "book")]) == 1
    assert capsys.readouterr().err == f"blot: {one} and {other} both hold outputs: bind one\n"
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seed", "3"], "--seed is for an experiment: name one; blot lab lists them"),
        (["--scale", "full"], "--scale is for an experiment"),
        (["--resume"], "--resume is for an experiment"),
        (["--cluster", "local"], "--cluster is for an experiment"),
        (["outputs", "--show", "--seed", "3"], "--show makes nothing: leave out --seed"),
        (["outputs", "--show", "--resume"], "--show makes nothing: leave out --resume"),
        (["--bind", ".", "--out", "x", "--seed", "3"], "--bind needs folders of attempts"),
        (["knowledge", "--seed", "1"], "knowledge has only --weights and --json, no --seed"),
        (["knowledge", "--scale", "small"], "knowledge has only --weights and --json, no --scale"),
        (
            ["knowledge", "--cluster", "local"],
            "knowledge has only --weights and --json, no --cluster",
        ),
    ],
)
def test_what_is_given_in_vain_is_wrong_usage(words, sentence, capsys):
    assert main(["lab", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nbg"], "no experiment 'nbg'; there are nbg-curve"),
        (["nbg"], "lambda, knowledge"),
        (["outputs", "--set", "games"], "changed by NAME=VALUE, not by 'games'"),
        (["outputs", "--set", "games=1", "games=2"], "--set games twice"),
        (["outputs", "--show", "--set", "games=many"], "games is a whole number, not 'many'"),
        (["outputs", "--set", "lambdas=0,7"], "lambdas is 0 to 1, not 7"),
        (["outputs", "--set", "rates=nan"], "rates is 0 or more, not nan"),
        (["outputs", "--seed", "-1"], "--seed is 0 to"),
        (["--bind", "."], "--bind needs --out"),
        (["outputs", "--bind", ".", "--out", "x"], "and nothing else"),
        (["outputs", "--resume", "--out", "nowhere"], "nowhere holds no attempt to go on with"),
    ],
)
def test_wrong_words_get_a_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *words]) == (1 if "nowhere" in words else 2)
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("outputs", "inputs=nix", "no input set 'nix'; known: classic-1"),
        ("pulver-speed", "mutation-games=3", "mutation plays whole duels, of 10 games each"),
        ("pulver-table", "mutation-games=3", "mutation plays whole duels, of 10 games each"),
        ("pulver-table", "weights=nix", "no weights 'nix'"),
        ("knock-out", "candidates=1", "a choice needs two candidates at the least, not 1"),
        ("hypergammon", "rates=20", "--rates are learning rates above 0 and below 10"),
    ],
)
def test_settings_that_make_no_sense_are_told_before_anything_is_compiled(
    name, change, sentence, tmp_path, monkeypatch, capsys
):
    def compiled():
        pytest.fail("compiled first")

    monkeypatch.setattr("protocol.backgammon.commands.lab._prepare", compiled)
    assert main(["lab", name, "--out", str(tmp_path / "one"), "--set", change]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"blot: {sentence}")
    assert not (tmp_path / "one").exists()


def test_what_is_none_of_blots_is_not_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("protocol.backgammon.commands.lab._prepare", lambda: None)
    mine = tmp_path / "one" / "outputs.csv"
    mine.parent.mkdir()
    mine.write_text("my notes")
    assert main(["lab", "outputs", "--out", str(mine.parent), *TINY]) == 1
    assert f"{mine} would be written over: choose another --out" in capsys.readouterr().err
    assert mine.read_text() == "my notes"
    assert [each.name for each in mine.parent.iterdir()] == ["outputs.csv"]
