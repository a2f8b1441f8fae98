"""The worth of a position with the cube: Janowski's values, and the right to double.

All values are utilities of the player on roll: points per unit of the present cube in money games,
2 * mwc - 1 in matches. One row of values has a place for each state of the cube (see CubeTable).
Source of the values: R. Janowski, "Take-Points in Money Games" (1993): the cube is worth something
between a dead one, never turned, and a live one, turned at the very point where the other side may
as well drop. In matches the same with the utilities of every cube, from the highest down, as GNU
Backgammon does (eval.c; matchequity.c, GetPoints).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.kernels.bearoff import OTHERS, home_numbers
from bot.backgammon.kernels.boards import Boards, has_contact, points_lost
from bot.backgammon.kernels.efficiency import (
    LEAST,
    OTHERS_EARLY,
    OWN_EARLY,
    Efficiencies,
    known_at_score,
    known_efficiencies,
    owned_efficiency,
    pips_of,
    side_efficiencies,
)
from bot.backgammon.kernels.network import Floats
from bot.kernels import inner, kernel

Values = NDArray[np.float64]

CENTRED = 0
"""The state of a cube that is nobody's."""

MAX_LEVELS = 7
"""Levels of the cube from which one more double can matter: up to 64, in a match to 64 points."""

MAX_STATES = 1 + 2 * MAX_LEVELS
"""Centred, and at each level owned by either side."""

WAYS = 6
"""Ways a game ends: won single, gammon, backgammon, then lost."""

_LOST = 3
_ACE = 1
"""The number of a bear-off of one checker on the ace point, which the next roll ends."""


class CubeTable(NamedTuple):
    """All that the cube can do from one root on, for K states and L levels of it.

    States: 0 is the centred cube at the root's value; 1 + 2 * l is owned by the player on roll and
    2 + 2 * l by the other side, at the root's value times 2 ** l. In money games L = 1 and a turned
    cube stays at its level, but counts twice: values are per unit of the cube. Sides: 0 is the
    root's player on roll, 1 the other.

    utilities: float64[2, L, 6], of a side for each way a game ends (see WAYS); may_double:
    bool[2, K], whether a side on roll may double and has something to gain; root: the state at the
    root; factor: what a turned cube counts, 2 or 1; bearoffs: float32[m, m, 3], see
    BearoffDatabases.equities.
    """

    utilities: Values
    may_double: NDArray[np.bool_]
    root: int
    factor: float
    is_money: bool
    has_jacoby: bool
    has_beavers: bool
    efficiencies: Efficiencies
    bearoffs: Floats


@inner
def state_count(cube: CubeTable) -> int:
    """Number of cube states, the length of a row of values."""
    return int(cube.may_double.shape[1])


@inner
def root_state(cube: CubeTable) -> int:
    """The state at the root, seen by its player on roll."""
    return int(cube.root)


@inner
def turned_state(state: int) -> int:
    """The state of the cube as the other side sees it."""
    if state == CENTRED:
        return CENTRED
    return state + 1 if state % 2 == 1 else state - 1


@inner
def doubled_state(state: int, cube: CubeTable) -> int:
    """The state after a double of the player on roll and a take; the cube is not the other's."""
    if cube.is_money:
        return 2
    return 4 if state == CENTRED else state + 3


@inner
def level_of(state: int) -> int:
    """Number of turns of the cube since the root, in matches."""
    return 0 if state == CENTRED else (state - 1) // 2


@inner
def fill_utility_weights(side: int, cube: CubeTable, weights: Floats) -> None:
    """Set weights so that a dead cube's utility is weights[0] + weights[1:] @ chances.

    weights: float32[6]; the cube is the root's, the chances those of the side. In money games that
    is cubeless equity, with the Jacoby rule too.
    """
    ways = cube.utilities[side, 0]
    weights[0] = ways[3]
    weights[1] = ways[0] - ways[3]
    weights[2] = ways[1] - ways[0]
    weights[3] = ways[2] - ways[1]
    weights[4] = ways[4] - ways[3]
    weights[5] = ways[5] - ways[4]


@inner
def _mean(
    whole: float, gammon: float, backgammon: float, single: float, double: float, triple: float
) -> float:
    """Mean utility of winning, or losing, where a gammon and a backgammon have such chances."""
    if whole < LEAST:
        return single
    gammons = min(max(gammon / whole, 0.0), 1.0)
    backgammons = min(max(backgammon / whole, 0.0), gammons)
    return single + gammons * (double - single) + backgammons * (triple - double)


@inner
def _at(chance: float, start: float, start_value: float, end: float, end_value: float) -> float:
    """Value at a chance on the straight line between two others; the end's if they are the same."""
    if end - start < LEAST:
        return end_value
    return start_value + (end_value - start_value) * (chance - start) / (end - start)


