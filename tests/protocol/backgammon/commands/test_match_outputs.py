"""The files of `blot match`: a new one for every game that is kept."""

import pytest

from protocol.backgammon.arena.match_files import MatchFiles
from protocol.backgammon.formats.match_file import read_match
from protocol.cli import main

HERE = ["match", "--weights", "pubeval", "--opponent", "random"]
NAMED = ["match", "pubeval", "random"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the test is, with a file in it that is nobody's business."""
    monkeypatch.chdir(tmp_path)
    for name in ("old.mat", "old.sgf", "old_002.sgf", "pubeval-blockers.mat"):
        (tmp_path / name).write_text("mine")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ([*HERE, "--mat", "old.mat"], "old.mat"),
        ([*HERE, "--sgf", "../{folder}/old.sgf"], "../{folder}/old.sgf"),
        ([*NAMED, "--sgf", "old.sgf", "--record", "run.db"], "old.sgf"),
        (
            ["match", "random", "pubeval", "blockers", "--round-robin", "--mat", "."],
            "pubeval-block",
        ),
        (["match", "--export", "begun.db", "--mat", "new.mat", "--sgf", "old.sgf"], "old.sgf"),
        (["match", "--resume", "begun.db", "--games", "8", "--mat", "old.mat"], "old.mat"),
    ],
)
def test_a_file_that_is_there_is_refused_before_anything_is_played(folder, capsys, words, file):
    assert main([*NAMED, "--games", "4", "--record", "begun.db"]) == 0
    capsys.readouterr()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main([word.format(folder=folder.name) for word in words]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"blot: {file.format(folder=folder.name)}")
    assert said.err.endswith(" is there already: name a new file\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("words", [HERE, NAMED])
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_played(
    folder, capsys, monkeypatch, words
):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert main([*words, "--games", "4", "--sgf", "new.sgf"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "blot: cannot write new.sgf: nothing may be written in its folder\n"


@pytest.mark.parametrize("words", [HERE, NAMED])
def test_files_of_later_matches_are_looked_for_too(folder, capsys, words):
    (folder / "old.sgf").unlink()
    asked = [*words, "--length", "1", "--sgf", "old.sgf", "--games"]
    assert main([*asked, "4"]) == 1
    assert capsys.readouterr().err == "blot: old_002.sgf is there already: name a new file\n"
    assert not (folder / "old.sgf").exists()


@pytest.mark.gnubg
def test_gnubg_writes_no_file_that_is_there(folder, capsys):
    assert main(["match", "--opponent", "gnubg", "--mat", "old.mat"]) == 1
    assert capsys.readouterr().err == "blot: old.mat is there already: name a new file\n"
    assert (folder / "old.mat").read_text() == "mine"


@pytest.mark.parametrize("rules", [[], ["--length", "1"]])
def test_a_run_that_is_gone_on_with_writes_its_own_files_anew(folder, capsys, rules):
    run = ["--mat", "games.mat", "--sgf", "games.sgf"]
    assert main([*NAMED, *rules, "--games", "2", "--record", "run.db", *run]) == 0
    assert main(["match", "--resume", "run.db", "--games", "4", *run]) == 0
    found = [read_match(path).whole for path in sorted(folder.glob("games*.sgf"))]
    assert sum(len(match.games) for match in found) == 4
    capsys.readouterr()
    assert main(["match", "--export", "run.db", "--sgf", "games.sgf"]) == 1
    assert capsys.readouterr().err == "blot: games.sgf is there already: name a new file\n"
    (folder / "games_005.sgf").write_text("mine")
    assert main(["match", "--resume", "run.db", "--games", "6", *run]) == (1 if rules else 0)


@pytest.mark.parametrize("rules", [[], ["--length", "1"]])
def test_a_file_of_a_run_that_is_somebody_elses_now_is_left_alone(folder, capsys, rules):
    run = ["--mat", "games.mat"]
    assert main([*NAMED, *rules, "--games", "2", "--record", "run.db", *run]) == 0
    (folder / "games.mat").write_text("mine")
    capsys.readouterr()
    assert main(["match", "--resume", "run.db", "--games", "4", *run]) == 1
    assert capsys.readouterr().err == "blot: games.mat is there already: name a new file\n"
    assert (folder / "games.mat").read_text() == "mine"


@pytest.mark.parametrize("words", [[*NAMED, "--record", "run.db"], HERE])
@pytest.mark.parametrize("rules", [[], ["--length", "1"]])
def test_a_file_that_comes_while_games_are_played_is_left_alone(
    folder, capsys, monkeypatch, words, rules
):
    def files(*given, **more):
        (folder / "games.mat").write_text("mine")
        return MatchFiles(*given, **more)

    monkeypatch.setattr("protocol.backgammon.arena.match_files.MatchFiles", files)
    assert main([*words, *rules, "--games", "2", "--mat", "games.mat"]) == 1
    told = capsys.readouterr()
    assert told.err.endswith("games.mat was written by others meanwhile: it is left as it is\n")
    assert "points per game: " in told.out or "--record" in words
    assert (folder / "games.mat").read_text() == "mine"


def test_games_of_several_players_are_not_written_to_one_file(capsys):
    players = ["match", "random", "random", "pubeval", "--round-robin", "--games", "2"]
    assert main([*players, "--mat", "."]) == 1
    said = capsys.readouterr().err
    assert said.startswith("blot: the games of several players would be written to random-pubeval")
    assert main(players) == 0


@pytest.mark.parametrize(
    "words", [["--json"], ["--parallel", "2"], ["--cluster", "local"]], ids=lambda words: words[0]
)
def test_what_an_export_does_not_tell_is_refused(capsys, words):
    assert main(["match", "--export", "run.db", "--sgf", ".", *words]) == 2
    said = f"blot: --export plays nothing and tells no results: leave out {words[0]}\n"
    assert capsys.readouterr().err == said
