"""Phases of the game."""

import numpy as np
import pytest

from bot.backgammon.kernels.phases import PHASES, fill_phases
from bot.backgammon.rules.position import START, Position
from tests.plain.games import plain_turned, scattered_turns
from tests.plain.phases import CRASHED, RACE, plain_phase


def phases_of(boards):
    phases = np.empty(len(boards), np.int64)
    fill_phases(np.array(boards, np.int8), phases)
    return phases.tolist()


@pytest.mark.parametrize(
    ("own", "other", "phase"),
    [
        ({6: 10, 5: 5}, {6: 10, 5: 5}, RACE),
        ({6: 7, 5: 7, 4: 1}, {24: 1, 6: 7, 5: 7}, 2),
        ({6: 7, 4: 8}, {20: 2, 6: 7, 5: 6}, 3),
        ({24: 1, 6: 7, 5: 7}, {13: 5, 6: 10}, 1),
        ({24: 2, 6: 7, 5: 6}, {13: 5, 6: 10}, 4),
        ({25: 1, 24: 1, 6: 7, 5: 6}, {25: 1, 6: 10, 5: 4}, 5),
        ({24: 2, 6: 7, 5: 6}, {24: 2, 6: 7, 5: 6}, 6),
        ({24: 2, 6: 5, 1: 4, 2: 4}, {22: 2, 6: 7, 5: 6}, 6),
        ({24: 2, 6: 3, 1: 5, 2: 5}, {22: 2, 6: 7, 5: 6}, CRASHED),
        ({22: 2, 6: 7, 5: 6}, {24: 2, 6: 3, 1: 5, 2: 5}, CRASHED),
        ({6: 9}, {25: 1, 6: 7, 5: 7}, CRASHED),
    ],
)
def test_phase_goes_by_contact_by_live_checkers_and_by_those_back(own, other, phase):
    assert phases_of([Position.of(own, other).points]) == [phase]


def test_phases_are_those_of_the_plain_rule():
    boards = [START.points, *(board for board, _ in scattered_turns(2000, 4))]
    boards += [plain_turned(board) for board in boards]
    expected = [plain_phase(board) for board in boards]
    assert phases_of(boards) == expected
    assert set(expected) == set(range(PHASES))
