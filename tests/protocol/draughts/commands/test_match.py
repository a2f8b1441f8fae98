import json

import pytest

from protocol.cli import main
from protocol.draughts.formats.pdn import read_pdn

WORDS = ["draughts", "match", "random", "alpha-beta:1", "--variant", "czech", "--games", "6"]


def test_match_is_told_with_its_error_and_its_games_are_kept(tmp_path, capsys):
    path = tmp_path / "games.pdn"
    assert main([*WORDS, "--pdn", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == found["won"] + found["drawn"] + found["lost"] == 6
    assert found["players"] == ["random", "alpha-beta:1"]
    assert found["score"] == pytest.approx((found["won"] + found["drawn"] / 2) / 6)
    games = read_pdn(path).whole
    assert len(games) == 6
    for number, game in enumerate(games):
        tags = dict(game.tags)
        assert tags["White"] == WORDS[2 + number % 2]
        assert tags["Round"] == f"{number // 2 + 1}.{number % 2 + 1}"
        assert game.score is not None
    white = sum(game.score[0] for game in games[::2]) + sum(game.score[1] for game in games[1::2])
    assert found["score"] == pytest.approx(white / 12)


def test_match_is_told_in_words(capsys):
    assert main([*WORDS[:-1], "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("random against alpha-beta:1: ")
    assert lines[1].startswith("score ")
    assert lines[2].startswith("random: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody", "random"], "no player 'nobody': it is one of easy, medium, hard"),
        (["alpha-beta:x", "random"], "alpha-beta looks 0 to 60 plies deep, as alpha-beta:4"),
        (["alpha-beta:2:none.npz", "random"], "none.npz"),
    ],
)
def test_player_that_there_is_not_is_named(words, sentence, capsys):
    assert main(["draughts", "match", *words]) == 1
    assert sentence in capsys.readouterr().err


def test_games_are_written_over_no_file(tmp_path, capsys):
    path = tmp_path / "games.pdn"
    path.write_text("mine")
    assert main([*WORDS, "--pdn", str(path)]) == 1
    assert "is there already: name a new file" in capsys.readouterr().err
    assert path.read_text() == "mine"


@pytest.mark.parametrize("games", ["3", "0", "x", "1000000000"])
def test_games_are_an_even_number(games, capsys):
    with pytest.raises(SystemExit):
        main(["draughts", "match", "random", "random", "--games", games])
    assert "an even number from 2 to 1,000,000" in capsys.readouterr().err
