import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.game import Ending, Result
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, turned
from protocol.backgammon.table.set_up import table_set_up
from protocol.backgammon.table.table import Dice, Setting, Table
from tests.tables import PEOPLE, bearing_off_table, opened, play_first

DOUBLE, ROLL = CubeAction.DOUBLE, CubeAction.ROLL
TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER


def test_higher_opening_die_begins_and_a_tie_is_thrown_again():
    table = Table(Setting(PEOPLE))
    with pytest.raises(ValueError, match="4-4 is a tie"):
        table.throw(4, 4)
    assert table.game.turn is None
    table.throw(2, 5)
    assert table.game.turn == 1
    assert table.turn.roll.high == 5


def test_players_take_turns_and_see_the_board_from_their_side():
    table = Table(Setting(PEOPLE))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    assert table.mover == 1
    assert table.turn is None
    assert turned(table.position).points[5] == 2
    with pytest.raises(ValueError, match="the dice are not rolled yet"):
        table.answer(table.turns[0].play)


def test_dice_depend_on_the_seed_the_game_and_the_turn_alone():
    one, two = (Table(Setting(PEOPLE, seed=3)) for _ in range(2))
    assert one.thrown_dice() == two.thrown_dice()
    assert one.thrown_dice() == one.thrown_dice()
    thrown = {Table(Setting(PEOPLE, seed=seed)).thrown_dice() for seed in range(30)}
    assert len(thrown) > 10
    thrown = {Table(Setting(PEOPLE, seed=3), number=game).thrown_dice() for game in range(1, 31)}
    assert len(thrown) > 10


def test_opening_is_no_double_but_later_rolls_may_be():
    openings, later = [], []
    for seed in range(100):
        table = Table(Setting(PEOPLE, seed=seed))
        openings.append(table.thrown_dice())
        table.throw(3, 1)
        play_first(table, "8/5 6/5")
        later.append(table.thrown_dice())
    assert all(first != second for first, second in openings)
    assert any(first == second for first, second in later)
    assert {die for dice in later for die in dice} == {1, 2, 3, 4, 5, 6}


def test_question_tells_the_score_as_the_player_on_roll_sees_it():
    table = Table(Setting(PEOPLE, length=5), (1, 3))
    assert isinstance(table.question, ChooseCubeAction)
    table.throw(1, 4)
    question = table.question
    assert isinstance(question, ChooseCheckerPlay)
    assert question.state.score == Score(5, 3, 1)
    assert question.state.position == START


def test_undo_takes_a_leg_then_a_turn_and_keeps_the_dice():
    table = Table(Setting(("human", "pubeval")))
    with pytest.raises(ValueError, match="nothing to take back"):
        table.take_back()
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    play_first(table, "24/14")
    table.throw(5, 5)
    table.turn = table.turn.with_text("13/8")
    assert table.take_back() == "the last leg"
    assert table.turn.legs == ()
    assert table.take_back() == "the last turn"
    assert table.turns == ()
    assert table.mover == 0
    assert (table.turn.roll.high, table.turn.roll.low) == (3, 1)
    assert table.position == START


def test_undo_of_typed_dice_asks_for_them_again():
    table = Table(Setting(("human", "pubeval"), dice=Dice.MANUAL))
    table.throw(3, 1)
    assert table.take_back() == "the dice"
    assert table.game.turn is None
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    play_first(table, "24/14")
    assert table.take_back() == "the last turn"
    assert table.mover == 1
    assert table.turn is None
    assert table.take_back() == "the last turn"
    assert table.game.turn is None
    with pytest.raises(ValueError, match="nothing to take back"):
        table.take_back()


def test_last_checker_off_ends_the_game_and_the_points_are_added():
    table = bearing_off_table(Setting(PEOPLE, length=5), (1, 3))
    assert table.result == Result(0, 2)
    assert table.score == (3, 3)
    following = table.next_game()
    assert following.points == (3, 3)
    assert following.number == table.number + 1
    assert following.game.turn is None


def test_match_is_over_when_a_player_has_its_points():
    table = bearing_off_table(Setting(PEOPLE, length=5), (3, 4))
    assert table.is_match_over
    assert table.score == (5, 4)
    assert table.next_game().points == (0, 0)
    assert not bearing_off_table(Setting(PEOPLE), (3, 4)).is_match_over


def test_resignation_gives_the_points_to_the_other_and_can_be_taken_back():
    table = Table(Setting(PEOPLE))
    table.throw(1, 3)
    with pytest.raises(ValueError, match="1, 2 or 3 points"):
        table.resign(4)
    table.turn = begun = table.turn.with_text("8/5")
    table.resign(2)
    assert table.result == Result(0, 2, ending=Ending.RESIGNED)
    assert table.score == (2, 0)
    assert table.take_back() == "the resignation"
    assert table.result is None
    assert table.turn == begun


