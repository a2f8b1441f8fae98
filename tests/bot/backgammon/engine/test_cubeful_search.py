"""The search with the cube, held against the slow obvious one and against exact endings."""

import functools
import random
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_databases, known_equities
from bot.backgammon.evaluation.cube import cube_table, static_values
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels import search as kernels
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.bearoff import home_board, plain_homes
from tests.plain.cubeful_search import PlainCubefulSearch
from tests.plain.networks import decided_network
from tests.strategies import positions, rolls

ALL = (MoveFilter(0, 1000, 100.0),)
"""Lets every play through."""

EVALUATOR = CompositeEvaluator(decided_network(6))
SEARCHES = {ply: Search(EVALUATOR, SearchSettings(ply, ALL)) for ply in range(4)}


def table_at(score=None, cube=None, *, jacoby=False, beavers=False, databases=None):
    """The cube at a score of a match, or in money games."""
    state = GameState(START, cube or Cube(), score, MoneyRules(jacoby, beavers))
    return cube_table(state, blot_table(), *([databases] if databases else []))


CUBES = {
    "money": table_at(),
    "money under the Jacoby rule": table_at(jacoby=True),
    "money with beavers": table_at(beavers=True),
    "own cube": table_at(cube=Cube(2, CubeOwner.ON_ROLL)),
    "others' cube in a match": table_at(Score(7, 3, 2), Cube(2, CubeOwner.OTHER)),
    "three and five away": table_at(Score(5, 2, 0)),
    "Crawford": table_at(Score(5, 4, 2, True)),
    "after Crawford": table_at(Score(5, 4, 2)),
    "long match": table_at(Score(64, 0, 1)),
}


@functools.cache
def rate(board):
    """The evaluator's chances, of a tuple."""
    return tuple(EVALUATOR.outcomes(np.array([board], np.int8))[0].tolist())


PLAIN = {name: PlainCubefulSearch(cube, rate) for name, cube in CUBES.items()}


def assert_evaluated_as_plain(name, board, roll, ply):
    """The first plays have the values of the plain search in each state."""
    cube, plain = CUBES[name], PLAIN[name]
    candidates = SEARCHES[ply].candidates(board, roll, cube=cube)
    states = range(cube.may_double.shape[1])
    boards = turned_boards(candidates.after[:4]).tolist()
    for after, values in zip(boards, candidates.values[:4], strict=True):
        expected = [plain.value(tuple(after), ply, 1, state) for state in states]
        assert values == pytest.approx(expected, abs=5e-6)
    order = candidates.ranked()[0]
    if len(order):
        assert candidates.utilities[order[0]] == candidates.utilities.max()


def assert_rolled_as_plain(name, board, ply):
    """The same of rolling now."""
    cube, plain = CUBES[name], PLAIN[name]
    outcomes, rolled = SEARCHES[ply].rolled(board, cube)
    states = range(cube.may_double.shape[1])
    expected = [plain.rolled(tuple(board.tolist()), ply, 0, state) for state in states]
    assert rolled[0] == pytest.approx(expected, abs=5e-6)
    assert outcomes.shape == (1, 5)


@given(position=positions(), roll=rolls(), name=st.sampled_from(list(CUBES)))
def test_plays_have_static_values_without_lookahead(position, roll, name):
    cube = CUBES[name]
    candidates = SEARCHES[0].candidates(position.board, roll, cube=cube)
    boards = turned_boards(candidates.after)
    expected = static_values(boards, candidates.outcomes, 1, cube)
    assert candidates.values == pytest.approx(expected, abs=1e-9)


@settings(max_examples=3)
@given(position=positions(), roll=rolls(), name=st.sampled_from(list(CUBES)))
def test_one_ply_agrees_with_the_plain_search(position, roll, name):
    assert_evaluated_as_plain(name, position.board, roll, 1)
    assert_rolled_as_plain(name, position.board, 1)


ENDINGS = {
    "games end within the tree": Position.of({1: 2, 3: 1}, {2: 3}).board,
    "gammons are still possible": Position.of({2: 2, 20: 1}, {3: 1, 1: 1}).board,
    "both sides on the bar": Position.of({25: 1, 4: 2}, {25: 1, 5: 2}).board,
}


@pytest.mark.parametrize("name", CUBES)
def test_two_plies_agree_with_the_plain_search(name):
    ending = list(ENDINGS.values())[list(CUBES).index(name) % len(ENDINGS)]
    assert_evaluated_as_plain(name, ending, Roll(2, 1), 2)
    assert_rolled_as_plain(name, ending, 2)


@pytest.mark.parametrize("name", ["money with beavers", "three and five away"])
def test_three_plies_agree_with_the_plain_search(name):
    assert_evaluated_as_plain(name, Position.of({1: 1, 3: 2}, {2: 2}).board, Roll(2, 1), 3)


