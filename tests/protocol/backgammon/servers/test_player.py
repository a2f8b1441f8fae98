import sqlite3

import pytest

from protocol.backgammon.servers.followed_match import FollowedMatch
from protocol.backgammon.servers.match_store import MatchStore, StoreError
from protocol.backgammon.servers.player import KEEP_SECONDS, Account, Player, ServerClient
from protocol.backgammon.servers.policy import Policy
from tests.fakes.fibs_board import Clock
from tests.fakes.restless_player import RestlessPlayer


def test_match_that_ends_on_a_full_disk_is_written_once_there_is_room(tmp_path, monkeypatch):
    store, heard = MatchStore(tmp_path), []
    account = Account("fake", "blot", "secret99")
    player = Player(
        account, RestlessPlayer(), Policy(), store, finished=lambda: heard.append("finished")
    )
    match = FollowedMatch(("blot", "Bob"), 3)
    player.keep(match, (1500.0, 1600.0))

    def full(*where, **how):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as context:
        context.setattr(sqlite3, "connect", full)
        for _ in range(2):
            with pytest.raises(StoreError, match="disk is full"):
                player.finish(match, (3, 1), (1500.0, 1600.0))
        with pytest.raises(StoreError, match="disk is full"):
            player.unfinished()
    assert (len(player.unfinished()), heard) == (0, ["finished"] * 2)
    assert [line.points for line in store.matches()] == [3, 3]
    player.rate(1510.0, is_playing=False)
    assert [line.rating_after for line in store.matches()] == [None, 1510.0]


class Idle(ServerClient):
    """A login that hears and does nothing."""

    def receive(self, line):
        pass

    def _do(self, task):
        pass

    def stop(self):
        pass


def test_match_is_kept_the_more_seldom_the_longer_that_takes(tmp_path, monkeypatch):
    clock = Clock()
    account = Account("fake", "blot", "secret99")
    player = Player(account, RestlessPlayer(), Policy(), MatchStore(tmp_path), clock)
    client = Idle(player, lambda line, told=None: None)
    client.sit_down("Bob", 3, is_resumed=False)
    client.keep()
    assert client.agenda.seconds == KEEP_SECONDS
    client.seat.match.begin_game()
    monkeypatch.setattr(player, "keep", lambda match, ratings: clock.sleep(1.0))
    client.keep()
    assert client.agenda.seconds == pytest.approx(50.0)
