import sqlite3
from dataclasses import replace

import pytest

from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.record import MatchRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from protocol.backgammon.formats.match_file import read_match, write_match
from protocol.backgammon.servers import match_store
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
    store = MatchStore(tmp_path, "easy")
    number = store.finish(PLAYED, match_to(3))
    store.rate(number, 1510.5)
    assert store.awaiting() == [(number, store.matches()[0])]
    store.judge(number, Judgement(4.5, -0.25))
    assert store.awaiting() == []
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


def test_nothing_is_awaited_without_a_judge_or_a_file(tmp_path):
    MatchStore(tmp_path).finish(PLAYED, match_to(3))
    store = MatchStore(tmp_path, "easy")
    store.finish(PLAYED, replace(match_to(3), games=()))
    assert [each.file == "" for each in store.matches()] == [False, True]
    assert store.awaiting() == []


def test_a_match_has_one_line_from_the_first_time_it_is_kept_to_its_end(tmp_path):
    store = MatchStore(tmp_path)
    store.keep(replace(PLAYED, points=0, gaps=1), match_to(3, is_over=False))
    store.left("fake", "Bob")
    again = MatchStore(tmp_path)
    kept = again.kept("fake", "blot", "bob")
    assert kept.rules.length == 3
    assert kept.games[0].result is None
    (line,) = again.unfinished("fake", "blot")
    assert (line.opponent, line.points, line.gaps, line.games) == ("Bob", 0, 1, 1)
    assert line.ended == ""
    assert again.matches() == []
    assert again.departures("fake", "bob") == 1
    assert again.kept("other", "blot", "bob") is None
    again.finish(replace(PLAYED, opponent="bob"), match_to(3))
    assert again.kept("fake", "blot", "bob") is None
    assert again.unfinished("fake", "blot") == []
    assert again.departures("fake", "bob") == 0
    assert [(each.points, each.file) for each in again.matches()] == [(3, line.file)]
    assert [path.name for path in tmp_path.glob("*.mat")] == [line.file]
    assert list((tmp_path / "unfinished").iterdir()) == []


def test_a_match_whose_end_was_written_and_its_line_not_is_found_again(tmp_path):
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))
    (line,) = store.unfinished("fake", "blot")
    write_match(match_to(3), tmp_path / line.file)  # and here the program was killed
    again = MatchStore(tmp_path)
    assert again.kept("fake", "blot", "Bob").games[0].points_after == (3, 0)
    again.finish(PLAYED, again.kept("fake", "blot", "Bob"))
    assert [path.name for path in tmp_path.glob("*.mat")] == [again.matches()[0].file]


def test_a_match_that_ends_leaves_nothing_behind_at_any_moment(tmp_path, monkeypatch):
    """Whatever is killed at the worst moment, no line is made of it again."""
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))
    put = store._put

    def killed(file, line, players):
        if line.ended:
            raise KeyboardInterrupt
        return put(file, line, players)

    monkeypatch.setattr(store, "_put", killed)
    with pytest.raises(KeyboardInterrupt):
        store.finish(PLAYED, match_to(3))
    again = MatchStore(tmp_path)
    (line,) = again.unfinished("fake", "blot")
    assert list((tmp_path / "unfinished").iterdir()) == []
    again.finish(line, again.kept("fake", "blot", "Bob"))
    assert again.unfinished("fake", "blot") == []
    assert len(again.matches()) == len(list(tmp_path.glob("*.mat"))) == 1


def test_two_players_of_ours_keep_their_matches_apart(tmp_path):
    one, other = MatchStore(tmp_path), MatchStore(tmp_path)
    one.keep(PLAYED, match_to(3, is_over=False))
    theirs = replace(match_to(5, is_over=False), players=("blot2", "Bob"))
    other.keep(replace(PLAYED, player="blot2", length=5), theirs)
    assert one.kept("fake", "blot", "Bob").rules.length == 3
    assert other.kept("fake", "blot2", "Bob").rules.length == 5
    other.finish(replace(PLAYED, player="blot2", length=5, points=5), theirs)
    assert one.kept("fake", "blot", "Bob").rules.length == 3


def test_opponents_whose_names_differ_in_signs_alone_keep_their_matches_apart(tmp_path):
    store = MatchStore(tmp_path)
    for name, length in (("a_b", 3), ("a-b", 5)):
        match = replace(match_to(length, is_over=False), players=("blot", name))
        store.keep(replace(PLAYED, opponent=name, length=length), match)
    assert [store.kept("fake", "blot", name).rules.length for name in ("a_b", "a-b")] == [3, 5]
    store.finish(replace(PLAYED, opponent="a_b"), match_to(3))
    assert store.kept("fake", "blot", "a-b").rules.length == 5


