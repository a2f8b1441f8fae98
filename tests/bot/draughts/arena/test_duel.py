from contextlib import nullcontext
from dataclasses import replace
from threading import Event

import pytest

from bot.draughts.arena import duel as duel_module
from bot.draughts.arena import played_game as played_game_module
from bot.draughts.arena.duel import Duel, PlayedPair, played_pair, played_pairs
from bot.draughts.arena.played_game import played_game
from bot.draughts.arena.random_player import RandomPlayer
from bot.draughts.arena.tally import Tally
from bot.draughts.rules.decision import Found, Limits
from bot.draughts.rules.game import Ending, Game
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import CZECH, Side
from bot.estimate import Bounds


def at_random(seed):
    return nullcontext(RandomPlayer(seed))


class Cheat:
    """Moves to a square beside the board."""

    def search(self, game, limits, stop, tell):
        return Found(Move(1, 33))


class Stopper:
    """Sets the stop, as an interrupt would."""

    def search(self, game, limits, stop, tell):
        stop.set()
        return Found(game.moves[0])


def cheating(seed):
    return nullcontext(Cheat())


def stopping(seed):
    return nullcontext(Stopper())


RANDOM = Duel(CZECH, (at_random, at_random), (Limits(), Limits()))


def test_pair_depends_on_its_number_and_the_seed_alone():
    def moves(duel, number):
        return [game.moves for game in played_pair(duel, number, Event()).games]

    assert moves(RANDOM, 3) == moves(RANDOM, 3)
    assert moves(RANDOM, 3) != moves(RANDOM, 4)
    assert moves(RANDOM, 3) != moves(replace(RANDOM, seed=2), 3)


def test_games_of_a_pair_begin_alike_and_follow_the_rules_to_the_end():
    for number in range(3):
        one, other = played_pair(RANDOM, number, Event()).games
        assert one.moves[:2] == other.moves[:2]
        for played in (one, other):
            game = Game.start(CZECH)
            for move in played.moves:
                game = game.after(move)
            assert game == played.result
            assert min(played.seconds) > 0
            assert played.decisions[0] + played.decisions[1] == len(played.moves) - 2


def test_ballots_are_all_dealt_before_one_comes_again():
    dealt = [played_pair(RANDOM, number, Event()).games[0].moves[:2] for number in range(48)]
    assert len(set(dealt[:47])) == 47
    assert dealt[47] in dealt[:47]


def test_player_that_wants_an_illegal_move_forfeits_the_game_and_is_named():
    one, other = played_pair(replace(RANDOM, entrants=(at_random, cheating)), 0, Event()).games
    assert one.result.ending is other.result.ending is Ending.FORFEITED
    assert (one.result.winner, other.result.winner) == (Side.WHITE, Side.BLACK)
    assert one.fault.startswith("black failed: ")
    tally = Tally(Bounds(-1, 1))
    tally.add(PlayedPair(0, (one, other)))
    assert (tally.won, tally.drawn, tally.lost, len(tally.faults)) == (2, 0, 0, 2)


class Failing:
    """A player that fails."""

    def __init__(self, error):
        self.error = error

    def search(self, *given):
        raise self.error


@pytest.mark.parametrize(
    ("error", "reason"),
    [(OSError(), "OSError"), (OSError("gone"), "gone"), (ValueError("no line"), "no line")],
)
def test_player_that_fails_is_named_with_what_it_says_or_the_kind_of_failure(error, reason):
    players = Failing(error), Failing(error)
    played = played_game(players, CZECH, (), (Limits(), Limits()), Event())
    assert played.fault == f"white failed: {reason}"
    assert played.moves == ()


def test_game_without_an_end_is_broken_off_and_counts_as_drawn(monkeypatch):
    monkeypatch.setattr(played_game_module, "MAX_PLIES", 6)
    played = played_game(
        (RandomPlayer(1), RandomPlayer(2)), CZECH, (), (Limits(), Limits()), Event()
    )
    assert (len(played.moves), played.result, played.decisions) == (6, None, (3, 3))
    assert played.points(Side.WHITE) == played.points(Side.BLACK) == 0.5


def test_each_player_has_its_own_limits_on_either_side_and_a_seed_of_its_own_in_each_game():
    noted, seeds = [], []

    class Noting(RandomPlayer):
        def __init__(self, name, seed):
            super().__init__(seed)
            self.name = name

        def search(self, game, limits, *given):
            noted.append((self.name, limits))
            return super().search(game, limits, *given)

    def entrant(name):
        def seat(seed):
            seeds.append(seed)
            return nullcontext(Noting(name, seed))

        return seat

    limits = Limits(depth=1), Limits(depth=2)
    duel = Duel(CZECH, (entrant("one"), entrant("other")), limits)
    for number in range(2):
        played_pair(duel, number, Event())
    assert {*noted} == {("one", limits[0]), ("other", limits[1])}
    assert len({*seeds}) == 4


def test_stop_ends_a_duel_of_several_processes_too(monkeypatch):
    pair, stop = played_pair(RANDOM, 0, Event()), Event()
    monkeypatch.setattr(duel_module, "worker_pool", lambda *given: nullcontext())
    monkeypatch.setattr(duel_module, "results_as_done", lambda *given: iter([pair] * 3))
    pairs = played_pairs(RANDOM, range(3), 2, stop)
    assert next(pairs) is next(pairs) is pair
    stop.set()
    with pytest.raises(InterruptedError, match="stopped"):
        next(pairs)


def test_test_of_results_that_are_even_favours_neither_bound():
    tally = Tally(Bounds(-1, 1))
    one, other = played_pair(replace(RANDOM, entrants=(at_random, cheating)), 0, Event()).games
    for games in ((one, other), (other, one)) * 3:
        tally.add(PlayedPair(0, games))
    assert tally.score.mean == 0.5
    assert tally.test.llr == pytest.approx(0)


def test_stop_ends_the_duel():
    with pytest.raises(InterruptedError):
        list(played_pairs(replace(RANDOM, entrants=(at_random, stopping)), [0], 1, Event()))


def test_tally_adds_up_what_the_pairs_gave():
    tally = Tally()
    pairs = list(played_pairs(RANDOM, range(6), 1, Event()))
    for pair in pairs:
        tally.add(pair)
    points = [
        (pair.games[0].points(Side.WHITE) + pair.games[1].points(Side.BLACK)) / 2 for pair in pairs
    ]
    assert tally.games == 12
    assert tally.samples == points
    assert tally.score.mean == pytest.approx(tally.won / 12 + tally.drawn / 24)
    assert sum(tally.endings.values()) == 12
    assert sum(tally.decisions) == sum(sum(game.decisions) for pair in pairs for game in pair.games)


@pytest.mark.slow
def test_pairs_are_the_same_whoever_plays_them():
    alone = {pair.number: pair.games for pair in played_pairs(RANDOM, range(4), 1, Event())}
    for pair in played_pairs(RANDOM, range(4), 2, Event()):
        assert [game.moves for game in pair.games] == [game.moves for game in alone[pair.number]]
