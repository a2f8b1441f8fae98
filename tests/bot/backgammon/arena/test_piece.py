from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import Piece, leave_seats, play_piece
from tests.fakes.entrants import FakeEntrant


def test_program_sits_down_once_on_whichever_side_it_plays(monkeypatch):
    seated, sit_down = [], FakeEntrant.sit_down

    def noted(entrant, match_format, seed):
        seated.append(entrant.name)
        return sit_down(entrant, match_format, seed)

    monkeypatch.setattr(FakeEntrant, "sit_down", noted)
    one, other = FakeEntrant("pubeval"), FakeEntrant("blockers")
    leave_seats()
    for duel, entrants in enumerate(((one, other), (other, one))):
        play_piece(entrants, MatchFormat(2, seed=7), None, Piece(duel, 0, 1))
    leave_seats()
    assert seated == ["pubeval", "blockers"]
