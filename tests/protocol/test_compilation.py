from pathlib import Path

import pytest

from bot.compilation import Compilation
from bot.kernels import state
from protocol import compilation
from protocol.cli import main
from protocol.compilation import compile_first


@pytest.fixture
def compiled(monkeypatch):
    """Names of the jobs that were done, nothing of which is compiled."""
    names = []
    monkeypatch.setattr(Compilation, "missing", lambda _, jobs: list(jobs))
    monkeypatch.setattr(Compilation, "compile", lambda _, jobs, report: names.extend(jobs))
    return names


def compile_within(seconds, jobs, monkeypatch):
    monkeypatch.setattr(Compilation, "seconds", lambda _, jobs: seconds if jobs else 0.0)
    compile_first(Compilation("no.module"), jobs)


def test_nothing_is_told_where_nothing_is_missing(compiled, capsys, monkeypatch):
    compile_within(12.4, [], monkeypatch)
    assert capsys.readouterr() == ("", "")
    assert compiled == []


def test_nothing_is_told_of_what_takes_under_two_seconds(compiled, capsys, monkeypatch):
    compile_within(1.9, ["boards"], monkeypatch)
    assert capsys.readouterr() == ("", "")
    assert compiled == ["boards"]


def test_off_a_terminal_a_line_tells_how_long_and_another_that_it_is_done(
    compiled, capsys, monkeypatch
):
    compile_within(12.4, ["search", "candidates"], monkeypatch)
    first, last = capsys.readouterr().err.splitlines()
    assert first == "compiling search, candidates: once, about 12 s"
    assert last == "compiled in 0 s"
    assert compiled == ["search", "candidates"]


@pytest.mark.parametrize("is_there", [True, False])
def test_folder_that_cannot_be_written_is_told_where_something_is_not_in_it(
    is_there, tmp_path, capsys, monkeypatch
):
    if is_there:
        (tmp_path / "search.complete").touch()
    monkeypatch.setattr(state, "COMPILES", True)
    monkeypatch.setattr(state, "_made_folder", lambda: (tmp_path, OSError("read-only")))
    compilation._tell_what_is_not_kept.cache_clear()
    for _ in range(2):
        compile_first(Compilation("no.module"), ["search"])
    said = capsys.readouterr().err
    assert said.count("every start takes longer") == (not is_there)


@pytest.fixture
def nothing_compiles(monkeypatch):
    def refuse(*_):
        pytest.fail("something would be compiled first")

    monkeypatch.setattr(Compilation, "missing", refuse)


@pytest.mark.usefixtures("nothing_compiles")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("draughts train --resume nowhere", "nowhere holds no run"),
        ("draughts train --variant czech --out run", "run holds another run"),
        ("draughts match easy random --record other", "other is no journal"),
        ("match --opponent gnubg --length 3 --met nowhere", "match equity table nowhere"),
        ("analyse --stdio --met nowhere", "match equity table nowhere"),
        ("analyse --stdio --weights nowhere", "no weights 'nowhere'"),
        ("bench --weights nowhere --no-gnubg", "no weights 'nowhere'"),
        ("bench --kinds --weights nowhere", "no weights 'nowhere'"),
        ("bench --weights no.npz --no-gnubg", "no weights file no.npz"),
        ("play --met nowhere", "match equity table nowhere"),
        ("play --weights no.npz", "no weights file no.npz"),
    ],
)
def test_wrong_file_is_told_before_anything_is_compiled(
    words, sentence, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("other").write_text("{}\n")
    Path("run").mkdir()
    Path("run", "checkpoint.npz").touch()
    assert main(words.split()) == 1
    assert sentence in capsys.readouterr().err
