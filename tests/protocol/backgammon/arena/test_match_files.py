from datetime import datetime

import pytest

from bot.backgammon.rules.game import Result
from bot.backgammon.rules.record import GameRecord, Rules
from protocol.backgammon.arena import match_files
from protocol.backgammon.arena.match_files import (
    MatchFiles,
    file_in,
    numbered,
    place_of,
    refuse_taken,
)


@pytest.fixture
def written(monkeypatch):
    """The matches that were written, with the name of each file; the files are empty."""
    found = []

    def noted(match, file):
        found.append((match, file.name))
        file.touch()

    monkeypatch.setattr(match_files, "write_match", noted)
    return found


def test_money_games_are_written_together_after_every_so_many_and_at_the_end(tmp_path, written):
    files = MatchFiles([tmp_path / "a.mat"], ("one", "two"), Rules(), games_per_writing=2)
    files.finish()
    assert written == [], "nothing was played"
    for winner, kind in ((0, 1), (1, 2), (0, 3)):
        files.add([GameRecord(result=Result(winner, kind))])
    files.finish()
    files.finish()
    assert [(len(match.games), name) for match, name in written] == [(2, "a.mat"), (3, "a.mat")]
    last, _ = written[-1]
    assert [game.points for game in last.games] == [(0, 0), (1, 0), (1, 2)]
    assert (last.players, last.rules) == (("one", "two"), Rules())
    assert last.occasion.date == f"{datetime.now():%Y-%m-%d}"


def test_each_match_has_files_of_its_own_at_once(tmp_path, written):
    paths = [tmp_path / "a.mat", tmp_path / "b.sgf"]
    files = MatchFiles(paths, ("one", "two"), Rules(length=1))
    for winner in (0, 1):
        files.add([GameRecord(result=Result(winner, 1))])
    assert [name for _, name in written] == ["a.mat", "b.sgf", "a_002.mat", "b_002.sgf"]
    files.finish()
    assert [match.games[0].result.winner for match, _ in written] == [0, 0, 1, 1]
    assert files.written == [place_of(tmp_path / name) for _, name in written]


def test_all_files_that_came_meanwhile_are_named(tmp_path):
    paths = [tmp_path / "a.mat", tmp_path / "a.sgf"]
    files = MatchFiles(paths, ("one", "two"), Rules(length=1))
    for path in paths:
        path.touch()
    with pytest.raises(ValueError, match=r"a\.mat and .*a\.sgf were written .*: they are left as"):
        files.add([GameRecord()])


@pytest.mark.parametrize(
    ("there", "matches", "is_taken"),
    [
        ("a.mat", 1, True),
        ("a_002.mat", 1, False),
        ("a_002.mat", 2, True),
        ("a_1000.mat", 999, False),
        ("a_1000.mat", 1000, True),
        ("a_001.mat", 9, False),
        ("a_02.mat", 9, False),
        ("a_0002.mat", 9, False),
        ("a_two.mat", 9, False),
        ("a_٠٠٢.mat", 9, False),
        ("a_000.mat", 9, False),
        ("ab.mat", 9, False),
        ("a.sgf", 9, False),
    ],
)
def test_a_name_is_taken_if_one_of_the_matches_would_have_it(tmp_path, there, matches, is_taken):
    (tmp_path / there).touch()
    names = [numbered(tmp_path / "a.mat", number).name for number in range(matches)]
    assert (there in names) == is_taken
    if not is_taken:
        refuse_taken([tmp_path / "a.mat"], matches)
        return
    with pytest.raises(ValueError, match=f"{there} is there already: name a new file"):
        refuse_taken([tmp_path / "a.mat"], matches)


def test_own_files_may_be_written_anew_however_the_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        numbered(tmp_path / "a.mat", number).touch()
    own = {numbered(place_of(tmp_path / "a.mat"), number) for number in range(2)}
    (tmp_path / "way").symlink_to(tmp_path)
    file = tmp_path / "way" / "a.mat"
    refuse_taken([file], 2, own)
    with pytest.raises(ValueError, match=r"a_003\.mat is there already"):
        refuse_taken([file], 3, own)


def test_a_file_that_came_meanwhile_does_not_keep_the_games_from_the_other(tmp_path):
    paths = [tmp_path / "a.mat", tmp_path / "a.sgf"]
    files = MatchFiles(paths, ("one", "two"), Rules(length=1))
    paths[0].write_text("mine")
    with pytest.raises(ValueError, match=r"a\.mat was written by others meanwhile: it is left"):
        files.add([GameRecord()])
    assert paths[0].read_text() == "mine"
    assert "one" in paths[1].read_text()
    assert files.written == [place_of(paths[1])]


def test_a_link_to_nowhere_that_came_meanwhile_is_left_as_it_is(tmp_path):
    files = MatchFiles([tmp_path / "a.mat"], ("one", "two"), Rules(length=1))
    (tmp_path / "a.mat").symlink_to(tmp_path / "gone.mat")
    with pytest.raises(ValueError, match=r"a\.mat was written by others meanwhile"):
        files.add([GameRecord()])
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_symlink()] == ["a.mat"]


def test_a_link_to_nowhere_is_a_file_that_is_there(tmp_path):
    (tmp_path / "a.mat").symlink_to(tmp_path / "gone.mat")
    with pytest.raises(ValueError, match="is there already"):
        refuse_taken([tmp_path / "a.mat"], 1)


@pytest.mark.parametrize(
    ("others", "matches", "is_shared"),
    [("a.mat", 1, True), ("a_002.mat", 1, False), ("a_002.mat", 2, True), ("a.sgf", 9, False)],
)
def test_files_of_two_duels_are_not_to_be_the_same(tmp_path, others, matches, is_shared):
    files = [tmp_path / others, tmp_path / "a.mat"]
    if not is_shared:
        refuse_taken(files, matches)
        return
    with pytest.raises(ValueError, match=f"several players would be written to {others}"):
        refuse_taken(files, matches)


def test_files_of_two_duels_may_have_one_name_in_two_folders(tmp_path):
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    refuse_taken([folder / "a.mat" for folder in folders], 9)


def test_a_path_is_a_file_by_its_ending_or_a_folder_for_a_file_with_date_and_players(tmp_path):
    assert file_in(tmp_path / "a.MAT", ".mat", ("one", "two")) == tmp_path / "a.MAT"
    dated = file_in(tmp_path, ".sgf", ("one", "two"))
    assert (dated.parent, dated.suffix) == (tmp_path, ".sgf")
    assert "one" in dated.name
    with pytest.raises(ValueError, match=r"a\.txt is no folder, and as a file its name would end"):
        file_in(tmp_path / "a.txt", ".mat", ("one", "two"))
    with pytest.raises(ValueError, match=r"no folder for the file .*none/a\.mat"):
        file_in(tmp_path / "none" / "a.mat", ".mat", ("one", "two"))


@pytest.mark.parametrize("name", ["2.mat", "2026.mat", "2026_001.mat"])
def test_a_name_that_is_a_number_is_taken_as_any_other(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(ValueError, match=f"{name} is there already"):
        refuse_taken([tmp_path / name], 1)


def test_files_of_very_many_matches_are_looked_for_without_naming_each(tmp_path):
    refuse_taken([tmp_path / "a.mat", tmp_path / "a.sgf"], 10**12)
