from bot.draughts.arena.duel import PlayedPair
from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.arena.tally import Tally
from bot.draughts.rules.game import Ending, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, Side
from bot.estimate import Estimate


def pair(number, *starts):
    """Two games that White wins after a move each."""
    won = Result(Side.WHITE, Ending.RESIGNED)
    one, other = (PlayedGame(CZECH, (Move(s, s - 4),), won, (1.0, 0.0), (1, 0)) for s in starts)
    return PlayedPair(number, (one, other))


def test_pair_played_as_one_before_is_counted_but_no_sample():
    tally = Tally()
    for each in (pair(0, 21, 22), pair(1, 21, 22), pair(2, 22, 21)):
        tally.add(each)
    assert (tally.games, tally.repeated) == (6, 1)
    assert tally.samples == [0.5, 0.5]


def test_nobody_knows_how_far_off_the_score_of_who_has_won_all_games_is():
    tally = Tally()
    for sample in (0.0, 1.0):
        tally.samples = [sample] * 3
        assert tally.score == Estimate(sample, None)
    tally.samples = [0.5, 1.0]
    assert tally.score == Estimate(0.75, 0.25)
