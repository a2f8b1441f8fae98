"""A followed match: what no line tells is found from the boards."""

import pytest

from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.match import Cube, CubeOwner
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.server_board import ServerBoard
from protocol.backgammon.servers.followed_match import FollowedMatch


@pytest.fixture
def match():
    followed = FollowedMatch(("blot", "bob"), 3)
    followed.begin_game()
    followed.opened(6, 1)
    return followed


def board(position=START, turn=0, **fields):
    return ServerBoard("bob", 3, (0, 0), position, turn, **fields)


def after_61():
    return legal_plays(START, Roll(6, 1))[0].after


def answers(match):
    return [event.answer for event in match.record().games[-1].events]


def test_our_play_is_found_from_the_next_board(match):
    match.show(board(after_61(), 1))
    assert match.game.turn == 1
    assert isinstance(answers(match)[-1], CheckerPlay)
    assert match.gaps == 0


def test_a_roll_and_a_double_that_nobody_announced_are_found(match):
    match.show(board(after_61(), 1, cube=2, cube_owner=0, roll=Roll(5, 3)))
    assert [type(each).__name__ for each in answers(match)] == [
        "OpeningRoll",
        "CheckerPlay",
        "CubeAction",
        "DoubleAnswer",
        "Roll",
    ]
    assert match.game.state.cube == Cube(2, CubeOwner.OTHER)
    assert match.gaps == 0


def test_an_opening_that_nobody_told_is_found():
    match = FollowedMatch(("blot", "bob"), 3)
    match.show(board(START, 1, roll=Roll(5, 2)))
    assert answers(match) == [OpeningRoll(2, 5)]


def test_a_board_from_nowhere_is_taken_over_as_a_gap(match):
    far = turned(legal_plays(turned(after_61()), Roll(5, 3))[0].after)
    match.show(board(far, 0, roll=Roll(4, 2)))
    assert match.gaps == 1
    assert match.game.state.position == far
    assert match.game.roll == Roll(4, 2)


def test_a_game_may_begin_before_it_is_said_to():
    match = FollowedMatch(("blot", "bob"), 3)
    match.show(board(START, 1, roll=Roll(5, 2)))
    match.begin_game()
    assert match.game.turn == 1
    assert match.gaps == 0


def test_a_result_that_nobody_told_is_found_from_the_points(match):
    match.resigns(1, 2)
    match.show(ServerBoard("bob", 3, (2, 0), START, 1, Roll(6, 1)))
    assert match.record().games[0].points_after == (2, 0)
    assert match.record().games[1].is_crawford
    assert (match.resigned, match.gaps) == (0, 0)


def test_the_same_board_twice_changes_nothing(match):
    moment = match.moment
    match.show(board(START, 0, roll=Roll(6, 1)))
    assert match.moment == moment


def test_the_game_after_crawfords_is_known_without_a_word():
    match = FollowedMatch(("blot", "bob"), 3)
    for own, (winner, points) in ((6, (1, 2)), (6, (0, 1))):
        match.begin_game()
        match.opened(own, 1)
        match.won(winner, points)
    assert match.record().games[1].is_crawford
    match.show(ServerBoard("bob", 3, (1, 2), START, 0, Roll(6, 1)))
    assert not match.record().games[2].is_crawford
    assert match.gaps == 0


def test_a_roll_that_the_server_forgot_is_taken_back(match):
    match.show(board(after_61(), 1, roll=Roll(5, 3)))
    match.resume()
    match.show(board(after_61(), 1))
    assert match.game.roll is None
    assert match.gaps == 0


def test_what_does_not_fit_is_not_believed(match):
    moment = match.moment
    match.told(1, Roll(6, 6))
    match.stuck(0)
    match.opened(3, 1)
    assert match.moment == moment


def test_a_result_that_cannot_be_leaves_the_score_alone(match):
    match.won(1, 2)
    assert match.points == (0, 2)
    match.begin_game()
    match.opened(6, 1)
    match.won(0, 64)
    match.begin_game()
    assert match.game is not None


def test_an_offer_of_the_opponent_waits_whoever_is_on_roll(match):
    match.resigns(1, 2)
    assert match.resigned == 2
    match.declined(0)
    assert match.resigned == 0
