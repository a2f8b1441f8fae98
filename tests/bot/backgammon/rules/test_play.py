import pytest
from hypothesis import given

from bot.backgammon.arena.baselines import PubevalPlayer, RandomPlayer
from bot.backgammon.kernels.plays import MAX_PLAYS
from bot.backgammon.rules.play import Leg, RollWorkspace, boards_after, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.games import choice_of, scattered_turns, turns_of_games
from tests.plain.plays import plain_boards_after, plain_replay
from tests.strategies import positions, rolls

FROM_EACH_SOURCE = 300


def _legs(position, roll):
    """The legs of each legal play, as pairs of points."""
    return {
        tuple((leg.source, leg.target) for leg in play.legs) for play in legal_plays(position, roll)
    }


def test_checker_on_the_bar_enters_before_any_other_play():
    plays = _legs(Position.of({25: 1, 13: 2}, {3: 2}), Roll(5, 3))
    assert plays == {((25, 20), (20, 17)), ((25, 20), (13, 10))}


def test_two_checkers_on_the_bar_take_both_dice():
    assert _legs(Position.of({25: 2, 13: 2}, {24: 2}), Roll(5, 3)) == {((25, 20), (25, 22))}


def test_second_checker_on_the_bar_that_cannot_enter_ends_the_play():
    assert _legs(Position.of({25: 2, 13: 2}, {3: 2}), Roll(5, 3)) == {((25, 20),)}


def test_nothing_can_be_played_against_a_closed_board():
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    assert all(legal_plays(closed, roll) == () for roll in ROLLS)


def test_both_dice_are_played_if_any_order_allows_it():
    # The 5 from 9 would leave no 6, so the 6 has to come first and the 5 after it.
    position = Position.of({20: 1, 9: 1}, {10: 2, 22: 2})
    assert _legs(position, Roll(6, 5)) == {((20, 14), (14, 9)), ((20, 14), (9, 4))}


def test_higher_die_is_played_when_only_one_can_be():
    position = Position.of({20: 1}, {13: 2})
    assert _legs(position, Roll(5, 3)) == {((20, 15),)}


def test_lower_die_is_played_when_the_higher_cannot_be():
    position = Position.of({20: 1}, {10: 2, 13: 2})
    assert _legs(position, Roll(5, 3)) == {((20, 17),)}


def test_double_moves_four_legs():
    assert _legs(Position.of({24: 1}, {24: 2}), Roll(2, 2)) == {
        ((24, 22), (22, 20), (20, 18), (18, 16))
    }


def test_double_moves_as_many_legs_as_it_can():
    assert _legs(Position.of({24: 1}, {9: 2}), Roll(2, 2)) == {((24, 22), (22, 20), (20, 18))}


def test_no_checker_goes_off_while_one_is_outside_the_home():
    assert _legs(Position.of({12: 1, 1: 1}, {1: 2}), Roll(4, 1)) == {
        ((12, 8), (8, 7)),
    }


def test_last_checker_home_lets_the_next_leg_go_off():
    assert ((7, 6), (5, 0)) in _legs(Position.of({7: 1, 5: 1}, {1: 2}), Roll(5, 1))


def test_larger_die_takes_off_the_rearmost_checker_only():
    assert _legs(Position.of({4: 1, 3: 1, 2: 1}, {1: 2}), Roll(6, 5)) == {((4, 0), (3, 0))}


def test_last_checker_uses_both_dice_if_it_can():
    (play,) = legal_plays(Position.of({2: 1}, {24: 1}), Roll(5, 1))
    assert play.legs == (Leg(2, 1), Leg(1, 0))
    assert play.after.points[0] == -1


def test_blot_is_hit_and_goes_to_the_bar():
    plays = legal_plays(Position.of({8: 1}, {20: 1, 22: 2, 21: 2, 23: 2}), Roll(4, 3))
    assert [play.after for play in plays] == [Position.of({1: 1}, {25: 1, 22: 2, 21: 2, 23: 2})]
    assert plays[0].legs == (Leg(8, 5), Leg(5, 1))


def test_same_board_by_another_order_comes_once():
    plays = legal_plays(Position.of({24: 1}, {24: 2}), Roll(2, 1))
    assert [play.after.points[21] for play in plays] == [1]


def test_sixes_from_the_start_have_eleven_plays():
    # Four legs out of at most two from 24, four from 13 and three from 8: 4 + 4 + 3 ways.
    assert len(legal_plays(START, Roll(6, 6))) == 11


def test_most_plays_of_a_double_fit_into_the_room_for_them():
    position = Position.of(dict.fromkeys(range(10, 25), 1), {24: 1})
    plays = len(legal_plays(position, Roll(1, 1)))
    assert plays == len(plain_boards_after(position.points, 1, 1))
    assert 1000 < plays <= MAX_PLAYS


@given(position=positions(), roll=rolls())
def test_plays_agree_with_plain_plays_and_can_be_replayed_leg_by_leg(position, roll):
    plays = legal_plays(position, roll)
    boards = [play.after.points for play in plays]
    assert len(set(boards)) == len(boards)
    assert set(boards) == plain_boards_after(position.points, roll.high, roll.low)
    for play in plays:
        legs = [(leg.source, leg.target) for leg in play.legs]
        assert plain_replay(position.points, roll.high, roll.low, legs) == play.after.points


@given(position=positions(), roll=rolls())
def test_generator_leaves_the_board_alone(position, roll):
    board = position.board
    boards_after(board, roll, RollWorkspace())
    assert Position.of_board(board) == position


@pytest.mark.parametrize("source", ["random", "pubeval", "gnubg", "scattered"])
def test_plays_are_those_of_gnubg_nn_and_bgsage(source):
    judges = pytest.importorskip("tests.plain.judges", reason="judges exist for Linux on x86-64")
    from tests.plain.agreement import checked_plays

    choices = {
        "random": choice_of(RandomPlayer(3)),
        "pubeval": choice_of(PubevalPlayer()),
        "gnubg": judges.gnubg_choice,
    }
    if source == "scattered":
        turns = scattered_turns(FROM_EACH_SOURCE, seed=3)
    else:
        turns = turns_of_games(choices[source], FROM_EACH_SOURCE, seed=3)
    workspace = RollWorkspace()
    assert sum(checked_plays(turn, workspace) for turn in turns) > 10 * FROM_EACH_SOURCE


@pytest.mark.parametrize(("source", "target"), [(6, 6), (5, 8), (26, 24), (13, 6), (3, -1)])
def test_leg_that_is_no_move_of_one_die_is_refused(source, target):
    with pytest.raises(ValueError, match=f"no leg of one die: {source}/{target}"):
        Leg(source, target)
