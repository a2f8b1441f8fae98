import os
from dataclasses import replace
from pathlib import Path

import pytest

from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat_writing import mat_text
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.formats.sgf_writing import sgf_text
from protocol.backgammon.formats.xg import parse_xg
from protocol.cli import main
from tests.games import random_match
from tests.plain.xg_files import play_record, records_of, xg_file

MATCH = random_match(Rules(3), 1, words=0.3)
DAMAGED = mat_text(MATCH).replace("  3) ", "  3) 11: 1/0 ", 1)
OPENING = legal_plays(START, Roll(3, 1))[0]
ANALYSIS = (0.01, 0.15, 0.45, 0.55, 0.16, 0.02, 0.123)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "one.mat").write_text(mat_text(MATCH), encoding="utf-8")
    (tmp_path / "in" / "deep" / "two.TXT").write_text(mat_text(MATCH), encoding="utf-8")
    (tmp_path / "in" / "other.md").write_text("nothing", encoding="utf-8")
    return tmp_path


def convert(*arguments):
    return main(["convert", *map(str, arguments)])


def test_file_is_written_in_the_other_format_and_back(folder):
    there, back = folder / "there.sgf", folder / "back.mat"
    assert convert(folder / "in" / "one.mat", there) == 0
    assert convert(there, back) == 0
    assert there.read_text(encoding="utf-8") == sgf_text(MATCH)
    assert read_match(back).whole == as_filed(MATCH)


def test_folder_is_converted_with_all_below_it(folder, capsys):
    assert convert(folder / "in", folder / "out", "--to", "sgf") == 0
    assert capsys.readouterr().out == "2 of 2 files converted\n"
    assert read_match(folder / "out" / "deep" / "two.sgf").whole == as_filed(MATCH)


def test_wrong_file_is_named_and_the_others_are_converted(folder, capsys):
    (folder / "in" / "bad.mat").write_text(DAMAGED, encoding="utf-8")
    assert convert(folder / "in", folder / "out", "--to", "mat") == 1
    said = capsys.readouterr()
    assert said.out == "2 of 3 files converted\n"
    assert "bad.mat, line " in said.err
    assert not (folder / "out" / "bad.mat").exists()


@pytest.mark.parametrize("source", ["in", "in/\x1b]0;owned\x07.mat"])
def test_name_of_a_file_commands_no_terminal(folder, capsys, source):
    (folder / "in" / "\x1b]0;owned\x07.mat").write_text("damaged")
    words = [folder / "out", "--to", "sgf"] if source == "in" else [folder / "out.sgf"]
    assert convert(folder / source, *words) == 1
    told = capsys.readouterr().err
    assert "?]0;owned?.mat: " in told
    assert all(line.isprintable() for line in told.splitlines())


def test_what_comes_before_a_fault_is_written_if_asked(folder, capsys):
    bad, made = folder / "bad.mat", folder / "made.sgf"
    bad.write_text(DAMAGED, encoding="utf-8")
    assert convert(bad, made, "--partial") == 0
    assert "is read up to line" in capsys.readouterr().err
    assert read_match(made).whole.games == read_match(bad).match.games


def test_file_that_has_a_fault_is_not_cut_off_by_itself(folder, capsys):
    bad = folder / "bad.mat"
    bad.write_text(DAMAGED, encoding="utf-8")
    assert convert(bad, bad, "--partial", "--force") == 1
    assert f"{bad} is the file to convert, and would be cut off" in capsys.readouterr().err
    assert bad.read_text(encoding="utf-8") == DAMAGED


def test_file_with_nothing_before_its_fault_is_not_written(folder, capsys):
    bad, made = folder / "bad.mat", folder / "made.sgf"
    bad.write_text(f"{DAMAGED[: DAMAGED.index(' 1)')]} 1) nonsense\n", encoding="utf-8")
    assert convert(bad, made, "--partial") == 1
    assert f"{bad} has nothing before line " in capsys.readouterr().err
    assert not made.exists()


def test_xg_file_is_read_and_where_it_stops(folder, capsys):
    records = records_of(random_match(Rules(3), 1))
    (folder / "in" / "whole.xg").write_bytes(xg_file(records))
    (folder / "in" / "bad.XG").write_bytes(xg_file([*records[:9], records[1]]))
    assert convert(folder / "in", folder / "out", "--to", "sgf", "--partial") == 0
    said = capsys.readouterr()
    assert said.out == "4 of 4 files converted\n"
    assert "bad.XG is read up to game 1, move 3: another game begins" in said.err
    assert "left out" not in said.err
    whole = parse_xg(xg_file(records)).match
    assert read_match(folder / "out" / "whole.sgf").whole == as_filed(whole)
    assert len(read_match(folder / "out" / "bad.sgf").whole.games) == 1


