"""Match files: their names, and that no match is written that does not read back."""

import re
from dataclasses import replace
from datetime import datetime

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import MatchRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.match_file import READERS, dated_name, read_match, write_match
from protocol.backgammon.formats.match_reading import ReadMatch
from tests.games import random_match

AT = datetime(2026, 1, 2, 15, 30)
MATCH = random_match(Rules(5), 3)
OPENED = replace(Rules(5).new_game(), turn=0)


@pytest.mark.parametrize("ending", [".mat", ".SGF"])
def test_a_match_is_read_as_it_was_written(tmp_path, ending):
    path = tmp_path / f"match{ending}"
    write_match(MATCH, path)
    read = read_match(path).whole
    assert [game.points_after for game in read.games] == [game.points_after for game in MATCH.games]


def with_last_game(**changes):
    """The match as a file has it, with its last game changed."""
    filed = as_filed(MATCH)
    *games, last = filed.games
    return replace(filed, games=(*games, replace(last, **changes)))


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (with_last_game(result=None), "no room for game . as it was played"),
        (with_last_game(events=MATCH.games[-1].events[:-1]), "no room for game . as it was played"),
        (with_last_game(points=(0, 4)), "no room for the score of game"),
        (
            with_last_game(is_crawford=not MATCH.games[-1].is_crawford),
            "no room for the score of game",
        ),
    ],
)
def test_a_match_that_would_not_read_back_the_same_is_not_written(
    tmp_path, monkeypatch, read, reason
):
    monkeypatch.setitem(READERS, ".mat", lambda data: ReadMatch(read))
    path = tmp_path / "match.mat"
    with pytest.raises(ValueError, match=rf"cannot write .*match\.mat: \.mat has {reason}"):
        write_match(MATCH, path)
    assert not path.exists()


def test_mat_cannot_tell_that_the_first_game_a_point_short_is_not_crawfords(tmp_path):
    """As GNU Backgammon 1.07 has it after `set score 4 1` between games: who doubles may."""
    recorder = Recorder(Rules(5), (4, 1))
    answers = OpeningRoll(1, 3), legal_plays(START, Roll(3, 1))[0], CubeAction.DOUBLE
    for answer in (*answers, DoubleAnswer.DROP):
        recorder.add(answer)
    match = MatchRecord(("one", "two"), Rules(5), (MATCH.games[0], recorder.record))
    write_match(match, tmp_path / "match.sgf")
    with pytest.raises(ValueError, match=r"mat has no room for the score of game 2, and whether"):
        write_match(match, tmp_path / "match.mat")


@pytest.mark.parametrize(
    "before",
    [
        (),
        (OPENED, Roll(6, 3)),
        (replace(OPENED, roll=Roll(6, 3)),),
        (OPENED, Roll(4, 2), replace(OPENED, doubles=1)),
    ],
    ids=["opening roll", "position and roll", "position with a roll", "roll and double"],
)
def test_an_sgf_file_forgets_what_a_position_set_up_at_once_replaces(tmp_path, before):
    """As a server's match is written down whose plays were not told: the roll was, then a board."""
    recorder = Recorder(Rules(5))
    for answer in (OpeningRoll(3, 1), *before, OPENED, Roll(6, 5)):
        recorder.add(answer)
    recorder.add(legal_plays(START, Roll(6, 5))[0], "the play")
    match = MatchRecord(("one", "two"), Rules(5), (recorder.record,))
    write_match(match, tmp_path / "match.sgf")
    read = read_match(tmp_path / "match.sgf").whole
    assert read == as_filed(match)
    assert [event.answer for event in read.games[0].events[-3:-1]] == [OPENED, Roll(6, 5)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x.gam", "x.gam is no match file: its name ends with none of .mat, .txt, .sgf or .xg"),
        ("x.sgf", "x.sgf: "),
    ],
)
def test_what_is_no_match_is_refused_with_its_name(tmp_path, name, reason):
    path = tmp_path / name
    path.write_text("no match")
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_match(path)


def test_a_file_is_named_by_date_and_players():
    assert dated_name(("Alice", "Bob B."), AT, ".mat") == "2026-01-02_153000_Alice-Bob_B_.mat"


@pytest.mark.parametrize("letter", ["a", "é", "語", "\N{DESERET SMALL LETTER LONG I}"])
def test_a_file_can_have_the_name_of_players_whose_names_are_long(tmp_path, letter):
    name = dated_name((letter * 60, letter * 60), AT, ".mat")
    (tmp_path / name).touch()
    assert name.count(letter) >= 2 * 25
