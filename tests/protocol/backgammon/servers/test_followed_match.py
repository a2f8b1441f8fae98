"""A followed match: what no line tells is found from the boards."""

import pytest

from bot.backgammon.rules.decision import AnswerDouble, CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, OpeningRoll
from bot.backgammon.rules.match import Cube, CubeOwner, DoublingRefusal
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.match_file import read_match, write_match
from protocol.backgammon.formats.server_board import ServerBoard
from protocol.backgammon.servers.followed_match import FollowedMatch


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


DEAD = GameRecord((1, 2), is_crawford=False, events=(Event(OpeningRoll(6, 1)),))
"""The game after Crawford's in a match to 3, in which the opponent needs a point."""


@pytest.mark.parametrize("is_told", [True, False])
def test_a_double_of_who_needs_no_more_points_is_followed(is_told):
    kept = MatchRecord(("blot", "bob"), Rules(3), (DEAD,))
    match = FollowedMatch(("blot", "bob"), 3, kept)
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    assert match.game.state.doubling_refusal is DoublingRefusal.DEAD
    if is_told:
        match.told(1, CubeAction.DOUBLE)
    points = (1, 2)
    match.show(ServerBoard("bob", 3, points, after_61(), 1, is_doubled=True))
    assert (match.game.asked, match.game.request) == (0, AnswerDouble(match.game.state))
    match.told(0, DoubleAnswer.TAKE)
    match.show(ServerBoard("bob", 3, points, after_61(), 1, Roll(5, 3), 2, 0))
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


def test_a_match_with_plays_that_nobody_told_is_written_as_sgf(match, tmp_path):
    far = Position.of({13: 5, 8: 3, 6: 5, 20: 2}, {13: 5, 8: 3, 6: 5, 24: 2})
    match.show(board(far, 0, roll=Roll(5, 3)))
    match.told(0, legal_plays(far, Roll(5, 3))[0])
    match.won(0, 1)
    assert match.gaps == 1
    write_match(match.record(), tmp_path / "match.sgf")
    assert read_match(tmp_path / "match.sgf").whole.games[0].result.points == 1


def filed(match, folder):
    """The games of the match's .mat: the points before each, and those that it brought."""
    write_match(match.record(), folder / "match.mat")
    games = read_match(folder / "match.mat").whole.games
    return [(game.points, game.result and game.result.points) for game in games]


def test_a_score_that_the_server_counts_otherwise_leaves_a_game_without_an_end(match, tmp_path):
    """Jibs sets the points of a player who accepts a resignation, where it should add them."""
    match.won(0, 1)
    match.begin_game()
    match.opened(6, 1)
    match.resigns(1, 1)
    match.won(0, 1)
    match.show(ServerBoard("bob", 3, (1, 0), START, 0, Roll(6, 1)))
    match.won(0, 2)
    assert match.gaps == 1
    assert filed(match, tmp_path) == [((0, 0), 1), ((1, 0), None), ((1, 0), 2)]


def test_a_drop_that_the_server_counts_otherwise_is_left_out_alone(match, tmp_path):
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.told(1, CubeAction.DOUBLE)
    match.told(0, DoubleAnswer.DROP)
    assert match.points == (0, 1)
    match.show(board(START, 1, roll=Roll(6, 1)))
    assert match.record().games[0].events[-1].answer is CubeAction.DOUBLE
    assert filed(match, tmp_path) == [((0, 0), None), ((0, 0), None)]


@pytest.mark.parametrize(
    ("points", "ending"), [(1, Ending.DROPPED), (2, Ending.RESIGNED), (3, Ending.RESIGNED)]
)
def test_a_double_dropped_for_more_points_was_a_resignation(match, tmp_path, points, ending):
    """As on bgammon.org, which counts by the board how much who drops has lost."""
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.told(1, CubeAction.DOUBLE)
    match.won(1, points)
    assert (match.points, match.gaps) == ((0, points), 0)
    assert match.record().games[0].result.ending is ending
    assert filed(match, tmp_path) == [((0, 0), points)]


