import pytest

from protocol.backgammon.servers.match_store import StoreError
from protocol.backgammon.servers.player import RefusedLoginError
from protocol.backgammon.servers.seat import ServerError
from protocol.backgammon.servers.staying import LONGEST_PAUSE, converse, stay
from tests.fakes.fibs_board import Clock


class Stream:
    def __init__(self, client):
        self.client = client

    def send(self, line, told=None):
        pass

    def read(self, seconds):
        self.client.clock.sleep(seconds)
        return

    def close(self):
        self.client.closed += 1


class Client:
    """A client that fails as often as it is told, and then stays until it is to stop."""

    prompts, longest = (), 100

    def __init__(self, errors, clock, lasts=0.0):
        self.errors, self.clock, self.lasts = list(errors), clock, lasts
        self.moments, self.closed, self.lost_times = [], 0, 0
        self.is_done = False
        self.agenda = self

    seconds = 0.1

    def act(self):
        if self.errors:
            self.clock.now += self.lasts
            raise self.errors.pop(0)

    def stop(self):
        self.is_done = True

    def lost(self):
        self.lost_times += 1


def stayed(client, stops_at=1e5):
    clock = client.clock

    def connect():
        client.moments.append(round(clock.now))
        return Stream(client)

    def is_stopping():
        return clock.now > stops_at or (not client.errors and len(client.moments) > 0)

    stay(connect, lambda send: client, is_stopping, clock=clock, sleep=clock.sleep)
    return [
        after - before for before, after in zip(client.moments, client.moments[1:], strict=False)
    ]


def test_pauses_rise_up_to_the_longest():
    client = Client([ServerError("gone")] * 12, Clock())
    pauses = stayed(client)
    assert pauses[:5] == pytest.approx([5, 10, 20, 40, 80], abs=2)
    assert pauses[-1] == pytest.approx(LONGEST_PAUSE, abs=2)
    assert client.closed == client.lost_times == len(client.moments)


def test_player_comes_back_where_matches_cannot_be_kept():
    client = Client([StoreError("cannot use the folder: the disk is full")] * 3, Clock())
    assert stayed(client) == pytest.approx([5, 10], abs=2)


def test_pauses_begin_anew_after_a_long_stay():
    client = Client([ServerError("gone")] * 5, Clock(), lasts=1000.0)
    assert max(pause - 1000 for pause in stayed(client)) < 20


def test_refused_logins_end_it():
    client = Client([RefusedLoginError("no")] * 9, Clock())
    with pytest.raises(RefusedLoginError):
        stayed(client)
    assert len(client.moments) == 3


def test_a_stop_ends_the_pause():
    client = Client([ServerError("gone")] * 99, Clock())
    stayed(client, stops_at=30)
    assert len(client.moments) <= 4


def test_client_that_is_to_stop_says_goodbye_once_and_stays_until_it_is_done():
    class Leaving(Client):
        goodbyes = acts = 0

        def stop(self):
            self.goodbyes += 1

        def act(self):
            self.acts += 1
            self.is_done = self.acts == 5

    client = Leaving([], Clock())
    converse(lambda: Stream(client), lambda send: client, lambda: client.acts >= 2)
    assert (client.goodbyes, client.acts, client.closed, client.lost_times) == (1, 5, 1, 1)


def test_logins_refused_now_and_then_do_not_end_it():
    refused, gone = RefusedLoginError("no"), ServerError("gone")
    client = Client([refused, refused, gone, refused, refused], Clock())
    stayed(client)
    assert len(client.moments) == 5