# The values of one state, here and in _state_value, take more than eight numbers, each of which the
# caller has at hand: packed and unpacked for every state they would be no easier to read.
@inner
def _live_value(
    win: float,
    lost: float,
    won: float,
    take: float,
    drop: float,
    cash: float,
    drops: float,
    other_may: bool,
    own_may: bool,
) -> float:
    """Utility of a live cube at a chance to win: straight lines between the points of turning it.

    lost, won: mean utilities at chances 0 and 1. At chance take, worth drop, the other side doubles
    if it may; at chance cash, worth drops, the player on roll does.
    """
    # who would rather play on where he could turn the cube is too good to double, mostly as a
    # gammon wins him what a higher cube could not add to: a right that would cost is not used
    if own_may:
        start = take if other_may else 0.0
        start_value = drop if other_may else lost
        own_may = _at(cash, start, start_value, 1.0, won) <= drops
    if other_may:
        end = cash if own_may else 1.0
        end_value = drops if own_may else won
        other_may = _at(take, 0.0, lost, end, end_value) >= drop
    # Janowski's live cube: the value is known where somebody turns it, and linear in between, as
    # the chances move until one of these points is reached
    start = take if other_may else 0.0
    start_value = drop if other_may else lost
    end = cash if own_may else 1.0
    end_value = drops if own_may else won
    if win < start:
        return _at(win, 0.0, lost, start, start_value)
    if win >= end:
        return _at(win, end, end_value, 1.0, won)
    return _at(win, start, start_value, end, end_value)


@inner  # of as many parameters as _live_value, for its reason
def _state_value(
    win: float,
    lost: float,
    won: float,
    take: float,
    drop: float,
    cash: float,
    drops: float,
    other_may: bool,
    own_may: bool,
    doubles_freely: bool,
    own_x: float,
    other_x: float,
) -> float:
    """Utility between a dead and a live cube; see _live_value.

    own_x, other_x: efficiencies of the cube where it is worth more to the player on roll, and where
    to the other side. doubles_freely: the other side has nothing to lose by a double, and will do
    so at its next turn.
    """
    dead = lost + win * (won - lost)
    if not (other_may or own_may):
        return dead
    live = _live_value(win, lost, won, take, drop, cash, drops, other_may, own_may)
    # Janowski's general value, E = x * live + (1 - x) * dead
    mixed = dead + (own_x if live >= dead else other_x) * (live - dead)
    if doubles_freely:
        return live if win >= take else min(drop, mixed)
    return mixed


@inner
def _fill_ended(lost: int, side: int, cube: CubeTable, values: Values) -> None:
    """Set the values of a game lost by so many points at cube 1."""
    for state in range(state_count(cube)):
        values[state] = cube.utilities[side, level_of(state), _LOST + lost - 1]
    if cube.has_jacoby:
        values[CENTRED] = cube.utilities[side, 0, _LOST]


@inner
def _known_bearoff(board: Boards, cube: CubeTable) -> tuple[int, int]:
    """Numbers of a bear-off that the database has, own first; (-1, -1) of any other board."""
    own, other = home_numbers(board)
    known = cube.bearoffs.shape[0]
    return (own, other) if own < known and other < known else (-1, -1)


