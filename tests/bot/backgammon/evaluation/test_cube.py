"""Cubeful values: against the obvious twin, published points of the cube, and gnubg itself."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.evaluation.bearoff import build_databases, known_equities
from bot.backgammon.evaluation.cube import (
    NO_CUBE_TABLE,
    action,
    answer,
    cube_evaluation,
    cube_table,
    equity_of,
    may_double,
    mwc_of,
    rolled_values,
    static_values,
)
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.cube import (
    fill_utility_weights,
    level_of,
    root_state,
    state_count,
    turned_state,
)
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.rules.decision import CubeAction, CubeEvaluation, DoubleAnswer, ProperAction
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START, Position
from tests.plain.bearoff import home_board, plain_homes
from tests.plain.cube import EvenMet, PlainCube
from tests.strategies import chances, game_states

MET = EvenMet()
NO_JACOBY = MoneyRules(jacoby=False)
MONEY = GameState(START, money=NO_JACOBY)
HOMES = [home for home in plain_homes(3) if sum(home) > 0]


def row(each):
    lost = (each.lose_gammon, each.lose_backgammon)
    return np.array([[each.win, each.win_gammon, each.win_backgammon, *lost]], np.float32)


def only_wins(win):
    return Chances(win, 0, 0, 0, 0)


def fixed(efficiency):
    return Efficiencies(*[float(efficiency)] * 2, 0.0)  # numba compiles once more for integers


USUAL = fixed(0.68)
DEAD, LIVE = fixed(0), fixed(1)


def values(state, each, efficiencies=USUAL, *, may=False, side=0, met=MET, at=START):
    table = cube_table(state, met, efficiencies=efficiencies)
    function = static_values if may else rolled_values
    return function(at.board[np.newaxis], row(each), side, table)[0]


def evaluated(state, each, efficiencies=USUAL, met=MET):
    table = cube_table(state, met, efficiencies=efficiencies)
    return cube_evaluation(values(state, each, efficiencies, met=met), table)


def kept(each):
    """The chances as float32 keeps them, within each other again."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = map(float, row(each)[0])
    win_gammon, lose_gammon = min(win_gammon, win), min(lose_gammon, 1 - win)
    lost = (lose_gammon, min(lose_backgammon, lose_gammon))
    return Chances(win, win_gammon, min(win_backgammon, win_gammon), *lost)


def owner_of(state):
    if state == 0:
        return CubeOwner.CENTRED
    return CubeOwner.ON_ROLL if state % 2 else CubeOwner.OTHER


def match_state(length, own, other, cube=1, owner=CubeOwner.CENTRED, *, is_crawford=False):
    return GameState(START, Cube(cube, owner), Score(length, own, other, is_crawford))


shares = st.floats(0, 1)
changes = st.floats(-1, 1)
numbers = [shares, shares, st.floats(0, 40), *[shares] * 3, changes, changes, *[shares] * 6]
efficiencies = st.builds(Efficiencies, *numbers)
BACK_GAME = Position.of({24: 2, 22: 2, 6: 4, 4: 7}, {8: 9, 5: 6})
positions = st.sampled_from([START, BACK_GAME, Position.of({6: 5, 1: 2}, {6: 5})])


@given(game_states(), positions, chances(), efficiencies, st.booleans())
def test_values_agree_with_the_plain_ones(state, position, each, efficiencies, may):
    found = values(state, each, efficiencies, may=may, at=position)
    plain = PlainCube(replace(state, position=position), MET, kept(each), efficiencies)
    if state.score is None and state.cube.owner is not CubeOwner.CENTRED:
        found[0] = np.nan  # such a cube is never centred again
    for index in np.flatnonzero(~np.isnan(found)):
        cube = state.cube.value << level_of(index)
        wanted = (plain.static if may else plain.rolled)(owner_of(index), cube)
        assert found[index] == pytest.approx(wanted, abs=2e-5)


