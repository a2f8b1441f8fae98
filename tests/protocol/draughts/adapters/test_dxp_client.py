import itertools
import socket
import threading

import pytest

from bot.draughts.rules.decision import Clock, Limits
from bot.draughts.rules.game import Ending, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import INTERNATIONAL, Side
from protocol.draughts.adapters.dxp import GameEnd
from protocol.draughts.adapters.dxp_client import (
    DxpClient,
    DxpError,
    DxpSeconds,
    awaited_peer,
    dxp_line,
)
from protocol.draughts.formats.fen import parse_fen
from protocol.errors import WireError
from protocol.wire import ClientError, address_of, tcp_listener
from tests.fakes.draughts_player import FirstMove, RandomMove, Scripted
from tests.fakes.dxp_peer import Peer, line_pair

ACCEPT = f"A{'Peer':32}0"
REQUEST = f"R01{'Peer':32}Z005000A"
QUICK = {"seconds": DxpSeconds(answer=0.2, grace=0.2)}


def followed(client, seconds):
    """The game that the other side asks for, None if it asks for no more or goes."""
    request = client.agreed_request(seconds)
    return None if request is None else client.play(request)


def client(peer, **more):
    return DxpClient(peer.line, more.pop("player", None) or FirstMove(), **more)


def test_two_of_us_play_a_game_to_its_end_and_agree():
    ours, theirs = line_pair()
    games = []
    follower = DxpClient(theirs, RandomMove(2), name="Follower")
    thread = threading.Thread(target=lambda: games.append(followed(follower, 20.0)), daemon=True)
    thread.start()
    invited = DxpClient(ours, RandomMove(1)).invite(Side.WHITE, minutes=5, moves=0)
    thread.join(20.0)
    (other,) = games
    assert len(invited.moves) > 20
    assert (invited.moves, invited.result) == (other.moves, other.result)
    assert (invited.side, other.side) == (Side.WHITE, Side.BLACK)
    assert (invited.other, other.other) == ("Follower", "Blot")
    assert invited.result is not None
    assert invited.is_last


def test_the_other_side_says_that_it_has_lost_and_is_answered():
    start = parse_fen("W:W32:B28", INTERNATIONAL)
    with Peer([ACCEPT], ["E10"]) as peer:
        played = client(peer).invite(Side.WHITE, minutes=1, start=start)
    request, *rest = peer.heard
    assert request == f"R01{'Blot':32}Z001000BW{'e' * 27}z{'e' * 3}w{'e' * 18}"
    assert rest == ["M000032230128", "E01"]
    assert played.result == Result(Side.WHITE, Ending.NO_MOVE)


def test_we_say_that_we_have_lost():
    start = parse_fen("B:W28:B23", INTERNATIONAL)
    with Peer([ACCEPT, "Chello", "M000023320128"], ["E00"]) as peer:
        played = client(peer).invite(Side.WHITE, minutes=5, start=start, is_last=False)
    assert peer.heard[1:] == ["E10"]
    assert played.result == Result(Side.BLACK, Ending.NO_MOVE)
    assert not played.is_last


def test_we_say_it_if_the_other_side_does_not():
    start = parse_fen("W:W32:B28", INTERNATIONAL)
    with Peer([ACCEPT], []) as peer:
        played = client(peer, **QUICK).invite(Side.WHITE, minutes=1, start=start)
    assert peer.heard[2:] == ["E31"]
    assert played.result == Result(Side.WHITE, Ending.NO_MOVE)
    assert (played.told, played.is_last) == (None, True)


def test_an_end_is_answered_with_an_end():
    with Peer([ACCEPT], ["E10"]) as peer:
        played = client(peer).invite(Side.WHITE, minutes=5, is_last=False)
    assert peer.heard[-1] == "E00"
    assert played.result == Result(Side.WHITE, Ending.RESIGNED)
    assert (played.told, played.is_last) == (GameEnd(1), False)


