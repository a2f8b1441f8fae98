"""The client of bgammon.org, against a fake made from its text."""

import json
from pathlib import Path

import pytest

from bot.backgammon.rules.decision import AnswerDouble, DoubleAnswer
from bot.backgammon.rules.game import Ending
from protocol.backgammon.adapters.bgammon_client import BgammonClient
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.servers.board_drops import points_of_drop
from protocol.backgammon.servers.match_store import MatchStore
from protocol.backgammon.servers.player import Account, Player, RefusedLoginError
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import MAX_REFUSALS, ServerError
from protocol.backgammon.servers.staying import stay
from tests.fakes.bgammon_server import PASSWORD, RIVAL, FakeBgammon
from tests.fakes.cube_player import CubePlayer
from tests.fakes.fibs_board import ME
from tests.fakes.restless_player import RestlessPlayer


def stayed(fake, folder, matches=2, policy=None, decider=None):
    """The store after so many matches."""
    store = MatchStore(folder)
    policy = policy or Policy(delay=0.5, offer=3, most_dropped=0)
    decider = decider or RestlessPlayer()
    player = Player(Account("fake", ME, PASSWORD), decider, policy, store, fake.clock)

    def is_stopping():
        assert fake.clock.now < 1e5, fake.heard[-10:]
        return len(fake.finished) >= matches

    stay(
        fake.connect,
        lambda send: BgammonClient(player, send),
        is_stopping,
        clock=fake.clock,
        sleep=fake.clock.sleep,
    )
    return store


@pytest.mark.parametrize("length", [1, 3])
def test_whole_matches_are_played_and_recorded(tmp_path, length):
    fake = FakeBgammon(seed=length)
    policy = Policy(delay=0.5, offer=length, greeting="Good luck!")
    played = stayed(fake, tmp_path, policy=policy).matches()
    assert [(each.points, each.other_points) for each in played] == fake.finished
    assert {(each.opponent, each.length, each.gaps) for each in played} == {(RIVAL, length, 0)}
    assert {Path(each.file).suffix for each in played} == {".mat"}
    assert fake.refusals == 0
    assert fake.heard[-1] == "disconnect"
    assert fake.heard[0] == f"loginjson blot/en {ME} ********"
    assert fake.heard.count(f"say {policy.answer}") == 1
    assert fake.heard.count("say Good luck!") == 1
    for each in played:
        match = read_match(tmp_path / each.file).whole
        assert match.games[-1].points_after == (each.points, each.other_points)
        assert match.occasion.place == "bgammon fake"  # which tells what drops cost there


def test_a_double_is_taken_where_a_drop_would_cost_more(tmp_path):
    fake, decider = FakeBgammon(seed=1), CubePlayer(answer=DoubleAnswer.DROP)
    stayed(fake, tmp_path, matches=5, decider=decider)
    doubles = [each for each in decider.asked if isinstance(each, AnswerDouble)]
    dear = [each for each in doubles if points_of_drop(each.state.position) > 1]
    assert len(dear) > 2
    assert "resign" not in fake.heard


def test_our_name_is_what_the_server_makes_of_it(tmp_path):
    """Letters become small there, but for BOT_ at the beginning."""
    fake = FakeBgammon(seed=2, name=ME.upper())
    played = stayed(fake, tmp_path).matches()
    assert {each.gaps for each in played} == {0}
    for each, points in zip(played, fake.finished, strict=True):
        assert read_match(tmp_path / each.file).whole.games[-1].points_after == points


def test_pings_are_answered(tmp_path):
    fake = FakeBgammon(seed=3)
    stayed(fake, tmp_path, matches=1)
    assert "pong 1234" in fake.heard


def test_lost_connections_are_made_anew_and_the_match_goes_on(tmp_path):
    fake = FakeBgammon(seed=2, resets=True)
    played = stayed(fake, tmp_path, matches=1).matches()
    assert fake.connections > 1
    assert len(played) == len(fake.finished) == 1
    assert read_match(tmp_path / played[0].file).whole.occasion.place == "bgammon fake"


def played_until(fake, client, is_enough):
    """Let the client play until it is enough."""
    while not is_enough():
        assert fake.clock.now < 1e5, fake.heard[-10:]
        line = fake.read(0.5)
        if line is not None:
            client.receive(line)
        client.act()


def client_of(fake, folder, policy=None):
    """A player, and a client of theirs."""
    policy = policy or Policy(delay=0.5, offer=3, most_dropped=0)
    account = Account("fake", ME, PASSWORD)
    player = Player(account, RestlessPlayer(), policy, MatchStore(folder), fake.clock)
    return player, BgammonClient(player, fake.connect().send)


def in_a_match(fake, folder):
    """A player, and a client of theirs in the first game of a match."""
    player, client = client_of(fake, folder)
    played_until(fake, client, lambda: client.seat and client.seat.match.record().games)
    return player, client


