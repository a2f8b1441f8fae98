from dataclasses import replace

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import Occasion, Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.mat_writing import fit_name, lost_in_mat, mat_text
from tests.games import random_match

RULES = (
    Rules(3),
    Rules(),
    Rules(beavers=True),
    Rules(jacoby=False, beavers=True),
    Rules(3, crawford=False),
    Rules(3, has_cube=False),
    Rules(has_cube=False),
    Rules(1),
)

GNUBG = """\
; [EventDate "2026.01.02"]

 3 point match

 Game 1
 Alice : 0                      Bob : 0
  1)                             41: 24/23 13/9\x20
  2) 62: 24/18 18/16*            66:\x20
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Alice : 1                      Bob : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11\x20
  2) 43: 24/20 13/10              Doubles => 2
  3)  Takes                      21: 13/11 6/5\x20
                                  Wins 2 points
"""
GALAXY = """\
\ufeff; [Site "Somewhere"]\r
; [Match ID "17"]\r
; [Player 1 "alice"]\r
; [Player 2 "bob"]\r
; [Player 1 Elo "3,00/0"]\r
; [Crawford "On"]\r
; [CubeLimit "1024"]\r
\r
3 point match\r
\r
 Game 1\r
 alice : 0                       bob : 0\r
  1)                              41: 24/23 13/9\r
  2) 62: 24/18 18/16*            66:\r
  3)  Doubles => 2                Takes\r
  4) 62: 24/18 13/11              Losses 2 point\r
\r
      Wins 2 point\r
\r
 Game 2\r
 alice : 2                       bob : 0\r
  1) 31: 8/5 6/5                 62: 24/18 13/11\r
  2) 43: 24/20 13/10             3)  Losses 1 point                     Wins 1 point\r
\r
 Game 3\r
 alice : 2                       bob : 1\r
  1) 31: 8/5 6/5                 62: 24/18 13/11\r
 Losses 3 point\r
\r
      Wins 3 point and the match\r
"""
STUDIO = """\
; [Site "Somewhere else"]
; [Event "Online match"]

5 point match


 Game 1
 carol : 0                              dave : 0
  1) 41: 24/23 13/9                     62: 24/16*
  2) 66: Cannot Move                     Doubles => 2
  3)  Takes                             44: 13/9(4)
  4) 51: Bar/24 13/8                    54: ????
  5)  Wins 2 point
  6)

 Game 2
 carol : 2                              dave : 0
  1)                                    31: 8/5 6/5
  2) 51: 13/8 6/5                        Doubles => 2
  3)  Drops                              Wins 1 point
"""

CONCEDED = """\
11 point match

 Game 1
 carol : 0                              dave : 0
  1) 41: 24/23 13/9                     Concedes
  2)  Wins 1 point

 Game 2
 carol : 1                              dave : 0
  1) 31: 8/5 6/5                        62: Concedes
  2)  Wins 2 point

 Game 3
 carol : 3                              dave : 0
  1) 31: 8/5 6/5                        21: 13/11 6/5
  2) 62: Concedes                       Wins 1 point

 Game 4
 carol : 3                              dave : 1
  1) 31: 8/5 6/5                        00: ????
  2)  Wins 3 point

 Game 5
 carol : 6                              dave : 1
  1) 31: 8/5 6/5                        21: 13/11 6/5
  2) ????                               Wins 1 point

 Game 6
 carol : 6                              dave : 2
  1) 31: 8/5 6/5                        21: 13/11 6/5
  2)  Concedes                          Wins 3 point
"""


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_is_written_is_read_again(rules):
    for seed in (1, 2, 3):
        match = random_match(rules, 100 * seed, resigns=0.02, words=0.3)
        read = parse_mat(mat_text(match))
        assert read.fault is None
        assert read.match == as_filed(match)


def test_no_row_is_so_short_that_gnubg_would_read_on_into_the_row_before():
    text = mat_text(parse_mat(CONCEDED).whole)
    rows = [line for line in text.splitlines() if line[3:4] == ")"]
    assert min(len(row.rstrip()) for row in rows) < 15 <= min(map(len, rows))


def test_head_of_a_match_is_kept():
    occasion = Occasion("An Event", "Final", "A Town", "2026-01-02", "Somebody", ("1600", "1700"))
    match = replace(
        random_match(Rules(1), 1),
        players=("Élodie B.", "no 2"),
        occasion=occasion,
        comment='[Match ID "3"]\na remark',
        first_game=4,
    )
    assert parse_mat(mat_text(match)).whole == as_filed(match)


def test_gnubgs_dialect_is_read():
    match = parse_mat(GNUBG).whole
    assert match.players == ("Alice", "Bob")
    assert match.occasion.date == "2026-01-02"
    assert [game.points_after for game in match.games] == [(1, 0), (1, 2)]
    assert [game.result.ending for game in match.games] == [Ending.DROPPED, Ending.RESIGNED]


