import json
import os

import pytest

from bot.backgammon.rules.position import START
from protocol.backgammon.table.kept_games import KeptGame, KeptGames, load_kept
from protocol.backgammon.table.table import Setting
from protocol.state import state_folder
from tests.tables import table_at


def table(*players):
    """A table in the middle of a game."""
    return table_at(Setting(players or ("human", "pubeval")), START, (3, 1))


def test_game_is_kept_until_it_is_forgotten(tmp_path):
    kept = KeptGame(tmp_path / "a" / "b" / "game.json")
    assert kept.load() is None
    kept.forget()
    kept.keep(table())
    assert kept.exists
    assert kept.load().record == table().record
    kept.forget()
    assert kept.load() is None


def test_damaged_kept_games_are_set_aside_and_none_replaces_another(tmp_path):
    kept = KeptGame(tmp_path / "game.json")
    for text, name in (("{", "game.damaged"), ("[", "game-2.damaged")):
        kept.path.write_text(text)
        with pytest.raises(ValueError, match=r"game\.json is no saved game"):
            kept.load()
        assert kept.set_aside() == tmp_path / name
        assert (tmp_path / name).read_text() == text
        assert kept.load() is None


def test_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot be made"):
        KeptGame(tmp_path / "file" / "game.json").keep(table())


def test_state_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "blot"
    monkeypatch.setenv("HOME", str(tmp_path))
    for ignored in ("relative", ""):
        monkeypatch.setenv("XDG_STATE_HOME", ignored)
        assert state_folder() == tmp_path / ".local" / "state" / "blot"


def test_game_that_is_gone_is_told_by_its_name(tmp_path):
    with pytest.raises(ValueError, match="no game is kept as gone"):
        load_kept(KeptGames(tmp_path).called("gone"))
    KeptGame(tmp_path / "there.json").keep(table())
    assert load_kept(KeptGames(tmp_path).called("there")).record == table().record


def test_games_without_a_name_get_free_places_and_old_blot_s_game_is_the_first(tmp_path):
    games = KeptGames(tmp_path)
    names = []
    for _ in range(3):
        place = games.free()
        place.keep(table())
        names.append(place.name)
    assert names == ["game", "game-2", "game-3"]
    assert games.called("game").load().record == table().record


def test_games_are_listed_from_the_latest_on(tmp_path):
    games = KeptGames(tmp_path)
    assert games.all() == []
    for count, (name, seconds) in enumerate({"one": 1, "three": 3, "two": 2}.items(), 1):
        games.called(name).keep(table())
        os.utime(tmp_path / f"{name}.json", (seconds, seconds))
        assert len(games.all()) == count
    (tmp_path / "with blanks.json").write_text(json.dumps({}))
    assert [place.name for place in games.all()] == ["three", "two", "one"]
    assert games.all()[0].played.timestamp() == 3


@pytest.mark.parametrize("name", ["", ".", "../game", "a/b", "-game", "a b", "x" * 41, "gäme"])
def test_name_that_is_no_plain_word_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match="a game is named with up to 40 letters, digits, - and _"):
        KeptGames(tmp_path).called(name)


def test_games_of_bots_are_kept_under_a_name_only(tmp_path):
    games, bots = KeptGames(tmp_path), table("random", "pubeval")
    assert not games.free().takes(bots)
    assert games.free().takes(table())
    assert games.called("bots").takes(bots)


def test_two_blots_that_keep_a_game_in_one_place_lose_neither(tmp_path):
    games = KeptGames(tmp_path)
    mine, yours = games.free(), games.free()
    assert mine == yours
    mine.keep(table("human", "easy"))
    yours.keep(table("human", "hard"))
    assert (mine.name, yours.name) == ("game", "game-2")
    for _ in range(2):
        mine.keep(table("human", "easy"))
        yours.keep(table("human", "hard"))
    assert [place.load().setting.players[1] for place in (mine, yours)] == ["easy", "hard"]


def test_game_taken_up_by_two_blots_is_kept_twice_and_forgotten_by_its_own(tmp_path):
    games = KeptGames(tmp_path)
    games.called("mine").keep(table())
    one, other = games.called("mine"), games.called("mine")
    assert one.load()
    assert other.load()
    one.keep(table())
    other.forget()
    assert one.exists
    other.keep(table())
    assert (one.name, other.name) == ("mine", "mine-2")
    one.forget()
    assert not one.exists
    assert other.exists