def test_analyses_of_an_xg_file_are_said_to_be_left_out(folder, capsys):
    records = records_of(random_match(Rules(3), 1))
    analysed = play_record(Rules(3).new_game(), 0, (3, 1), None, [(OPENING, ANALYSIS)])
    (folder / "a.xg").write_bytes(xg_file([*records[:2], analysed]))
    assert convert(folder / "a.xg", folder / "a.mat") == 0
    assert "the analyses of" in capsys.readouterr().err


def test_file_of_the_folder_is_not_written_over_before_it_is_read(folder, capsys):
    commented = sgf_text(MATCH).replace("\n;", "\n;C[a remark]", 1)
    (folder / "in" / "one.sgf").write_text(commented, encoding="utf-8")
    assert convert(folder / "in", folder / "in", "--to", "sgf", "--force") == 1
    assert "one.sgf is to be converted itself" in capsys.readouterr().err
    assert "a remark" in (folder / "in" / "one.sgf").read_text(encoding="utf-8")


def test_lost_comments_are_said(folder, capsys):
    commented = sgf_text(MATCH).replace("\n;", "\n;C[a remark]", 1)
    (folder / "c.sgf").write_text(commented, encoding="utf-8")
    assert convert(folder / "c.sgf", folder / "c.mat") == 0
    assert "has no room for comments" in capsys.readouterr().err


def test_score_that_does_not_follow_is_said_and_kept(folder, capsys):
    first = MATCH.games[0]
    broken = replace(MATCH, games=(first, replace(first, points=(1, 1))))
    (folder / "broken.sgf").write_text(sgf_text(broken), encoding="utf-8")
    assert convert(folder / "broken.sgf", folder / "broken.mat") == 0
    assert "broken.sgf, game 2 begins at 1-1, though" in capsys.readouterr().err
    assert read_match(folder / "broken.mat").whole.games[1].points == (1, 1)


def test_pipe_is_refused_and_not_waited_for(folder, capsys):
    os.mkfifo(folder / "in" / "pipe.mat")
    assert convert(folder / "in" / "pipe.mat", folder / "x.mat") == 1
    assert "pipe.mat: it is a named pipe, no file" in capsys.readouterr().err


def test_folder_with_a_match_files_name_is_no_match_file(folder, capsys):
    (folder / "in" / "deep.mat").mkdir()
    assert convert(folder / "in", folder / "out", "--to", "sgf") == 0
    assert capsys.readouterr().out == "2 of 2 files converted\n"


def test_link_that_leads_to_itself_is_told_and_the_others_are_converted(folder, capsys):
    (folder / "in" / "link.mat").symlink_to("link.mat")
    assert convert(folder / "in", folder / "out", "--to", "sgf") == 1
    said = capsys.readouterr()
    assert said.out == "2 of 3 files converted\n"
    assert "link.mat: Too many levels of symbolic links" in said.err


def test_folder_that_cannot_be_read_is_told_and_the_others_are_converted(
    folder, capsys, monkeypatch
):
    def scandir(path):
        if Path(path).name == "deep":
            raise PermissionError(13, "Permission denied", str(path))
        return found(path)

    found = os.scandir
    monkeypatch.setattr("os.scandir", scandir)
    assert convert(folder / "in", folder / "out", "--to", "sgf") == 1
    said = capsys.readouterr()
    assert said.out == "1 of 1 files converted\n"
    assert said.err == f"blot: cannot read {folder / 'in' / 'deep'}: Permission denied\n"


def test_files_made_in_a_folder_within_are_not_converted_again(folder, capsys):
    for _ in range(2):
        made = folder / "in" / "made"
        assert convert(folder / "in", made, "--to", "sgf", "--force") == 0
        assert capsys.readouterr().out == "2 of 2 files converted\n"
    assert sorted(made.rglob("*.sgf")) == [made / "deep" / "two.sgf", made / "one.sgf"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["in/one.mat", "in/deep"], "is a folder: name the file to write"),
        (["in/one.mat", "in/one.mat"], "is there already; --force writes over it"),
        (["in/one.mat", "x.xg"], "a match is written to a name with .mat or .sgf"),
        (["in/other.md", "x.mat"], "ends with none of .mat, .txt, .sgf or .xg"),
        (["none.mat", "x.mat"], "none.mat: No such file"),
        (["none", "out", "--to", "sgf"], "cannot read none: No such file"),
        (["in/one.mat", "none/x.mat"], "No such file or directory"),
        (["in/one.mat", "x.mat", "--to", "mat"], "--to is for folders"),
        (["in", "out"], "a folder is converted --to mat or --to sgf"),
        (["in", "in/one.mat", "--to", "sgf"], "is no folder"),
    ],
)
def test_wrong_use_gets_a_sentence(folder, monkeypatch, capsys, arguments, sentence):
    monkeypatch.chdir(folder)
    is_of_options = sentence in (
        "--to is for folders",
        "a folder is converted --to mat or --to sgf",
    )
    assert convert(*arguments) == (2 if is_of_options else 1)
    assert sentence in capsys.readouterr().err
