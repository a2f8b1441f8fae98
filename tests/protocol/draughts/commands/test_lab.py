"""The command `blot draughts lab`."""

import sys
from pathlib import Path

import pytest

from bot.draughts.jobs import DEPTH_GAMES
from bot.draughts.lab.laboratory import LABORATORY
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.cli import main
from protocol.draughts.adapters.hub_client import HubPlayer
from protocol.draughts.commands.lab import players_by_name
from protocol.wire import Program

FAKE = Path(__file__).parents[3] / "fakes" / "hub_program.py"
TINY = ["--set", "games=4", "every=2", "depths=1"]


def lab(*words):
    return main(["draughts", "lab", *map(str, words)])


def test_experiments_are_listed(capsys):
    assert lab() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["scale", *LABORATORY.modules]


def test_experiment_shows_its_settings_and_makes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert lab("repeated", "--scale", "full", "--show") == 0
    out = capsys.readouterr().out
    assert out.startswith("The same game again and again\n")
    assert "  depths=2,3\n" in out
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_experiment_is_made_gone_on_with_and_bound(tmp_path, capsys):
    one, book = tmp_path / "one", tmp_path / "book"
    words = ["repeated", "--out", one, *TINY]
    assert lab(*words) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == str(one / "repeated.md")
    assert lab(*words) == 1
    assert "holds an attempt: go on with --resume" in capsys.readouterr().err
    assert lab(*words, "--resume") == 0
    assert capsys.readouterr().out == out
    assert lab("--bind", one, "--out", book) == 0
    page = (book / "README.md").read_text("utf-8")
    assert page.startswith("# The laboratory of draughts\n")
    assert "## [The same game again and again](repeated.md)" in page
    for name, text in (("README.md", b"# Notes"), ("repeated.md", b"\xff"), ("nodes.md", b"![]()")):
        page = (book / name).read_bytes() if (book / name).exists() else None
        (book / name).write_bytes(text)
        assert lab("--bind", one, "--out", book) == 1
        assert f"{book / name} is no" in capsys.readouterr().err
        assert (book / name).read_bytes() == text
        (book / name).unlink() if page is None else (book / name).write_bytes(page)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["outputs"], "no experiment 'outputs'; there are nodes, depths"),
        (["--resume"], "--resume is for an experiment: name one; blot draughts lab lists them"),
        (["--seed", "0"], "--seed is for an experiment"),
        (["--bind", ".", "--out", "x", "--scale", "full"], "and nothing else"),
        (["repeated", "--set", "depth=2"], "repeated has no setting 'depth'; it has games"),
        (["competitor", "--set", "players=me"], "no player 'me': it is one of easy"),
        (
            ["competitor", "--set", "players=random", "czech-opponents=random",
             "international-opponents=random"],
            "players and opponents leave nobody to play",
        ),
    ],
)  # fmt: skip
def test_wrong_words_get_a_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    out = ["--out", "one"] if words[0] == "competitor" else []
    assert lab(*words, *out) == (1 if out else 2)
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.out == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_program_is_started_once_and_ends_with_the_block(monkeypatch):
    started = []

    def start(*arguments):
        started.append(arguments)
        return Program(*arguments)

    monkeypatch.setattr("protocol.draughts.adapters.hub_client.Program", start)
    monkeypatch.setattr("bot.compilation.is_compiled", lambda job: True)
    command = f"hub:{sys.executable} {FAKE} plays"
    with players_by_name() as players:
        one, other = (players(command, INTERNATIONAL) for _ in range(2))
        with one(1) as player, other(2) as again:
            assert isinstance(player, HubPlayer)
            assert again is player
        assert len(started) == 1
        assert player.transcript
        with players("random", CZECH)(1) as first, players("random", CZECH)(1) as second:
            assert first is not second
    assert not player.transcript


def test_games_of_experiments_are_compiled_before_they_are_played(tmp_path, monkeypatch):
    class CompiledError(Exception):
        pass

    def compile_first(compilation, jobs):
        raise CompiledError(*jobs)

    monkeypatch.setattr("protocol.compilation.compile_first", compile_first)
    for name in set(LABORATORY.modules) - {"competitor"}:  # whose players have more to compile
        with pytest.raises(CompiledError, match=f"^{DEPTH_GAMES}$"):
            lab(name, "--out", tmp_path / name)


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("competitor", "players=easy,me", "no player 'me': it is one of easy"),
        ("competitor", "czech-opponents=random,me", "no player 'me': it is one of easy"),
        ("repeated", "every=3", "every is even and divides games, not 3 and 400"),
        ("states", "order=none", "order is last-first or first-first, not 'none'"),
    ],
)
def test_settings_that_make_no_sense_are_told_before_anything_is_compiled(
    name, change, sentence, tmp_path, monkeypatch, capsys
):
    def compiled(*_):
        pytest.fail("compiled first")

    monkeypatch.setattr("protocol.draughts.commands.lab._prepare", compiled)
    monkeypatch.setattr("protocol.draughts.arena.named_players.compile_for", compiled)
    assert lab(name, "--out", tmp_path / "one", "--set", change) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"blot: {sentence}")
    assert not (tmp_path / "one").exists()