@pytest.mark.parametrize(
    ("end", "result"),
    [("E20", Result(None, Ending.AGREED)), ("E00", None), ("E30", None)],
)
def test_a_draw_is_taken_and_a_win_must_be_shown(end, result):
    with Peer([ACCEPT], [end]) as peer:
        assert client(peer).invite(Side.WHITE, minutes=5).result == result


def test_a_move_after_a_draw_that_the_other_side_does_not_see_is_answered_with_the_end():
    there, back = Move(46, 41), Move(41, 46)
    script = [[ACCEPT, "M0000010600"], *[["M0000060100"], ["M0000010600"]] * 2, ["E00"]]
    start = parse_fen("B:WK46:BK1", INTERNATIONAL)
    with Peer(*script) as peer:
        playing = client(peer, player=Scripted([there, back] * 2))
        played = playing.invite(Side.WHITE, minutes=5, start=start)
    assert len(played.moves) == 8
    assert played.result == Result(None, Ending.REPETITION)
    assert peer.heard[-1] == "E21"


def test_offers_to_take_back_and_further_requests_are_refused():
    with Peer([ACCEPT], ["B001W"], [REQUEST], ["E10"]) as peer:
        client(peer).invite(Side.WHITE, minutes=5)
    assert peer.heard[2:4] == ["K1", f"A{'Blot':32}2"]


def test_the_follower_plays_the_side_it_is_given():
    with Peer([REQUEST], ["M0002322800"], ["E10"], is_first=True) as peer:
        played = followed(client(peer), 20.0)
    assert peer.heard[0] == f"A{'Blot':32}0"
    assert peer.heard[1].startswith("M0000")
    assert played.side is Side.BLACK
    assert played.moves[0] == Move(32, 28)
    assert played.result == Result(Side.BLACK, Ending.RESIGNED)


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        (REQUEST.replace("R01", "R02"), 1),
        (REQUEST.replace("Z005", "Z000"), 2),
        ("R01 broken", 2),
        (f"R01{'Peer':32}Z005000BW{'z' * 50}", 2),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_and_the_next_one_heard(request_text, code):
    with Peer([request_text], ["E01"], is_first=True) as peer:
        assert followed(client(peer), 20.0) is None
    assert peer.heard == [f"A{'Blot':32}{code}", "E01"]


def test_nobody_who_asks_is_an_end_or_a_sentence():
    with Peer(None, is_first=True) as peer:
        assert followed(client(peer), 20.0) is None
    with Peer([], is_first=True) as peer, pytest.raises(ClientError, match="said nothing"):
        followed(client(peer), 0.05)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ([[f"A{'Peer':32}2"]], "the DXP program refused a game with code 2"),
        ([["E00"]], "ended the game before it began"),
        ([["garbage"]], "cannot read the type of a message in 'garbage'"),
        ([None], "hung up"),
        ([[]], "said nothing for 0.2 s"),
        ([[ACCEPT], None], "hung up"),
        ([[ACCEPT], []], "said nothing for"),
        ([[ACCEPT], ["M0000192200"]], "made the move 19-22, which is not legal"),
        ([[ACCEPT], ["Mxx"]], "cannot read the message of type M in 'Mxx'"),
        ([[ACCEPT], ["x" * 70000]], "does not end its message|cannot read"),
    ],
)
def test_what_the_other_side_does_wrong_is_one_sentence(script, sentence):
    with Peer(*script) as peer, pytest.raises(WireError, match=sentence) as caught:
        client(peer, **QUICK).invite(Side.WHITE, minutes=0.01)
    assert "\n" not in str(caught.value)


def test_an_illegal_move_is_answered_with_the_end():
    with Peer([ACCEPT], ["M0000192200"]) as peer, pytest.raises(DxpError, match="not legal"):
        client(peer).invite(Side.WHITE, minutes=5)
    assert peer.heard[-1] == "E01"


