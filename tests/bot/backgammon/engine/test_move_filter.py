"""Which plays are looked at deeper."""

import pytest

from bot.backgammon.engine.move_filter import FILTERS, MoveFilter, leads_at
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.rules.position import Position


def test_profiles_let_ever_more_through():
    for number in range(2):
        each = [filters[number] for filters in FILTERS.values()]
        assert [it.most for it in each] == sorted(it.most for it in each)
        assert [it.margin for it in each] == sorted({it.margin for it in each})
    assert SearchSettings().filters == FILTERS["normal"]


def test_widened_filter_lets_so_many_times_as_many_plays_through_so_far_behind():
    assert MoveFilter(2, 3, 0.04).widened(4) == MoveFilter(2, 12, 0.16)


@pytest.mark.parametrize(
    ("own", "other", "plies"),
    [
        ({4: 4, 5: 4}, {25: 2}, [2]),
        ({4: 4, 5: 4}, {25: 3}, [0, 2]),
        ({4: 4, 5: 4}, {6: 2}, [0, 2]),
    ],
    ids=["late contact", "a checker more", "race"],
)
def test_no_lead_is_enough_in_a_late_contact_without_looking_ahead(own, other, plies):
    assert list(leads_at(Position.of(own, other).board, FILTERS["normal"])) == plies


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"plies": 3}, "after 0 to 2 plies, not 3"),
        ({"most": 0}, "at least one play through, not 0"),
        ({"margin": -0.1}, "0 points or more, not -0.1"),
        ({"margin": float("nan")}, "0 points or more, not nan"),
        ({"margin": float("inf")}, "0 points or more, not inf"),
    ],
)
def test_filter_that_stands_nowhere_or_lets_nothing_through_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        MoveFilter(**wrong)
