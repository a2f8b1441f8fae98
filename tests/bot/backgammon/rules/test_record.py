from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, Game, OpeningRoll, Resignation, Result
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules, breaks_of, replay
from bot.backgammon.rules.roll import Roll
from tests.games import random_match
from tests.strategies import positions

PLAY = legal_plays(START, Roll(3, 1))[0]
OPENED = (Event(OpeningRoll(3, 1)), Event(PLAY, "the best"))
DROPPED = (*OPENED, Event(CubeAction.DOUBLE), Event(DoubleAnswer.DROP))
DROP = Result(1, 1, ending=Ending.DROPPED)


def match_of(*games, **rules):
    return MatchRecord(("one", "two"), Rules(**rules), games)


@st.composite
def rules(draw):
    flags = {name: draw(st.booleans()) for name in ("has_cube", "crawford", "jacoby", "beavers")}
    length = draw(st.none() | st.integers(1, 5))
    return Rules(length, **flags, automatic_doubles=draw(st.integers(0, 2)))


@settings(max_examples=30)
@given(rules=rules(), seed=st.integers(0, 10**6))
def test_what_was_played_can_be_played_again(rules, seed):
    match = random_match(rules, seed)
    steps = list(replay(match))
    assert [event for _, event in steps] == [event for game in match.games for event in game.events]
    starts = [game for game, _ in steps if game.turn is None and game.state.cube.value == 1]
    assert {game.has_cube for game, _ in steps} == {rules.has_cube}
    assert len(starts) >= len(match.games)
    if rules.length:
        assert max(match.games[-1].points_after) >= rules.length
        assert sum(game.is_crawford for game in match.games) <= 1


@settings(max_examples=30)
@given(rules=rules(), seed=st.integers(0, 10**6), place=st.integers(0, 10**6))
def test_record_without_one_event_is_refused_with_game_and_move(rules, seed, place):
    match = random_match(rules, seed, games=2, words=0.0, resigns=0.0)
    number = place % len(match.games)
    game = match.games[number]
    plays = [i for i, event in enumerate(game.events) if isinstance(event.answer, CheckerPlay)]
    at = plays[place % len(plays)]
    short = replace(game, events=game.events[:at] + game.events[at + 1 :])
    games = (*match.games[:number], short, *match.games[number + 1 :])
    move = 1 + plays.index(at)
    with pytest.raises(ValueError, match=f"^game {number + 1}, move {move}: "):
        list(replay(replace(match, games=games)))


def test_double_with_a_dead_cube_is_played_again():
    game = GameRecord(events=DROPPED, result=DROP)
    moments = list(replay(match_of(game, length=1)))
    assert [event.answer for _, event in moments[-2:]] == [CubeAction.DOUBLE, DoubleAnswer.DROP]


def test_money_session_goes_on_at_the_points_won():
    second = GameRecord((0, 1), events=DROPPED, result=DROP)
    games = list(replay(match_of(GameRecord(events=DROPPED, result=DROP), second)))
    assert len(games) == 2 * len(DROPPED)
    assert second.points_after == (0, 2)
    assert replace(second, result=None).points_after == (0, 1)
    assert games[1][1].comment == "the best"


def test_each_game_is_played_again_at_its_own_score_and_breaks_are_told():
    first, again = GameRecord(events=DROPPED, result=DROP), GameRecord((2, 4), events=OPENED)
    match = match_of(first, GameRecord((0, 1)), replace(again, is_crawford=True), again, length=5)
    moments = list(replay(match))
    assert [game.state.score for game, _ in moments[-4::2]] == [
        Score(5, 2, 4, True),
        Score(5, 2, 4),
    ]
    assert not list(breaks_of(match))
    set_by_hand = match_of(replace(first, points=(3, 3)), again, length=5)
    reason = "begins at 2-4, though the game before it ended at 3-4"
    assert list(breaks_of(replace(set_by_hand, first_game=4))) == [f"game 5 {reason}"]