def test_new_match_begins_with_its_first_game_and_other_dice():
    table = Table(Setting(PEOPLE, length=7), (4, 2), 3)
    new = table.new_match()
    assert (new.points, new.number, new.match.first_game) == ((0, 0), 1, 1)
    assert [new.thrown_dice(), new.new_match().thrown_dice()] != [table.thrown_dice()] * 2


def test_a_match_has_the_games_before_and_this_one_once_it_is_begun():
    table = Table(Setting(PEOPLE, length=7), (2, 0), 3)
    assert (table.match.games, table.match.first_game) == ((), 3)
    table.throw(1, 3)
    assert table.match.games == (table.record,)
    table.resign(1)
    following = table.next_game()
    assert (following.match.games, following.match.first_game) == ((table.record,), 3)
    set_up = table_set_up(Setting(PEOPLE), ChooseCubeAction(GameState(START)), 0)
    assert set_up.match.games == (set_up.record,)


def test_a_match_is_under_way_from_its_first_roll_and_between_its_games():
    table = Table(Setting(PEOPLE, length=3))
    assert not table.is_under_way
    table.throw(1, 3)
    assert table.is_under_way
    table.resign(1)
    following = table.next_game()
    assert following.is_under_way
    following.throw(1, 3)
    following.resign(2)
    assert not following.is_under_way


def test_board_is_shown_with_the_legs_of_the_turn_being_played():
    table = Table(Setting(PEOPLE))
    assert table.now == START
    table.throw(3, 1)
    table.turn = table.turn.with_text("8/5")
    assert (table.now.points[5], table.position) == (1, START)


def test_nothing_can_be_taken_back_before_anything_is_done():
    table = Table(Setting(PEOPLE))
    assert not table.may_take_back
    table.throw(1, 3)
    assert not table.may_take_back
    table.turn = table.turn.with_text("8/5")
    assert table.may_take_back
    assert table.take_back() == "the last leg"
    assert not table.may_take_back


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Setting(PEOPLE, length=0), "1 to 64 points, not 0"),
        (lambda: Setting(PEOPLE, seed=-1), "a seed is 0 to"),
        (lambda: Table(Setting(PEOPLE, length=5), (5, 0)), "no score of a match to 5: 5-0"),
        (lambda: Table(Setting(PEOPLE), (-1, 0)), "no score of a money session: -1-0"),
    ],
)
def test_setting_that_cannot_be_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_double_and_take_give_the_cube_to_the_taker():
    table = opened()
    assert table.may_double
    table.answer(DOUBLE)
    assert not table.may_double
    position = table.position
    assert table.question == AnswerDouble(GameState(position, money=MoneyRules(beavers=True)))
    table.answer(TAKE)
    cube = Cube(2, CubeOwner.OTHER)
    assert table.question == ChooseCubeAction(GameState(position, cube, None, table.setting.money))
    table.throw(6, 4)
    play_first(table, "24/14")
    assert table.question.state.cube == Cube(2, CubeOwner.ON_ROLL)
    assert table.may_double


@pytest.mark.parametrize(
    ("table", "refusal"),
    [
        (Table(Setting(PEOPLE, cube=True)), "the opening roll comes first"),
        (Table(Setting(PEOPLE)), "the opening roll comes first"),
        (opened(DOUBLE), "the double waits for its answer"),
        (opened(DOUBLE, TAKE), "the cube is the other side's"),
        (opened(DOUBLE, DROP), "the game is over"),
        (opened(length=5, points=(4, 1), is_crawford=True), "it is the Crawford game"),
        (opened(length=5, points=(1, 4)), "the cube's value is enough to win the match"),
    ],
)
def test_nobody_doubles_out_of_turn_or_against_the_rules(table, refusal):
    assert table.double_refusal == refusal
    assert not table.may_double
    for act in (DOUBLE, ROLL):
        with pytest.raises(ValueError, match=refusal):
            table.answer(act)


def test_nobody_doubles_after_the_dice_or_without_the_cube():
    table = opened()
    table.throw(6, 4)
    assert table.double_refusal == "doubling comes before the dice"
    without = Table(Setting(PEOPLE))
    without.throw(3, 1)
    play_first(without, "8/5 6/5")
    assert without.double_refusal == "this game is played without the cube"


def test_dice_wait_for_the_answer_to_a_double():
    table = opened(DOUBLE)
    with pytest.raises(ValueError, match="the double waits for its answer"):
        table.throw(3, 1)


def test_double_that_was_not_offered_is_not_answered():
    for act in (TAKE, DROP, BEAVER):
        with pytest.raises(ValueError, match=f"there is no double to {act.value}"):
            opened().answer(act)


@pytest.mark.parametrize(
    ("acts", "winner", "points"),
    [
        ((DOUBLE, DROP), 1, 1),
        ((DOUBLE, BEAVER, DROP), 0, 2),
    ],
)
def test_drop_costs_the_cube_as_it_was_before_the_last_double(acts, winner, points):
    table = opened(*acts)
    result = table.result
    assert (result.winner, result.kind, result.points) == (winner, 1, points)
    assert result.ending is Ending.DROPPED
    assert table.score[winner] == points
    assert table.next_game().game.state.cube == Cube()


