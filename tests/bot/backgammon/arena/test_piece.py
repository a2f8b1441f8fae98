import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import Piece, leave_seats, play_piece
from tests.fakes.entrants import FakeEntrant


@pytest.fixture
def seated(monkeypatch):
    """Who sat down, each with the seed."""
    found, sit_down = [], FakeEntrant.sit_down

    def noted(entrant, match_format, seed):
        found.append((entrant.name, seed))
        return sit_down(entrant, match_format, seed)

    monkeypatch.setattr(FakeEntrant, "sit_down", noted)
    leave_seats()
    yield found
    leave_seats()


def play(*entrants, duel=0, first=0):
    return play_piece(entrants, MatchFormat(2, seed=7), None, Piece(duel, first, first + 1))


def test_program_sits_down_once_on_whichever_side_it_plays(seated):
    one, other = FakeEntrant("pubeval"), FakeEntrant("blockers")
    for duel, entrants in enumerate(((one, other), (other, one))):
        play(*entrants, duel=duel)
    assert seated == [("pubeval", 7), ("blockers", 7)]


def test_program_that_plays_itself_sits_down_twice(seated):
    for first in range(2):
        play(FakeEntrant("pubeval"), FakeEntrant("pubeval"), first=first)
    assert seated == [("pubeval", 7)] * 2


def test_players_by_chance_have_other_dice_on_each_seat_and_in_each_piece_and_always_the_same(
    seated,
):
    by_chance = FakeEntrant("random")
    pieces = [{"duel": 0, "first": 0}, {"duel": 0, "first": 1}, {"duel": 1, "first": 0}]
    played = [play(by_chance, by_chance, **piece).pairs for piece in pieces]
    assert len({seed for _, seed in seated}) == 6
    assert [play(by_chance, by_chance, **piece).pairs for piece in pieces] == played
    assert seated[6:] == seated[:6]


def test_who_leaves_parts_from_all_players_though_one_is_gone(monkeypatch):
    parted, sit_down = [], FakeEntrant.sit_down

    def with_farewell(entrant, match_format, seed):
        def close():
            parted.append(entrant.name)
            raise BrokenPipeError

        player = sit_down(entrant, match_format, seed)
        if entrant.name != "restless":
            player.close = close
        return player

    monkeypatch.setattr(FakeEntrant, "sit_down", with_farewell)
    play(FakeEntrant("pubeval"), FakeEntrant("restless"))
    play(FakeEntrant("restless"), FakeEntrant("blockers"), duel=1)
    leave_seats()
    leave_seats()
    assert sorted(parted) == ["blockers", "pubeval"]


def test_a_piece_tells_its_time_and_how_long_each_player_thought(seated):
    played = play(FakeEntrant("pubeval"), FakeEntrant("blockers"), first=3)
    assert [pair.number for pair in played.pairs] == [3]
    (ours, our_seconds), (theirs, their_seconds) = played.thought
    assert min(ours, theirs) > 20
    assert abs(ours - theirs) <= 2
    assert 0 < our_seconds + their_seconds <= played.seconds