def test_crawford_game_comes_once_where_the_rule_holds():
    first = GameRecord((0, 1), events=DROPPED, result=DROP)
    played_on = GameRecord((0, 2), events=OPENED)
    crawford = replace(played_on, is_crawford=True)
    list(replay(match_of(first, crawford, length=3)))
    list(replay(match_of(first, played_on, length=3, crawford=False)))
    untold = match_of(first, played_on, length=3)
    assert list(breaks_of(untold)) == ["game 2 is not the Crawford game, against the rule"]
    assert not list(breaks_of(match_of(first, crawford, length=3)))
    early = match_of(first, crawford, length=5)
    assert list(breaks_of(early)) == ["game 2 is the Crawford game, against the rule"]
    for rules in ({"length": 3, "has_cube": False}, {"length": 3, "crawford": False}, {}):
        with pytest.raises(ValueError, match="game 1, move 1: a Crawford game is for matches with"):
            list(replay(match_of(crawford, **rules)))


@pytest.mark.parametrize(
    ("games", "rules", "message"),
    [
        (
            [GameRecord(events=DROPPED, result=DROP), GameRecord((0, 1))],
            {"length": 1, "has_cube": False},
            "game 1, move 2: this game is played without the cube",
        ),
        ([GameRecord((-1, 0))], {}, "game 1, move 1: no score of a money session: -1-0"),
        ([GameRecord((5, 0))], {"length": 5}, "game 1, move 1: no score of a match to 5: 5-0"),
        ([GameRecord(events=OPENED[::-1])], {}, "game 1, move 1: the opening roll comes first"),
        ([GameRecord(events=(*OPENED, *OPENED))], {}, "move 2: the opening roll is made already"),
        ([GameRecord(events=DROPPED)], {}, "move 2: the game is over, its result is missing"),
        (
            [GameRecord(events=(*DROPPED, Event(Roll(3, 1))), result=DROP)],
            {},
            "move 2: the game is over before it",
        ),
        ([GameRecord(events=OPENED, result=DROP)], {}, "move 2: the game is not over"),
        (
            [GameRecord(events=DROPPED, result=replace(DROP, winner=0))],
            {},
            "move 2: the result is 1 for seat 1, not 1 for seat 0",
        ),
    ],
)
def test_first_thing_that_cannot_be_is_named_with_game_and_move(games, rules, message):
    with pytest.raises(ValueError, match=message):
        list(replay(match_of(*games, **rules)))


def test_match_ends_with_its_points():
    resigned = Result(1, 3, ending=Ending.RESIGNED)
    first = GameRecord(events=OPENED, result=resigned)
    with pytest.raises(ValueError, match="game 2, move 1: no score of a match to 3: 0-3"):
        list(replay(match_of(first, GameRecord((0, 3)), length=3)))


@pytest.mark.parametrize("winner", [0, 1])
def test_either_side_may_have_resigned_where_the_events_do_not_tell(winner):
    taken = (*OPENED, Event(CubeAction.DOUBLE), Event(DoubleAnswer.TAKE))
    result = Result(winner, 2, 2, Ending.RESIGNED)
    list(replay(match_of(GameRecord(events=taken, result=result))))
    with pytest.raises(ValueError, match=f"the result is 4 for seat {winner}, not 2 for"):
        list(replay(match_of(GameRecord(events=taken, result=replace(result, cube=1)))))


@pytest.mark.parametrize("counts_gammons", [True, False])
def test_resigned_gammon_may_count_under_jacoby_though_nobody_doubled(counts_gammons):
    result = Result(1, 2, 1, Ending.RESIGNED, counts_gammons)
    list(replay(match_of(GameRecord(events=OPENED, result=result))))