def test_a_long_name_that_gnubg_has_joined_with_the_next_is_read():
    left = "Somebody and Somebody Else"
    text = GNUBG.replace("Alice : 1                      ", f"{left} : 1")
    match = parse_mat(text.replace("Alice : 0                      ", f"{left} : 0")).whole
    assert match.players == (left, "Bob")
    assert [game.points_after for game in match.games] == [(1, 0), (1, 2)]


def test_double_with_a_cube_that_wins_the_match_already_is_read():
    text = GNUBG.partition("\n Game 2")[0].replace("3 point", "1 point")
    match = parse_mat(text).whole
    double, drop = match.games[0].events[-2:]
    assert (double.answer, drop.answer) == (CubeAction.DOUBLE, DoubleAnswer.DROP)
    assert match.games[0].points_after == (1, 0)
    assert parse_mat(mat_text(match)).whole == match


def test_every_word_of_studio_for_a_resignation_is_read():
    match = parse_mat(CONCEDED).whole
    results = [game.result for game in match.games]
    assert [result.ending for result in results] == [Ending.RESIGNED] * 6
    assert [(result.winner, result.points) for result in results] == [
        *((0, 1), (0, 2), (1, 1), (0, 3), (1, 1), (1, 3)),
    ]


def test_galaxys_dialect_is_read():
    match = parse_mat(GALAXY).whole
    assert match.occasion.ratings == ("3,00/0", "")
    assert match.comment == '[Match ID "17"]'
    assert [game.points_after for game in match.games] == [(2, 0), (2, 1), (5, 1)]
    assert [game.is_crawford for game in match.games] == [False, True, False]


def test_backgammon_studios_dialect_is_read():
    match = parse_mat(STUDIO).whole
    assert [game.points_after for game in match.games] == [(2, 0), (2, 1)]
    answers = [event.answer for event in match.games[0].events]
    assert CubeAction.DOUBLE in answers
    assert DoubleAnswer.TAKE in answers
    plays = [answer for answer in answers if isinstance(answer, CheckerPlay)]
    assert [len(play.legs) for play in plays] == [2, 2, 0, 4, 2]


def test_the_same_match_in_two_dialects_is_the_same():
    other = GNUBG.replace("24/18 18/16*", "24/16").replace("24/23 13/9", "13/9 24/23")
    other = other.replace("8/5 6/5", "6/5 8/5").replace("66: ", "66: Cannot Move")
    one, two = (
        [
            [event.answer.after for event in game.events if isinstance(event.answer, CheckerPlay)]
            for game in parse_mat(text).whole.games
        ]
        for text in (GNUBG, other.replace("\n", "\r\n"))
    )
    assert one == two


def test_rating_behind_a_name_is_no_part_of_it_and_is_told_once():
    match = parse_mat(GNUBG.replace("Bob : 0", "Bob, 1612.5 : 0", 1)).whole
    assert match.players == ("Alice", "Bob")
    assert match.occasion.ratings == ("", "1612.5")


def test_double_need_not_tell_the_value_of_the_cube():
    assert parse_mat(GNUBG.replace("Doubles => 2", "Doubles")).whole == parse_mat(GNUBG).whole


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("31: 8/5 6/5 ", "31: 8/5 7/5 ", "line 14, column 6: game 2: '8/5 7/5' is not"),
        ("66: ", "66: 24/18", "line 8, column 34: game 1: .* 6-6 allows no play"),
        ("66: ", "67: ", "line 8, column 6: game 1: cannot read"),
        (" Drops", " Takes", "line 10, column 7: game 1: with the cube at 2 no resignation"),
        ("Wins 1 point", "Wins 2 points", "line 10, column 7: game 1: the first player has won 1"),
        ("Wins 1 point", "Wins 1 point and the match", "game 1: the match is not over at 1-0"),
        ("Doubles => 2                Drops", "Doubles => 4", "turned to 2, not to 4"),
        (
            "  3)  Doubles => 2                Drops",
            f"{'  3)':34}Takes",
            "'take' stands in the wrong column",
        ),
        ("31: 8/5 6/5     ", "33: 8/5(2) 6/3(2)", "no game begins with 3-3"),
        ("  2) 43: 24/20 13/10 ", "  2) 43:              ", "line 15, .*a play is missing: 4-3"),
        (" Takes                      21", " Takes   42: 8/4 6/4   21", "a row has two cells"),
        (" Takes ", " Laughs", "cannot read 'Laughs"),
        (f"{'Alice : 1':31}Bob", f"{'Alice : 1':31}Ben", "the players are now 'Alice' and 'Ben'"),
    ],
)  # fmt: skip
def test_reading_stops_at_the_first_impossible_row(old, new, fault):
    assert old in GNUBG
    read = parse_mat(
        GNUBG.replace(old, new, 1) if "Doubles" not in new else GNUBG.replace(old, new)
    )
    assert read.fault is not None
    with pytest.raises(ValueError, match=fault):
        _ = read.whole
    assert read.match.games


