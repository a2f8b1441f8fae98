import numpy as np

from bot.backgammon.engine.spread import Spread
from protocol.backgammon.reports.spread import TITLE, spread_lines, spread_values

HALVES = np.array([-1.0, 1.0])
THIRDS = np.array([-1.5, 0.1, 0.4])


def test_shares_of_the_equities_stand_below_their_lower_edges():
    lines = spread_lines("24/18 13/11", [Spread(1, HALVES), Spread(2, THIRDS)])
    assert lines == [
        "24/18 13/11        mean  st.dev.  -1.5 -1.0 -0.5 +0.0 +0.5 +1.0 +1.5",
        "  1 roll         +0.000    1.000        0   50    0    0    0   50",
        "  2 rolls        -0.333    0.834       33    0    0   67    0    0",
    ]
    assert max(map(len, [TITLE, *lines])) <= 80


def test_programs_get_every_share_between_the_edges():
    values = spread_values([Spread(1, HALVES), Spread(2, THIRDS)])
    assert values["edges"][0] == -1.5
    assert len(values["edges"]) == 13
    one, other = values["rolls"]
    assert one["shares"] == [0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.5, 0]
    assert (other["rolls"], other["mean"], other["deviation"]) == (2, -0.33333, 0.834)
    assert other["shares"] == [0.33333, 0, 0, 0, 0, 0, 0.33333, 0.33333, 0, 0, 0, 0]
