from itertools import count

import numpy as np
import pytest

from bot.draughts.arena import depth_games
from bot.draughts.arena.depth_games import (
    RANDOM,
    DepthDuel,
    DepthGame,
    DepthGames,
    DepthPlayer,
    Repeated,
    share_error,
)
from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.game import Ending, Game, Result
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from bot.estimate import Estimate

BY_CHANCE = DepthPlayer(RANDOM)


def replayed(start, played):
    """The results that the last move may have had, by the rules as a value."""
    game = Game.of(start)
    for number, board in enumerate(played.boards):
        assert isinstance(game, Game)
        np.testing.assert_array_equal(boards_of([game.position])[0], board)
        options = [game.after(move) for move in game.moves]
        if number + 1 == len(played.boards):
            return [option for option in options if isinstance(option, Result)]
        following = played.boards[number + 1]
        game = next(
            option
            for option in options
            if isinstance(option, Game) and (boards_of([option.position])[0] == following).all()
        )
    raise AssertionError


def test_a_game_that_was_played_stays_as_it_is_when_the_next_one_is_played():
    games = DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=1)
    first = games.play(0).boards
    before = first.copy()
    games.play(1)
    np.testing.assert_array_equal(first, before)


@pytest.mark.parametrize("variant", VARIANTS.values())
@pytest.mark.parametrize("depth", [0, 1])
def test_games_follow_the_rules_and_end_by_them(variant, depth):
    entrant = DepthPlayer(AlphaBetaSettings(depth))
    games = DepthGames(variant, entrant, entrant, seed=depth)
    for number in range(3 if depth else 12):
        played = games.play(number)
        assert not played.is_broken_off
        endings = replayed(Position.start(variant), played)
        winner = {1: Side.WHITE, 0.5: None, 0: Side.BLACK}[played.points]
        assert winner in {ending.winner for ending in endings}


@pytest.mark.parametrize(
    ("variant", "kings", "other", "depth", "expected"),
    [
        (CZECH, [29, 30, 31], [1, 2], 0, {Ending.KINGS_ALONE}),
        (CZECH, [29, 30, 31], [1, 2], 1, {Ending.REPETITION, Ending.KING_MOVES}),
        (INTERNATIONAL, [47, 48, 49], [23], 2, {Ending.ONE_AGAINST_THREE}),
        (INTERNATIONAL, [46, 47], [5], 0, {Ending.ONE_AGAINST_TWO}),
        (INTERNATIONAL, [46, 47, 48, 49], [1, 5, 4], 1, {Ending.REPETITION, Ending.KING_MOVES}),
    ],
)
def test_draws_end_a_game_just_as_the_rules_say(variant, kings, other, depth, expected):
    start = Position(variant, Side.WHITE, 0, set_of(kings), 0, set_of(other))
    entrant = DepthPlayer(AlphaBetaSettings(depth))
    games = DepthGames(variant, entrant, entrant, seed=7, start=start)
    met = set()
    for number in range(20):
        played = games.play(number)
        if len(played.boards) and played.points == 0.5:
            met |= {ending.ending for ending in replayed(start, played) if not ending.winner}
        if expected <= met:
            return
    raise AssertionError(met)


def test_a_game_has_the_same_course_whenever_it_is_played():
    games, again = (DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=3) for _ in range(2))
    for number in (4, 1, 4):
        games.play(number)
    np.testing.assert_array_equal(games.play(2).boards, again.play(2).boards)


def played_duel(first, second, pairs):
    duel = DepthDuel(CZECH, first, second, seed=1)
    for _ in range(pairs):
        duel.play_pair()
    return duel


def test_a_deeper_player_beats_one_that_moves_by_chance():
    result = played_duel(DepthPlayer(AlphaBetaSettings(2)), BY_CHANCE, pairs=5).result
    assert result.games == 10
    assert result.score.mean > 0.8


def test_counts_tell_decisions_only_moves_and_nodes():
    found = played_duel(DepthPlayer(AlphaBetaSettings(2)), BY_CHANCE, pairs=2)
    searching, chance = found.counts
    assert searching.decisions == searching.only + searching.searches
    assert searching.nodes > searching.searches > 0
    assert chance.searches == chance.nodes == 0 < chance.only < chance.decisions
    random_plies = 4 * found.result.games
    assert searching.decisions + chance.decisions == found.result.plies - random_plies


def test_pairs_begin_alike():
    white, black = DepthPlayer(AlphaBetaSettings(1)), BY_CHANCE
    one = DepthGames(CZECH, white, black, seed=2, random_plies=4).play(0)
    other = DepthGames(CZECH, black, white, seed=2, random_plies=4).play(0)
    np.testing.assert_array_equal(one.boards[:5], other.boards[:5])