@pytest.mark.parametrize("word", ["Chello", "B001W"])
def test_who_only_talks_does_not_hold_us(word):
    ticks = itertools.count()
    chatter = [[ACCEPT, *[word] * 60]]  # as many as both lines have room for
    with Peer(*chatter) as peer, pytest.raises(ClientError, match="gave no answer in time"):
        client(peer, clock=lambda: float(next(ticks))).invite(Side.WHITE, minutes=0.1)


def test_a_game_that_is_over_stays_so_if_nobody_hears_our_end(monkeypatch):
    with Peer([ACCEPT], ["E10"]) as peer:
        send = peer.line.send

        def hang_up(text):
            if text.startswith("E"):
                raise ClientError("hung up")
            send(text)

        monkeypatch.setattr(peer.line, "send", hang_up)
        played = client(peer).invite(Side.WHITE, minutes=5)
    assert played.result == Result(Side.WHITE, Ending.RESIGNED)


def test_a_game_that_is_broken_off_is_there_as_far_as_it_went():
    with Peer([ACCEPT], ["M0000192400"], None) as peer:
        playing = client(peer)
        assert playing.broken_off is None
        with pytest.raises(ClientError, match="hung up"):
            playing.invite(Side.WHITE, minutes=5)
    game = playing.broken_off
    assert [move.start for move in game.moves][1] == 19
    assert (game.other, game.result, game.is_last) == ("Peer", None, True)
    assert len(game.moves) == 3


def test_our_own_fault_ends_the_game_for_the_other_side_too():
    class Failing:
        def search(self, *_):
            raise DxpError("no move found")

    with Peer([ACCEPT]) as peer, pytest.raises(DxpError, match="no move found"):
        client(peer, player=Failing()).invite(Side.WHITE, minutes=5)
    assert peer.heard[-1] == "E01"


def test_who_asks_for_a_game_is_not_asked_for_one():
    with Peer([REQUEST]) as peer, pytest.raises(DxpError, match="asks for a game itself: wait"):
        client(peer).invite(Side.WHITE, minutes=5)
    assert peer.heard[-1] == f"A{'Blot':32}2"


def test_our_limits_are_the_time_agreed_on_and_our_own():
    player = FirstMove()
    with Peer([ACCEPT], ["E10"]) as peer:
        client(peer, player=player, clock=lambda: 0.0).invite(Side.WHITE, minutes=5, moves=50)
    with Peer([ACCEPT], ["E10"]) as peer:
        playing = client(peer, player=player, limits=Limits(depth=2), clock=lambda: 0.0)
        playing.invite(Side.WHITE, minutes=5)
    assert [limits for _, limits in player.asked] == [
        Limits(clock=Clock(300.0, 0.0, 50)),
        Limits(depth=2, clock=Clock(300.0)),
    ]


def test_a_game_of_so_many_moves_ends_after_them():
    with Peer([ACCEPT], ["M0000202400"], ["E00"]) as peer:
        played = client(peer).invite(Side.WHITE, minutes=5, moves=1)
    assert (len(played.moves), played.result) == (2, None)
    assert peer.heard[2] == "E01"


def test_lines_go_through_tcp_on_this_machine_only():
    listener = tcp_listener("127.0.0.1", 0)
    address = address_of(listener)
    games = []

    def follow():
        with awaited_peer(listener, 20.0) as line:
            games.append(followed(DxpClient(line, FirstMove()), 20.0))

    thread = threading.Thread(target=follow, daemon=True)
    listener.listen(1)
    thread.start()
    with dxp_line(address) as line:
        start = parse_fen("W:W32:B23", INTERNATIONAL)
        played = DxpClient(line, FirstMove()).invite(Side.WHITE, minutes=1, start=start)
    thread.join(20.0)
    listener.close()
    assert games[0].moves == played.moves


def test_nobody_there_is_one_sentence():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ClientError, match=f"cannot connect to 127.0.0.1:{port}"):
        dxp_line(f"127.0.0.1:{port}")
    nobody = pytest.raises(OSError, match=r"nobody came to 127\.0\.0\.1:\d+ within 0.05 s")
    with tcp_listener("127.0.0.1", 0) as listener, nobody:
        awaited_peer(listener, 0.05)
