import math

import pytest

from bot.draughts.rules.decision import Clock, Limits


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        (Clock(31), 1),
        (Clock(31, 2), 3),
        (Clock(31, moves=100), 1),
        (Clock(31, moves=1), 15.5),
        (Clock(0), 0.001),
    ],
)
def test_clock_is_shared_among_the_moves_to_come_and_one_more(clock, seconds):
    assert clock.share == pytest.approx(seconds)


@pytest.mark.parametrize("seconds", [math.nan, math.inf])
def test_time_without_end_is_refused(seconds):
    # the search would never be over
    with pytest.raises(ValueError, match=f"a clock has no {seconds} seconds"):
        Clock(seconds)
    with pytest.raises(ValueError, match=f"and {seconds} more"):
        Clock(1, seconds)
    with pytest.raises(ValueError, match=f"more than 0 seconds, not {seconds}"):
        Limits(seconds=seconds)


def test_seconds_of_a_move_are_those_told_or_the_clocks():
    clock = Clock(600.0, moves=9)
    assert Limits().move_seconds is None
    assert Limits(seconds=2.5).move_seconds == 2.5
    assert Limits(clock=clock).move_seconds == clock.share
