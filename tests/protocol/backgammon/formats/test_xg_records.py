"""XG records: what the record of a match tells, by the version of the format."""

import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.xg import parse_xg
from tests.plain.xg_files import match_header, xg_file

ALL_RULES = [
    Rules(1),
    Rules(5),
    Rules(7, crawford=False),
    Rules(3, has_cube=False),
    Rules(),
    Rules(jacoby=False, beavers=True),
    Rules(has_cube=False),
]


def test_rules_names_and_occasion_are_those_of_the_file():
    for rules in ALL_RULES:
        read = parse_xg(xg_file([match_header(rules, ("Ödön", "Ли"))])).match
        assert (read.rules.length, read.rules.has_cube) == (rules.length, rules.has_cube)
        assert read.rules.money == rules.money
        assert read.players == ("Ödön", "Ли")
        assert (read.occasion.event, read.occasion.date) == ("Кубок", "2023-03-15")
        assert read.occasion.ratings == ("1612", "")


def test_rules_that_do_not_count_are_as_nobody_has_changed_them():
    for told, rules in (
        (Rules(5, jacoby=False, beavers=True), Rules(5)),
        (Rules(5, crawford=False), Rules(5, crawford=False)),
        (Rules(crawford=False, jacoby=False, beavers=True), Rules(jacoby=False, beavers=True)),
    ):
        read = parse_xg(xg_file([match_header(told)]))
        assert (read.match.rules, read.fault, read.match.games) == (rules, None, ())


def test_round_place_and_who_wrote_a_match_down_are_told_where_the_format_has_them():
    new = {
        name: (place, "258s", text.encode("utf-16-le"))
        for name, place, text in (
            ("round", 1654, "Finále"),
            ("place", 1396, " Žďár "),
            ("transcriber", 1960, "Eva"),
        )
    }
    old = {"old round": (417, "129p", b"Final"), "old place": (283, "129p", b"Z\xfcrich")}
    for version, told in ((30, ("Finále", "Žďár", "Eva")), (29, ("Finále", "Žďár", ""))):
        occasion = parse_xg(
            xg_file([match_header(Rules(5), version=version, **new)])
        ).match.occasion
        assert (occasion.round, occasion.place, occasion.annotator) == told
    occasion = parse_xg(xg_file([match_header(Rules(5), version=23, **new, **old)])).match.occasion
    assert (occasion.round, occasion.place, occasion.annotator) == ("Final", "Zürich", "")


@pytest.mark.parametrize(
    ("days", "date"),
    [
        (1.0, "1899-12-31"),
        (0.0, ""),
        (-1.0, ""),
        (10**6, ""),
        *((float(no), "") for no in ("nan", "inf")),
    ],
)
def test_a_day_that_is_none_is_left_out(days, date):
    header = match_header(Rules(5), date=(128, "d", days))
    assert parse_xg(xg_file([header])).match.occasion.date == date


def test_ratings_that_are_none_are_left_out():
    for told, ratings in (((9999.0, -1.0), ("9999", "")), ((10_000.0, 1.0), ("", "1"))):
        header = match_header(Rules(5), ratings=(104, "2d", *told))
        assert parse_xg(xg_file([header])).match.occasion.ratings == ratings


def test_a_file_older_than_the_limit_of_the_cube_is_of_games_with_the_cube():
    for version, has_cube in ((7, True), (8, False)):
        header = match_header(Rules(5, has_cube=False), version=version)
        assert parse_xg(xg_file([header])).match.rules.has_cube is has_cube


def test_names_of_old_files_have_the_letters_of_western_windows():
    read = parse_xg(xg_file([match_header(Rules(5), version=22)])).match
    assert read.players == ("Anne", "Bobé")
    assert read.occasion.event == "Cup"
    header = match_header(Rules(5), version=23, **{"old first": (9, "41p", b"\x81Anne")})
    assert parse_xg(xg_file([header])).match.players == ("\ufffdAnne", "Bobé")
    assert parse_xg(xg_file([match_header(Rules(5), version=24)])).match.players == ("Ann", "Bob")