@pytest.mark.parametrize(("blanks", "winner"), [(7, 0), (25, 1), (1, 1)])
def test_who_resigns_the_opening_roll_in_gnubg_may_be_the_right_player(blanks, winner):
    """GNU Backgammon 1.07 writes a roll that is not played on the left, and who won in columns."""
    row = f"  1) 21:{'':{blanks}}Wins 3 points"
    read = parse_mat(f" 5 point match\n\n Game 1\n gnubg : 0{'':22}root : 0\n{row}\n").whole
    assert (read.games[0].result.winner, read.games[0].result.points) == (winner, 3)


def test_a_turn_that_was_changed_by_hand_in_gnubg_is_said_to_be_untold():
    """GNU Backgammon 1.07 writes such rows whichever player was given the turn."""
    rows = "  1) 32: 31: 8/5 6/5 \n  2) 64: 24/18 13/9 "
    read = parse_mat(f" 5 point match\n\n Game 1\n gnubg : 0{'':22}root : 0\n{rows}")
    with pytest.raises(ValueError, match=r"a play is missing: 3-2 .*; .*nothing tells who rolled"):
        _ = read.whole


def test_a_file_that_ends_before_the_players_of_a_game_is_not_whole():
    read = parse_mat(GNUBG[: GNUBG.index(" Alice : 1")])
    assert len(read.match.games) == 1
    with pytest.raises(ValueError, match="both players and their scores are missing"):
        _ = read.whole


def test_what_came_before_a_fault_is_kept():
    read = parse_mat(GNUBG.replace("43: 24/20 13/10", "43: 24/20 13/11"))
    assert (read.fault.line, read.fault.column) == (15, 6)
    assert len(read.match.games) == 2
    assert read.match.games[0] == parse_mat(GNUBG).match.games[0]
    assert len(read.match.games[1].events) == 5
    assert read.match.games[1].result is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a line such as '7 point match' is missing"),
        ('; [Variation "NackGammon"]\n 3 point match\n', "NackGammon is another game"),
        (" 65 point match\n", "a match has 1 to 64 points, not 65"),
    ],
)
def test_another_file_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_mat(text)


def test_no_room_is_said():
    with pytest.raises(ValueError, match="no room for a position or a cube set up by hand"):
        mat_text(random_match(Rules(automatic_doubles=3), 7, games=12))
    match = random_match(Rules(1), 1)
    game = match.games[0]
    event = replace(game.events[0], comment="a joke", annotations=(("A", ("0",)),))
    told = replace(match, games=(replace(game, events=(event, *game.events[1:])),))
    assert lost_in_mat(match) == ""
    assert lost_in_mat(told) == "comments and analysis and other annotations"
    assert fit_name('a: "b"\n[c]') == "a_ _b___c_"
    assert fit_name("Jones, 12") == "Jones_ 12"
    assert fit_name("Jones, 3rd, Tom") == "Jones_ 3rd, Tom"
    assert fit_name("Jones, Tom 2") == "Jones, Tom 2"


@pytest.mark.parametrize("name", ["#1", "; a joke", '; [Event "z"]'])
def test_a_name_that_would_make_a_comment_of_its_line_is_changed(name):
    match = replace(random_match(Rules(3), 2), players=(name, "Bob"))
    read = parse_mat(mat_text(match)).whole
    assert len(read.games) == len(match.games)
    assert read.players == ("_" + name[1:].translate(str.maketrans('[]"', "___")), "Bob")


@pytest.mark.parametrize("rules", [Rules(3), Rules()])
def test_a_comment_that_looks_like_a_rule_is_a_comment(rules):
    comment = '[CubeLimit "1"]\n[Crawford "Off"]\n[Jacoby "Off"]\n[Site "x"]'
    match = replace(as_filed(random_match(rules, 3)), comment=comment, occasion=Occasion())
    read = parse_mat(mat_text(match)).whole
    assert (read.comment, read.rules, read.occasion) == (comment, match.rules, match.occasion)


def test_a_name_may_begin_with_the_sign_of_a_comment():
    read = parse_mat(GNUBG.replace("Alice", "#1 fan").replace("Bob", "; b"))
    assert read.whole.players == ("#1 fan", "; b")


def test_a_roll_at_the_end_is_still_to_be_played():
    read = parse_mat(GNUBG[: GNUBG.index("24/18 13/11")]).whole
    assert read.games[-1].events[-1].answer == Roll(6, 2)
    with pytest.raises(ValueError, match="a play is missing: 6-2 can be played"):
        _ = parse_mat(GNUBG.replace("62: 24/18 13/11", "62:")).whole