@pytest.mark.parametrize(
    ("others", "points", "gaps", "ending"),
    [
        ({25: 1, 6: 13}, 3, 0, Ending.RESIGNED),
        ({20: 1, 6: 13}, 3, 0, Ending.RESIGNED),
        ({20: 1, 6: 13}, 1, 0, Ending.PLAYED),
        ({20: 1, 6: 14}, 3, 0, Ending.PLAYED),
        ({6: 14}, 1, 0, Ending.PLAYED),
        ({18: 1, 6: 13}, 3, 1, None),
    ],
)
def test_a_backgammon_of_who_has_a_checker_off_was_a_resignation(
    match, others, points, gaps, ending
):
    """As on bgammon.org, which looks at the winner's home board and the bar alone."""
    match.show(board(Position.of({1: 2}, others), 0, roll=Roll(6, 1)))
    match.won(0, points)
    assert (match.points, match.gaps) == ((points, 0), 1 + gaps)
    result = match.record().games[0].result
    assert (result and result.ending) is ending
    assert list(replay(match.record()))  # nothing in it is against the rules


def test_a_board_without_our_checkers_shows_the_play_that_ended_the_game(match):
    match.show(board(Position.of({1: 2}, {6: 14}), 0, roll=Roll(6, 1)))
    match.show(board(Position.of({}, {6: 14}), 0))
    assert (match.game, match.points, match.gaps) == (None, (1, 0), 1)
    assert [leg.target for leg in answers(match)[-1].legs] == [0, 0]


def test_a_game_whose_end_nobody_told_is_kept(match, tmp_path):
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.show(ServerBoard("bob", 3, (1, 1), START, 0, Roll(6, 1)))
    assert match.gaps == 1
    assert filed(match, tmp_path) == [((0, 0), None), ((1, 1), None)]


def test_points_that_cannot_be_at_this_cube_are_kept_as_the_score(match, tmp_path):
    """BaldLies tells of the points of a resignation without the cube, on one side."""
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    for seat, answer in ((1, CubeAction.DOUBLE), (0, DoubleAnswer.TAKE)):
        match.told(seat, answer)
    match.won(1, 1)
    assert (match.points, match.gaps) == ((0, 1), 1)
    match.begin_game()
    match.opened(6, 1)
    assert filed(match, tmp_path) == [((0, 0), None), ((0, 1), None)]


def resumed_at(points, **fields):
    """A match to 5 points that somebody else has begun."""
    followed = FollowedMatch(("blot", "bob"), 5)
    followed.resume()
    followed.show(ServerBoard("bob", 5, points, after_61(), 0, **fields))
    return followed


@pytest.mark.parametrize(("told", "is_crawford"), [(False, False), (None, True)])
def test_a_game_at_one_point_to_go_is_crawfords_unless_the_server_says_it_is_not(told, is_crawford):
    match = resumed_at((2, 4), is_crawford=told)
    assert match.game.state.score.is_crawford is is_crawford
    assert match.game.may_double is not is_crawford


def test_a_double_shows_that_a_game_was_wrongly_taken_to_be_crawfords():
    match = resumed_at((4, 2), roll=Roll(3, 1))
    game = match.game
    play = legal_plays(game.state.position, game.roll)[0]
    match.told(0, play)
    match.told(1, CubeAction.DOUBLE)
    assert match.game.doubles == 1
    assert not match.game.state.score.is_crawford
    assert match.gaps == 1


def test_a_turned_cube_shows_that_a_game_was_wrongly_taken_to_be_crawfords():
    match = resumed_at((4, 2))
    match.show(ServerBoard("bob", 5, (4, 2), after_61(), 0, Roll(3, 1), 2, 1))
    assert match.game.state.cube == Cube(2, CubeOwner.OTHER)


def test_a_match_without_the_crawford_rule_is_one_once_the_server_says_so(tmp_path):
    match = FollowedMatch(("blot", "bob"), 3)
    match.begin_game()
    match.opened(6, 1)
    match.won(0, 2)
    match.show(ServerBoard("bob", 3, (2, 0), START, 0, Roll(6, 1), is_crawford=False))
    assert not match.game.state.score.is_crawford
    assert (match.gaps, match.rules.crawford) == (0, False)
    assert filed(match, tmp_path)[0] == ((0, 0), 2)


