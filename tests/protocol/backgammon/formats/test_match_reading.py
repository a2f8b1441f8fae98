import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import GameRecord, MatchRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.match_reading import Fault, Games, ReadMatch, best_reading, throw

MATCH = MatchRecord(("one", "two"), Rules(5))


def test_first_game_a_point_short_is_crawfords_unless_it_was_played():
    assert Games(Rules(5)).begin((4, 1)).record.is_crawford
    assert Games(Rules(5)).begin((1, 4)).record.is_crawford
    assert not Games(Rules(5), has_had_crawford=True).begin((4, 1)).record.is_crawford
    assert not Games(Rules(5)).begin((4, 4)).record.is_crawford
    assert not Games(Rules(5)).begin((3, 3)).record.is_crawford
    assert not Games(Rules(5, crawford=False)).begin((4, 1)).record.is_crawford
    assert not Games(Rules(5, has_cube=False)).begin((4, 1)).record.is_crawford
    assert not Games(Rules()).begin((4, 1)).record.is_crawford


def test_crawfords_game_cannot_have_been_before_a_side_is_a_point_short():
    with pytest.raises(ValueError, match="Crawford's game comes later"):
        Games(Rules(5), has_had_crawford=True).begin((3, 1))


def test_no_game_behind_crawfords_is_crawfords_and_its_score_may_be_set_back():
    games = Games(Rules(5))
    for points in ((4, 1), (4, 2), (3, 1)):
        games.begin(points)
    assert [game.is_crawford for game in games.records] == [True, False, False]
    games = Games(Rules(5))
    games.begin((3, 1), is_crawford=False)
    games.begin((4, 1), is_crawford=False)
    assert games.begin((1, 4)).record.is_crawford


def test_a_game_that_cannot_be_is_none_of_the_match():
    games = Games(Rules(5))
    assert games.records == ()
    first = games.begin((0, 0))
    with pytest.raises(ValueError, match="no score of a match to 5: 5-0"):
        games.begin((5, 0))
    assert (games.recorder, len(games.records)) == (first, 1)


def test_the_opening_roll_has_the_higher_die_for_who_threw_it():
    for seat, opening in ((0, OpeningRoll(5, 2)), (1, OpeningRoll(2, 5))):
        recorder = Recorder(Rules())
        assert throw(recorder, seat, Roll(5, 2)).turn == seat
        assert recorder.record.events[0].answer == opening
    with pytest.raises(ValueError, match="no game begins with 4-4"):
        throw(Recorder(Rules()), 0, Roll(4, 4))


def test_only_who_is_on_roll_throws_and_a_throw_is_one_however_often_it_is_told():
    recorder = Recorder(Rules())
    throw(recorder, 0, Roll(5, 2))
    with pytest.raises(ValueError, match="the other player is on roll"):
        throw(recorder, 1, Roll(5, 2))
    assert throw(recorder, 0, Roll(5, 2)).roll == Roll(5, 2)
    assert len(recorder.record.events) == 1
    recorder.add(legal_plays(START, Roll(5, 2))[0])
    assert throw(recorder, 1, Roll(6, 6)).roll == Roll(6, 6)


def test_who_is_beavered_and_throws_has_taken():
    recorder = Recorder(Rules(beavers=True))
    recorder.add(Game(GameState(START, money=MoneyRules(True, True)), 0))
    recorder.add(CubeAction.DOUBLE)
    with pytest.raises(ValueError, match="waits for its answer"):
        throw(recorder, 0, Roll(6, 1))
    recorder.add(DoubleAnswer.BEAVER)
    assert throw(recorder, 0, Roll(6, 1)).state.cube == Cube(4, CubeOwner.OTHER)
    assert recorder.record.events[-2].answer is DoubleAnswer.TAKE


def test_a_fault_tells_its_place_unless_its_reason_does():
    assert str(Fault(3, 7, "no play")) == "line 3, column 7: no play"
    assert str(Fault(0, 0, "game 1: no play")) == "game 1: no play"
    with pytest.raises(ValueError, match=r"^line 3, column 7: no play$"):
        _ = ReadMatch(MATCH, Fault(3, 7, "no play")).whole
    assert ReadMatch(MATCH).whole is MATCH
    assert ReadMatch(MATCH).unread == ""


def test_scores_that_do_not_follow_are_counted_from_the_second_on():
    def read(*points):
        ended = [Recorder(MATCH.rules, each) for each in points]
        for recorder in ended:
            recorder.end(0, 1)
        games = tuple(recorder.record for recorder in ended)
        return ReadMatch(MatchRecord(MATCH.players, MATCH.rules, games)).broken_scores

    assert read((0, 0), (1, 0)) == ""
    once = "game 2 begins at 0-1, though the game before it ended at 1-0"
    assert read((0, 0), (0, 1)) == f"{once}: each game counts at its own score"
    assert read((0, 0), (0, 1), (0, 0)).startswith(f"{once}, the first of 2 such games: ")


def test_the_reading_without_a_fault_is_the_best_else_the_first_that_goes_furthest():
    early, late, as_late = (
        ReadMatch(MATCH, Fault(*place, "no play"), unread=str(place))
        for place in ((2, 9), (3, 1), (3, 1))
    )
    whole = ReadMatch(MatchRecord(MATCH.players, MATCH.rules, (GameRecord(),)))
    assert best_reading([early, late, as_late]) is late
    assert best_reading([as_late, late, early]) is as_late
    assert best_reading([late, whole, ReadMatch(MATCH)]) is whole
    with pytest.raises(ValueError, match="no rules to read by"):
        best_reading([])
