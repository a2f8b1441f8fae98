"""The workers of a learner by lookahead, and the teacher that they have."""

from contextlib import closing

import numpy as np
import pytest

from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.settings import LearnerName, Settings

pytestmark = pytest.mark.slow  # games that look ahead take minutes uncompiled

TINY = Settings(
    learner=LearnerName.LOOKAHEAD,
    games=36,
    units=(8, 4),
    promote_every=6,
    batch=16,
    window=1000,
    passes=1.0,
)


def test_a_learner_that_goes_back_learns_from_the_teacher_of_then():
    with closing(Lookahead(TINY)) as one, closing(Lookahead(TINY)) as other:
        state = {name: array.copy() for name, array in one.state().items()}
        for _ in range(3):
            one.advance(4)
        for each in (one, other):
            each.restore(state)
            each.advance(4)
        pairs = zip(one.state().values(), other.state().values(), strict=True)
        assert all(np.array_equal(*pair) for pair in pairs)


def test_a_learner_that_was_closed_can_go_on():
    with closing(Lookahead(TINY)) as learner:
        learner.advance(0)
        learner.plays_lost(2)
        learner.close()
        learner.advance(4)
        assert learner.tally.games == 4