def test_gammons_that_are_worth_more_change_the_replies():
    money, crawford = (SEARCHES[1].rolled(START.board, CUBES[n])[0] for n in ("money", "Crawford"))
    assert not np.array_equal(money, crawford)
    assert np.array_equal(money, SEARCHES[1].outcomes(START.board))


def test_values_are_only_those_of_the_cube_asked_about():
    search = Search(EVALUATOR, SearchSettings(2, ALL))
    board = ENDINGS["gammons are still possible"]
    for name in (*CUBES, "money", "long match"):
        _, rolled = search.rolled(board, CUBES[name])
        assert np.array_equal(rolled, SEARCHES[2].rolled(board, CUBES[name])[1])
        assert np.array_equal(search.outcomes(board), SEARCHES[2].outcomes(board))


TABLES = build_databases(lambda text: None, 4, 4)
EXACT = CompositeEvaluator(EVALUATOR.network, TABLES)


def test_exact_endings_are_looked_into_only_where_the_cube_is_not_exact():
    board = Position.of({1: 1, 3: 2, 5: 1}, {2: 2, 6: 2}).board
    static, deep = (Search(EXACT, SearchSettings(ply, ALL), keeps_replies=True) for ply in (0, 2))
    money = table_at(databases=TABLES)
    exact, is_known = known_equities(board[np.newaxis], TABLES)
    assert is_known.all()
    for search in (static, deep):
        assert search.rolled(board, money)[1] == pytest.approx(exact, abs=1e-7)
        candidates = search.candidates(board, Roll(2, 1), cube=money)
        assert candidates.is_exact.all()
        assert not any(search.replies(each) for each in turned_boards(candidates.after))
    crawford = table_at(Score(5, 4, 2, True), databases=TABLES)
    assert deep.candidates(board, Roll(2, 1), cube=crawford).is_exact.all()
    match = table_at(Score(7, 3, 2), databases=TABLES)
    assert not deep.candidates(board, Roll(2, 1), cube=match).is_exact.any()
    assert not np.array_equal(static.rolled(board, match)[1], deep.rolled(board, match)[1])


@pytest.mark.parametrize("ply", [0, 1, 2])
def test_of_plays_that_all_leave_a_cash_the_one_that_wins_most_is_the_best(ply):
    board = Position.of({2: 2, 4: 1, 5: 1}, {2: 1, 3: 1}).board
    search = Search(EXACT, SearchSettings(ply))
    candidates = search.candidates(board, Roll(5, 2), cube=table_at(databases=TABLES))
    order, utilities = candidates.ranked()
    assert (utilities == -1).all()
    wins = 1 - candidates.outcomes[order, 0]
    assert (np.diff(wins) <= 0).all()
    assert wins[0] > 4 * wins[-1]
    assert search.choice(board, Roll(5, 2), cube=candidates.cube).tolist() == (
        Position.of({2: 1, 4: 1}, {2: 1, 3: 1}).board.tolist()
    )


def test_looking_deeper_comes_ever_nearer_to_the_exact_bearoff():
    homes = [home for home in plain_homes(4) if sum(home) >= 3]
    numbers = random.Random(5)
    pairs = [(numbers.choice(homes), numbers.choice(homes)) for _ in range(100)]
    boards = np.array([home_board(*pair) for pair in pairs], np.int8)
    exact, _ = known_equities(boards, TABLES)
    unsure = table_at()
    errors = []
    for ply in (0, 1, 2):
        search = Search(EXACT, SearchSettings(ply, ALL))
        found = np.concatenate([search.rolled(board, unsure)[1] for board in boards])
        errors.append(np.abs(found - exact).mean())
    assert errors[0] > errors[1] > errors[2]
    assert errors[0] > 2 * errors[2]
    assert errors[2] < 0.02


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("ply", [1, 2])
@pytest.mark.parametrize("name", ["money", "three and five away"])
def test_any_number_of_threads_finds_the_very_same(name, ply, threads):
    filters = (MoveFilter(0, 3, 3.0),)
    alone, together = (
        Search(EVALUATOR, SearchSettings(ply, filters, threads=each)) for each in (1, threads)
    )
    for board, roll in (
        (ENDINGS["gammons are still possible"], Roll(5, 3)),
        (START.board, ROLLS[1]),
    ):
        if ply == 2 and board is not ENDINGS["gammons are still possible"]:
            continue
        expected = alone.candidates(board, roll, cube=CUBES[name])
        found = together.candidates(board, roll, cube=CUBES[name])
        assert np.array_equal(expected.values, found.values)
        assert np.array_equal(expected.plies, found.plies)
        expected, found = (each.rolled(board, CUBES[name]) for each in (alone, together))
        assert all(map(np.array_equal, expected, found))


STOPPED = threading.Event()
STOPPED.set()