def test_only_one_game_of_a_match_is_taken_to_be_crawfords(match, tmp_path):
    """As over Jibs, which may count points down."""
    match.won(0, 2)
    for points in ((2, 0), (2, 1), (1, 1), (2, 1)):
        match.show(ServerBoard("bob", 3, points, START, 0, Roll(6, 1)))
        match.told(0, legal_plays(START, Roll(6, 1))[0])
    games = match.record().games
    assert [game.is_crawford for game in games] == [False, True, False, False, False]
    assert [points for points, _ in filed(match, tmp_path)] == [game.points for game in games]


def test_a_game_that_is_announced_after_one_without_an_end_may_be_crawfords(match):
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.won(0, 2)
    match.begin_game()
    assert match.game.state.score.is_crawford
    match.show(ServerBoard("bob", 3, (0, 2), START, 0, Roll(6, 1)))
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.begin_game()
    match.show(ServerBoard("bob", 3, (0, 2), START, 0, Roll(6, 1)))
    assert match.points == (0, 2)
    assert not match.game.state.score.is_crawford


def test_an_end_that_was_not_understood_is_found_once_the_next_game_shows_itself(match):
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.told(1, CubeAction.DOUBLE)
    match.begin_game()
    match.begin_game()
    match.opened(5, 2)
    assert match.game is None
    match.show(ServerBoard("bob", 3, (0, 1), START, 0, Roll(5, 2)))
    assert match.gaps == 0
    assert match.record().games[0].events[-1].answer is DoubleAnswer.DROP
    assert answers(match) == [OpeningRoll(5, 2)]


def test_a_double_in_crawfords_game_is_the_servers_word_that_there_is_none(match, tmp_path):
    """BaldLies forgets in a match that was saved that its game is Crawford's."""
    match.won(0, 2)
    match.begin_game()
    match.opened(6, 1)
    assert match.game.state.score.is_crawford
    match.told(1, CubeAction.DOUBLE)  # not now
    assert match.game.state.score.is_crawford
    match.told(0, legal_plays(START, Roll(6, 1))[0])
    match.resume()
    match.show(ServerBoard("bob", 3, (2, 0), after_61(), 1, is_doubled=True))
    match.told(0, DoubleAnswer.DROP)
    assert (match.points, match.gaps, match.rules.crawford) == ((2, 1), 0, False)
    assert filed(match, tmp_path) == [((0, 0), 2), ((2, 0), 1)]


@pytest.mark.parametrize("is_told", [True, False])
def test_who_doubles_owns_the_cube_whatever_a_board_from_nowhere_said(match, tmp_path, is_told):
    """Jibs shows both players that the cube is the same one's."""
    far = turned(legal_plays(turned(after_61()), Roll(5, 3))[0].after)
    match.show(board(far, 1, cube=2, cube_owner=0))
    assert match.game.state.cube == Cube(2, CubeOwner.OTHER)
    match.told(0, CubeAction.DOUBLE)  # who is not on roll
    assert (match.game.doubles, match.gaps) == (0, 1)
    if is_told:
        match.told(1, CubeAction.DOUBLE)
    match.show(board(far, 1, cube=2, is_doubled=True))
    assert (match.game.doubles, match.game.asked, match.gaps) == (1, 0, 2)
    match.told(0, DoubleAnswer.TAKE)
    assert match.game.state.cube == Cube(4, CubeOwner.OTHER)
    write_match(match.record(), tmp_path / "match.sgf")
    assert read_match(tmp_path / "match.sgf").whole.games[0].points == (0, 0)


def test_our_offer_is_gone_once_the_opponent_declines_it(match):
    match.resigns(0, 1)
    assert match.game.resigned == 1
    match.declined(1)
    assert (match.game.resigned, match.gaps) == (0, 0)
