"""Fit the efficiencies of the cube to Blot's own play: static values against looking ahead.

    python -m tests.bench.fit_cube_efficiency [--positions N] [--seed S] [--weights NAME]

Positions come from Blot's games against itself, so many of each class: contact, races with checkers
outside, bear-offs beyond the two-sided table, and in it. From each the cube is carried two plies
ahead, all rolls with the best reply, both sides free to double at every turn, with static values at
the ends and exact ones where the table has them. Static values of the root, with its chances two
plies deep, are to agree with what was found in close decisions: the margins of doubling, redoubling
and taking, by least squares over a grid. The efficiencies at the ends are those fitted the round
before, until they stay. Printed for each class: what decisions lose, and the root mean square of
the error of values (centred, owned, the other side's), both in thousandths of a point.
Money games without Jacoby and beavers.
"""

import argparse
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.bearoff import known_equities
from bot.backgammon.evaluation.cube import cube_table, rolled_values, static_values
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.kernels.boards import fill_pip_counts, has_contact, points_lost
from bot.backgammon.kernels.cube import CubeTable, Efficiencies
from bot.backgammon.kernels.dice import CHANCES, ROLL_COUNT
from bot.backgammon.kernels.search import fill_expectations, fill_replies, search_room
from bot.backgammon.kernels.siblings import NO_LAYERS, Rater
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import START, Position
from bot.weights import DEFAULT
from tests.plain.games import turns_of_games

TURNED = [0, 2, 1]
NO_JACOBY = MoneyRules(jacoby=False)
CLOSE = (0.04, 0.96)
"""Chances to win within which the cube still matters."""
EVERY = 5
"""Contact positions in a row are alike: one in so many is taken."""
CLOSE_CALL = 0.15
"""Decisions that lose less, taken wrongly, are close."""
GRID = np.arange(0.0, 1.0, 0.01)
JUMPS = np.arange(0, 8, 0.25)
MOST_ROUNDS = 20
JANOWSKIS = Efficiencies(0.68, 0.68, 0.0)
PIPS = (1, 10, 20, 40, 60, 80, 100, 400)
FEWEST = 20
KINDS = ("contact", "race", "at home", "in the table")


class Tree(NamedTuple):
    """Two plies from n roots on: boards and chances of who is on roll, after every roll's reply.

    roots: [n, ...], chances two plies deep; middles: [n, 21, ...]; ends: [n, 21, 21, ...],
    not used below a middle that is an end itself: a finished game, or one that the table has.
    """

    roots: np.ndarray
    root_chances: np.ndarray
    middles: np.ndarray
    middle_chances: np.ndarray
    is_end: np.ndarray
    ends: np.ndarray
    end_chances: np.ndarray


def kind_of(board: np.ndarray, evaluator: CompositeEvaluator) -> str:
    if has_contact(board):
        return "contact"
    if (board[7:] > 0).any() or (board[:19] < 0).any():
        return "race"
    is_known = known_equities(board[np.newaxis], evaluator.tables)[1][0]
    return "in the table" if is_known else "at home"


def positions_of_games(level: Level, evaluator: CompositeEvaluator, wanted: int, seed: int):
    """So many boards of each kind from the level's games, int8[n, 26]."""
    engine = level.engine(print, candidates=1)
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}

    def choice(board, roll):
        state = GameState(Position(board), money=NO_JACOBY)
        return engine.decide(ChooseCheckerPlay(state, roll)).play.after.points

    for turn, (points, _) in enumerate(turns_of_games(choice, 400 * wanted, seed)):
        board = np.array(points, np.int8)
        kind = kind_of(board, evaluator)
        if len(found[kind]) == wanted or (kind == "contact" and turn % EVERY):
            continue
        if CLOSE[0] < evaluator.outcomes(board[np.newaxis])[0, 0] < CLOSE[1]:
            found[kind].append(board)
        if all(len(boards) == wanted for boards in found.values()):
            break
    return {kind: np.array(boards) for kind, boards in found.items()}


