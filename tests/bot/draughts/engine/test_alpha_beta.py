import threading
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.evaluation.simulated_value import men_of
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.decision import Clock, Limits
from bot.draughts.rules.game import Ending, Game, Result
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from tests.draughts_strategies import fights
from tests.plain.draughts_search import plain_values

START = Game.start(CZECH)


def found(game, limits=None, *, table=None, seed=0, told=None, **choices):
    player = AlphaBeta(AlphaBetaSettings(**choices), table=table, seed=seed)
    tell = (told if told is not None else []).append
    return player.search(game, limits or Limits(), threading.Event(), tell)


@settings(max_examples=60)
@given(position=fights(), depth=st.integers(1, 3))
def test_search_agrees_with_plain_recursion(position, depth):
    game = Game.of(position)
    assume(game.result is None and 2 <= len(game.moves) <= 12)
    values, met = plain_values(position, depth, 0.9, {})
    best = game.moves[max(range(len(values)), key=values.__getitem__)]
    full, pruned = (
        found(game, depth=depth, discount=0.9, is_pruned=is_pruned, is_shuffled=False)
        for is_pruned in (False, True)
    )
    assert full.nodes == met
    assert full.score == pytest.approx(men_of(max(values), position), abs=1e-9)
    # Rounding may decide between moves that are worth the same.
    assert values[game.moves.index(full.move)] == pytest.approx(values[game.moves.index(best)])
    assert (pruned.move, pruned.score) == (full.move, full.score)
    assert pruned.nodes <= full.nodes


@settings(max_examples=40)
@given(position=fights(), seed=st.integers(0, 99))
def test_alpha_beta_and_minimax_choose_the_same_of_equal_moves(position, seed):
    game = Game.of(position)
    assume(game.result is None and len(game.moves) > 1)
    full, pruned = (
        found(game, depth=3, is_pruned=is_pruned, seed=seed) for is_pruned in (False, True)
    )
    assert (pruned.move, pruned.score) == (full.move, full.score)


@settings(max_examples=20)
@given(position=fights(of=CZECH))
def test_known_states_are_taken_at_the_leaves(position):
    game = Game.of(position)
    assume(game.result is None and 2 <= len(game.moves) <= 8)
    table, known = StateTable(CZECH), {}
    for number, move in enumerate(game.moves):
        after = position_after(position, move)
        if number % 2 == 0 and legal_moves(after):
            table.learn(boards_of([after]), (-1.0) ** (number // 2), 0.5, is_backward=True)
            known[after] = table.value(after)
    values, _ = plain_values(position, 1, 0.99, known)
    score = found(game, depth=1, table=table).score
    assert score == pytest.approx(men_of(max(values), position), abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS.values())
def test_alpha_beta_visits_fewer_nodes_than_minimax(variant):
    game = Game.start(variant)
    nodes = [
        found(game, depth=3, is_pruned=each, is_shuffled=False).nodes for each in (True, False)
    ]
    assert nodes[0] < nodes[1] / 1.4


def test_an_only_move_is_played_at_once():
    only = Position(CZECH, Side.WHITE, set_of([22]), 0, set_of([18, 1]), 0)
    answer = found(Game.of(only), depth=6)
    assert answer.move == legal_moves(only)[0]
    assert (answer.nodes, answer.depth) == (0, None)


def test_the_quickest_win_is_chosen():
    position = Position(CZECH, Side.WHITE, 0, set_of([32, 28, 29]), set_of([14]), 0)
    game = Game.of(position)
    answer = found(game, depth=3)
    for _ in range(9):
        if not (moves := legal_moves(position)):
            break
        is_white = position.turn is Side.WHITE
        answer = found(Game.of(position), depth=5) if is_white else None
        position = position_after(position, answer.move if answer else moves[0])
    assert not legal_moves(position)
    assert position.turn is Side.BLACK


def test_a_move_that_would_draw_at_once_is_worth_nothing():
    position = Position(CZECH, Side.WHITE, 0, set_of([29, 30]), set_of([12]), 0)
    best = found(Game.of(position), depth=1)
    assert best.score > 0
    there = position_after(position, best.move)
    game = Game(position, earlier=(there, position, there))
    assert game.after(best.move) == Result(None, Ending.REPETITION)
    assert found(game, depth=1).move != best.move


def test_seeds_choose_among_equal_moves_and_the_first_is_chosen_without():
    game = Game.of(Position(CZECH, Side.WHITE, 0, set_of([29]), 0, set_of([2, 3, 4])))
    chosen = {found(game, depth=1, seed=seed).move for seed in range(30)}
    assert len(chosen) > 1
    assert len({found(game, depth=1, seed=seed, is_shuffled=False).move for seed in range(5)}) == 1
    assert found(game, depth=1, seed=3).move == found(game, depth=1, seed=3).move


def test_a_player_of_depth_0_moves_by_chance():
    moves = {found(START, depth=0, seed=seed).move for seed in range(60)}
    assert moves == set(START.moves)


def test_limits_name_another_depth():
    assert found(START, Limits(depth=2), depth=4).depth == 2


def test_a_limit_of_nodes_is_kept_and_the_last_whole_depth_counts():
    told = []
    answer = found(START, Limits(nodes=200), depth=60, told=told, is_shuffled=False)
    assert answer.nodes == 200
    assert [each.depth for each in told] == [1, 2]
    assert (answer.depth, answer.move) == (2, told[-1].move)


def test_one_ply_is_looked_at_even_if_the_time_is_over_at_once():
    assert found(START, Limits(seconds=1e-9)).depth == 1


@pytest.mark.parametrize("limits", [Limits(seconds=0.05), Limits(clock=Clock(1.5))])
def test_a_limit_of_time_is_kept(limits):
    began = time.perf_counter()
    answer = found(Game.start(INTERNATIONAL), limits, depth=60)
    assert answer.seconds >= 0.04
    assert time.perf_counter() - began < 30
    assert answer.move in Game.start(INTERNATIONAL).moves


def test_another_thread_stops_an_endless_search():
    stop = threading.Event()

    def tell(answer):
        if answer.depth == 3:
            threading.Timer(0.01, stop.set).start()

    player = AlphaBeta(AlphaBetaSettings())
    answer = player.search(START, Limits(is_infinite=True), stop, tell)
    assert stop.is_set()
    assert answer.depth >= 3


def test_a_search_that_is_stopped_before_it_begins_answers():
    stop = threading.Event()
    stop.set()
    answer = AlphaBeta(AlphaBetaSettings(depth=5)).search(START, Limits(), stop, print)
    assert answer.move in START.moves
    assert answer.depth is None


def test_a_game_that_is_over_is_refused():
    over = Game.of(Position(CZECH, Side.WHITE, 0, 0, 0, set_of([1])))
    with pytest.raises(ValueError, match="the game is over: no move left"):
        found(over)


def test_a_table_of_another_variant_is_refused():
    with pytest.raises(ValueError, match="the table of states is of international draughts"):
        found(START, table=StateTable(INTERNATIONAL))


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"depth": -1}, "0 to 60 plies deep, not -1"),
        ({"depth": 61}, "not 61"),
        ({"discount": 0.0}, "more than 0 and up to 1, not 0"),
        ({"discount": 1.5}, "not 1.5"),
    ],
)
def test_settings_out_of_range_are_refused(choices, reason):
    with pytest.raises(ValueError, match=reason):
        AlphaBetaSettings(**choices)