def test_a_player_with_a_table_plays_for_what_it_knows():
    boards = DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=5).play(0).boards
    table = StateTable(CZECH)
    table.learn(boards[1:2], 1.0, 0.9, is_backward=True)  # lost for Black, who is to move there
    knowing = DepthGames(CZECH, DepthPlayer(AlphaBetaSettings(1), table), BY_CHANCE, seed=9)
    for number in range(3):
        np.testing.assert_array_equal(knowing.play(number).boards[1], boards[1])


def test_results_are_the_players_own():
    boards = np.zeros((3, 4), np.int64)  # White has moved last
    result = Repeated()
    result.add([(DepthGame(boards, -1.0, False), True), (DepthGame(boards, -1.0, False), False)])
    result.add([(DepthGame(boards, 0.0, True), True), (DepthGame(boards, -1.0, False), True)])
    assert (result.won, result.drawn, result.lost) == (2, 1, 1)
    assert (result.plies, result.broken_off) == (12, 1)
    assert result.score.mean == 0.625
    assert result.score.error == pytest.approx(0.125)


def test_nobody_knows_how_far_off_the_score_of_who_has_won_all_games_is():
    boards = np.zeros((3, 4), np.int64)
    result = Repeated()
    for _ in range(2):
        result.add([(DepthGame(boards, 1.0, False), True)])
    assert result.score == Estimate(1.0, None)


def test_no_games_have_no_score():
    assert Repeated().score is None


def test_the_error_of_a_share():
    assert share_error(0.5, 100) == pytest.approx(0.05)


def test_a_table_of_another_variant_is_refused():
    with pytest.raises(ValueError, match="not of czech draughts"):
        DepthGames(CZECH, BY_CHANCE, DepthPlayer(RANDOM, StateTable(INTERNATIONAL)), seed=1)


def test_games_that_begin_with_black_are_refused():
    start = Position(CZECH, Side.BLACK, 0, set_of([29]), 0, set_of([1]))
    with pytest.raises(ValueError, match="begin with White"):
        DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=1, start=start)


def test_games_that_begin_in_a_position_of_another_variant_are_refused():
    start = Position.start(INTERNATIONAL)
    with pytest.raises(ValueError, match="such games are of czech draughts"):
        DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=1, start=start)


@pytest.mark.parametrize("plies", [-1, depth_games.MAX_PLIES])
def test_random_plies_that_no_game_has_are_refused(plies):
    with pytest.raises(ValueError, match=f"no {plies} plies by chance"):
        DepthGames(CZECH, BY_CHANCE, BY_CHANCE, seed=1, random_plies=plies)


def test_pairs_of_players_who_choose_alike_are_one_game_twice():
    searching = DepthPlayer(AlphaBetaSettings(1))
    same, others = (DepthDuel(CZECH, searching, other, seed=1) for other in (searching, BY_CHANCE))
    for duel in (same, others):
        duel.play_pair()
        duel.play_pair()
    assert (same.same_pairs, others.same_pairs) == (2, 0)
    assert same.result.score.mean == 0.5


def test_a_game_that_stands_still_in_its_searches_goes_on_as_it_would_have(monkeypatch):
    entrant = DepthPlayer(AlphaBetaSettings(3))
    whole, halting = (DepthGames(CZECH, entrant, entrant, 1, random_plies=4) for _ in range(2))
    expected = whole.play(0)
    monkeypatch.setattr(depth_games, "_NODES_AT_ONCE", 7)
    np.testing.assert_array_equal(halting.play(0).boards, expected.boards)
    assert halting.counts == whole.counts
    assert whole.counts[0].nodes > 7 * whole.counts[0].searches


def test_a_game_that_will_not_end_hears_signals(broken_off_soon):
    quick, entrant = (DepthPlayer(AlphaBetaSettings(depth)) for depth in (1, 60))
    DepthGames(CZECH, quick, quick, seed=1).play(0)  # so that no kernel is left to be loaded
    games = DepthGames(CZECH, entrant, entrant, seed=1)
    with broken_off_soon():
        games.play(0)


def test_after_a_game_that_was_broken_off_one_begins_at_its_beginning(monkeypatch):
    entrant = DepthPlayer(AlphaBetaSettings(3))
    games = DepthGames(CZECH, entrant, entrant, 1)
    whole = games.play(0)
    calls = count(1)

    def broken_off(*game):
        if next(calls) == 60:
            raise KeyboardInterrupt
        return go_on(*game)

    go_on = depth_games.go_on
    monkeypatch.setattr(depth_games, "_NODES_AT_ONCE", 7)
    monkeypatch.setattr(depth_games, "go_on", broken_off)
    with pytest.raises(KeyboardInterrupt):
        games.play(0)
    np.testing.assert_array_equal(games.play(0).boards, whole.boards)
