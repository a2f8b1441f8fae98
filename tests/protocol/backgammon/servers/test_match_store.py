import sqlite3

import pytest

from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.record import MatchRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.servers.match_store import (
    FILE,
    Judgement,
    MatchStore,
    PlayedMatch,
)

PLAYED = PlayedMatch("fake", "blot", "Bob", 3, 3, 1, rating_before=1500.0, other_rating=1600.0)


def match_to(points, *, is_over=True):
    rules = Rules(points)
    recorder = Recorder(rules)
    recorder.add(OpeningRoll(6, 1))
    if is_over:
        recorder.end(0, 3)
    return MatchRecord(("blot", "Bob"), rules, (recorder.record,))


def test_a_match_is_a_file_and_a_line(tmp_path):
    store = MatchStore(tmp_path, lambda match: Judgement(4.5, -0.25))
    number = store.finish(PLAYED, match_to(3))
    store.rate(number, 1510.5)
    (played,) = store.matches()
    assert (played.error_rate, played.luck, played.games) == (4.5, -0.25, 1)
    assert (played.rating_before, played.rating_after) == (1500.0, 1510.5)
    assert played.is_won
    assert played.ended.endswith("Z")
    assert read_match(tmp_path / played.file).whole.players == ("blot", "Bob")


def test_matches_of_one_second_get_files_of_their_own(tmp_path):
    store = MatchStore(tmp_path)
    for _ in range(3):
        store.finish(PLAYED, match_to(3))
    assert len({each.file for each in store.matches()}) == 3


def test_a_match_that_cannot_be_judged_is_kept_all_the_same(tmp_path):
    def refuse(match):
        raise ValueError("no")

    store = MatchStore(tmp_path, refuse)
    store.finish(PLAYED, match_to(3))
    assert store.matches()[0].error_rate is None


def test_a_saved_match_is_kept_until_it_is_finished(tmp_path):
    store = MatchStore(tmp_path)
    store.keep("fake", match_to(3, is_over=False))
    store.left("fake", "Bob")
    again = MatchStore(tmp_path)
    kept = again.kept("fake", "bob")
    assert kept.rules.length == 3
    assert kept.games[0].result is None
    assert again.departures("fake", "bob") == 1
    assert again.kept("other", "bob") is None
    again.finish(PLAYED, match_to(3))
    assert again.kept("fake", "bob") is None
    assert again.departures("fake", "bob") == 0


def test_a_damaged_kept_match_is_none(tmp_path):
    store = MatchStore(tmp_path)
    store.keep("fake", match_to(3, is_over=False))
    for file in (tmp_path / "unfinished").iterdir():
        file.write_text("(;GM[6]")
    assert store.kept("fake", "bob") is None


def test_names_do_not_lead_out_of_the_folder(tmp_path):
    store = MatchStore(tmp_path / "store")
    store.left("fake", "../../bob")
    assert store.kept("../fake", "../../bob") is None
    played = PlayedMatch("fake", "../blot", "../../bob", 3, 3, 1)
    store.finish(played, MatchRecord(("../blot", "../../bob"), Rules(3), match_to(3).games))
    assert {path.parent for path in tmp_path.rglob("*.mat")} == {tmp_path / "store"}


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="cannot use"):
        MatchStore(tmp_path / "file")
    (tmp_path / FILE).write_text("no database " * 100)
    with pytest.raises(ValueError, match="cannot use"):
        MatchStore(tmp_path)


def test_the_file_is_sqlite_with_a_line_a_match(tmp_path):
    MatchStore(tmp_path).finish(PLAYED, match_to(3))
    with sqlite3.connect(tmp_path / FILE) as file:
        row = file.execute("SELECT opponent, length, points, other_points FROM matches").fetchone()
    assert row == ("Bob", 3, 3, 1)
    file.close()
