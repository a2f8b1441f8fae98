from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import (
    MAX_BEAVERS,
    Ending,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from tests.games import WORDS, random_game
from tests.strategies import game_states, rolls, scores

DOUBLE, ROLL = CubeAction.DOUBLE, CubeAction.ROLL
TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER
ACCEPT, DECLINE = ResignationAnswer.ACCEPT, ResignationAnswer.DECLINE
BEAVERS = MoneyRules(jacoby=False, beavers=True)
LAST_CHECKER = Position((0, 1, *(0,) * 22, -15, 0))


def after(game, *answers):
    for answer in answers:
        game = game.after(answer)
    return game


def first_play(game):
    return legal_plays(game.state.position, game.roll)[0]


def opened(*answers, score=None, money=BEAVERS, **rules):
    """A game in which seat 1 is on roll after seat 0 has played 3-1, and these answers."""
    game = Game(GameState(START, score=score, money=money), **rules).after(OpeningRoll(3, 1))
    return after(game, first_play(game), *answers)


@st.composite
def games(draw):
    """A game that has not begun, for money or at any score, under any rules."""
    score = draw(st.none() | scores())
    money = MoneyRules(draw(st.booleans()), draw(st.booleans()))
    return Game(
        GameState(START, score=score, money=money),
        has_cube=draw(st.booleans()),
        automatic_doubles=draw(st.integers(0, 3)),
    )


def test_higher_opening_die_begins_and_plays_both():
    game = Game(GameState(START, score=Score(5, 1, 3)))
    assert (game.asked, game.request) == (None, None)
    lower, higher = game.after(OpeningRoll(2, 5)), game.after(OpeningRoll(6, 1))
    assert (lower.turn, lower.asked, higher.turn) == (1, 1, 0)
    assert lower.request == ChooseCheckerPlay(GameState(START, score=Score(5, 3, 1)), Roll(5, 2))
    assert higher.request == ChooseCheckerPlay(GameState(START, score=Score(5, 1, 3)), Roll(6, 1))


def test_tie_in_the_opening_is_thrown_again():
    game = Game(GameState(START))
    assert game.after(OpeningRoll(4, 4)) == game


def test_tie_doubles_the_cube_as_often_as_was_agreed():
    game = Game(GameState(START), automatic_doubles=2)
    tied = after(game, *[OpeningRoll(4, 4)] * 3)
    assert tied.state.cube == Cube(4)
    assert tied.counts_gammons is False
    for single in (
        replace(game, has_cube=False),
        replace(game, state=GameState(START, score=Score(5, 0, 0))),
        replace(game, state=GameState(START, Cube(MAX_CUBE))),
    ):
        assert single.after(OpeningRoll(4, 4)) == single


def test_tie_may_turn_the_cube_to_the_highest_value():
    game = Game(GameState(START, Cube(MAX_CUBE // 2)), automatic_doubles=1)
    assert game.after(OpeningRoll(4, 4)).state.cube == Cube(MAX_CUBE)


def test_players_take_turns_and_see_the_board_from_their_side():
    game = Game(GameState(START, Cube(2), Score(7, 1, 2))).after(OpeningRoll(3, 1))
    play = first_play(game)
    later = game.after(play)
    assert (later.turn, later.asked, later.roll) == (1, 1, None)
    assert later.state == GameState(turned(play.after), Cube(2), Score(7, 2, 1))


def test_player_may_double_or_roll_and_the_dice_may_come_at_once():
    game = opened()
    assert game.request == ChooseCubeAction(game.state)
    rolling = game.after(ROLL)
    assert (rolling.request, rolling.asked) == (None, 1)
    assert rolling.after(Roll(6, 4)) == game.after(Roll(6, 4))
    assert not rolling.may_double


def test_double_and_take_give_the_cube_to_the_taker():
    doubled = opened(DOUBLE)
    assert (doubled.asked, doubled.cube_shown, doubled.cube_owner) == (0, 2, None)
    assert doubled.request == AnswerDouble(doubled.state)
    taken = doubled.after(TAKE)
    assert taken.state.cube == Cube(2, CubeOwner.OTHER)
    assert (taken.asked, taken.request, taken.cube_owner, taken.cube_shown) == (1, None, 0, 2)
    following = after(taken, Roll(6, 4), first_play(taken.after(Roll(6, 4))))
    assert following.state.cube == Cube(2, CubeOwner.ON_ROLL)
    assert following.may_double
    assert following.cube_owner == 0


@pytest.mark.parametrize(
    ("answers", "winner", "points"),
    [
        ((DOUBLE, DROP), 1, 1),
        ((DOUBLE, BEAVER, DROP), 0, 2),
        ((DOUBLE, BEAVER, BEAVER, DROP), 1, 4),
    ],
)
def test_drop_costs_the_cube_as_it_was_before_the_last_double(answers, winner, points):
    result = opened(*answers)
    assert (result.winner, result.kind, result.points) == (winner, 1, points)
    assert result.ending is Ending.DROPPED


def test_beavers_go_from_side_to_side_and_the_first_keeps_the_cube():
    owner = Cube(2, CubeOwner.ON_ROLL)
    beavered = opened(DOUBLE, BEAVER)
    assert beavered.asked == beavered.turn
    assert beavered.is_beavered
    assert not opened(DOUBLE).is_beavered
    assert not opened().is_beavered
    assert beavered.request.state == replace(beavered.state, cube=owner)
    assert (beavered.cube_owner, beavered.cube_shown) == (0, 4)
    chain = opened(DOUBLE, *[BEAVER] * MAX_BEAVERS)
    assert chain.asked == chain.turn
    assert not chain.request.state.money.beavers
    assert chain.refusal(BEAVER) == "a double is beavered up to 3 times"
    assert chain.after(TAKE).state.cube == Cube(16, CubeOwner.OTHER)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (opened(DOUBLE, money=MoneyRules()), "a beaver is not allowed here"),
        (opened(DOUBLE, score=Score(7, 0, 0)), "a beaver is not allowed here"),
        (opened(), "there is no double to beaver"),
        (
            Game.asking(AnswerDouble(GameState(START, Cube(MAX_CUBE // 2), money=BEAVERS)), 0),
            "the cube goes no higher",
        ),
    ],
)
def test_beaver_is_for_money_games_that_allow_it_and_needs_room_on_the_cube(game, reason):
    assert game.refusal(BEAVER) == reason
    assert not game.may_beaver
    with pytest.raises(ValueError, match=reason):
        game.after(BEAVER)


def test_question_allows_a_beaver_only_where_the_rules_do():
    full = AnswerDouble(GameState(START, Cube(MAX_CUBE // 2), money=BEAVERS))
    assert not Game.asking(full, 0).request.state.money.beavers
    assert opened(DOUBLE).request.state.money.beavers


def test_beaver_may_turn_the_cube_to_the_highest_value():
    double = AnswerDouble(GameState(START, Cube(MAX_CUBE // 4), money=BEAVERS))
    beavered = Game.asking(double, 0).after(BEAVER)
    assert beavered.cube_shown == MAX_CUBE


@pytest.mark.parametrize(
    ("game", "answer", "reason"),
    [
        (Game(GameState(START)), DOUBLE, "the opening roll comes first"),
        (Game(GameState(START)), Roll(3, 1), "the opening roll comes first"),
        (Game(GameState(START)), Resignation(1), "the opening roll comes first"),
        (opened(), OpeningRoll(3, 1), "the opening roll is made already"),
        (opened(has_cube=False), DOUBLE, "this game is played without the cube"),
        (opened(ROLL), DOUBLE, "the player has chosen to roll"),
        (opened(Roll(3, 1)), DOUBLE, "doubling comes before the dice"),
        (opened(Roll(3, 1), score=Score(5, 1, 4)), DOUBLE, "doubling comes before the dice"),
        (opened(Roll(3, 1)), Roll(3, 1), "the dice are rolled already"),
        (opened(DOUBLE), DOUBLE, "the double waits for its answer"),
        (opened(DOUBLE), Roll(3, 1), "the double waits for its answer"),
        (opened(DOUBLE), Resignation(1), "the double waits for its answer"),
        (opened(DOUBLE, TAKE), DOUBLE, "the cube is the other side's"),
        (opened(score=Score(5, 1, 4, is_crawford=True)), DOUBLE, "it is the Crawford game"),
        (opened(score=Score(5, 1, 4)), ROLL, "the cube's value is enough to win the match"),
        (
            Game(GameState(START, Cube(MAX_CUBE, CubeOwner.ON_ROLL)), 0),
            DOUBLE,
            "the cube goes no higher",
        ),
        (opened(Resignation(1)), DOUBLE, "the resignation waits for its answer"),
        (opened(Resignation(1)), Resignation(2), "the resignation waits for its answer"),
        (opened(), TAKE, "there is no double to take"),
        (opened(), ACCEPT, "there is no resignation to accept"),
        (opened(DOUBLE), DECLINE, "there is no resignation to decline"),
        (opened(), CheckerPlay((), START), "the dice are not rolled yet"),
        (opened(), "double", "no game is answered with 'double'"),
    ],
)
def test_answer_out_of_turn_or_against_the_rules_is_refused_with_the_reason(game, answer, reason):
    assert game.refusal(answer) == reason
    with pytest.raises(ValueError, match=reason):
        game.after(answer)


def test_dead_cube_may_be_turned_though_nobody_is_asked_to():
    game = opened(score=Score(5, 1, 4), money=MoneyRules())
    assert game.doubling_refusal == "the cube's value is enough to win the match"
    assert not game.may_double
    assert game.request is None
    doubled = after(game, DOUBLE)
    assert doubled.asked == 0
    assert doubled.request == AnswerDouble(game.state)
    dropped = after(doubled, DROP)
    assert (dropped.winner, dropped.points, dropped.ending) == (1, 1, Ending.DROPPED)
    taken = after(doubled, TAKE)
    assert taken.state.cube == Cube(2, CubeOwner.OTHER)
    theirs = after(taken, Roll(6, 5))
    theirs = after(theirs, first_play(theirs))
    assert theirs.may_double
    assert after(theirs, DOUBLE, TAKE).state.cube.value == 4


def test_illegal_play_is_refused_with_the_reason():
    game = Game(GameState(START)).after(OpeningRoll(3, 1))
    with pytest.raises(ValueError, match="the roll can be played"):
        game.after(CheckerPlay((), START))


@pytest.mark.parametrize(
    ("answers", "jacoby", "has_cube", "points"),
    [
        ((), True, True, 1),
        ((), False, True, 2),
        ((), True, False, 2),
        ((DOUBLE, TAKE), True, True, 4),
    ],
)
def test_gammon_counts_under_jacoby_after_a_double_and_without_the_cube(
    answers, jacoby, has_cube, points
):
    game = opened(*answers, money=MoneyRules(jacoby), has_cube=has_cube)
    result = after(game, Resignation(2), ACCEPT)
    assert (result.winner, result.kind, result.points) == (0, 2, points)
    assert result.ending is Ending.RESIGNED


def test_jacoby_is_no_rule_of_matches():
    game = opened(score=Score(5, 0, 0), money=MoneyRules(jacoby=True))
    assert after(game, Resignation(3), ACCEPT).points == 3


@pytest.mark.parametrize("turn", [0, 1])
def test_last_checker_off_ends_the_game(turn):
    state = GameState(LAST_CHECKER, Cube(4, CubeOwner.OTHER))
    game = Game.asking(ChooseCheckerPlay(state, Roll(2, 1)), turn)
    result = game.after(first_play(game))
    assert result == Result(turn, 2, 4)
    assert (result.points, result.ending) == (8, Ending.PLAYED)


def test_resignation_is_asked_of_the_other_side_before_the_dice_and_after():
    for game in (opened(), opened(ROLL), opened(Roll(6, 4)), opened(DOUBLE, TAKE)):
        offered = game.after(Resignation(2))
        assert offered.request == AnswerResignation(game.state, 2)
        assert offered.asked == 0
        declined = offered.after(DECLINE)
        assert declined == replace(game, declined=2)
        assert declined.request == game.request


def test_declined_offer_is_not_made_again_in_the_same_position():
    game = opened(Resignation(2), DECLINE)
    for later in (
        game,
        game.after(ROLL),
        game.after(Roll(6, 4)),
        game.after(ROLL).after(Roll(6, 4)),
    ):
        for points in (1, 2):
            with pytest.raises(ValueError, match="as much was declined in this position"):
                later.after(Resignation(points))
        assert later.refusal(Resignation(3)) is None
    thrown = game.after(Roll(6, 4))
    assert thrown.after(first_play(thrown)).refusal(Resignation(1)) is None
    assert after(game, DOUBLE, TAKE).refusal(Resignation(1)) is None


@pytest.mark.parametrize(("winner", "kind"), [(2, 1), (-1, 1), (0, 0), (1, 4)])
def test_result_is_of_a_seat_that_wins_one_to_three_times_the_cube(winner, kind):
    with pytest.raises(ValueError, match=f"no result: seat {winner} wins {kind} times the cube"):
        Result(winner, kind)


def test_points_that_nobody_can_resign_are_refused():
    for points in (0, 4):
        with pytest.raises(ValueError, match=f"for 1, 2 or 3 points, not {points}"):
            Resignation(points)
    with pytest.raises(ValueError, match="no roll of two dice"):
        OpeningRoll(3, 7)


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ({"turn": 2}, "a seat is 0 or 1, not 2"),
        ({"roll": Roll(3, 1)}, "the opening roll comes before"),
        ({"resigned": 1}, "the opening roll comes before"),
        ({"declined": 1}, "the opening roll comes before"),
        ({"turn": 0, "roll": Roll(3, 1), "doubles": 1}, "one thing is asked at a time"),
        ({"turn": 0, "doubles": 1, "resigned": 1}, "one thing is asked at a time"),
        ({"turn": 0, "doubles": 5}, "a double is beavered up to 3 times"),
        ({"turn": 0, "doubles": 2}, "who beavers first owns the cube"),
        ({"turn": 0, "resigned": 4}, "a resignation is for 1, 2 or 3 points"),
        ({"turn": 0, "declined": 4}, "a resignation is for 1, 2 or 3 points"),
    ],
)
def test_moment_that_no_game_has_is_refused(moment, reason):
    with pytest.raises(ValueError, match=reason):
        Game(GameState(START), **moment)


@pytest.mark.parametrize("checkers", [-15, 15])
def test_finished_position_is_no_game(checkers):
    over = Position((0, *(0,) * 23, checkers, 0))
    with pytest.raises(ValueError, match="the game is over in this position"):
        Game(GameState(over), 0)


@given(state=game_states(), roll=rolls(), turn=st.sampled_from((0, 1)))
def test_game_met_in_the_middle_asks_what_it_was_met_with(state, roll, turn):
    requests = [ChooseCheckerPlay(state, roll), AnswerResignation(state, 2)]
    if state.doubling_refusal is None:
        requests += [ChooseCubeAction(state), AnswerDouble(state)]
    for request in requests:
        game = Game.asking(request, turn)
        asks_other = isinstance(request, AnswerDouble | AnswerResignation)
        assert game.asked == (1 - turn if asks_other else turn)
        assert type(game.request) is type(request)
        assert game.request.state.position == state.position


@settings(max_examples=60)
@given(start=games(), seed=st.integers(0, 10**6))
def test_random_walk_ends_and_meets_no_impossible_state(start, seed):
    steps, result = random_game(start, seed)
    assert result.winner in (0, 1)
    assert result.points == result.cube * (result.kind if result.counts_gammons else 1)
    values = [game.state.cube.value for game, _ in steps]
    assert values == sorted(values)
    assert result.cube == values[-1]
    for game, _ in steps:
        cube, score = game.state.cube, game.state.score
        assert (game.request is None) <= (game.asked == game.turn)
        if not start.has_cube or (score and score.is_crawford):
            assert cube == Cube()
        if isinstance(game.request, ChooseCubeAction):
            assert 2 * cube.value <= MAX_CUBE
            assert not score or cube.value < score.away


@settings(max_examples=40)
@given(start=games(), seed=st.integers(0, 10**6))
def test_every_refusal_names_its_reason_and_nothing_else_is_refused(start, seed):
    steps, _ = random_game(start, seed)
    for game, _ in steps:
        others = [OpeningRoll(3, 1), Roll(3, 1), CheckerPlay((), game.state.position)]
        for answer in (*WORDS, *others):
            reason = game.refusal(answer)
            if reason is None:
                assert game.after(answer) is not None
            else:
                assert reason
                assert reason == reason.strip()
                with pytest.raises(ValueError, match="^" + reason + "$"):
                    game.after(answer)
