"""The search, held against the slow obvious one, and its settings."""

import _thread
import itertools
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings

from bot.backgammon.engine.level import AMPLE_SECONDS
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import PLAYERS
from bot.backgammon.kernels import search as kernels
from bot.backgammon.kernels.logistic import fill_logistic
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.play import RollWorkspace, boards_after
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.games import plain_turned
from tests.plain.more_inputs import MORE
from tests.plain.networks import decided_network
from tests.plain.plays import plain_boards_after
from tests.plain.search import plain_lookahead, plain_rate, plain_reply, plain_turned_chances
from tests.strategies import boards, positions, rolls

ALL = (MoveFilter(0, 1000, 100.0),)
"""Lets every play through."""


EVALUATOR = CompositeEvaluator(decided_network(6))
SEARCHES = {ply: Search(EVALUATOR, SearchSettings(ply, ALL)) for ply in range(4)}


RATE = plain_rate(EVALUATOR)


def plain_chances(board, roll, ply, rate):
    """The other player's chances after each legal play, as SEARCHES[ply] should rate it."""
    return {
        after: plain_lookahead(plain_turned(after), ply, rate)
        for after in plain_boards_after(tuple(board.tolist()), roll.high, roll.low)
    }


def chances_by_board(candidates):
    """What a search found, by the board after the play."""
    rows = [tuple(row) for row in candidates.after.tolist()]
    return dict(zip(rows, candidates.outcomes, strict=True))


def assert_same(found, expected):
    """The same plays and chances."""
    assert set(found) == set(expected)
    for after, chances in expected.items():
        assert found[after] == pytest.approx(np.array(chances), abs=2e-6)


@given(position=positions(), roll=rolls())
def test_every_legal_play_is_evaluated_as_the_evaluator_rates_it(position, roll):
    candidates = SEARCHES[0].candidates(position.board, roll)
    after, _ = boards_after(position.board, roll, RollWorkspace())
    assert np.array_equal(candidates.after, after)
    expected = EVALUATOR.outcomes(turned_boards(after))
    assert candidates.outcomes == pytest.approx(expected, abs=2e-6)
    assert not candidates.plies.any()


@settings(max_examples=8)
@given(position=positions(), roll=rolls())
def test_one_ply_agrees_with_the_plain_search(position, roll):
    candidates = SEARCHES[1].candidates(position.board, roll)
    assert_same(chances_by_board(candidates), plain_chances(position.board, roll, 1, RATE))
    assert (candidates.plies == 1).all()


ENDINGS = {
    "games end within the tree": Position.of({1: 2, 3: 1}, {2: 3}).board,
    "gammons are still possible": Position.of({2: 2, 20: 1}, {3: 1, 1: 1}).board,
    "both sides on the bar": Position.of({25: 1, 4: 2}, {25: 1, 5: 2}).board,
    "no roll enters": Position.of({25: 1, 8: 1}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}).board,
}


@pytest.mark.parametrize("name", ENDINGS)
def test_two_plies_agree_with_the_plain_search(name):
    board, roll = ENDINGS[name], Roll(2, 1)
    if name == "no roll enters":
        board, roll = turned_boards(board[np.newaxis])[0], Roll(6, 5)
    candidates = SEARCHES[2].candidates(board, roll)
    assert len(candidates.after)
    assert_same(chances_by_board(candidates), plain_chances(board, roll, 2, RATE))


@pytest.mark.slow
def test_two_plies_from_the_start_agree_with_the_plain_search():
    search = Search(EVALUATOR, SearchSettings(2, (MoveFilter(0, 2, 3.0),)))
    candidates = search.candidates(START.board, Roll(3, 1))
    best = candidates.ranked()[0][:2]
    assert (candidates.plies[best] == 2).all()
    for i in best:
        turned = plain_turned(candidates.after[i].tolist())
        assert candidates.outcomes[i] == pytest.approx(plain_lookahead(turned, 2, RATE), abs=2e-6)


def test_three_plies_agree_with_the_plain_search():
    board = Position.of({1: 1, 3: 2}, {2: 2}).board
    candidates = SEARCHES[3].candidates(board, Roll(2, 1))
    assert_same(chances_by_board(candidates), plain_chances(board, Roll(2, 1), 3, RATE))


