import io

import pytest

from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.table.table import Dice, Setting, Table
from protocol.backgammon.terminal import finished_games
from protocol.backgammon.terminal.finished_games import FinishedGames
from protocol.cli import main


def played(table, points=1):
    """The table after a game that its first player on roll has resigned."""
    table.throw(3, 1)
    table.answer(table.turn.plays[0])
    table.resign(points)
    return table


def setting(length=None):
    return Setting(("human", "pubeval"), length, Dice.AUTO, 1, True, MoneyRules())


@pytest.fixture
def finished(tmp_path):
    return FinishedGames({".mat": tmp_path, ".sgf": tmp_path})


def games_in(tmp_path, ending):
    return [len(read_match(path).match.games) for path in sorted(tmp_path.glob(f"*{ending}"))]


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_a_match_has_one_file_that_grows_and_the_next_one_another(ending, tmp_path, finished):
    table = Table(setting(3))
    for _ in range(3):
        finished.add(played(table))
        table = table.next_game()
    assert games_in(tmp_path, ending) == [3]
    finished.add(played(table))
    assert sorted(games_in(tmp_path, ending)) == [1, 3]


def test_a_game_played_again_after_undo_stands_there_once(tmp_path, finished):
    table = played(Table(setting()), 2)
    finished.add(table)
    table.take_back()
    table.resign(1)
    finished.add(table)
    assert games_in(tmp_path, ".mat") == [1]


def test_a_session_gone_back_in_leaves_the_games_that_were_played_after(tmp_path, finished):
    earlier = Table(setting())
    table = earlier
    for _ in range(3):
        finished.add(played(table))
        table = table.next_game()
    earlier.take_back()
    earlier.resign(2)
    for _ in range(2):
        finished.add(earlier)
        earlier = played(earlier.next_game())
    assert sorted(games_in(tmp_path, ".mat")) == [2, 3]


def test_an_earlier_game_finished_as_before_leaves_the_games_after_it(tmp_path, finished):
    table = played(Table(setting()))
    finished.add(table)
    finished.add(played(table.next_game()))
    finished.add(table)
    assert sorted(games_in(tmp_path, ".mat")) == [1, 2]


def test_as_many_games_that_began_otherwise_leave_those_that_are_there(tmp_path, finished):
    for points in (1, 2):
        table = played(Table(setting()), points)
        finished.add(played(table.next_game()))
    assert games_in(tmp_path, ".mat") == [2, 2]


def test_a_file_of_a_name_that_is_taken_has_a_number(tmp_path, finished, monkeypatch):
    monkeypatch.setattr(finished_games, "dated_name", lambda names, at, ending: f"game{ending}")
    for length in (None, 3):
        finished.add(played(Table(setting(length))))
    assert {path.name for path in tmp_path.glob("*.mat")} == {"game.mat", "game_002.mat"}


def test_no_folder_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"no folder .*none to keep finished games in"):
        FinishedGames({".mat": tmp_path / "none"})


def test_games_of_bots_are_kept_where_the_command_says(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    (tmp_path / "games").mkdir()
    players = ["--me", "pubeval", "--opponent", "random", "--delay", "0", "--seed", "4"]
    assert main(["play", *players, "--sgf", str(tmp_path / "games")]) == 0
    (file,) = (tmp_path / "games").iterdir()
    read = read_match(file)
    assert read.fault is None
    assert len(read.match.games) == 2
    assert read.match.players == ("pubeval", "random")


def test_a_folder_that_goes_is_told_and_the_game_goes_on(tmp_path, sit):
    (tmp_path / "games").mkdir()
    finished = FinishedGames({".mat": tmp_path / "games"})
    sitting = sit(Table(setting()))
    sitting.talk._conversation._on_result = finished.add
    (tmp_path / "games").rmdir()
    sitting.say("resign 1")
    assert any("The game is in no file: cannot write" in text for text in sitting.sent)