def test_a_match_that_an_older_blot_kept_by_another_name_is_found(tmp_path):
    MatchStore(tmp_path).keep(PLAYED, match_to(3, is_over=False))
    (path,) = (tmp_path / "unfinished").iterdir()
    path.rename(path.with_name("fake_blot_bob.sgf"))
    store = MatchStore(tmp_path)
    assert store.kept("fake", "blot", "Bob").rules.length == 3
    assert [each.opponent for each in store.unfinished("fake", "blot")] == ["Bob"]
    store.finish(PLAYED, match_to(3))
    assert list((tmp_path / "unfinished").iterdir()) == []


def test_what_an_older_blot_kept_does_not_replace_what_is_kept_today(tmp_path):
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))
    write_match(match_to(5, is_over=False), tmp_path / "unfinished" / "fake_blot_bob.sgf")
    assert store.kept("fake", "blot", "Bob").rules.length == 3


def test_the_last_state_of_a_match_stays_where_its_end_cannot_be_written(tmp_path, monkeypatch):
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))

    def full(match, path):
        raise ValueError(f"cannot write {path}: No space left on device")

    monkeypatch.setattr(match_store, "write_match", full)
    store.finish(PLAYED, match_to(3))
    (played,) = store.matches()
    assert read_match(tmp_path / played.file).whole.games[0].events
    assert list((tmp_path / "unfinished").iterdir()) == []
    assert store.unfinished("fake", "blot") == []


def test_who_left_and_did_not_come_back_has_still_left(tmp_path):
    store = MatchStore(tmp_path)
    store.left("fake", "Bob")
    store.finish(replace(PLAYED, points=1), match_to(3, is_over=False))
    assert store.departures("fake", "Bob") == 1
    assert store.matches()[0].is_won is None


@pytest.mark.parametrize(
    ("length", "points", "is_won"),
    [
        (3, (3, 1), True),
        (3, (0, 4), False),
        (3, (2, 1), None),
        (None, (2, 1), True),
        (None, (2, 5), False),
        (None, (2, 2), None),
    ],
)
def test_who_has_the_points_has_won_and_more_points_are_enough_without_an_end(
    length, points, is_won
):
    assert PlayedMatch("fake", "blot", "Bob", length, *points).is_won is is_won


def test_a_match_that_an_older_blot_kept_without_a_line_gets_one(tmp_path):
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute("DELETE FROM matches")
        file.execute("ALTER TABLE matches DROP COLUMN awaits")
    file.close()
    again = MatchStore(tmp_path)
    kept = next((tmp_path / "unfinished").iterdir())
    for number in range(20):  # whichever comes before it
        kept.with_name(f"fake_blot_{number}.sgf").write_text("(;GM[6]")
    assert again.unfinished("fake", "eve") == []
    (line,) = again.unfinished("fake", "blot")
    assert (line.opponent, line.length, line.points) == ("Bob", 3, 0)
    assert again.kept("fake", "blot", "Bob").rules.length == 3
    assert len(again.unfinished("fake", "blot")) == 1


def test_matches_on_a_server_with_a_longer_name_are_left_where_they_are(tmp_path):
    store = MatchStore(tmp_path)
    opponents = [f"Bob{number}" for number in range(20)]
    for name in opponents:
        if name == "Bob10":  # others are found before it, in whatever order
            store.keep(PLAYED, match_to(3, is_over=False))
        match = replace(match_to(3, is_over=False), players=("blot", name))
        store.keep(replace(PLAYED, server="fake_two", opponent=name), match)
    with sqlite3.connect(tmp_path / FILE) as file:
        file.execute("DELETE FROM matches WHERE server = 'fake'")
    file.close()
    assert [line.opponent for line in store.unfinished("fake", "blot")] == ["Bob"]
    assert store.count_unfinished() == 21
    assert all(store.kept("fake_two", "blot", name) for name in opponents)


def test_a_damaged_kept_match_is_none(tmp_path):
    store = MatchStore(tmp_path)
    store.keep(PLAYED, match_to(3, is_over=False))
    for file in (tmp_path / "unfinished").iterdir():
        file.write_text("(;GM[6]")
    assert store.kept("fake", "blot", "bob") is None


def test_names_do_not_lead_out_of_the_folder(tmp_path):
    store = MatchStore(tmp_path / "store")
    store.left("fake", "../../bob")
    assert store.kept("../fake", "blot", "../../bob") is None
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


def test_names_of_many_bytes_are_kept_as_others_are(tmp_path):
    store = MatchStore(tmp_path)
    played = replace(PLAYED, opponent="\u540d" * 90, points=0, other_points=0)
    match = replace(match_to(3, is_over=False), players=("blot", played.opponent))
    store.keep(played, match)
    kept = store.kept("fake", "blot", played.opponent)
    assert kept is not None
    assert kept.games == match.games
    store.finish(played, match)
    assert list((tmp_path / "unfinished").iterdir()) == []