def grown(roots: np.ndarray, evaluator: CompositeEvaluator) -> Tree:
    """The tree below these boards, replies chosen by cubeless equity."""
    rater = Rater(evaluator.network.layers, NO_LAYERS, evaluator.tables)
    room = search_room(rater)
    n = len(roots)
    middles = np.empty((n, ROLL_COUNT, 26), np.int8)
    ends = np.zeros((n, ROLL_COUNT, ROLL_COUNT, 26), np.int8)
    middle_chances = np.empty((n, ROLL_COUNT, 5), np.float32)
    end_chances = np.empty((n, ROLL_COUNT, ROLL_COUNT, 5), np.float32)
    is_end = np.empty((n, ROLL_COUNT), np.bool_)
    is_exact = np.empty(ROLL_COUNT, np.bool_)
    for i in range(n):
        fill_replies(roots[i], rater, room, middles[i], middle_chances[i], is_exact)
        is_end[i] = known_equities(middles[i], evaluator.tables)[1]
        for k in range(ROLL_COUNT):
            is_end[i, k] |= points_lost(middles[i, k]) > 0
            if not is_end[i, k]:
                fill_replies(middles[i, k], rater, room, ends[i, k], end_chances[i, k], is_exact)
                fill_expectations(end_chances[i, k][np.newaxis], middle_chances[i, k][np.newaxis])
    root_chances = np.empty((n, 5), np.float32)
    fill_expectations(middle_chances, root_chances)
    return Tree(roots, root_chances, middles, middle_chances, is_end, ends, end_chances)


def expected(values: np.ndarray) -> np.ndarray:
    """Values of rolling, [..., 3], from those of the other side after each roll, [..., 21, 3]."""
    mean: np.ndarray = -np.einsum("r,...rs->...s", CHANCES, values[..., TURNED])
    return mean


def looked_ahead(tree: Tree, table: CubeTable) -> np.ndarray:
    """Values of rolling at the roots, two plies deep, float64[n, 3]."""
    n = len(tree.roots)
    is_open = ~tree.is_end.ravel()
    middles = tree.middles.reshape(-1, 26)
    values = static_values(middles, tree.middle_chances.reshape(-1, 5), 1, table)
    ends = static_values(
        tree.ends.reshape(-1, ROLL_COUNT, 26)[is_open].reshape(-1, 26),
        tree.end_chances.reshape(-1, ROLL_COUNT, 5)[is_open].reshape(-1, 5),
        0,
        table,
    )
    rolled = expected(ends.reshape(-1, ROLL_COUNT, 3))
    doubled = np.minimum(2 * rolled[:, 2], 1)
    rolled[:, :2] = np.maximum(rolled[:, :2], doubled[:, np.newaxis])
    values[is_open] = rolled
    return expected(values.reshape(n, ROLL_COUNT, 3))


def static(tree: Tree, table: CubeTable) -> np.ndarray:
    """Static values of rolling at the roots, by their chances two plies deep."""
    return rolled_values(tree.roots, tree.root_chances, 0, table)


def fixed(efficiency: float) -> Efficiencies:
    return Efficiencies(efficiency, efficiency, 0.0)


def table_at(efficiencies: Efficiencies, tables=None) -> CubeTable:
    state = GameState(START, money=NO_JACOBY)
    return cube_table(state, efficiencies=efficiencies, **({"tables": tables} if tables else {}))


def margins(values: np.ndarray) -> np.ndarray:
    """By how much rolling is better than doubling, then redoubling, and dropping than taking.

    values: float64[..., 3]; the same shape is returned.
    """
    doubled = np.minimum(2 * values[..., 2], 1)
    return np.stack(
        [values[..., 0] - doubled, values[..., 1] - doubled, 2 * values[..., 2] - 1], -1
    )


