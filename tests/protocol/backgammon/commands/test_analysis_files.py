"""What `blot analyse` writes: never over what it reads, and over what is there only if told so."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.commands.analysis_files import check_files
from protocol.backgammon.formats.match_file import write_match
from tests.games import random_match

OVER = "is there already; --force writes over it"


@pytest.fixture
def match_file(tmp_path, monkeypatch):
    """A short match in the folder of the test, where it is called inp.sgf."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "inp.sgf"
    write_match(random_match(Rules(1), 5, words=0.2, resigns=0.0), path)
    return path


@pytest.fixture
def analyse(blot, weights):
    """Run `blot analyse` of inp.sgf without looking ahead."""
    return lambda *options: blot("analyse", "inp.sgf", "--ply", "0", "--weights", weights, *options)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--html", "inp.sgf"), "--html: inp.sgf is the match to analyse; give another file"),
        (("--cards", "inp.sgf"), "--cards: inp.sgf is the match to analyse; give another file"),
        (("--sgf", "./inp.sgf"), "--sgf: inp.sgf is the match to analyse"),
        (("--sgf", "link.sgf", "--force"), "--sgf: link.sgf is the match to analyse"),
        (("--out", "inp.sgf"), "--out: inp.sgf is the match to analyse"),
        (("--html", "new.png", "--picture", "new.png"), "new.png is the file of --html"),
        (("--out", "new", "--cards", "new", "--force"), "--cards: new is the file of --out"),
        (("--html", "old.html"), f"old.html {OVER}"),
        (("--cards", "old.html"), f"old.html {OVER}"),
        (("--html", "no/a.html"), "--html: cannot write no/a.html: there is no folder no"),
        (("--html", "."), "--html: cannot write .: it is a folder"),
        (("--html", "old.html", "--met", "old.html", "--force"), "is the file of --met"),
    ],
)
def test_file_that_is_there_is_left_as_it_is(analyse, match_file, options, sentence):
    folder = match_file.parent
    (folder / "old.html").write_text("mine")
    (folder / "link.sgf").symlink_to(match_file)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, told = analyse(*options)
    assert (code, out) == (1, "")
    assert sentence in told
    assert len(told.splitlines()) == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--sgf", "a.mat"), "--sgf: a name that ends with .sgf, not a.mat"),
        (("--picture", "x.foo"), "a name that ends with .png, .svg or .pdf, not x.foo"),
        (("--force",), "--force writes over the files of --sgf, --html, --cards, --picture"),
        (("--force", "--out", "a.jsonl"), "--force writes over the files of --sgf"),
    ],
)
def test_names_that_cannot_be_are_wrong_usage_before_anything_is_judged(
    analyse, match_file, options, sentence
):
    code, out, told = analyse(*options)
    assert (code, out) == (2, "")
    assert sentence in told
    assert list(match_file.parent.iterdir()) == [match_file]


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("/dev/null", "--html: cannot write link.html: it is a device or a pipe, no file"),
        ("no/a.html", "--html: cannot write link.html: there is no folder .*/no"),
    ],
)
def test_link_to_where_no_file_can_be_is_told_before_anything_is_judged(
    match_file, target, sentence
):
    link = Path("link.html")
    link.symlink_to(target)
    with pytest.raises(ValueError, match=sentence):
        check_files(Namespace(file=match_file, html=link, force=True))


@pytest.mark.parametrize("name", ["sgf", "html", "cards", "picture"])
def test_folder_that_cannot_be_written_is_told_before_anything_is_judged(
    match_file, monkeypatch, name
):
    monkeypatch.setattr("os.access", lambda folder, mode: False)
    file = match_file.with_name("new.sgf")
    with pytest.raises(
        ValueError, match=f"--{name}: cannot write .*new.sgf: nothing may be written"
    ):
        check_files(Namespace(**{name: file}))


def test_link_that_leads_to_itself_is_written_over_if_that_is_wanted(match_file):
    link = match_file.with_name("link.sgf")
    link.symlink_to("link.sgf")
    check_files(Namespace(file=match_file, sgf=link, out=link.with_name("x.jsonl"), force=True))


def test_reports_are_written_over_if_that_is_wanted_and_the_journal_is_gone_on_with(
    analyse, match_file
):
    page = match_file.parent / "a.html"
    asked = "--html", "a.html", "--out", "a.jsonl", "--cards", "c.jsonl", "--above", "0.01"
    assert analyse(*asked)[0] == 0
    whole = page.read_text()
    page.write_text("mine")
    assert OVER in analyse(*asked)[2]
    assert page.read_text() == "mine"
    assert analyse(*asked, "--force")[0] == 0
    assert page.read_text() == whole
    assert all(map(json.loads, (match_file.parent / "c.jsonl").read_text().splitlines()))


def test_picture_without_matplotlib_is_refused_before_anything_is_judged(match_file, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    options = Namespace(file=match_file, picture=match_file.with_suffix(".png"))
    with pytest.raises(ValueError, match="--picture needs matplotlib"):
        check_files(options)