def test_gammon_may_have_counted_once_in_money_games_without_the_cube_alone():
    position, once = Position.of({1: 1}, {1: 15}), Result(0, 2, counts_gammons=False)
    play = Event(legal_plays(position, Roll(2, 1))[0])

    def played(**rules):
        state = replace(Rules(**rules).new_game().state, position=position)
        last = Event(Game(state, 0, Roll(2, 1), has_cube=rules.get("has_cube", True)))
        return list(replay(match_of(GameRecord(events=(last, play), result=once), **rules)))

    assert len(played(has_cube=False)) == 2
    for rules in ({"jacoby": False}, {"length": 5, "has_cube": False}):
        with pytest.raises(ValueError, match="the result is 2 for seat 0, not 1 for seat 0"):
            played(**rules)


def test_tie_in_the_opening_turns_the_cube_as_often_as_the_rules_have_it():
    for times, value in ((0, 1), (1, 2)):
        game = Rules(automatic_doubles=times).new_game()
        for _ in range(2):
            game = game.after(OpeningRoll(4, 4))
        assert game.state.cube == Cube(value)
    assert Rules() == Rules(automatic_doubles=0)


def test_unanswered_resignation_and_half_a_game_are_records_too():
    for events in ((), OPENED, (*OPENED, Event(Resignation(1)))):
        assert len(list(replay(match_of(GameRecord(events=events))))) == len(events)


@given(position=positions(), turn=st.sampled_from((0, 1)))
def test_position_set_up_by_hand_is_gone_on_from(position, turn):
    score = Score(5, 1, 3) if turn == 0 else Score(5, 3, 1)
    state = GameState(position, Cube(2, CubeOwner.OTHER), score)
    start = Game(state, turn, Roll(2, 1))
    game = GameRecord((1, 3), events=(Event(start),))
    assert next(replay(match_of(game, length=5)))[1].answer == start
    for other in (
        replace(start, turn=1 - turn),
        replace(start, has_cube=False),
        replace(start, state=replace(state, money=MoneyRules(False))),
    ):
        with pytest.raises(ValueError, match="move 1: the position set up has other rules"):
            list(replay(match_of(GameRecord((1, 3), events=(Event(other),)), length=5)))


def test_rules_that_nobody_plays_by_are_refused():
    with pytest.raises(ValueError, match="a match has 1 to 64 points, not 65"):
        Rules(65)
    with pytest.raises(ValueError, match="a match has 1 to 64 points, not 0"):
        Rules(0)
    assert {Rules(length).length for length in (1, 64)} == {1, 64}
    with pytest.raises(ValueError, match="no number of automatic doubles: -1"):
        Rules(automatic_doubles=-1)
    with pytest.raises(ValueError, match="no result: seat 2 wins 1 times the cube"):
        Result(2, 1)


def test_money_rules_count_in_money_games_with_the_cube():
    assert Rules(jacoby=True, beavers=True).money == MoneyRules(True, True)
    assert Rules().money == MoneyRules()
    assert Rules(jacoby=False, beavers=True).money == MoneyRules(False, True)
    assert Rules(has_cube=False, beavers=True).money == MoneyRules(False, False)
    assert Rules(5, jacoby=False, beavers=True).money == MoneyRules()


def test_a_match_is_over_once_a_player_has_its_points_and_a_session_never():
    for points, is_over in (((2, 2), False), ((3, 0), True), ((1, 4), True)):
        assert Rules(3).is_over(points) is is_over
        assert not Rules().is_over(points)


@pytest.mark.parametrize(
    ("points", "result", "is_next"),
    [
        ((1, 1), Result(0, 1), True),
        ((1, 1), Result(1, 1), True),
        ((0, 1), Result(0, 1), False),
        ((1, 1), Result(0, 2), False),
        ((0, 2), Result(0, 1), False),
        ((0, 2), Result(0, 2), False),
    ],
)
def test_crawfords_game_is_the_one_after_that_in_which_a_player_comes_a_point_short(
    points, result, is_next
):
    assert Rules(3).is_crawford_next(points, result) is is_next
    for rules in (Rules(3, crawford=False), Rules(3, has_cube=False), Rules()):
        assert not rules.is_crawford_next(points, result)
