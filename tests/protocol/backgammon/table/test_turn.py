import pytest
from hypothesis import given, settings

from bot.backgammon.rules.play import Leg, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.turn import Turn, completions, leg_text
from tests.strategies import positions, rolls

THREE_ONE = Turn(START, Roll(3, 1))


def ends_by_legs(turn):
    """Where every way through next_legs comes to an end."""
    found, seen, open_turns = set(), set(), [turn]
    while open_turns:
        here = open_turns.pop()
        key = here.now, here.dice_left
        if key in seen:
            continue
        seen.add(key)
        if here.is_complete:
            found.add(here.now)
        open_turns += [here.with_leg(leg) for leg in here.next_legs]
    return found


@settings(max_examples=60)
@given(position=positions(), roll=rolls())
def test_legs_one_by_one_lead_to_the_legal_plays_and_nowhere_else(position, roll):
    plays = legal_plays(position, roll)
    expected = {play.after for play in plays} or {position}
    assert ends_by_legs(Turn(position, roll)) == expected


@settings(max_examples=60)
@given(position=positions(), roll=rolls())
def test_a_move_is_one_checker_that_goes_where_legs_lead(position, roll):
    turn = Turn(position, roll)
    moves = turn.moves
    assert {(leg.source, leg.target) for leg in turn.next_legs} <= {
        (source, target) for source, targets in moves.items() for target in targets
    }
    for source, targets in moves.items():
        for target, legs in targets.items():
            after = turn.with_move(source, target)
            assert after.legs == legs
            assert (legs[0].source, legs[-1].target) == (source, target)
            assert all(leg in _paths_of(turn, legs[:i]) for i, leg in enumerate(legs))
            assert after.is_complete or after.next_legs


def _paths_of(turn, legs):
    for leg in legs:
        turn = turn.with_leg(leg)
    return turn.next_legs


def test_of_several_ways_a_move_takes_the_fewest_legs_and_the_higher_die_first():
    assert THREE_ONE.moves[8][4] == (Leg(8, 5), Leg(5, 4))
    bearing_off = Turn(Position.of({3: 2}, {24: 2}), Roll(5, 1))
    assert bearing_off.moves[3][0] == (Leg(3, 0),)


def test_checker_goes_off_by_the_lower_die_where_both_would_do():
    bearing_off = Turn(Position.of({3: 2}, {24: 2}), Roll(5, 3))
    assert bearing_off.with_leg(Leg(3, 0)).dice_left == (5,)


def test_a_move_that_cannot_be_made_is_refused_with_the_reason():
    with pytest.raises(ValueError, match=r"^24/20: "):
        Turn(START, Roll(6, 5)).with_move(24, 20)
    assert Turn(START, Roll(6, 5)).with_move(24, 13).is_complete
    assert len(Turn(START, Roll(2, 2)).with_move(13, 5).legs) == 4


@settings(max_examples=60)
@given(position=positions(), roll=rolls())
def test_each_legal_play_is_allowed_until_a_leg_rules_it_out(position, roll):
    turn = Turn(position, roll)
    plays = legal_plays(position, roll)
    assert all(turn.allows(play) for play in plays)
    for leg in turn.next_legs[:3]:
        after = turn.with_leg(leg)
        allowed = {play.after for play in plays if after.allows(play)}
        assert allowed == ends_by_legs(after)


@given(position=positions(), roll=rolls())
def test_a_leg_is_read_back_from_its_text(position, roll):
    turn = Turn(position, roll)
    for leg in turn.next_legs[:4]:
        assert turn.with_text(leg_text(leg, turn)).now == turn.with_leg(leg).now


def test_whole_play_is_read_at_once():
    turn = THREE_ONE.with_text("8/5 6/5")
    assert turn.is_complete
    assert turn.play.after.points[5] == 2
    assert turn.next_legs == ()
    assert turn.dice_left == ()


def test_second_leg_completes_the_first():
    turn = THREE_ONE.with_text("8/5")
    assert turn.legs == (Leg(8, 5),)
    assert not turn.is_complete
    assert turn.dice_left == (1,)
    with pytest.raises(ValueError, match="1 can still be played"):
        _ = turn.play
    assert turn.with_text("6/5").is_complete
    assert turn.without_last_leg() == THREE_ONE


def test_roll_that_cannot_be_played_is_complete_without_legs():
    shut_out = Position.of({25: 1, 7: 14}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
    blocked = Position.of({25: 1, 1: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    assert not Turn(shut_out, Roll(6, 5)).is_complete
    turn = Turn(blocked, Roll(6, 5))
    assert turn.plays == ()
    assert turn.is_complete
    assert turn.play.legs == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7/4", "you have no checker on point 7"),
        ("bar/22", "you have no checker on the bar"),
        ("24/23 24/23", "3 does not make 1"),
        ("24/18", "3-1 does not make 6"),
        ("6/off", "no checker goes off before all are home"),
        ("8/5 8/5", "1 does not make 3"),
        ("", "a play is missing"),
        ("8", "cannot read '8'"),
        ("8/99", "cannot read '8/99'"),
        ("8/5 6/5 24/23", "the roll is played"),
    ],
)
def test_play_that_cannot_be_is_refused_with_the_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        THREE_ONE.with_text(text)


def test_reasons_name_blocks_the_bar_and_higher_checkers():
    with pytest.raises(ValueError, match="the other side holds point 1"):
        Turn(START, Roll(5, 1)).with_text("6/1")
    on_bar = Position((0, *START.points[1:24], 1, 1))
    with pytest.raises(ValueError, match="the checker on the bar has to enter first"):
        Turn(on_bar, Roll(3, 1)).with_text("8/5")
    bearing_off = Position.of({5: 2, 3: 2, 1: 2}, {1: 2})
    with pytest.raises(ValueError, match="a higher checker has to go first"):
        Turn(bearing_off, Roll(4, 2)).with_text("3/off")


def test_leg_that_would_waste_a_die_is_refused():
    # 6 can be played only after 1 has been, from 8 by way of 7.
    position = Position.of({8: 1}, {23: 2, 1: 2})
    turn = Turn(position, Roll(6, 1))
    assert turn.next_legs == (Leg(8, 7),)
    with pytest.raises(ValueError, match="the other side holds point 2"):
        turn.with_text("8/2")


def test_point_passed_in_silence_is_hit_only_if_named():
    position = Position.of({8: 2}, {20: 1, 1: 2})
    roll = Roll(3, 1)
    assert Turn(position, roll).with_text("8/4").now.points[0] == 0
    assert Turn(position, roll).with_text("8/5/4").now.points[0] == -1


def test_completions_are_whole_plays_then_legs():
    found = completions(THREE_ONE, "8/5")
    assert found[0] == "8/5 6/5"
    assert "8/5" in found
    assert "8/5 8/7" in completions(THREE_ONE, "8/5 ")
    after_space = completions(THREE_ONE, "6/5 8")
    assert "6/5 8/5" in after_space
    assert completions(THREE_ONE, "7/") == []
    assert completions(THREE_ONE, "9/9 8") == []


@given(position=positions(), roll=rolls())
def test_every_completion_can_be_typed(position, roll):
    turn = Turn(position, roll)
    for leg in turn.next_legs[:2]:
        for line in completions(turn, str(leg.source))[:5]:
            assert turn.with_text(line).legs