def test_a_game_whose_end_got_lost_with_the_connection_has_ended(tmp_path):
    fake = FakeBgammon(seed=3)
    player, client = in_a_match(fake, tmp_path)
    fake.result = fake.game.won(0, 1, Ending.RESIGNED)
    fake._over()
    client.lost()
    client = BgammonClient(player, fake.connect().send)
    played_until(fake, client, lambda: fake.finished and client.seat is None)
    assert fake.refusals == 0
    (played,) = player.store.matches()
    assert (played.points, played.other_points) == fake.finished[0]
    assert [game.points for game in read_match(tmp_path / played.file).whole.games][:2] == [
        (0, 0),
        (1, 0),
    ]


def test_a_match_whose_connection_is_lost_before_its_first_roll_is_no_other_one(tmp_path):
    fake = FakeBgammon(seed=3)
    player, client = client_of(fake, tmp_path)
    played_until(fake, client, lambda: client.seat)
    client.lost()
    client = BgammonClient(player, fake.connect().send)
    played_until(fake, client, lambda: fake.finished and client.seat is None)
    assert len(player.store.matches()) == 1


def test_who_leaves_and_does_not_come_back_has_left(tmp_path):
    """The server ends the match then before we would: it puts us out."""
    fake = FakeBgammon(seed=3)
    player, client = in_a_match(fake, tmp_path)
    client.receive(json.dumps({"Type": "left", "Player": RIVAL}))
    assert player.store.departures("fake", RIVAL) == 0
    client.receive(json.dumps({"Type": "left", "Player": ME}))
    assert player.store.departures("fake", RIVAL) == 1


def test_who_plays_us_has_not_left_if_we_go_because_our_answers_are_refused(tmp_path):
    fake = FakeBgammon(seed=3)
    player, client = in_a_match(fake, tmp_path)
    played_until(fake, client, lambda: client.seat.has_answered)
    client._send = fake.heard.append  # and nothing is obeyed
    for _ in range(MAX_REFUSALS):
        client.receive(json.dumps({"Type": "failedmove"}))
        if client.seat is not None:
            client.seat.look(is_prompted=True)
        fake.clock.now += 1
        client.act()
    assert client.seat is None
    assert fake.heard[-1] == "leave"
    assert player.store.departures("fake", RIVAL) == 0


def test_a_name_that_the_server_takes_to_be_there_still_is_no_refusal(tmp_path):
    """It sees after a while only that a connection is lost, and we come back sooner."""
    _, client = client_of(FakeBgammon(), tmp_path)
    said = "Connection terminated: That username is already in use."
    with pytest.raises(ServerError, match="already in use") as raised:
        client.receive(json.dumps({"Type": "notice", "Message": said}))
    assert not isinstance(raised.value, RefusedLoginError)


def test_a_match_that_was_left_is_over_once_another_is_made(tmp_path):
    """Nothing is saved there: whoever leaves ends the match, and nobody tells who won."""
    fake = FakeBgammon(seed=3)
    player, client = in_a_match(fake, tmp_path)
    store = player.store
    client.lost()
    assert store.matches() == []
    client = BgammonClient(player, fake.connect().send)
    client.receive('{"Type": "welcome"}')
    fake.clock.now += 5
    client.act()
    (played,) = store.matches()
    assert (played.opponent, played.length, played.is_won) == (RIVAL, 3, None)
    assert store.unfinished("fake", ME) == []


def test_a_match_that_could_not_be_made_is_made_later(tmp_path):
    fake = FakeBgammon()
    _, client = client_of(fake, tmp_path)
    client.receive("hello")
    for kind, seconds in (("welcome", 5), ("failedcreate", 61)):
        client.receive(json.dumps({"Type": kind}))
        fake.clock.now += seconds
        client.act()
    assert fake.heard[1:] == ["create public 3 0"] * 2


def test_a_refused_login_is_tried_three_times(tmp_path):
    fake = FakeBgammon(refuses_login=True)
    with pytest.raises(RefusedLoginError, match="No account was found"):
        stayed(fake, tmp_path)
    assert fake.connections == 3


@pytest.mark.parametrize(
    ("words", "said"), [({}, 1), ({"decline": ""}, 0)], ids=["told", "without a word"]
)
def test_who_may_not_play_is_told_and_left(tmp_path, words, said):
    fake = FakeBgammon()
    _, client = client_of(fake, tmp_path, Policy(delay=0.5, refuse=frozenset({RIVAL}), **words))
    played_until(fake, client, lambda: "leave" in fake.heard)
    assert sum(line.startswith("say ") and "keeper" in line for line in fake.heard) == said
    assert not any(line.endswith("None") for line in fake.heard)


def test_silence_is_given_up(tmp_path):
    fake = FakeBgammon()
    _, client = client_of(fake, tmp_path)
    client.receive("hello")
    client.receive('{"Type": "welcome"}')
    fake.clock.now += 200
    with pytest.raises(ServerError, match="silent"):
        client.act()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        '{"Type": 3}',
        '{"Type": "board"}',
        '{"Type": "board", "Player1": {}, "Player2": {}, "Board": [1]}',
        '{"Type": "rolled", "Roll1": "x"}',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_left(tmp_path, line):
    _, client = client_of(FakeBgammon(), tmp_path)
    client.receive('{"Type": "welcome"}')
    client.receive(line)
    assert client.is_in