@given(game_states(), chances(), st.floats(0, 1))
def test_what_one_side_has_the_other_lacks_before_anybody_may_double(state, each, efficiency):
    table = cube_table(state, MET)
    if not table.is_money:
        efficiency = 1.0  # else a double without risk counts, but only for who suffers it
    own = values(state, each, fixed(efficiency))
    others = values(state, each.turned(), fixed(efficiency), side=1)
    for index in range(state_count(table)):
        turned = others[turned_state(index)]
        assert own[index] == pytest.approx(-turned, abs=2e-5)
        if not table.is_money:
            both = mwc_of(own[index], table) + mwc_of(turned, table)
            assert both == pytest.approx(1, abs=1e-5)


@given(game_states(), chances(), st.booleans())
def test_owned_cube_is_worth_a_centred_one_or_more_and_that_the_others_or_more(state, each, may):
    table = cube_table(state, MET)
    if table.has_jacoby:
        return  # there a centred cube also saves gammons
    centred, owned, others = values(state, each, may=may)[:3]
    assert owned >= centred - 1e-6
    assert centred >= others - 1e-6


@given(game_states(), chances(), st.floats(0, 1))
def test_no_value_is_above_a_cash_without_gammons(state, each, efficiency):
    table = cube_table(state, MET)
    found = values(state, only_wins(each.win), fixed(efficiency), may=True)
    for index in np.flatnonzero(table.may_double[0]):
        assert found[index] <= table.utilities[0, level_of(index), 0] + 1e-6


@given(chances(), st.floats(0, 1))
def test_no_value_of_a_centred_cube_is_above_a_cash_by_jacoby_rule(each, efficiency):
    assert values(GameState(START), each, fixed(efficiency), may=True)[0] <= 1 + 1e-6


@given(game_states(), chances())
def test_right_to_double_never_costs_anything(state, each):
    assert (values(state, each, may=True) >= values(state, each)).all()


@pytest.mark.parametrize(("efficiency", "take_point"), [(0, 0.25), (1, 0.2), (2 / 3, 3 / 14)])
def test_money_take_point_is_a_quarter_for_a_dead_cube_and_a_fifth_for_a_live_one(
    efficiency, take_point
):
    # Source: Janowski (1993): (L - 1/2) / (W + L + x/2), with single games won and lost
    for aside, wanted in ((-1e-4, DoubleAnswer.DROP), (1e-4, DoubleAnswer.TAKE)):
        double = evaluated(MONEY, only_wins(1 - take_point - aside), fixed(efficiency))
        assert answer(double) is wanted
        assert double.double_take == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(("efficiency", "point"), [(0, 1 / 2), (1, 4 / 5), (2 / 3, 11 / 16)])
def test_first_money_double_opens_between_that_of_a_dead_and_that_of_a_live_cube(efficiency, point):
    # where (1 - x) (2 p - 1) + x (10 p - 5) / 3 is twice (1 - x) (2 p - 1) + x (5 p - 3) / 2
    table = cube_table(MONEY)
    for aside, wanted in ((-1e-4, CubeAction.ROLL), (1e-4, CubeAction.DOUBLE)):
        double = evaluated(MONEY, only_wins(point + aside), fixed(efficiency))
        assert action(double, table) is wanted


