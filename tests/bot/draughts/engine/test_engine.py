"""The engine and its search."""

import threading
import time
from random import Random
from threading import Event

import pytest

from bot.draughts.engine.engine import Engine
from bot.draughts.engine.level import LEVELS, level
from bot.draughts.evaluation.endings import load_endings
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.kernels.search import WIN
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from bot.kernels.kernel import COMPILES
from tests.plain.draughts_deepening import plain_value

BOTH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
ROWS = 1 << 12


def engine(variant, **options):
    return Engine(PatternEvaluation.untrained(variant), rows=ROWS, **options)


def found(player, game, **limits):
    return player.search(game, Limits(**limits), Event(), lambda found: None)


def position(variant, turn, white_men=(), white_kings=(), black_men=(), black_kings=()):
    sets = (set_of(each) for each in (white_men, white_kings, black_men, black_kings))
    return Position(variant, turn, *sets)


def played(variant, plies, seed):
    """A game after so many random plies, or before one that would have ended it."""
    random, game = Random(seed), Game.start(variant)
    for _ in range(plies):
        after = game.after(random.choice(game.moves))
        if isinstance(after, Result):
            break
        game = after
    return game


@BOTH
def test_without_reductions_a_score_is_that_of_all_moves(variant):
    player = engine(variant, is_plain=True)
    for seed in range(4 if COMPILES else 1):
        game = played(variant, 12 + 7 * seed, seed)
        for depth in (1, 2, 3) if COMPILES else (1,):
            if len(game.moves) == 1:
                continue
            player.forget()
            answer = found(player, game, depth=depth)
            value = plain_value(PatternEvaluation.untrained(variant), game.position, depth)
            assert round(answer.score * 100) == value
            after = game.after(answer.move)
            if isinstance(after, Game):
                path = (game.position,)
                evaluation = PatternEvaluation.untrained(variant)
                assert -plain_value(evaluation, after.position, depth - 1, path) == value


@BOTH
def test_a_win_is_found_and_played_to_the_end(variant):
    men = (20, 24) if variant is CZECH else (31, 37)
    far = 4 if variant is CZECH else 5
    game = Game.of(
        position(variant, Side.WHITE, white_men=men, white_kings=(far,), black_men=(12,))
    )
    player = engine(variant)
    for _ in range(40):
        answer = found(player, game, depth=9 if COMPILES else 2)
        after = game.after(answer.move)
        if isinstance(after, Result):
            assert after.winner is Side.WHITE or not COMPILES
            return
        game = after
        if not COMPILES:
            return
    raise AssertionError("not won in 40 plies")


def test_a_score_tells_how_many_plies_a_win_takes():
    # the man must step before the king, and the next capture is the last
    game = Game.of(position(CZECH, Side.WHITE, white_kings=(32,), black_men=(5,)))
    answer = found(engine(CZECH), game, depth=8 if COMPILES else 3)
    if COMPILES:
        assert WIN / 100 - answer.score < 0.1
        assert len(answer.line) == round(WIN - 100 * answer.score)


@BOTH
def test_a_limit_of_nodes_is_kept(variant):
    for nodes in (1, 50, 700):
        answer = found(engine(variant), Game.start(variant), nodes=nodes)
        assert answer.nodes <= nodes
        assert answer.move in Game.start(variant).moves


@BOTH
def test_a_limit_of_depth_is_reached_and_each_depth_told(variant):
    told = []
    answer = engine(variant).search(
        Game.start(variant), Limits(depth=4), Event(), lambda found: told.append(found.depth)
    )
    assert told == [1, 2, 3, 4]
    assert answer.depth == 4


@BOTH
def test_a_limit_of_time_is_kept(variant):
    player = engine(variant)
    found(player, Game.start(variant), depth=1)
    answer = found(player, Game.start(variant), seconds=0.05)
    assert answer.seconds < (0.5 if COMPILES else 20)
    assert answer.depth >= 1


@BOTH
def test_a_move_is_looked_for_even_if_the_time_is_over_at_once(variant):
    answer = found(engine(variant), Game.start(variant), seconds=1e-9)
    assert answer.depth == 1
    assert answer.score is not None


@BOTH
def test_the_same_search_finds_the_same(variant):
    game = played(variant, 15, 3)
    answers = [found(engine(variant), game, nodes=3000 if COMPILES else 200) for _ in range(2)]
    assert answers[0].line == answers[1].line
    assert (answers[0].score, answers[0].nodes) == (answers[1].score, answers[1].nodes)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_from_another_thread_ends_an_infinite_search(threads):
    player, stop, deep = engine(CZECH, threads=threads), Event(), Event()
    answers = []

    def tell(found):
        if found.depth >= 2:
            deep.set()

    search = threading.Thread(
        target=lambda: answers.append(
            player.search(Game.start(CZECH), Limits(is_infinite=True), stop, tell)
        )
    )
    search.start()
    assert deep.wait(120)
    began = time.perf_counter()
    stop.set()
    search.join(60)
    assert time.perf_counter() - began < (20 if COMPILES else 60)
    assert answers[0].move in Game.start(CZECH).moves


