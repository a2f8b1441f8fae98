import pytest

from protocol.backgammon.reports.server_matches import (
    MAX_ROWS,
    report_text,
    report_values,
    write_rating_picture,
)
from protocol.backgammon.servers.match_store import PlayedMatch


def played(number, *, won=True, rating=None, length=3, name="bob"):
    points = (3, 1) if won else (1, 3)
    return PlayedMatch(
        "fibs.com:4321",
        "blot",
        name,
        length,
        *points,
        ended=f"2026-11-{number:02}T10:00:00Z",
        error_rate=4.0,
        luck=0.5,
        rating_after=rating,
    )


def test_results_stand_by_server_length_and_opponent():
    matches = [played(1), played(2, won=False, length=None), played(3, name="eve", rating=1510.25)]
    text = report_text(matches)
    assert text.splitlines()[:2] == [
        "server         matches    won      %     PR    luck",
        "fibs.com:4321        3      2   66.7   4.00  +0.500",
    ]
    assert "unlimited        1      0    0.0" in text
    assert text.endswith("rating 1510.25 on fibs.com:4321")


def test_a_match_whose_end_nobody_told_counts_in_no_percentage():
    unknown = PlayedMatch("fibs.com:4321", "blot", "bob", 3, 2, 1)
    assert report_text([played(1), unknown]).splitlines()[1].split()[1:4] == ["2", "1", "100.0"]
    assert report_text([unknown]).splitlines()[1].split()[1:4] == ["1", "0", "-"]


def test_many_opponents_are_one_row():
    matches = [played(1, name=f"name{number}") for number in range(60)]
    rows = report_text(matches).split("\n\n")[2].splitlines()
    assert len(rows) == MAX_ROWS + 1
    assert rows[-1].split()[:3] == ["all", "others", "21"]


def test_matches_that_are_not_over_are_told_of():
    assert report_text([played(1)], 2).endswith("\n\nnot over: 2")


def test_nothing_is_told_where_nothing_was_played():
    assert report_text([]) == "no matches yet"


def test_values_have_each_column():
    (row,) = report_values([played(1)])
    assert row["opponent"] == "bob"
    assert row["rating_after"] is None


def test_the_rating_is_drawn(tmp_path):
    matches = [played(day, rating=1500.0 + day) for day in (1, 2, 3)]
    write_rating_picture(matches, tmp_path / "rating.png")
    assert (tmp_path / "rating.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="cannot write"):
        write_rating_picture(matches, tmp_path / "rating.nothing")


def test_there_is_no_picture_without_ratings(tmp_path):
    with pytest.raises(ValueError, match="no match has a rating"):
        write_rating_picture([played(1)], tmp_path / "rating.png")
