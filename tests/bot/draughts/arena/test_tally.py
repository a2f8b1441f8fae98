import math
from itertools import product

import pytest

from bot.draughts.arena.duel import PlayedPair
from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.arena.tally import Tally
from bot.draughts.rules.game import Ending, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, Side
from bot.estimate import Bounds, Estimate

WHITE, BLACK = Side.WHITE, Side.BLACK


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


def played(start, winner, *, fault=""):
    """A game that begins so; nobody wins it if there is no winner."""
    result = Result(winner, Ending.RESIGNED) if winner else None
    return PlayedGame(CZECH, (Move(start, start - 4),), result, (1.0, 0.25), (3, 2), fault)


def test_games_are_counted_as_the_first_player_sees_them_who_is_black_in_the_second():
    tally = Tally()
    tally.add(PlayedPair(0, (played(21, WHITE), played(21, WHITE, fault="Black failed"))))
    tally.add(PlayedPair(1, (played(22, None), played(22, BLACK))))
    tally.add(PlayedPair(2, (played(23, WHITE), played(24, BLACK))))
    assert (tally.games, tally.won, tally.drawn, tally.lost) == (6, 4, 1, 1)
    assert tally.endings == {Ending.RESIGNED: 5, None: 1}
    assert tally.faults == ["Black failed"]
    assert tally.samples == [0.5, 0.75, 1.0]
    assert tally.score.mean == 0.75
    assert tally.elo == pytest.approx(400 * math.log10(3))


def test_time_and_decisions_go_with_the_players_not_with_the_colours():
    tally = Tally()
    tally.add(PlayedPair(0, (played(21, WHITE), played(22, WHITE))))
    assert (tally.seconds, tally.decisions) == ([1.25, 1.25], [5, 5])
    one = PlayedGame(CZECH, (Move(23, 19),), None, (2.0, 0.5), (8, 4))
    tally.add(PlayedPair(1, (one, played(23, WHITE))))
    assert (tally.seconds, tally.decisions) == ([3.5, 2.75], [15, 12])


@pytest.mark.parametrize("winners", [(), (WHITE, BLACK), (BLACK, WHITE)])
def test_no_rating_explains_that_all_or_no_games_were_won(winners):
    tally = Tally()
    if winners:
        one, other = (
            played(start, winner) for start, winner in zip((21, 22), winners, strict=True)
        )
        tally.add(PlayedPair(0, (one, other)))
    assert tally.elo is None


def test_sequential_test_goes_on_until_pairs_show_how_far_they_lie_above_an_even_result():
    tally = Tally(Bounds(0.0, 0.5))
    assert Tally().test is None
    assert not Tally().is_decided
    for number, starts in enumerate(product(range(5, 33), repeat=2)):
        if tally.is_decided:
            break
        winners = WHITE, WHITE if number % 2 else BLACK  # samples of 1 and of 0.5 in turn
        games = [played(*each) for each in zip(starts, winners, strict=True)]
        tally.add(PlayedPair(number, tuple(games)))
    assert 10 < tally.test.count == len(tally.samples) < 100
    assert tally.test.mean == pytest.approx(0.25, abs=0.01)