def test_a_stop_before_the_search_ends_it_at_once():
    stop = Event()
    stop.set()
    answer = engine(CZECH).search(Game.start(CZECH), Limits(depth=30), stop, lambda found: None)
    assert answer.move in Game.start(CZECH).moves
    assert answer.nodes == 0


def test_an_only_move_is_played_at_once():
    start = position(CZECH, Side.WHITE, white_men=(21,), black_men=(17, 1))
    game = Game.of(start)
    assert len(game.moves) == 1
    answer = found(engine(CZECH), game, depth=20)
    assert (answer.move, answer.depth, answer.nodes) == (game.moves[0], None, None)


def test_an_only_move_is_searched_where_analysis_is_asked_for():
    stop, told = Event(), []
    game = Game.of(position(CZECH, Side.WHITE, white_men=(21,), black_men=(17, 1)))

    def tell(found):
        told.append(found)
        stop.set()

    answer = engine(CZECH).search(game, Limits(is_infinite=True), stop, tell)
    assert told
    assert answer.score is not None


@BOTH
def test_a_position_of_the_game_that_comes_again_is_a_draw(variant):
    far = variant.squares
    start = position(variant, Side.WHITE, white_kings=(far,), black_kings=(1, 2), black_men=(3,))
    game = Game.of(start)
    path = ((far, far - variant.row_length), (1, variant.row_length + 1))
    for back in (False, True):
        for here, there in path:
            move = Move(there, here) if back else Move(here, there)
            assert move in game.moves
            game = game.after(move)
    # the same step again leads to a position that stood there before
    assert found(engine(variant), Game.of(start), depth=2).score < -2
    answer = found(engine(variant), game, depth=2)
    assert (answer.move, answer.score) == (Move(*path[0]), 0)


def test_a_clock_that_runs_out_makes_a_draw_of_it():
    start = position(INTERNATIONAL, Side.WHITE, white_kings=(46, 47), black_kings=(3,))
    player = engine(INTERNATIONAL)
    assert found(player, Game(start), depth=3).score > 1
    player.forget()
    assert found(player, Game(start, against_two=9), depth=3).score == 0


def test_a_draw_by_counted_moves_is_seen_in_the_last_ply():
    start = position(CZECH, Side.WHITE, (21,), (29, 30), (1, 2))
    player = engine(CZECH)
    game = Game(start, king_moves=59)
    answer = found(player, game, depth=1)
    assert answer.score > 5
    assert not isinstance(game.after(answer.move), Result)
    start = position(INTERNATIONAL, Side.WHITE, white_kings=(46, 47), black_kings=(3,))
    assert found(engine(INTERNATIONAL), Game(start, against_two=9), depth=1).score == 0


@pytest.mark.slow  # it solves endings, which takes ten minutes uncompiled
def test_a_win_for_which_moves_by_kings_run_out_is_none():
    start = position(CZECH, Side.WHITE, white_kings=(3, 9, 12), black_kings=(13,))
    player = engine(CZECH, endings=load_endings(CZECH, lambda text: None))
    assert found(player, Game(start, king_moves=30), depth=1).score > 290
    player.forget()
    assert found(player, Game(start, king_moves=50), depth=1).score < 290
    player.forget()
    assert found(player, Game(start, king_moves=52), depth=9).score == 0


def test_a_search_that_is_stopped_between_two_depths_tells_the_one_it_finished():
    stop, told = Event(), []

    def tell(answer):
        told.append(answer.depth)
        if answer.depth == 3:
            stop.set()

    answer = engine(CZECH).search(Game.start(CZECH), Limits(is_infinite=True), stop, tell)
    assert told == [1, 2, 3]
    assert answer.depth == 3


def test_a_game_that_is_over_is_refused():
    game = Game.of(position(CZECH, Side.WHITE, black_men=(1,)))
    with pytest.raises(ValueError, match="the game is over: no move left"):
        found(engine(CZECH), game, depth=1)


def test_the_other_game_is_refused():
    with pytest.raises(ValueError, match="plays czech draughts, not international"):
        found(engine(CZECH), Game.start(INTERNATIONAL), depth=1)


def test_no_thread_and_no_table_are_refused():
    with pytest.raises(ValueError, match="1 thread or more"):
        Engine(PatternEvaluation.untrained(CZECH), threads=0)
    with pytest.raises(ValueError, match="4 rows or more"):
        Engine(PatternEvaluation.untrained(CZECH), rows=3)


def test_an_unknown_level_is_refused():
    with pytest.raises(ValueError, match="no level 'giant': it is one of easy"):
        level("giant")


@BOTH
def test_the_easy_level_moves(variant):
    player = LEVELS["easy"].engine(variant, lambda text: None)
    answer = player.search(Game.start(variant), Limits(), Event(), lambda found: None)
    assert isinstance(answer.move, Move)
    assert answer.depth == 1


def test_levels_with_a_clock_think_as_long_as_the_readme_says():
    assert [LEVELS[name].limits.seconds for name in ("expert", "best")] == [0.3, 3.0]