@pytest.mark.parametrize(
    ("ply", "seconds", "more"),
    [
        (3, 1e-9, {}),
        (3, 1e-9, {"keeps_replies": True}),
        (3, None, {"stop": STOPPED}),
        (0, 100.0, {}),
    ],
    ids=["time is up", "replies are kept", "stopped", "0-ply"],
)
def test_no_time_or_no_use_for_it_leaves_the_static_values(ply, seconds, more):
    hurried = Search(EVALUATOR, SearchSettings(ply, seconds=seconds), **more)
    cube = CUBES["three and five away"]
    found = hurried.candidates(START.board, Roll(3, 1), cube=cube)
    expected = SEARCHES[0].candidates(START.board, Roll(3, 1), cube=cube)
    assert np.array_equal(found.values, expected.values)
    assert not found.plies.any()
    rolled = (each.rolled(START.board, cube)[1] for each in (hurried, SEARCHES[0]))
    assert np.array_equal(*rolled)


@pytest.mark.parametrize("threads", [1, 2])
def test_much_time_finds_what_a_search_without_a_limit_finds(threads):
    board, cube = ENDINGS["games end within the tree"], CUBES["money"]
    patient = Search(EVALUATOR, SearchSettings(2, seconds=100.0, threads=threads))
    found = patient.candidates(board, Roll(2, 1), cube=cube)
    assert (found.plies == 2).all()
    expected = SEARCHES[2].candidates(board, Roll(2, 1), cube=cube)
    assert np.array_equal(found.values, expected.values)
    assert all(map(np.array_equal, patient.rolled(board, cube), SEARCHES[2].rolled(board, cube)))


def test_time_that_is_up_within_a_ply_leaves_the_last_complete_one(monkeypatch):
    def replies(*parts):
        stop.set()
        kernels.fill_replies_of(*parts)

    board, cube = ENDINGS["games end within the tree"], CUBES["three and five away"]
    stop = threading.Event()
    monkeypatch.setattr("bot.backgammon.engine.search.fill_replies_of", replies)
    search = Search(EVALUATOR, SearchSettings(2, ALL, seconds=100.0), stop=stop)
    found = search.candidates(board, Roll(2, 1), cube=cube)
    assert stop.is_set()
    assert (found.plies == 1).all()
    expected = SEARCHES[1].candidates(board, Roll(2, 1), cube=cube)
    assert np.array_equal(found.values, expected.values)
    stop.clear()
    rolled = search.rolled(board, cube)
    assert stop.is_set()
    assert all(map(np.array_equal, rolled, SEARCHES[1].rolled(board, cube)))


def test_filter_counts_points_of_the_present_cube():
    cube = CUBES["others' cube in a match"]
    static = SEARCHES[0].candidates(START.board, Roll(3, 1), cube=cube)
    utilities = -np.sort(-static.utilities)
    point = (cube.utilities[0, 0, 0] - cube.utilities[0, 0, 3]) / 2
    assert 0.1 < point < 0.5
    margin = float((utilities[0] - utilities[5]) / point) + 1e-9
    search = Search(EVALUATOR, SearchSettings(1, (MoveFilter(0, 100, margin),)))
    assert (search.candidates(START.board, Roll(3, 1), cube=cube).plies == 1).sum() == 6


@pytest.mark.parametrize(
    ("leads", "reached"), [([0.5], 0), ([0.3, 0.06], 2), ([0.1, 0.04], 3), ([0.1, 0.0], 3)]
)
def test_look_before_the_dice_ends_where_the_lead_passes_a_filter(leads, reached):
    board, cube = ENDINGS["games end within the tree"], CUBES["three and five away"]
    seen = []

    def margin(rolled, table):
        assert table is cube
        seen.append(rolled)
        return leads[len(seen) - 1]

    filters = (MoveFilter(0, 8, 0.2), MoveFilter(2, 2, 0.05))
    search = Search(EVALUATOR, SearchSettings(3, filters))
    rolled = search.rolled(board, cube, margin=margin)
    assert all(map(np.array_equal, rolled, SEARCHES[reached].rolled(board, cube)))
    for ply, values in zip((0, 2), seen, strict=False):
        assert np.array_equal(values, SEARCHES[ply].rolled(board, cube)[1][0])
    assert len(seen) == len(leads)


def test_look_before_the_dice_at_a_late_contact_ends_after_two_plies_at_the_soonest():
    board, cube = ENDINGS["both sides on the bar"], CUBES["three and five away"]
    search = Search(EVALUATOR, SearchSettings(3))
    rolled = search.rolled(board, cube, margin=lambda rolled, table: 9.0)
    assert all(map(np.array_equal, rolled, SEARCHES[2].rolled(board, cube)))


def test_without_a_cube_there_are_chances_only():
    candidates = SEARCHES[1].candidates(START.board, Roll(3, 1))
    assert candidates.cube is CUBELESS
    assert candidates.values.shape == (len(candidates.after), 0)
    assert SEARCHES[1].rolled(START.board, CUBELESS)[1].shape == (1, 0)