def test_beavers_are_for_money_games_that_allow_them():
    assert BEAVER in opened(DOUBLE).answers
    for table in (
        opened(DOUBLE, money=MoneyRules(beavers=False)),
        opened(DOUBLE, length=7),
    ):
        assert table.answers == (TAKE, DROP)
        with pytest.raises(ValueError, match="a beaver is not allowed here"):
            table.answer(BEAVER)


def test_chain_of_beavers_asks_the_chains_question_of_both_sides():
    table = opened(DOUBLE, BEAVER)
    state = GameState(table.position, Cube(2, CubeOwner.ON_ROLL), money=MoneyRules(beavers=True))
    assert table.question == AnswerDouble(state)
    assert table.game.asked == table.mover
    table.answer(BEAVER)
    assert table.game.asked != table.mover
    assert table.question.state.cube == Cube(4, CubeOwner.ON_ROLL)
    assert table.question.state.money.beavers
    table.answer(BEAVER)
    assert table.game.asked == table.mover
    assert not table.question.state.money.beavers
    table.answer(TAKE)
    assert table.question.state.cube == Cube(16, CubeOwner.OTHER)


@pytest.mark.parametrize(
    ("setting", "acts", "points"),
    [
        (Setting(PEOPLE, cube=True, money=MoneyRules(jacoby=True)), (), 1),
        (Setting(PEOPLE, cube=True, money=MoneyRules(jacoby=False)), (), 2),
        (Setting(PEOPLE, cube=True), (), 2),
        (Setting(PEOPLE, 5, cube=True), (), 2),
        (Setting(PEOPLE, money=MoneyRules(jacoby=True)), (), 2),
        (
            Setting(PEOPLE, cube=True, money=MoneyRules(jacoby=True)),
            (DOUBLE, TAKE),
            4,
        ),
        (Setting(PEOPLE, 9, cube=True), (DOUBLE, TAKE), 4),
    ],
)
def test_points_are_the_cube_times_the_game_and_jacoby_counts_gammons_after_a_double(
    setting, acts, points
):
    table = Table(setting)
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    for act in acts:
        table.answer(act)
    table.resign(2)
    assert (table.result.winner, table.result.kind, table.result.points) == (0, 2, points)


def test_crawford_game_comes_once_in_a_match_with_the_cube():
    table = opened(DOUBLE, DROP, length=3, points=(0, 1))
    assert not table.is_crawford
    crawford = table.next_game()
    assert crawford.points == (0, 2)
    assert crawford.is_crawford
    crawford.throw(3, 1)
    assert crawford.question.state.score == Score(3, 0, 2, is_crawford=True)
    play_first(crawford, "8/5 6/5")
    crawford.resign(1)
    after = crawford.next_game()
    assert after.points == (1, 2)
    assert not after.is_crawford
    after.throw(3, 1)
    play_first(after, "8/5 6/5")
    assert after.double_refusal == "the cube's value is enough to win the match"


def test_without_the_cube_there_is_no_crawford_game():
    table = Table(Setting(PEOPLE, 3), (0, 1))
    table.throw(3, 1)
    table.resign(1)
    assert table.next_game().points == (0, 2)
    assert not table.next_game().is_crawford
    with pytest.raises(ValueError, match="a Crawford game is for matches with the cube"):
        Table(Setting(PEOPLE, 3), (0, 2), is_crawford=True)
    with pytest.raises(ValueError, match="no Crawford game at 0-1 to 3"):
        Table(Setting(PEOPLE, 3, cube=True), (0, 1), is_crawford=True)


def test_undo_does_not_cross_the_cube():
    table = opened(DOUBLE, TAKE)
    with pytest.raises(ValueError, match="nothing to take back since the cube"):
        table.take_back()
    table.throw(6, 4)
    table.turn = table.turn.with_text("24/18")
    assert table.take_back() == "the last leg"
    with pytest.raises(ValueError, match="nothing to take back since the cube"):
        table.take_back()
    for acts in (DOUBLE,), (DOUBLE, DROP):
        with pytest.raises(ValueError, match="nothing to take back since the cube"):
            opened(*acts).take_back()


def test_undo_does_not_cross_a_roll_of_who_could_have_doubled():
    table = opened(ROLL)
    table.throw(6, 4)
    with pytest.raises(ValueError, match="nothing to take back since the roll"):
        table.take_back()
    play_first(table, "24/14")
    assert table.take_back() == "the last turn"
    assert table.turn.roll.high == 6
    with pytest.raises(ValueError, match="nothing to take back since the roll"):
        table.take_back()


def test_undo_of_typed_dice_does_not_cross_the_cube():
    table = opened(DOUBLE, TAKE, dice=Dice.MANUAL)
    table.throw(6, 4)
    assert table.take_back() == "the dice"
    with pytest.raises(ValueError, match="nothing to take back since the cube"):
        table.take_back()
