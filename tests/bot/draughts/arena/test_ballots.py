import pytest

from bot.draughts.arena.ballots import ballots
from bot.draughts.rules.game import Game
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, INTERNATIONAL


@pytest.mark.parametrize(("variant", "count"), [(INTERNATIONAL, 79), (CZECH, 47)])
def test_ballots_of_two_plies_are_as_many_as_programs_play(variant, count):
    positions = set()
    for moves in ballots(variant):
        game = Game.start(variant)
        for move in moves:
            game = game.after(move)
        positions.add(game.position)
    assert len(positions) == len(ballots(variant)) == count


def test_ballot_loses_no_man():
    lost = (Move(32, 27), Move(16, 21))  # 27x16 takes a man, and nothing takes it back
    assert lost not in ballots(INTERNATIONAL)
    assert (Move(32, 27), Move(17, 21)) in ballots(INTERNATIONAL)


def test_without_plies_the_only_ballot_has_no_moves():
    assert ballots(CZECH, 0) == ((),)


def test_ballot_too_long_to_be_listed_is_refused():
    with pytest.raises(ValueError, match="0 to 4 plies, not 5"):
        ballots(CZECH, 5)