@inner
def fill_rolled_values(
    board: Boards, chances: Floats, side: int, cube: CubeTable, values: Values
) -> None:
    """Set the utility of rolling now in every cube state, both sides free to double from then on.

    board: int8[26]; chances: float32[5] of the player on roll, who is the side; values: float64[K].
    """
    lost_points = points_lost(board)
    if lost_points > 0:
        _fill_ended(lost_points, side, cube, values)
        return
    number, other_number = _known_bearoff(board, cube)
    if number >= 0 and cube.is_money and cube.may_double[side, CENTRED]:
        for state in range(3):  # no gammon is possible, so the Jacoby rule changes nothing
            values[state] = cube.bearoffs[number, other_number, state]
        return
    rates = cube.efficiencies
    in_contact = has_contact(board)
    per_way = rates.contact_way if in_contact else rates.race_way
    per_price = rates.price if in_contact else 0.0
    win = min(max(float(chances[0]), 0.0), 1.0)
    pips, other_pips = pips_of(board)
    if not in_contact:
        other_pips = pips
    gammons = min(chances[1] / max(win, LEAST), 1.0)
    other_gammons = min(chances[3] / max(1.0 - win, LEAST), 1.0)
    own, owned = side_efficiencies(pips, gammons, in_contact, cube.is_money, rates)
    other, others = side_efficiencies(other_pips, other_gammons, in_contact, cube.is_money, rates)
    is_last = False  # whether the game is won now or lost at the next turn: no cube matters then
    if number >= 0:
        owned, others = known_efficiencies(win, cube.bearoffs[number, other_number])
        is_last = float(cube.bearoffs[other_number, _ACE, OTHERS]) > 1.0 - LEAST
    # One loop from the highest cube down: where a cube is turned follows from what the next one is
    # worth to him who then owns it. It is longer than a screen, as taken apart eight numbers would
    # go from hand to hand at every level.
    above_won = 0.0
    above_lost = 0.0
    above_drop = 0.0
    above_drops = 0.0
    above_take = 0.0
    above_cash = 1.0
    above_own_may = False
    above_other_may = False
    for level in range(cube.utilities.shape[1] - 1, -1, -1):
        ways = cube.utilities[side, level]
        won = _mean(win, chances[1], chances[2], ways[0], ways[1], ways[2])
        lost = _mean(1.0 - win, chances[3], chances[4], ways[3], ways[4], ways[5])
        drops = ways[0]
        drop = ways[3]
        own_may = bool(cube.may_double[side, 1 + 2 * level])
        other_may = bool(cube.may_double[1 - side, 1 + 2 * level])
        take = 0.0
        cash = 1.0
        if cube.is_money:
            # Janowski's points of a live cube: (L - 1/2) and (L + 1) of W + L + 1/2, where W is
            # what is won on average and L what is lost
            take = (-lost - 0.5) / (won - lost + 0.5)
            cash = (-lost + 1.0) / (won - lost + 0.5)
        else:
            # where the value of the doubled cube, a line too, comes to that of a drop
            if own_may:
                start = above_take if above_other_may else 0.0
                value = above_drop if above_other_may else above_lost
                rise = max(above_won - value, LEAST)
                cash = min(start + (1.0 - start) * max(drops - value, 0.0) / rise, 1.0)
            if other_may:
                end = above_cash if above_own_may else 1.0
                value = above_drops if above_own_may else above_won
                rise = max(value - above_lost, LEAST)
                take = min(end * max(drop - above_lost, 0.0) / rise, 1.0)
        if is_last:
            own_x = other_x = 0.0
        elif number >= 0:
            up, down = above_won - won, lost - above_lost
            own_x = known_at_score(owned, up, down, cash, OWN_EARLY)
            other_x = known_at_score(others, down, up, 1.0 - take, OTHERS_EARLY)
        else:
            swing = max(drops - drop, LEAST)
            price, other_price = (drop - ways[4]) / swing, (ways[1] - drops) / swing
            own_x = owned_efficiency(owned, win, cash, per_way, price, per_price)
            other_x = owned_efficiency(
                others, 1.0 - win, 1.0 - take, per_way, other_price, per_price
            )
        freely = other_may and not own_may and not is_last  # as the cube is dead for who rolls
        values[1 + 2 * level] = _state_value(
            win, lost, won, take, drop, cash, drops, False, own_may, False, own_x, own_x
        )
        values[2 + 2 * level] = _state_value(
            win, lost, won, take, drop, cash, drops, other_may, False, freely, other_x, other_x
        )
        if level == 0:
            if cube.has_jacoby:
                lost = drop
                won = drops
                if in_contact:
                    own = min(max(owned, 0.0), 1.0)
                    other = min(max(others, 0.0), 1.0)
            if own_may and win >= cash:
                other *= rates.playing_on
            if other_may and win <= take:
                own *= rates.playing_on
            if number >= 0:  # so near the end the worth of the two rights to double adds up
                values[CENTRED] = values[1] + values[2] - lost - win * (won - lost)
            else:
                values[CENTRED] = _state_value(
                    win, lost, won, take, drop, cash, drops, other_may, own_may, freely, own, other
                )
        above_won = won
        above_lost = lost
        above_drop = drop
        above_drops = drops
        above_take = take
        above_cash = cash
        above_own_may = own_may and _at(cash, 0.0, lost, 1.0, won) <= drops
        above_other_may = other_may and _at(take, 0.0, lost, 1.0, won) >= drop


@inner
def fill_node_values(rolled: Values, side: int, cube: CubeTable, values: Values) -> None:
    """Set the utility of doubling or rolling, whichever is better, in every cube state.

    rolled: float64[K], of rolling, for the player on roll, who is the side; values: float64[K], may
    be the same array. The other side takes, drops or beavers as is best for it.
    """
    for state in range(state_count(cube)):
        value = rolled[state]
        if cube.may_double[side, state]:
            taken = cube.factor * rolled[doubled_state(state, cube)]
            if cube.has_beavers and taken < 0.0:
                taken *= 2.0
            drops = cube.utilities[side, level_of(state), 0]
            value = max(value, min(taken, drops))
        values[state] = value


@inner
def fill_static_values(
    board: Boards, chances: Floats, side: int, cube: CubeTable, values: Values
) -> None:
    """Set the utility of a position about to be doubled or rolled, in every cube state.

    board: int8[26]; chances: float32[5] of the player on roll, who is the side; values: float64[K].
    Finished games and, in money games, bear-offs of the two-sided database exactly.
    """
    fill_rolled_values(board, chances, side, cube, values)
    if points_lost(board) == 0:
        fill_node_values(values, side, cube, values)


@kernel
def fill_static_batch(
    boards: Boards, chances: Floats, side: int, cube: CubeTable, may_double: bool, values: Values
) -> None:
    """Set values[i] to those of boards[i]: of rolling, or of doubling where that is better.

    boards: int8[n, 26]; chances: float32[n, 5]; values: float64[n, K]; may_double: whether the
    right to double now counts.
    """
    for i in range(boards.shape[0]):
        if may_double:
            fill_static_values(boards[i], chances[i], side, cube, values[i])
        else:
            fill_rolled_values(boards[i], chances[i], side, cube, values[i])