@pytest.mark.parametrize(
    "other",
    [
        decided_network(5, 4),
        decided_network(5, 4, 3),
        decided_network(6, inputs=PLAYERS),
        decided_network(6, 4, inputs=PLAYERS),
        decided_network(6, 4, inputs=PLAYERS, phases=8),
        decided_network(5, 4, 3, phases=8),
        decided_network(6, inputs=MORE),
        decided_network(6, 4, inputs=MORE, phases=8),
    ],
    ids=lambda network: network.shape,
)
def test_any_network_is_searched_by_the_same_rules(other):
    evaluator = CompositeEvaluator(other)
    search = Search(evaluator, SearchSettings(1, ALL))
    for board, roll in ((START.board, Roll(5, 5)), (ENDINGS["both sides on the bar"], Roll(6, 2))):
        found = chances_by_board(search.candidates(board, roll))
        assert_same(found, plain_chances(board, roll, 1, plain_rate(evaluator)))


@given(board=boards())
@settings(max_examples=5)
def test_position_is_evaluated_before_the_roll_as_after_a_play(board):
    expected = plain_lookahead(tuple(board.tolist()), 1, RATE)
    found = SEARCHES[1].outcomes(board)
    assert found == pytest.approx(np.array([expected]), abs=2e-6)


@given(board=boards())
def test_position_seen_0_ply_before_the_roll_is_as_the_evaluator_rates_it(board):
    found = SEARCHES[0].outcomes(board)
    assert found == pytest.approx(EVALUATOR.outcomes(board[np.newaxis]), abs=2e-6)


@pytest.mark.parametrize("ply", [0, 1])
def test_position_that_a_table_knows_is_as_it_says_before_the_roll(ply):
    databases = build_databases(lambda text: None, 4, 3)
    evaluator = CompositeEvaluator(EVALUATOR.network, databases)
    for board in (Position.of({1: 1, 3: 2}, {2: 2, 6: 1}).board, Position.of({1: 1}, {}).board):
        found = Search(evaluator, SearchSettings(ply)).outcomes(board)
        assert np.array_equal(found, evaluator.outcomes(board[np.newaxis]))


def test_known_endings_are_not_looked_into():
    databases = build_databases(lambda text: None, 4, 3)
    evaluator = CompositeEvaluator(EVALUATOR.network, databases)
    board = Position.of({1: 1, 3: 2, 5: 1}, {2: 2, 6: 2}).board
    static = Search(evaluator, SearchSettings(0)).candidates(board, Roll(2, 1))
    deep = Search(evaluator, SearchSettings(2, ALL)).candidates(board, Roll(2, 1))
    assert static.is_exact.all()
    assert np.array_equal(static.outcomes, deep.outcomes)
    assert (deep.plies == 2).all()
    outside = Position.of({1: 1, 3: 2, 8: 1}, {2: 2, 6: 2}).board
    mixed = Search(evaluator, SearchSettings(1, ALL)).candidates(outside, Roll(2, 1))
    assert_same(
        chances_by_board(mixed), plain_chances(outside, Roll(2, 1), 1, plain_rate(evaluator))
    )


def test_roll_without_a_legal_play_has_no_evaluations():
    board = Position.of({25: 1, 8: 1}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}).board
    candidates = SEARCHES[2].candidates(board, Roll(6, 5))
    assert len(candidates.ranked()[0]) == 0


def test_filter_chooses_what_is_evaluated_deeper():
    static = SEARCHES[0].candidates(START.board, Roll(3, 1))
    order = static.ranked()[0]
    equities = -cubeless_equities(static.outcomes[order])
    margin = float(equities[0] - equities[5]) + 1e-6
    few = Search(EVALUATOR, SearchSettings(1, (MoveFilter(0, 3, margin),)))
    close = Search(EVALUATOR, SearchSettings(1, (MoveFilter(0, 10, margin),)))
    for search, count in ((few, 3), (close, 6)):
        candidates = search.candidates(START.board, Roll(3, 1))
        assert set(np.flatnonzero(candidates.plies == 1)) == set(order[:count])
        assert (candidates.plies[candidates.ranked()[0][:count]] == 1).all()
        rest = order[count:]
        assert np.array_equal(candidates.outcomes[rest], static.outcomes[rest])
        assert candidates.ranked()[0][count:].tolist() == rest.tolist()