def losses(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """What is lost on average by going by the found margins: doubling, redoubling, taking."""
    right, chosen = margins(wanted), margins(found)
    is_wrong = (right > 0) != (chosen > 0)
    return 1000 * (is_wrong * np.abs(right)).mean(axis=0)


def told(found: np.ndarray, wanted: np.ndarray) -> str:
    errors = 1000 * np.sqrt(((found - wanted) ** 2).mean(axis=0))
    return (
        " ".join(f"{each:4.2f}" for each in losses(found, wanted))
        + "  "
        + " ".join(f"{each:5.1f}" for each in errors)
    )


def pips_of(tree: Tree) -> np.ndarray:
    pips = np.empty(len(tree.roots), np.int16)
    fill_pip_counts(tree.roots, pips)
    return pips


class Aim(NamedTuple):
    """Values of some roots: with a dead cube, with a live one, and those to agree with; [n, 3]."""

    dead: np.ndarray
    live: np.ndarray
    pips: np.ndarray
    wanted: np.ndarray

    def error(self, efficiencies: np.ndarray) -> float:
        """Squared error of the margins of close decisions; efficiencies: [n] or one."""
        found = self.dead + np.reshape(efficiencies, (-1, 1)) * (self.live - self.dead)
        right = margins(self.wanted)
        is_close = np.abs(right) < CLOSE_CALL
        return float((((margins(found) - right) ** 2) * is_close).sum())


def aim(tree: Tree, wanted: np.ndarray) -> Aim:
    dead, live = (static(tree, table_at(fixed(x))) for x in (0.0, 1.0))
    return Aim(dead, live, pips_of(tree), wanted)


def best_efficiency(one: Aim) -> float:
    return float(min(GRID, key=one.error))


def race_curve(aims: list[Aim]) -> tuple[float, float]:
    """The two numbers of the efficiency in races."""
    return min(
        ((float(race), float(jump)) for race in GRID for jump in JUMPS),
        key=lambda curve: sum(
            each.error(np.maximum(curve[0] - curve[1] / each.pips, 0)) for each in aims
        ),
    )


def fitted(trees: dict[str, Tree], known: Tree, exact: np.ndarray, tables) -> Efficiencies:
    """Efficiencies that agree with looking ahead by themselves, each round told."""
    now = JANOWSKIS
    for number in range(1, MOST_ROUNDS + 1):
        aims = {
            kind: aim(tree, looked_ahead(tree, table_at(now, tables)))
            for kind, tree in trees.items()
        }
        curve = race_curve([aim(known, exact), aims["race"], aims["at home"]])
        following = Efficiencies(best_efficiency(aims["contact"]), *curve)
        print(f"round {number}:", " ".join(f"{each:.3f}" for each in following), flush=True)
        if following == now:
            break
        now = following
    return now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=300, help="of each class")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", default=DEFAULT)
    args = parser.parse_args()
    level = Level(args.weights)
    evaluator = level.evaluator(print)
    found = positions_of_games(level, evaluator, args.positions, args.seed)
    print("positions:", ", ".join(f"{len(boards)} {kind}" for kind, boards in found.items()))
    held = found.pop("in the table")
    trees = {kind: grown(boards, evaluator) for kind, boards in found.items()}
    exact = known_equities(held, evaluator.tables)[0].astype(np.float64)
    known = Tree(held, evaluator.outcomes(held), *([np.empty(0)] * 5))
    best = fitted(trees, known, exact, evaluator.tables)
    print("decisions' loss and values' error: Janowski's, ours, one number for the class")
    table = table_at(best, evaluator.tables)
    wanted = {kind: looked_ahead(tree, table) for kind, tree in trees.items()}
    wanted["in the table"] = exact
    for kind, tree in (trees | {"in the table": known}).items():
        one = aim(tree, wanted[kind])
        own = best_efficiency(one)
        tries = (JANOWSKIS, best, fixed(own))
        found = (told(static(tree, table_at(each)), wanted[kind]) for each in tries)
        print(f"{kind:12} {' | '.join(found)} | {own:.2f}")
        for low, high in pairwise(PIPS):
            part = (low <= one.pips) & (one.pips < high)
            if kind != "contact" and part.sum() >= FEWEST:
                x = best_efficiency(Aim(*(array[part] for array in one)))
                print(f"  {low:3} to {high - 1:3} pips: {x:.2f} ({part.sum()} positions)")


if __name__ == "__main__":
    main()