def test_money_cube_is_beavered_by_the_favourite():
    state = GameState(START, money=MoneyRules(jacoby=False, beavers=True))
    table = cube_table(state)
    found = evaluated(state, only_wins(0.45), DEAD)
    assert found.may_beaver
    for value in (MAX_CUBE // 4, MAX_CUBE // 2):  # a beaver turns the cube twice
        high = evaluated(replace(state, cube=Cube(value)), only_wins(0.45), DEAD)
        assert high.may_beaver is (value < MAX_CUBE // 2)
    assert answer(found) is DoubleAnswer.BEAVER
    assert action(found, table) is CubeAction.ROLL
    assert answer(evaluated(MONEY, only_wins(0.45), DEAD)) is DoubleAnswer.TAKE


def test_double_that_would_be_beavered_costs_twice():
    # worth -0.3 by rolling, -0.2 if only taken
    assert CubeEvaluation(-0.3, -0.2, 1.0).proper is ProperAction.DOUBLE_TAKE
    found = CubeEvaluation(-0.3, -0.2, 1.0, may_beaver=True)
    assert found.doubled == -0.4
    assert found.proper is ProperAction.NO_DOUBLE_BEAVER
    assert action(found, cube_table(MONEY)) is CubeAction.ROLL
    assert CubeEvaluation(-0.5, -0.2, 1.0, may_beaver=True).proper is ProperAction.DOUBLE_BEAVER


def test_sure_win_without_gammons_is_cashed():
    each, some = Chances(1.0, 0.0, 0.0, 0.0, 0.0), Chances(1.0, 0.1, 0.0, 0.0, 0.0)
    assert CubeEvaluation(1.0, 2.0, 1.0, may_win_gammon=False).proper is ProperAction.DOUBLE_DROP
    assert not cube_evaluation(values(MONEY, each), cube_table(MONEY), each).may_win_gammon
    assert cube_evaluation(values(MONEY, some), cube_table(MONEY), some).may_win_gammon
    jacoby = GameState(START)
    assert not cube_evaluation(values(jacoby, some), cube_table(jacoby), some).may_win_gammon
    state = match_state(7, 0, 0)
    for wins, may_win in ((each, False), (some, True)):
        found = cube_evaluation(values(state, wins), cube_table(state, MET), wins)
        assert found.may_win_gammon is may_win


def test_beavered_double_counts_four_times_the_cube():
    state = GameState(START, money=MoneyRules(beavers=True))
    each = Chances(0.5, 0.4, 0.0, 0.4, 0.0)
    rolled, doubled = values(state, each), values(state, each, may=True)
    assert rolled[2] < 0
    assert doubled[0] == max(rolled[0], 4 * rolled[2])


def test_gammons_make_a_position_too_good_to_double_unless_jacoby_counts_them_single():
    each = Chances(0.95, 0.7, 0.0, 0.0, 0.0)
    assert evaluated(MONEY, each).proper is ProperAction.TOO_GOOD_DROP
    assert evaluated(GameState(START), each).proper is ProperAction.DOUBLE_DROP


def test_who_is_too_good_to_double_loses_nothing_by_the_right_to():
    # a gammon wins him the match, and a cube at 2 no more than a game
    state, each = match_state(7, 5, 2), Chances(0.76, 0.57, 0.17, 0.02, 0.001)
    live, dead = (values(state, each, rates, met=blot_table())[:3] for rates in (LIVE, DEAD))
    centred, *turned = live
    dead = dead[0]
    assert turned == pytest.approx([dead, centred])


def test_nobody_doubles_in_the_crawford_game():
    table = cube_table(match_state(7, 6, 3, is_crawford=True), MET)
    assert not table.may_double.any()
    assert not may_double(table)
    each = Chances(0.4, 0.1, 0.0, 0.2, 0.0)
    lost = [2 * MET.mwc_after(Score(7, 6, 3, True), -points) - 1 for points in (1, 2)]
    expected = 0.4 + 0.4 * lost[0] + 0.2 * lost[1]
    assert values(match_state(7, 6, 3, is_crawford=True), each)[0] == pytest.approx(expected)


def test_trailer_doubles_at_once_after_the_crawford_game_and_the_leader_drops_as_underdog():
    state = match_state(5, 3, 4)
    table = cube_table(state, MET)
    assert may_double(table)
    for win in (0.01, 0.3, 0.499):
        found = evaluated(state, only_wins(win))
        assert action(found, table) is CubeAction.DOUBLE
        assert answer(found) is DoubleAnswer.TAKE
    assert answer(evaluated(state, only_wins(0.501))) is DoubleAnswer.DROP
    assert not may_double(cube_table(match_state(5, 4, 3), MET))


def test_leader_expects_the_trailers_double_after_the_crawford_game():
    # two away the trailer needs the doubled game, as sure as if the cube were at 2
    leader = match_state(5, 4, 3)
    for win in (0.5, 0.6, 0.9):
        assert values(leader, only_wins(win))[0] == pytest.approx(2 * win - 1, abs=1e-6)
    assert values(leader, only_wins(0.2))[0] == pytest.approx(0, abs=1e-6)


def test_cube_dead_for_the_doubler_is_redoubled_at_once():
    # 2-away doubles 4-away: the taker risks nothing and turns the cube to 4, the whole match
    state = match_state(5, 3, 1)
    for win in (0.6, 0.8):
        assert values(state, only_wins(win))[4] == pytest.approx(2 * win - 1, abs=1e-6)


def test_dead_cubes_cannot_be_turned_to_any_use():
    table = cube_table(match_state(5, 3, 1, 2, CubeOwner.ON_ROLL), MET)
    assert not may_double(table)
    assert table.may_double[1, 1]  # the other side still needs four
    found = evaluated(match_state(5, 3, 1, 2, CubeOwner.ON_ROLL), only_wins(0.7))
    assert action(found, table) is CubeAction.ROLL
    assert found.double_take < found.no_double
    assert action(CubeEvaluation(0.5, 0.7, 1.0), table) is CubeAction.ROLL
    for owner in (CubeOwner.CENTRED, CubeOwner.ON_ROLL):
        assert not cube_table(match_state(5, 1, 1, 4, owner), MET).may_double.any()


def test_match_cube_has_levels_until_it_is_dead_for_both():
    lengths = {1: 5, 2: 5, 3: 7, 5: 9, 7: 9, 9: 11, 64: 15}
    for length, states in lengths.items():
        table = cube_table(match_state(length, 0, 0), MET)
        assert state_count(table) == states
        assert not table.may_double[:, -2:].any()
    assert state_count(cube_table(MONEY)) == 3


def test_cube_at_its_limit_stays_there():
    state = GameState(START, Cube(MAX_CUBE, CubeOwner.ON_ROLL), money=NO_JACOBY)
    table = cube_table(state)
    assert not may_double(table)
    assert may_double(cube_table(replace(state, cube=Cube(MAX_CUBE // 2, CubeOwner.ON_ROLL))))
    each = Chances(0.7, 0.2, 0.1, 0.1, 0.0)
    assert values(state, each, may=True) == pytest.approx(np.full(3, each.equity), abs=1e-6)


def test_table_without_a_cube_gives_cubeless_equity_everywhere():
    each = Chances(0.6, 0.2, 0.05, 0.1, 0.02)
    found = static_values(START.board[np.newaxis], row(each), 0, NO_CUBE_TABLE)
    assert found[0] == pytest.approx(np.full(3, each.equity), abs=1e-6)


@pytest.mark.parametrize("side", [0, 1])
@given(game_states(), chances())
def test_utility_weights_are_those_of_a_dead_cube(side, state, each):
    table = cube_table(state, MET)
    weights = np.empty(6, np.float32)
    fill_utility_weights(side, table, weights)
    utility = weights[0] + weights[1:] @ row(each)[0]
    if state.score and side == 1:
        state = replace(state, score=state.score.turned())
    plain, value = PlainCube(state, MET, kept(each), DEAD), state.cube.value
    dead = each.win * plain.mean(value, True) + (1 - each.win) * plain.mean(value, False)
    assert utility == pytest.approx(dead, abs=1e-5)
    if state.score is None:
        assert utility == pytest.approx(each.equity, abs=1e-5)


@pytest.mark.parametrize("checkers", [15, 14])
def test_finished_games_are_worth_their_points(checkers):
    board = Position.of({3: checkers}, {}).board[np.newaxis]
    points = 2 if checkers == 15 else 1
    nothing = np.zeros((1, 5), np.float32)
    assert static_values(board, nothing, 0, cube_table(MONEY))[0].tolist() == [-points] * 3
    jacoby = static_values(board, nothing, 0, cube_table(GameState(START)))[0]
    assert jacoby.tolist() == [-1, -points, -points]
    state = match_state(9, 2, 5)
    found = static_values(board, nothing, 0, cube_table(state, MET))[0]
    lost = [2 * MET.mwc_after(state.score, -(points << level_of(i))) - 1 for i in range(len(found))]
    assert found == pytest.approx(lost)


@pytest.fixture(scope="module")
def small():
    return build_databases(lambda _: None, 4, 3)


@given(st.sampled_from(HOMES), st.sampled_from(HOMES), st.booleans())
def test_money_bearoffs_are_taken_from_the_table(small, own, other, jacoby):
    board = np.array([home_board(own, other)], np.int8)
    table = cube_table(GameState(START, money=MoneyRules(jacoby)), None, small)
    equities = known_equities(board, small)[0][0]
    half = row(only_wins(0.5))
    assert rolled_values(board, half, 0, table)[0] == pytest.approx(equities, abs=1e-6)
    doubled = min(1, 2 * equities[2])
    best = [max(equities[0], doubled), max(equities[1], doubled), equities[2]]
    assert static_values(board, half, 0, table)[0] == pytest.approx(best, abs=1e-6)


def test_rating_is_in_points_at_the_present_cube_for_money():
    owned = GameState(START, Cube(4, CubeOwner.ON_ROLL), money=NO_JACOBY)
    found = evaluated(owned, only_wins(0.7), LIVE)
    assert found == CubeEvaluation(
        pytest.approx(2.5 * 0.7 - 1), pytest.approx(2 * (2.5 * 0.7 - 1.5)), 1, None, False
    )


def test_rating_lies_between_losing_and_winning_the_cube_in_a_match():
    state = match_state(9, 2, 5, 2, CubeOwner.ON_ROLL)
    table = cube_table(state, MET)
    found = evaluated(state, only_wins(0.7))
    won, lost = (MET.mwc_after(state.score, points) for points in (2, -2))
    assert found.double_drop == pytest.approx(1)
    assert found.mwc[2] == pytest.approx(won)
    for equity, mwc in ((found.no_double, found.mwc[0]), (found.double_take, found.mwc[1])):
        assert equity == pytest.approx(2 * (mwc - lost) / (won - lost) - 1)
    assert equity_of(2 * lost - 1, table) == pytest.approx(-1)
    assert mwc_of(0.2, table) == 0.6
    assert mwc_of(0.2, cube_table(MONEY)) is None


def test_tie_is_doubled_and_taken():
    tie = CubeEvaluation(1.0, 1.0, 1.0)
    assert action(tie, cube_table(MONEY)) is CubeAction.DOUBLE
    assert answer(tie) is DoubleAnswer.TAKE


@pytest.mark.parametrize("owner", CubeOwner)
def test_root_has_the_state_of_its_cube(owner):
    table = cube_table(match_state(7, 1, 1, 2, owner), MET)
    assert owner_of(root_state(table)) is owner
    assert level_of(root_state(table)) == 0


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(ValueError, match="a match needs match equities"):
        cube_table(match_state(3, 0, 0))
    others = cube_table(GameState(START, Cube(2, CubeOwner.OTHER), money=NO_JACOBY))
    with pytest.raises(ValueError, match="nobody doubles with the other side's cube"):
        cube_evaluation(np.zeros(3), others)
    with pytest.raises(ValueError, match="1 boards have no chances of shape"):
        rolled_values(START.board[np.newaxis], np.zeros((2, 5), np.float32), 0, NO_CUBE_TABLE)
    with pytest.raises(ValueError, match="a side is 0 or 1, not 2"):
        rolled_values(START.board[np.newaxis], row(only_wins(0.5)), 2, NO_CUBE_TABLE)
