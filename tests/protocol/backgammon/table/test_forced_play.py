from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.forced_play import forced_play
from protocol.backgammon.table.turn import Turn

OTHERS = {1: 2}


def forced(own, roll, other=OTHERS):
    turn = Turn(Position.of(own, other), Roll(*roll))
    return forced_play(turn)


def test_a_choice_is_not_made_for_anybody():
    assert forced_play(Turn(START, Roll(3, 1))) is None
    assert forced({6: 1, 3: 2}, (5, 4)) is None


def test_the_only_play_is_forced():
    play = forced({2: 1}, (2, 1))
    assert play.after.checkers == 0


def test_a_roll_without_a_play_is_none():
    assert forced({25: 1, 6: 3}, (6, 6), {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}) is None


def test_two_checkers_that_both_dice_take_off_go_off():
    assert forced({6: 3, 5: 3, 1: 2}, (6, 5)).after.checkers == 6
    assert forced({6: 3, 1: 4}, (1, 1)).after.checkers == 3
    assert forced({3: 1, 1: 1}, (6, 6)).after.checkers == 0


def test_what_takes_off_less_than_each_die_could_is_a_choice():
    assert forced({7: 1, 6: 3, 1: 4}, (6, 1)) is None
    assert forced({8: 1, 3: 1}, (4, 4)).after.checkers == 0


def test_a_bear_off_that_may_be_hit_is_asked_for():
    assert forced({6: 3, 5: 3, 1: 2}, (6, 5), {25: 1, 1: 2}) is None
