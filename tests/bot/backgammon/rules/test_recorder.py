from dataclasses import replace

import pytest

from bot.backgammon.rules.game import Ending, Game, OpeningRoll, Resignation
from bot.backgammon.rules.match import Cube, GameState
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.record import MatchRecord, Rules, replay
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from tests.games import random_match


def test_what_was_recorded_is_the_game_that_was_played():
    match = random_match(Rules(3), 4)
    for game in match.games:
        recorder = Recorder(match.rules, game.points, is_crawford=game.is_crawford)
        for event in game.events:
            recorder.add(event.answer)
        assert recorder.record == game


def test_nothing_is_recorded_that_cannot_be():
    recorder = Recorder(Rules(3))
    with pytest.raises(ValueError, match="the opening roll comes first"):
        recorder.add(Resignation(1))
    recorder.end(0, 1)
    with pytest.raises(ValueError, match="the game is over before it"):
        recorder.add(OpeningRoll(3, 1))


@pytest.mark.parametrize(("points", "kind"), [(1, 1), (2, 2), (3, 3)])
def test_points_tell_what_was_resigned(points, kind):
    recorder = Recorder(Rules(7))
    recorder.add(OpeningRoll(3, 1))
    recorder.end(1, points)
    result = recorder.record.result
    assert (result.winner, result.kind, result.ending) == (1, kind, Ending.RESIGNED)
    list(replay(MatchRecord(("one", "two"), Rules(7), (recorder.record,))))


def test_points_may_be_cut_off_at_the_end_of_the_match():
    for told in (2, 1):
        recorder = Recorder(Rules(2), (1, 0))
        recorder.end(0, told)
        assert recorder.record.result.points == told
    played = next(
        game
        for seed in range(100)
        for game in random_match(Rules(2), seed, resigns=0.0).games
        if game.result.points > 2
    )
    for told, is_right in ((2, True), (played.result.points, True), (1, False)):
        recorder = Recorder(Rules(2), played.points, is_crawford=played.is_crawford)
        for event in played.events:
            recorder.add(event.answer)
        if is_right or 2 - played.points[played.result.winner] == told:
            recorder.end(played.result.winner, told)
        else:
            with pytest.raises(ValueError, match=r"while it is told that .* won 1 point$"):
                recorder.end(played.result.winner, told)


def test_a_gammon_without_the_cube_may_count_once_if_it_is_told_of_its_winner():
    rules = Rules(has_cube=False)
    played = next(
        game
        for seed in range(100)
        for game in random_match(rules, seed, resigns=0.0).games
        if game.result.points == 2
    )
    recorder = Recorder(rules, played.points)
    for event in played.events:
        recorder.add(event.answer)
    winner = played.result.winner
    with pytest.raises(ValueError, match=r"won 2 points, while it is told that .* won 1 point$"):
        recorder.end(1 - winner, 1)
    assert recorder.record == played
    recorder.end(winner, 1)
    assert (recorder.record.result.kind, recorder.record.result.points) == (2, 1)


@pytest.mark.parametrize("told", [2, 7])
def test_points_cut_off_are_those_needed_or_the_length_of_the_match(told):
    recorder = Recorder(Rules(7), (5, 0))
    recorder.add(replace(recorder.game, state=replace(recorder.game.state, cube=Cube(8))))
    recorder.end(0, told)
    assert recorder.record.result.points == 8


@pytest.mark.parametrize("rules", [Rules(jacoby=False), Rules(has_cube=False)])
def test_a_gammon_that_was_played_counts_once_without_the_cube_alone(rules):
    last = Position.of({1: 1}, {6: 15})
    recorder = Recorder(rules)
    state = GameState(last, Cube(2), money=rules.money)
    recorder.add(Game(state, 1, Roll(2, 1), has_cube=rules.has_cube))
    recorder.add(legal_plays(last, Roll(2, 1))[0])
    played = recorder.record.result
    once, told = 2, played.points
    assert (told, played.winner) == (4, 1)
    if rules.has_cube:
        won = f"the second player has won {told} points, while it is told that the second player"
        with pytest.raises(ValueError, match=f"^{won} has won {once} point"):
            recorder.end(1, once)
        assert recorder.record.result == played
    else:
        recorder.end(1, once)
        assert recorder.record.result == replace(played, counts_gammons=False)
    for winner, points in ((0, told), (1, told + 2), (1, 0)):
        with pytest.raises(ValueError, match="while it is told that the"):
            recorder.end(winner, points)


def test_more_points_than_a_backgammon_brings_may_be_one():
    for rules, told, brought in ((Rules(7), 100, 3), (Rules(7), 2, 2), (Rules(), 4, 3)):
        recorder = Recorder(rules)
        recorder.end(1, told, may_exceed=True)
        assert (recorder.record.result.winner, recorder.record.result.points) == (1, brought)
    with pytest.raises(ValueError, match="no resignation brings 0 points"):
        Recorder(Rules(7)).end(1, 0, may_exceed=True)


def test_points_that_no_resignation_brings_are_refused():
    for rules, points in ((Rules(5), 4), (Rules(), 4), (Rules(5), 0)):
        with pytest.raises(ValueError, match=f"with the cube at 1 no resignation brings {points}"):
            Recorder(rules).end(0, points)


def test_only_a_game_that_is_over_is_said_to_be():
    recorder = Recorder(Rules(3))
    with pytest.raises(ValueError, match="the game is not over"):
        recorder.check_over()
    recorder.end(0, 1)
    recorder.check_over()


def test_game_that_goes_on_has_no_result():
    assert Recorder(Rules(3), (0, 0), is_crawford=False).record.result is None
