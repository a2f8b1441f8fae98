import pytest

from bot.backgammon.decision import ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.match import Score
from bot.backgammon.position import START, turned
from protocol.backgammon.table import Dice, Result, Setting, Table
from tests.tables import bearing_off_table, play_first

PEOPLE = ("human", "human")


def test_higher_opening_die_begins_and_a_tie_is_thrown_again():
    table = Table(Setting(PEOPLE))
    with pytest.raises(ValueError, match="4-4 is a tie"):
        table.throw(4, 4)
    assert table.on_roll is None
    table.throw(2, 5)
    assert table.on_roll == 1
    assert table.turn.roll.high == 5


def test_players_take_turns_and_see_the_board_from_their_side():
    table = Table(Setting(PEOPLE))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    assert table.mover == 1
    assert table.turn is None
    assert turned(table.position).points[5] == 2
    with pytest.raises(ValueError, match="no roll to play"):
        table.finish_turn(table.turns[0].play)


def test_dice_depend_on_the_seed_and_the_turn_alone():
    one, two = (Table(Setting(PEOPLE, seed=3)) for _ in range(2))
    assert one.thrown_dice() == two.thrown_dice()
    assert one.thrown_dice() == one.thrown_dice()
    thrown = {Table(Setting(PEOPLE, seed=seed)).thrown_dice() for seed in range(30)}
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
    assert table.turns == []
    assert table.mover == 0
    assert (table.turn.roll.high, table.turn.roll.low) == (3, 1)
    assert table.position == START


def test_undo_of_typed_dice_asks_for_them_again():
    table = Table(Setting(("human", "pubeval"), dice=Dice.MANUAL))
    table.throw(3, 1)
    assert table.take_back() == "the dice"
    assert table.on_roll is None
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    play_first(table, "24/14")
    assert table.take_back() == "the last turn"
    assert table.mover == 1
    assert table.turn is None
    assert table.take_back() == "the last turn"
    assert table.on_roll is None
    with pytest.raises(ValueError, match="nothing to take back"):
        table.take_back()


def test_last_checker_off_ends_the_game_and_the_points_are_added():
    table = bearing_off_table(Setting(PEOPLE, length=5), (1, 3))
    assert table.result == Result(0, 2)
    assert table.score == (3, 3)
    following = table.next_game()
    assert following.points == (3, 3)
    assert following.game == table.game + 1
    assert following.on_roll is None


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
    table.resign(2)
    assert table.result == Result(0, 2)
    assert table.score == (2, 0)
    assert table.take_back() == "the resignation"
    assert table.result is None
    assert table.turn.roll.high == 3


def test_new_match_forgets_the_score():
    table = Table(Setting(PEOPLE, length=7), (4, 2), game=3).new_match()
    assert (table.points, table.game) == ((0, 0), 4)


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
