"""Cube: what positions are worth with it, and when to double, take, drop and beaver."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.bearoff import OTHERS, OWNED, BearoffDatabases
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import (
    CENTRED,
    MAX_LEVELS,
    WAYS,
    CubeTable,
    fill_static_batch,
)
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.rules.decision import CubeAction, CubeEvaluation, DoubleAnswer
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import OUTPUTS, Chances, Outcomes
from bot.backgammon.rules.position import START

Values = NDArray[np.float64]
Rights = NDArray[np.bool_]

_SCORES_KEPT = 1024

EFFICIENCIES = Efficiencies(
    contact=0.35,
    race=0.83,
    race_jump=5.25,
    pips=0.44,
    gammons=0.77,
    owner=0.21,
    owner_pips=-0.18,
    owner_gammons=-0.29,
    contact_way=0.28,
    price=0.19,
    race_owner=0.09,
    race_way=0.42,
    money=0.06,
    playing_on=0.67,
)
"""Efficiencies of the cube that Blot plays with.

Those of races with a centred cube are fitted to two plies of its own play, where R. Janowski's 0.68
loses more (python -m bot.backgammon.lab.cube.efficiency --positions 300), the others to rollouts
for money and at scores (bot.backgammon.lab.cube.fit; weights/cube.md).
"""


def cube_table(
    state: GameState,
    met: MatchEquityTable | None = None,
    databases: BearoffDatabases = NO_DATABASES,
    efficiencies: Efficiencies = EFFICIENCIES,
) -> CubeTable:
    """The cube table from a state on; of the state only the position does not matter.

    Raises ValueError in a match without match equities.
    """
    is_money = state.score is None
    if state.score is None:
        utilities, may_double = _money_stakes(state.cube.value)
    elif met is None:
        raise ValueError("a match needs match equities")
    else:
        utilities, may_double = _match_stakes(state.score, state.cube.value, met)
    return CubeTable(
        utilities,
        may_double,
        {CubeOwner.CENTRED: CENTRED, CubeOwner.ON_ROLL: OWNED, CubeOwner.OTHER: OTHERS}[
            state.cube.owner
        ],
        2.0 if is_money else 1.0,
        is_money,
        is_money and state.money.jacoby and state.cube.owner is CubeOwner.CENTRED,
        state.may_beaver,
        efficiencies,
        databases.equities,
    )


@lru_cache
def _money_stakes(value: int) -> tuple[Values, Rights]:
    """Utilities and rights to double of a CubeTable, for cubes of any value.

    One level stands for all, so the limit counts once it is reached: at half of it a double that is
    taken is valued as if it could still be turned again.
    """
    utilities = np.tile(np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0]), (2, 1, 1))
    may_double = np.zeros((2, 3), np.bool_)
    may_double[:, :2] = 2 * value <= MAX_CUBE
    return utilities, may_double


@lru_cache(_SCORES_KEPT)
def _match_stakes(score: Score, value: int, met: MatchEquityTable) -> tuple[Values, Rights]:
    """Utilities and rights to double of a CubeTable; never changed once made."""
    aways = np.array([score.away, score.other_away])
    levels = 2
    while value << (levels - 1) < aways.max():
        levels += 1
    assert levels <= MAX_LEVELS
    utilities = np.empty((2, levels, WAYS))
    for level in range(levels):
        for ways in (1, 2, 3):
            points = ways * value << level
            utilities[0, level, ways - 1] = 2 * met.mwc_after(score, points) - 1
            utilities[0, level, ways + 2] = 2 * met.mwc_after(score, -points) - 1
    utilities[1, :, :3] = -utilities[0, :, 3:]
    utilities[1, :, 3:] = -utilities[0, :, :3]
    may_double = np.zeros((2, 1 + 2 * levels), np.bool_)
    if not score.is_crawford:
        values = value << np.arange(levels - 1)
        may_double[:, 1:-2:2] = values < aways[:, np.newaxis]
        may_double[:, CENTRED] = may_double[:, 1]
    return utilities, may_double


NO_CUBE_TABLE = cube_table(GameState(START, Cube(MAX_CUBE), None, MoneyRules(jacoby=False)))
"""A money game in which nobody ever doubles: cubeless equity in every state."""


def rolled_values(boards: Boards, outcomes: Outcomes, side: int, cube: CubeTable) -> Values:
    """Utility of rolling now, in every cube state, without looking ahead.

    boards: int8[n, 26] seen by the player on roll; outcomes: float32[n, 5], his chances; side: 0 if
    he is the root's player on roll, 1 if he is the other. Returns float64[n, K].
    Raises ValueError if the arrays do not fit.
    """
    return _values(boards, outcomes, side, cube, may_double=False)


def static_values(boards: Boards, outcomes: Outcomes, side: int, cube: CubeTable) -> Values:
    """Utility of doubling or rolling, whichever is better; else as rolled_values."""
    return _values(boards, outcomes, side, cube, may_double=True)


def _values(
    boards: Boards, outcomes: Outcomes, side: int, cube: CubeTable, *, may_double: bool
) -> Values:
    if boards.ndim != 2 or outcomes.shape != (len(boards), OUTPUTS):
        raise ValueError(f"{len(boards)} boards have no chances of shape {outcomes.shape}")
    if side not in (0, 1):
        raise ValueError(f"a side is 0 or 1, not {side}")
    values = np.empty((len(boards), states_of(cube)))
    fill_static_batch(boards, outcomes, side, cube, may_double, values)
    return values


def states_of(cube: CubeTable) -> int:
    """Number of states of the cube, the length of a row of values; 0 if there is no cube at all."""
    return int(cube.may_double.shape[1])


def mwc_of(utility: float, cube: CubeTable) -> float | None:
    """Match-winning chance of a utility, for whom the utility is; None in money games."""
    return None if cube.is_money else 0.5 + 0.5 * utility


def equity_of(utility: float, cube: CubeTable) -> float:
    """Equity that a utility of the player on roll at the root is: points at the root's cube.

    In a match losing that cube is -1 and winning it +1, and all else lies in proportion.
    Source: GNU Backgammon, eval.c, mwc2eq.
    """
    if cube.is_money:
        return utility
    won, lost = cube.utilities[0, 0, 0], cube.utilities[0, 0, 3]
    return float((2 * utility - won - lost) / (won - lost))


def utility_of(equity: float, cube: CubeTable) -> float:
    """Utility of the player on roll at the root that is so much equity; see equity_of."""
    if cube.is_money:
        return equity
    won, lost = cube.utilities[0, 0, 0], cube.utilities[0, 0, 3]
    return float((equity * (won - lost) + won + lost) / 2)


def may_double(cube: CubeTable) -> bool:
    """Whether the player on roll at the root may double and has something to gain."""
    return bool(cube.may_double[0, cube.root])


def cube_evaluation(
    rolled: Values, cube: CubeTable, chances: Chances | None = None
) -> CubeEvaluation:
    """Evaluation of a double at the root, from the utilities of rolling in every state, float64[K].

    A double that gains nothing is evaluated like any other. chances: of the player on roll, None if
    it does not matter whether he can win a gammon. Raises ValueError if the cube is the other
    side's.
    """
    if cube.root == OTHERS:
        raise ValueError("nobody doubles with the other side's cube")
    rolls = float(rolled[cube.root])
    taken = cube.factor * float(rolled[OTHERS if cube.is_money else OTHERS + 2])
    drops = float(cube.utilities[0, 0, 0])
    gammons = chances is None or chances.win_gammon > 0
    if cube.is_money:
        gammons = gammons and not cube.has_jacoby
        return CubeEvaluation(rolls, taken, drops, None, cube.has_beavers, gammons)
    equities = (equity_of(rolls, cube), equity_of(taken, cube), 1.0)
    mwc = (0.5 + 0.5 * rolls, 0.5 + 0.5 * taken, 0.5 + 0.5 * drops)
    return CubeEvaluation(*equities, mwc, may_win_gammon=gammons)


def worth_of(rolled: Values, cube: CubeTable) -> float:
    """Worth of rolling or doubling at the root; rolled: as in `cube_evaluation`.

    Points at the root's cube in money games, match-winning chance in a match.
    """
    rolls = float(rolled[cube.root])
    if may_double(cube):
        evaluation = cube_evaluation(rolled, cube)
        rolls = max(rolls, utility_of(evaluation.doubled, cube))
    mwc = mwc_of(rolls, cube)
    return rolls if mwc is None else mwc


def action(evaluation: CubeEvaluation, cube: CubeTable) -> CubeAction:
    """Roll or double; a tie is doubled if there is something to gain."""
    doubles = may_double(cube) and evaluation.doubled >= evaluation.no_double
    return CubeAction.DOUBLE if doubles else CubeAction.ROLL


def answer(evaluation: CubeEvaluation) -> DoubleAnswer:
    """Take, drop or beaver, for the other side; a tie is taken."""
    if evaluation.double_take > evaluation.double_drop:
        return DoubleAnswer.DROP
    return DoubleAnswer.BEAVER if evaluation.beavers else DoubleAnswer.TAKE
