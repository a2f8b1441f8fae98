import pytest

from bot.backgammon.arena import duel as duel_module
from bot.backgammon.arena.duel import duel, duel_with_cube
from bot.backgammon.arena.match_format import Terms
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.position import START
from protocol.backgammon.arena.named_players import decider, duel_player
from tests.fakes.restless_player import RestlessPlayer
from tests.fakes.scripted_player import ScriptedPlayer


class Watched:
    """A player, and the dice of the first seat's first move in each game it saw."""

    def __init__(self, name):
        self.player = duel_player(name, seed=1)
        self.openings = []

    def boards_chosen(self, boards, dice):
        start = START.board
        self.openings += [
            tuple(d) for b, d in zip(boards, dice.tolist(), strict=True) if (b == start).all()
        ]
        return self.player.boards_chosen(boards, dice)


class Sleeper:
    """A player that never moves."""

    def boards_chosen(self, boards, dice):
        return boards.copy()


def played(name, other, terms, **options):
    tally = Tally(terms.length)
    duel(duel_player(name, seed=1), duel_player(other, seed=2), terms, tally, **options)
    return tally


@pytest.mark.parametrize("name", ["pubeval", "blockers"])
def test_a_player_against_itself_scores_exactly_nothing(name):
    tally = played(name, name, Terms(games=40))
    assert tally.samples == [0.0] * 20
    assert tally.won == tally.lost
    assert tally.games == 40


def test_matches_of_a_player_against_itself_are_shared():
    tally = played("pubeval", "pubeval", Terms(games=10, length=3))
    assert tally.samples == [0.5] * 5
    assert tally.games >= 10


def test_a_pair_has_the_same_dice_and_swapped_sides():
    one, other = Watched("pubeval"), Watched("pubeval")
    duel(one, other, Terms(games=60), Tally())
    assert len(one.openings) == len(other.openings) == 30
    assert sorted(one.openings) == sorted(other.openings)
    assert all(high > low for high, low in one.openings)
    assert len(set(one.openings)) > 5


def test_the_dice_of_a_game_depend_on_seed_and_pair_alone(monkeypatch):
    few = played("pubeval", "blockers", Terms(games=20, seed=7))
    many = played("pubeval", "blockers", Terms(games=40, seed=7))
    assert many.samples[:10] == few.samples
    monkeypatch.setattr(duel_module, "PAIRS_AT_ONCE", 3)
    assert played("pubeval", "blockers", Terms(games=20, seed=7)).samples == few.samples
    assert played("pubeval", "blockers", Terms(games=20, seed=8)).samples != few.samples


def test_a_seed_repeats_even_random_players():
    terms = Terms(games=20, seed=3)
    assert played("random", "random", terms).samples == played("random", "random", terms).samples


def test_the_better_player_wins_and_points_agree_with_the_kinds():
    tally = played("pubeval", "random", Terms(games=40))
    points = sum(level * (tally.won[level] - tally.lost[level]) for level in (1, 2, 3))
    assert sum(tally.samples) * 2 == points
    assert tally.score.mean > 1
    assert tally.won[2] > 0


def test_endless_games_are_broken_off_and_counted():
    tally = Tally()
    duel(Sleeper(), Sleeper(), Terms(games=4), tally, most_plies=50)
    assert (tally.unfinished, tally.games, tally.samples) == (4, 0, [])
    matches = Tally(length=3)
    duel(Sleeper(), Sleeper(), Terms(games=4, length=3), matches, most_plies=50)
    assert (matches.unfinished, matches.samples) == (4, [])


def test_progress_is_told_in_games():
    told = []
    played("blockers", "blockers", Terms(games=6), on_games=told.append)
    assert sum(told) == 6


def test_odd_numbers_are_refused_between_players_here():
    with pytest.raises(ValueError, match="pairs with the same dice, so not 3"):
        played("pubeval", "pubeval", Terms(games=3))


def test_each_duel_has_the_cube_or_not():
    with pytest.raises(ValueError, match="have no cube"):
        played("pubeval", "pubeval", Terms(games=2, cube=True))
    with pytest.raises(ValueError, match="is played with the cube"):
        played_with_cube("pubeval", "pubeval", Terms(games=2))


def played_with_cube(name, other, terms, **options):
    tally = Tally(terms.length)
    duel_with_cube(decider(name, seed=1), decider(other, seed=2), terms, tally, **options)
    return tally


@pytest.mark.parametrize("length", [None, 3])
def test_players_that_never_double_get_the_same_with_the_cube(length):
    terms = {"games": 20, "length": length, "seed": 5}
    blind = played("pubeval", "blockers", Terms(**terms))
    seeing = played_with_cube("pubeval", "blockers", Terms(**terms, cube=True))
    assert seeing.samples == blind.samples
    assert (seeing.won, seeing.lost) == (blind.won, blind.lost)
    assert seeing.points_per_game == blind.points_per_game


def restless(is_quick):
    """A player that doubles at once or never, and always takes."""
    return ScriptedPlayer(doubles=lambda state: is_quick)


def test_with_the_cube_a_player_against_itself_scores_exactly_nothing():
    tally = Tally()
    duel_with_cube(RestlessPlayer(), RestlessPlayer(), Terms(20, cube=True, beavers=True), tally)
    assert tally.samples == [0.0] * 10
    matches = Tally(length=5)
    duel_with_cube(RestlessPlayer(), RestlessPlayer(), Terms(10, 5, cube=True), matches)
    assert matches.samples == [0.5] * 5
    assert matches.points_per_game.mean == 0


def test_with_the_cube_both_games_of_a_pair_have_the_same_dice():
    players = restless(True), restless(False)
    duel_with_cube(*players, Terms(2, cube=True, jacoby=True), Tally())
    rolls = [
        [request.roll for request in player.asked if isinstance(request, ChooseCheckerPlay)]
        for player in players
    ]
    openings = [
        request.roll
        for player in players
        for request in player.asked
        if isinstance(request, ChooseCheckerPlay) and request.state.position == START
    ]
    assert len(openings) == 2
    assert openings[0] == openings[1]
    assert {len(found) for found in rolls} != {0}


def test_a_match_with_the_cube_comes_to_its_crawford_game_and_its_end():
    players = restless(True), restless(False)
    tally = Tally(length=3)
    duel_with_cube(*players, Terms(20, 3, cube=True), tally)
    scores = {state.score for state in players[0].states(ChooseCheckerPlay)}
    assert any(score.is_crawford for score in scores)
    assert any(1 in (score.away, score.other_away) and not score.is_crawford for score in scores)
    assert tally.won.total() + tally.lost.total() == tally.games >= 20
    assert all(0 <= sample <= 1 for sample in tally.samples)


def test_our_decisions_are_timed_and_endless_games_counted():
    tally = Tally()
    player = restless(False)
    told = []
    duel_with_cube(
        player, restless(False), Terms(4, cube=True), tally, most_plies=5, on_games=told.append
    )
    assert (tally.unfinished, tally.samples, told) == (4, [], [2, 2])
    assert len(tally.decision_seconds) == len(player.asked)
