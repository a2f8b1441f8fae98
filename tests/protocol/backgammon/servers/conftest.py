import pytest

from protocol.backgammon.servers.agenda import Agenda
from protocol.backgammon.servers.followed_match import FollowedMatch
from tests.fakes.fibs_board import Clock


@pytest.fixture
def match():
    """A match to 3 in which we have the opening roll to play, 6-1."""
    followed = FollowedMatch(("blot", "bob"), 3)
    followed.begin_game()
    followed.opened(6, 1)
    return followed


@pytest.fixture
def clock():
    """The agenda's clock, which goes on when it is told to."""
    return Clock()


@pytest.fixture
def agenda(clock):
    return Agenda(clock)