def test_second_filter_chooses_among_plays_evaluated_two_plies_deep():
    board = Position.of({2: 1, 4: 1, 5: 1, 20: 1}, {2: 3}).board
    filters = (MoveFilter(0, 3, 3.0), MoveFilter(2, 1, 3.0))
    two = Search(EVALUATOR, SearchSettings(2, filters)).candidates(board, Roll(2, 1))
    deep = Search(EVALUATOR, SearchSettings(3, filters)).candidates(board, Roll(2, 1))
    assert deep.plies[deep.ranked()[0][:4]].tolist() == [3, 2, 2, 0]
    assert deep.ranked()[0][0] == two.ranked()[0][0]
    later = deep.ranked()[0][1:]
    assert np.array_equal(deep.outcomes[later], two.outcomes[later])


def test_play_without_rivals_is_not_evaluated_deeper_if_only_the_choice_counts():
    search = Search(EVALUATOR, SearchSettings(1, (MoveFilter(0, 1, 0.0),)))
    assert not search.candidates(START.board, Roll(3, 1), is_choice=True).plies.any()
    assert search.candidates(START.board, Roll(3, 1)).plies.sum() == 1
    search = Search(EVALUATOR, SearchSettings(1, (MoveFilter(0, 1, 0.0),)), keeps_replies=True)
    after = search.choice(START.board, Roll(3, 1))
    assert search.replies(turned_boards(after[np.newaxis])[0]) is None


def test_choice_is_the_board_after_the_best_play_or_the_same_one_if_there_is_none():
    candidates = SEARCHES[1].candidates(START.board, Roll(3, 1))
    best = candidates.after[candidates.ranked()[0][0]]
    assert np.array_equal(SEARCHES[1].choice(START.board, Roll(3, 1)), best)
    shut_out = Position.of({25: 1, 8: 1}, dict.fromkeys(range(1, 7), 2)).board
    assert np.array_equal(SEARCHES[1].choice(shut_out, Roll(6, 5)), shut_out)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("ply", [1, 2])
def test_any_number_of_threads_finds_the_very_same(threads, ply):
    filters = (MoveFilter(0, 3, 3.0),)
    board = ENDINGS["gammons are still possible"]
    alone = Search(EVALUATOR, SearchSettings(ply, filters)).candidates(board, Roll(5, 3))
    search = Search(EVALUATOR, SearchSettings(ply, filters, threads=threads))
    for _ in range(2):
        together = search.candidates(board, Roll(5, 3))
        assert np.array_equal(alone.outcomes, together.outcomes)
        assert np.array_equal(alone.plies, together.plies)
        assert np.array_equal(search.outcomes(board), SEARCHES[ply].outcomes(board))


@pytest.mark.parametrize("number", range(4))
def test_interrupt_while_threads_get_their_parts_leaves_them_of_use(number, monkeypatch):
    def entering(condition):
        locked = enter(condition)
        if threading.current_thread() is threading.main_thread() and next(left, 1) == 0:
            _thread.interrupt_main()  # as if another thread had taken the signal
        return locked

    board = ENDINGS["games end within the tree"]
    search = Search(EVALUATOR, SearchSettings(2, threads=2))
    expected = search.candidates(board, Roll(2, 1))
    enter, left = threading.Condition.__enter__, iter(range(number, -1, -1))
    monkeypatch.setattr(threading.Condition, "__enter__", entering)
    with pytest.raises(KeyboardInterrupt):
        search.candidates(board, Roll(2, 1))
    assert np.array_equal(search.candidates(board, Roll(2, 1)).outcomes, expected.outcomes)


def test_search_after_an_interrupted_one_waits_for_the_threads_that_are_at_it(monkeypatch):
    def lookahead(*parts):
        at_it.append(None)
        if next(calls) == 0:
            _thread.interrupt_main()
        assert may_end.wait(60)
        kernels.fill_lookahead(*parts)
        at_it.pop()

    def evaluations(*parts):
        assert not at_it
        return kernels.evaluate_roll(*parts)

    at_it, calls, may_end = [], itertools.count(), threading.Event()
    monkeypatch.setattr("bot.backgammon.engine.search.fill_lookahead", lookahead)
    monkeypatch.setattr("bot.backgammon.engine.search.evaluate_roll", evaluations)
    search = Search(EVALUATOR, SearchSettings(1, threads=2))
    with pytest.raises(KeyboardInterrupt):
        search.candidates(START.board, Roll(2, 1))
    assert at_it
    threading.Timer(0.2, may_end.set).start()
    search.candidates(START.board, Roll(2, 1))


