import pytest

from bot.draughts.rules.decision import Clock


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
