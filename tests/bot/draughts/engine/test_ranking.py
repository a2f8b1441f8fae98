import pickle
from threading import Event

import pytest

from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.engine.engine import Engine
from bot.draughts.engine.ranking import ranking
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import CZECH
from protocol.draughts.formats.fen import parse_fen


def game(fen):
    return Game.of(parse_fen(fen, CZECH))


@pytest.fixture(scope="module")
def engine():
    return Engine(PatternEvaluation.untrained(CZECH), rows=1 << 12)


def test_all_moves_are_ranked_at_one_depth(engine):
    start = Game.start(CZECH)
    found = ranking(engine, start, Limits(depth=4))
    assert {each.move for each in found} == set(start.moves)
    assert {each.depth for each in found} == {4}
    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(each.line[0] == each.move for each in found)


def test_the_best_is_what_a_search_of_that_depth_finds():
    player = AlphaBeta(AlphaBetaSettings(depth=5, is_shuffled=False))
    start = game("W:Wc3,e3,g3,b2:Bb8,d6,f6,h6")
    best = ranking(player, start, Limits(depth=5))[0]
    assert best.score == pytest.approx(
        AlphaBeta(AlphaBetaSettings(depth=5))
        .search(start, Limits(), Event(), lambda _: None)
        .score,
        abs=0.05,
    )


def test_move_that_wins_at_once_is_told_by_its_plies(engine):
    won, *_ = ranking(engine, game("W:Wc3,a1:Bb4"), Limits(depth=3))
    assert won.score == pytest.approx(300 - 0.01)
    assert len(won.line) == 1


def test_win_behind_replies_without_a_choice_is_told_by_all_its_plies(engine):
    won, *_ = ranking(engine, game("W:WK10,19,26:B8,15"), Limits(depth=4))
    assert len(won.line) == 7
    assert won.score == pytest.approx(300 - 0.07)


def test_ranking_ends_in_time_and_game_that_is_over_has_none(engine):
    found = ranking(engine, Game.start(CZECH), Limits(seconds=0.05))
    assert found[0].depth >= 2
    with pytest.raises(ValueError, match="the game is over"):
        ranking(engine, game("W:W:Bb4"), Limits(depth=2))


def test_game_goes_to_another_process_with_its_variant():
    start = Game.start(CZECH)
    other = pickle.loads(pickle.dumps(start))
    assert other == start
    assert other.position.variant is CZECH