def test_search_that_has_seen_other_positions_finds_the_very_same():
    search = Search(EVALUATOR, SearchSettings(2, ALL))
    for board in ENDINGS.values():
        search.candidates(board, Roll(4, 2))
    board = ENDINGS["gammons are still possible"]
    fresh = SEARCHES[2].candidates(board, Roll(2, 1))
    assert np.array_equal(search.candidates(board, Roll(2, 1)).outcomes, fresh.outcomes)


def test_what_a_search_found_stays_as_it_is_when_it_looks_at_other_plays():
    search = Search(EVALUATOR, SearchSettings(0))
    first = search.candidates(START.board, Roll(3, 1))
    found = first.outcomes.copy()
    search.candidates(START.board, Roll(6, 5))
    assert np.array_equal(first.outcomes, found)


def test_no_time_leaves_the_static_evaluations():
    hurried = Search(EVALUATOR, SearchSettings(3, seconds=1e-9))
    candidates = hurried.candidates(START.board, Roll(3, 1))
    assert np.array_equal(
        candidates.outcomes, SEARCHES[0].candidates(START.board, Roll(3, 1)).outcomes
    )
    assert not candidates.plies.any()
    assert np.array_equal(hurried.outcomes(START.board), SEARCHES[0].outcomes(START.board))


@pytest.mark.parametrize("threads", [1, 2])
def test_much_time_rates_every_play_as_deep_as_allowed(threads):
    board = ENDINGS["games end within the tree"]
    patient = Search(EVALUATOR, SearchSettings(2, seconds=100.0, threads=threads))
    candidates = patient.candidates(board, Roll(2, 1))
    assert (candidates.plies == 2).all()
    assert np.array_equal(candidates.outcomes, SEARCHES[2].candidates(board, Roll(2, 1)).outcomes)
    assert np.array_equal(patient.outcomes(board), SEARCHES[2].outcomes(board))


def test_logistic_function_is_right_everywhere():
    values = np.concatenate([np.linspace(-40, 40, 9999), [0.0]]).astype(np.float32)
    found = values.copy()
    fill_logistic(found, len(found))
    assert found == pytest.approx(1 / (1 + np.exp(-values.astype(float))), abs=3e-7)


def test_twin_turns_chances_there_and_back():
    chances = (0.6, 0.2, 0.1, 0.15, 0.05)
    assert plain_turned_chances(plain_turned_chances(chances)) == pytest.approx(chances)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: SearchSettings(-1), "0 to 3 plies ahead, not -1"),
        (lambda: SearchSettings(4), "0 to 3 plies ahead, not 4"),
        (lambda: SearchSettings(1, ()), "first after 0, not after none"),
        (lambda: SearchSettings(1, (MoveFilter(1),)), "not after 1"),
        (lambda: SearchSettings(1, (MoveFilter(), MoveFilter())), "not after 0, 0"),
        (lambda: SearchSettings(threads=0), "1 to 256 threads, not 0"),
        (lambda: SearchSettings(seconds=0), "more than 0 seconds, not 0"),
        (lambda: SearchSettings(seconds=float("inf")), "more than 0 seconds, not inf"),
    ],
)
def test_impossible_settings_are_refused_in_a_sentence(wrong, words):
    with pytest.raises(ValueError, match=words):
        wrong()


@pytest.mark.parametrize("is_choice", [True, False])
def test_a_play_that_is_forced_takes_no_time(is_choice):
    settings = SearchSettings(2, seconds=AMPLE_SECONDS)
    began = time.perf_counter()
    search = Search(EVALUATOR, settings)
    candidates = search.candidates(
        Position.of({1: 1}, {1: 1}).board, Roll(3, 1), is_choice=is_choice
    )
    assert len(candidates.after) == 1
    assert time.perf_counter() - began < AMPLE_SECONDS / 10


@pytest.mark.parametrize("ply", [1, 2])
def test_a_search_tells_the_replies_it_saw(ply):
    search = Search(EVALUATOR, SearchSettings(ply, (MoveFilter(0, 2, 100.0),)), keeps_replies=True)
    after = search.choice(START.board, Roll(6, 5))
    (board,) = turned_boards(after[np.newaxis])
    outcomes, values = search.replies(board)
    seen = tuple(board.tolist())
    replies = [plain_reply(seen, roll, RATE) for roll in ROLLS]
    expected = np.array([plain_lookahead(reply, ply - 1, RATE) for reply in replies])
    assert outcomes == pytest.approx(expected, abs=2e-5)
    assert values.shape == (21, 0)
    search.choice(START.board, Roll(2, 1))
    assert search.replies(board) is None
