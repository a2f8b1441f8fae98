from bot.estimate import Estimate
from bot.lab.findings import percent_curve


def test_a_share_of_unknown_error_is_drawn_without_one():
    curve = percent_curve("games won", [1, 2], [Estimate(0.5, 0.25), Estimate(1.0, None)])
    assert (curve.values, curve.errors) == ([50.0, 100.0], [25.0, None])
