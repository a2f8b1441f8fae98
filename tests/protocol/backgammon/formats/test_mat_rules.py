import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.mat_writing import mat_text
from tests.games import random_match


def test_rules_that_no_tag_tells_are_seen_from_the_games():
    match = random_match(Rules(jacoby=False, beavers=True), 5, words=0.4)
    text = "\n".join(line for line in mat_text(match).splitlines() if "Jacoby" not in line)
    text = "\n".join(line for line in text.splitlines() if "Beaver " not in line)
    read = parse_mat(text)
    assert read.fault is None
    assert [game.points_after for game in read.match.games] == [
        game.points_after for game in match.games
    ]


AFTER_CRAWFORD = """; [Crawford "On"]
 5 point match

 Game 3
 left : 4                            right : 1
  1) 31: 8/5 6/5                      Doubles => 2
  2)  Takes                           42: 8/4 6/4
  3)                                  Wins 2 points

 Game 4
 left : 4                            right : 3
  1) 61: 13/7 8/7
"""


def test_a_file_that_begins_after_crawfords_game_is_read():
    read = parse_mat(AFTER_CRAWFORD).whole
    assert [game.is_crawford for game in read.games] == [False, False]
    untold = parse_mat(AFTER_CRAWFORD.replace('; [Crawford "On"]\n', ""))
    assert (untold.fault, untold.match) == (None, read)


def test_a_game_is_read_and_written_at_the_score_that_was_set_by_hand():
    read = parse_mat(AFTER_CRAWFORD.replace("right : 3", "right : 2"))
    assert [game.points for game in read.whole.games] == [(4, 1), (4, 2)]
    told = "game 4 begins at 4-2, though the game before it ended at 4-3"
    assert read.broken_scores == f"{told}: each game counts at its own score"
    assert parse_mat(mat_text(read.whole)) == read


NO_CRAWFORD = """ 3 point match

 Game 1
 left : 0                            right : 0
  1) 31: 8/5 6/5
  2)                                  Wins 2 points

 Game 2
 left : 0                            right : 2
  1) 31: 8/5 6/5                      42: 8/4 6/4
  2)  Doubles => 2                    Drops
"""


def test_a_double_in_the_first_game_a_point_short_tells_that_there_is_no_crawfords_game():
    assert not parse_mat(NO_CRAWFORD).whole.rules.crawford


def test_more_points_than_a_backgammon_are_one():
    text = AFTER_CRAWFORD.split(" Game 4")[0].replace("left : 4", "left : 0")
    assert parse_mat(text.replace("2 points", "100 points")).whole.games[0].points_after == (0, 7)
    with pytest.raises(ValueError, match="no resignation brings 3 points"):
        _ = parse_mat(text.replace("2 points", "3 points")).whole
