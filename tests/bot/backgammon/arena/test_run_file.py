import json
import os
import sqlite3
from collections import UserDict
from dataclasses import replace

import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import Piece, leave_seats, play_piece
from bot.backgammon.arena.played_pair import contest_records
from bot.backgammon.arena.run_file import RunFile
from tests.fakes.entrants import FakeEntrant

FORMAT = MatchFormat(20, 3, cube=True, seed=5)
PLAYED = play_piece(
    (FakeEntrant("restless"), FakeEntrant("pubeval", "forfeits")), FORMAT, None, Piece(2, 4, 7)
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.db"


def test_a_piece_comes_back_as_it_was_played(path):
    file = RunFile.create(path, {"games": 20})
    file.add(PLAYED)
    file.close()
    again = RunFile(path)
    assert again.settings() == {"version": 1, "games": 20}
    assert again.pieces() == [Piece(2, 4, 7)]
    found = again.played(Piece(2, 4, 7), with_actions=True)
    assert found == PLAYED
    assert any(pair.faults for pair in found.pairs)
    for pair in found.pairs:
        for contest in pair.contests:
            assert contest_records(contest, FORMAT.rules)


def test_a_piece_takes_the_place_of_one_that_began_with_the_same_pair_and_of_no_other():
    file = RunFile()
    others = [replace(PLAYED, piece=replace(PLAYED.piece, duel=duel)) for duel in (3, 1)]
    for played in (*others, PLAYED, replace(PLAYED, seconds=0.5)):
        file.add(played)
    assert file.pieces() == [Piece(duel, 4, 7) for duel in (1, 2, 3)]
    assert file.played(PLAYED.piece, with_actions=True) == replace(PLAYED, seconds=0.5)
    for other in others:
        assert file.played(other.piece, with_actions=True) == other


def test_a_run_that_is_deleted_leaves_nothing_behind(path):
    RunFile.create(path, {"games": 20}).delete()
    assert list(path.parent.iterdir()) == []
    RunFile().delete()


@pytest.mark.parametrize("ending", ["wal", "shm"])
def test_what_a_dead_run_has_left_behind_is_not_taken_into_a_new_one(path, ending):
    left = path.with_name(f"run.db-{ending}")
    left.write_bytes(b"pieces")
    with pytest.raises(ValueError, match=rf"run\.db-{ending} is of another run: move or delete it"):
        RunFile.create(path, {"games": 20})
    assert not path.exists()
    assert left.read_bytes() == b"pieces"


def test_files_that_a_run_has_written_are_known_when_it_is_gone_on_with(path):
    file = RunFile.create(path, {"games": 20})
    file.keep_files({})
    assert "files" not in file.settings()
    file.keep_files({"/a.mat": "12ab"})
    file.keep_files({"/a.mat": "12ab", "/b.sgf": "34cd"})
    file.extend({"games": 40, "max_faults": 20})
    file.close()
    assert RunFile(path).settings() == {
        "version": 1, "games": 40, "max_faults": 20, "files": {"/a.mat": "12ab", "/b.sgf": "34cd"}
    }  # fmt: skip


def test_without_actions_all_else_comes_back():
    file = RunFile()
    file.add(PLAYED)
    found = file.played(PLAYED.piece)
    assert [pair.faults for pair in found.pairs] == [pair.faults for pair in PLAYED.pairs]
    for pair, before in zip(found.pairs, PLAYED.pairs, strict=True):
        for contest, other in zip(pair.contests, before.contests, strict=True):
            assert [game.result for game in contest] == [game.result for game in other]
            assert not any(game.actions for game in contest)


def test_run_that_another_has_begun_in_the_same_moment_is_not_written_over(path):
    class Slow(UserDict):
        def keys(self):
            path.write_text("of another")
            return super().keys()

    with pytest.raises(ValueError, match=r"run\.db is there already: --resume goes on with it"):
        RunFile.create(path, Slow(games=40))
    assert path.read_text() == "of another"
    assert os.listdir(path.parent) == ["run.db"]


def test_full_disk_is_a_sentence_and_leaves_nothing(path, monkeypatch):
    def full(file, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.backgammon.arena.run_file._move_to_new", full)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda name: remembered.append(name) or connect(name))
    remembered = []
    with pytest.raises(ValueError, match=r"cannot write .*run\.db: .*No space left on device"):
        RunFile.create(path, {"games": 20})
    assert len(remembered) == 1
    assert os.listdir(path.parent) == []


def test_disk_without_links_keeps_a_run_too_and_what_is_there(path, monkeypatch):
    def link(file, path):
        raise PermissionError("no links here")

    monkeypatch.setattr("bot.backgammon.arena.run_file.os.link", link)
    RunFile.create(path, {"games": 20}).close()
    with pytest.raises(ValueError, match="is there already"):
        RunFile.create(path, {"games": 40})
    assert RunFile(path).settings()["games"] == 20


def test_what_is_there_is_not_written_over(path):
    path.write_text("mine")
    with pytest.raises(ValueError, match=r"run\.db is there already: --resume goes on with it"):
        RunFile.create(path, {})
    assert path.read_text() == "mine"
    with pytest.raises(ValueError, match="no folder for the file"):
        RunFile.create(path.parent / "none" / "run.db", {})
    assert os.listdir(path.parent) == ["run.db"]


@pytest.mark.parametrize("content", [b"", b"no database" * 100])
def test_what_is_no_run_is_refused_in_a_sentence(path, content):
    with pytest.raises(ValueError, match=r"there is no run to go on with at .*run\.db"):
        RunFile(path)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.db") as refused:
        RunFile(path)
    assert str(refused.value).count("run.db") == 1


@pytest.mark.parametrize(
    ("version", "said"), [(99, "99"), ("\x1b[2J" + "9" * 99, r"'\\x1b\[2J9{12}")]
)
def test_a_run_of_another_version_is_refused_in_one_sentence_and_let_go(path, version, said):
    RunFile.create(path, {}).close()
    other = sqlite3.connect(path)
    with other:
        other.execute("UPDATE settings SET value = ?", (json.dumps(version),))
    other.close()
    sentence = rf"run\.db is no run .*its version is {said}, not 1$"
    with pytest.raises(ValueError, match=sentence) as refused:
        RunFile(path)
    assert str(refused.value).count("run.db") == 1
    with sqlite3.connect(path, timeout=0) as other:  # nobody holds it, though the error is kept
        other.execute("BEGIN EXCLUSIVE")
    other.close()


def test_two_do_not_work_with_one_file(path):
    RunFile.create(path, {}).close()
    file = RunFile(path)
    with pytest.raises(ValueError, match="another Blot is at work with it"):
        RunFile(path)
    file.close()
    RunFile(path).close()


def test_a_player_is_met_once_wherever_it_sits_but_against_itself():
    met = []

    class Counted(FakeEntrant):
        def sit_down(self, match_format, seed):
            met.append(self.name)
            return super().sit_down(match_format, seed)

    leave_seats()
    one, *others = (Counted(name) for name in ("pubeval", "restless", "blockers"))
    for entrants in ((one, others[0]), (others[1], one), (one, one)):
        play_piece(entrants, FORMAT, None, Piece(0, 0, 1))
    leave_seats()
    assert sorted(met) == ["blockers", "pubeval", "pubeval", "restless"]
