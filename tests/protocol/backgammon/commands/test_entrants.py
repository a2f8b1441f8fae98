import os

import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.commands.entrants import NamedEntrant, entrant_of, read_engines
from protocol.errors import WireError
from tests.processes import fake_program

QUESTION = ChooseCheckerPlay(GameState(START), Roll(3, 1))


def ubgi(way):
    return f"ubgi:{fake_program('ubgi_program', way)}"


@pytest.fixture
def engines(tmp_path):
    path = tmp_path / "engines.toml"

    def write(text, encoding="utf-8"):
        path.write_text(text, encoding)
        return path

    return write


def test_a_file_as_windows_writes_it_is_read(engines):
    assert read_engines(engines('[kestral]\nplayer = "pubeval"', "utf-8-sig")) == {
        "kestral": {"player": "pubeval"}
    }


def test_a_file_names_players_programs_and_their_limits(engines):
    tables = read_engines(
        engines(
            """
            [deep]
            weights = "td-128"
            ply = 2
            filter = "narrow"
            [strong]
            level = "expert"
            [kestral]
            player = "ubgi:./engine --fast"
            answer-seconds = 5
            settings = ["set threads 1"]
            [gnu]
            player = "gnubg:2"
            """
        )
    )
    found = {name: entrant_of(name, table) for name, table in tables.items()}
    assert found["deep"].player.weights == "td-128"
    assert found["deep"].player.search.ply == 2
    assert found["strong"].player == LEVELS["expert"]
    assert found["kestral"] == NamedEntrant(
        "kestral", "ubgi:./engine --fast", (60.0, 5.0), ("set threads 1",)
    )
    assert (found["gnu"].player, found["gnu"].is_program) == ("gnubg:2", True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[a", "is no TOML"),
        ("a = 1", "a is no table"),
        ("[a]", r"engines.toml, \[a\]: give player, or a level, weights or ply"),
        ("[a]\nplayers = 'x'", "no key 'players'; there are player, settings, level"),
        ("[a]\nply = 'two'", "ply is a whole number, not 'two'"),
        ("[a]\nply = true", "ply is a whole number, not True"),
        ("[a]\nply = false", "ply is a whole number, not False"),
        ("[a]\nply = 1.0", "ply is a whole number, not 1.0"),
        ("[a]\nseconds = '1'", "seconds is a number, not '1'"),
        ("[a]\nplayer = 3", "player is a text, not 3"),
        ("[a]\nplayer = 'ubgi:x'\nsettings = 'set a 1'", "settings is a list of lines, not 'set a"),
        ("[a]\nplayer = 'ubgi:x'\nsettings = ['a', 3]", r"a list of lines, not \['a', 3\]"),
        ('[a]\nplayer = "ubgi:x"\nsettings = ["a\\nquit"]', r"a list of lines, not \['a.nquit'\]"),
        ("[a]\nplayer = 'td-128'\nply = 1", "player says how strong it is: leave out ply"),
        ("[a]\nlevel = 'easy'\nply = 1", "level says how deep it looks: leave out ply"),
        ("[a]\nply = 1\nanswer-seconds = 2", "answer-seconds is for other programs"),
        ("[a]\nplayer = 'gnubg'\nsettings = ['x']", "settings are lines for a program"),
        ("[a]\nplayer = 'pubeval'\nanswer-seconds = 2", "answer-seconds is for other programs"),
        ("[a]\nplayer = 'gnubg:1'\nstart-seconds = 9", "start-seconds is not for gnubg: leave it"),
        ("[a]\nplayer = 'gnubg'\nanswer-seconds = 0", "a limit is more than 0 and at most 86,400"),
        (
            "[a]\nplayer = 'gnubg'\nanswer-seconds = inf",
            "a limit is more than 0 and at most 86,400",
        ),
        (
            "[a]\nplayer = 'gnubg'\nanswer-seconds = nan",
            "a limit is more than 0 and at most 86,400",
        ),
        ("[pubeval]\nply = 1", r"\[pubeval\]: there is a player pubeval; give another alias"),
        ("[expert]\nply = 1", "there is a player expert; give another alias"),
        ("['td-128:1']\nply = 2", "there is a player td-128:1; give another alias"),
        ("['gnubg:0']\nply = 2", "there is a player gnubg:0; give another alias"),
        ("[a]\nplayer = 'pubeval:2'", r"\[a\]: pubeval does not look ahead: leave out :2"),
        ("[a]\nplayer = 'gnubg:9'", "gnubg plays at 0 to 4 plies"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence_that_names_the_place(engines, text, sentence):
    path = engines(text)
    with pytest.raises(ValueError, match=sentence):
        read_engines(path)


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "engines.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"engines\.toml is no TOML: it is no text in UTF-8"):
        read_engines(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read .*none\.toml: No such file"):
        read_engines(tmp_path / "none.toml")


def test_weights_may_look_ahead_by_their_name():
    entrant = entrant_of("td-128:1")
    assert entrant.games_at_once == 64
    assert "search" in entrant.jobs
    assert entrant_of("td-128").games_at_once == 512
    assert Level("td-128", SearchSettings(1)).search.ply == 1


@pytest.mark.parametrize("way", ["crashes", "illegal", "garbage"])
def test_a_program_is_started_again_however_often_it_fails(way):
    player = entrant_of("it", {"player": ubgi(way)}).sit_down(MatchFormat(2), 1)
    try:
        for _ in range(12):
            with pytest.raises(ForfeitError, match=r"ubgi_program\.py") as failed:
                player.decide(QUESTION)
            assert any(line.startswith("> position gnubgid") for line in failed.value.transcript)
            assert "< ubgiok" in failed.value.transcript or len(failed.value.transcript) == 40
    finally:
        player.close()


def test_a_program_that_is_told_its_settings_has_heard_them():
    table = {"player": ubgi("illegal"), "settings": ["newgame", "set noise 0"]}
    player = entrant_of("it", table).sit_down(MatchFormat(2), 1)
    with pytest.raises(ForfeitError) as failed:
        player.decide(QUESTION)
    player.close()
    told = failed.value.transcript
    assert told[told.index("> newgame") + 1] == "> set noise 0"


def test_a_program_that_refuses_a_setting_does_not_play_without_it():
    table = {"player": ubgi("plays"), "settings": ["set noise 0", "paint 3"]}
    with pytest.raises(
        WireError, match=r"answered 'error .* paint' to its settings 'set noise 0, paint 3'"
    ):
        entrant_of("it", table).sit_down(MatchFormat(2), 1)


def test_a_late_program_loses_by_its_limit():
    table = {"player": ubgi("hangs"), "answer-seconds": 0.3, "start-seconds": 30}
    player = entrant_of("it", table).sit_down(MatchFormat(2), 1)
    with pytest.raises(ForfeitError, match=r"gave no answer to .* in 0\.3 s"):
        player.decide(QUESTION)
    player.close()


def test_a_ubgi_program_is_not_asked_about_beavers():
    with pytest.raises(ValueError, match="UBGI has no words for beavers"):
        entrant_of(ubgi("plays")).sit_down(MatchFormat(2, cube=True, beavers=True), 1)


def test_a_program_that_cannot_be_started_does_not_sit_down():
    with pytest.raises(WireError, match="cannot start"):
        entrant_of("ubgi:/nowhere/engine").sit_down(MatchFormat(2), 1)


def test_a_named_pipe_is_no_file_of_engines(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=r"cannot read .*pipe: it is a named pipe, no file"):
        read_engines(tmp_path / "pipe")
