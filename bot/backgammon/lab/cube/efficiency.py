"""Cube efficiency: how live the cube is, fitted to Blot's own play two plies deep.

    python -m bot.backgammon.lab.cube.efficiency [--positions N] [--seed S] [--weights NAME]

Positions come from Blot's games against itself, so many of each class: contact, races with checkers
outside, bear-offs beyond the two-sided database, and in it. From each the cube is carried two plies
ahead, all rolls with the best reply, both sides free to double at every turn, with static values at
the ends and exact ones where the table has them. Static values of the root, with its chances two
plies deep, are to agree with what was found in close decisions: the margins of doubling, redoubling
and taking, by least squares over a grid. The efficiencies at the ends are those fitted the round
before, until they stay. Printed for each class: what decisions lose, and the root mean square of
the error of values (centred, owned, the other side's), both in thousandths of a point.
Money games without Jacoby and beavers.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.bearoff import NO_DATABASES, known_equities
from bot.backgammon.evaluation.cube import Values, cube_table
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.kernels.bearoff import BearoffDatabases
from bot.backgammon.kernels.boards import Boards, Counts, has_contact
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.lab.cube.tree import CubeTree, cube_tree, leafless_tree, looked_ahead, static
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import START, pip_counts, turned
from bot.backgammon.rules.roll import Roll
from bot.lab.command_line import lab_parser, seed_number, told_in_a_sentence, whole_number
from bot.weights import DEFAULT

NO_JACOBY = MoneyRules(jacoby=False)
CLOSE = (0.04, 0.96)
"""Chances to win within which the cube still matters."""
EVERY = 5
"""Contact positions in a row are alike: one in so many is taken."""
CLOSE_CALL = 0.15
"""Decisions that lose less, taken wrongly, are close."""
GRID = np.arange(0.0, 1.0, 0.01)
JUMPS = np.arange(0, 8, 0.25)
MAX_ROUNDS = 20
JANOWSKIS = Efficiencies(0.68, 0.68, 0.0)
PIPS = (1, 10, 20, 40, 60, 80, 100, 400)
FEWEST = 20
CLASSES = ("contact", "race", "at home", "in the table")


def class_of(board: Boards, databases: BearoffDatabases) -> str:
    """The class of a board, int8[26], as in CLASSES."""
    if has_contact(board):
        return "contact"
    if (board[7:] > 0).any() or (board[:19] < 0).any():
        return "race"
    return "in the table" if known_equities(board[np.newaxis], databases)[1][0] else "at home"


def boards_of_games(engine: Engine, turns: int, seed: int) -> Iterator[Boards]:
    """The boards of so many turns of the engine's games against itself, each int8[26]."""
    dice = random.Random(seed)
    position = START
    for _ in range(turns):
        yield position.board
        roll = Roll.of_dice(dice.randint(1, 6), dice.randint(1, 6))
        request = ChooseCheckerPlay(GameState(position, money=NO_JACOBY), roll)
        after = engine.decide(request).play.after
        position = turned(after) if after.checkers else START


def boards_by_class(
    level: Level, evaluator: CompositeEvaluator, wanted: int, seed: int
) -> dict[str, Boards]:
    """Boards of each class from the level's games, int8[n, 26].

    Raises ValueError if the games have none of a class.
    """
    found: dict[str, list[Boards]] = {name: [] for name in CLASSES}
    engine = level.engine(print, candidates=1)
    for turn, board in enumerate(boards_of_games(engine, 400 * wanted, seed)):
        name = class_of(board, evaluator.databases)
        if len(found[name]) == wanted or (name == "contact" and turn % EVERY):
            continue
        if CLOSE[0] < evaluator.outcomes(board[np.newaxis])[0, 0] < CLOSE[1]:
            found[name].append(board)
        if all(len(boards) == wanted for boards in found.values()):
            break
    for name, boards in found.items():
        if not boards:
            raise ValueError(
                f"{400 * wanted:,} turns of games have no position of the class {name!r}"
            )
    return {name: np.array(boards) for name, boards in found.items()}


def fixed(efficiency: float) -> Efficiencies:
    """One efficiency for all positions."""
    return Efficiencies(efficiency, efficiency, 0.0)


def table_at(efficiencies: Efficiencies, databases: BearoffDatabases = NO_DATABASES) -> CubeTable:
    """The cube of a money game with such efficiencies."""
    return cube_table(GameState(START, money=NO_JACOBY), None, databases, efficiencies)


def margins(values: Values) -> Values:
    """By how much rolling is better than doubling, then redoubling, and dropping than taking.

    values: float64[..., 3]; the same shape is returned.
    """
    doubled = np.minimum(2 * values[..., 2], 1)
    return np.stack(
        [values[..., 0] - doubled, values[..., 1] - doubled, 2 * values[..., 2] - 1], -1
    )


def losses(found: Values, wanted: Values) -> Values:
    """Mean losses of going by the found margins: doubling, redoubling, taking."""
    right, chosen = margins(wanted), margins(found)
    is_wrong = (right > 0) != (chosen > 0)
    lost: Values = 1000 * (is_wrong * np.abs(right)).mean(axis=0)
    return lost


def errors_text(found: Values, wanted: Values) -> str:
    """Losses of decisions and errors of values, in thousandths of a point, as text."""
    errors = 1000 * np.sqrt(((found - wanted) ** 2).mean(axis=0))
    return (
        " ".join(f"{each:4.2f}" for each in losses(found, wanted))
        + "  "
        + " ".join(f"{each:5.1f}" for each in errors)
    )


class Aim(NamedTuple):
    """Values of some roots: with a dead cube, with a live one, and those to agree with; [n, 3]."""

    dead: Values
    live: Values
    pips: Counts
    wanted: Values

    def error(self, efficiencies: Values | float) -> float:
        """Squared error of the margins of close decisions; efficiencies: [n] or one."""
        found = self.dead + np.reshape(efficiencies, (-1, 1)) * (self.live - self.dead)
        right = margins(self.wanted)
        is_close = np.abs(right) < CLOSE_CALL
        return float((((margins(found) - right) ** 2) * is_close).sum())

    def of_some(self, chosen: NDArray[np.bool_]) -> "Aim":
        """The values of some of the roots, bool[n]."""
        return Aim(self.dead[chosen], self.live[chosen], self.pips[chosen], self.wanted[chosen])


def aim(tree: CubeTree, wanted: Values) -> Aim:
    """The values that static ones of the roots are to agree with."""
    dead, live = (static(tree, table_at(fixed(x))) for x in (0.0, 1.0))
    return Aim(dead, live, pip_counts(tree.roots), wanted)


def best_efficiency(one: Aim) -> float:
    """The one efficiency for all roots that errs least."""
    return min(map(float, GRID), key=one.error)


def race_curve(aims: Iterable[Aim]) -> tuple[float, float]:
    """The two numbers of the efficiency in races."""
    return min(
        ((float(race), float(jump)) for race in GRID for jump in JUMPS),
        key=lambda curve: sum(
            each.error(np.maximum(curve[0] - curve[1] / each.pips, 0)) for each in aims
        ),
    )


def fitted(
    trees: Mapping[str, CubeTree], known: CubeTree, exact: Values, databases: BearoffDatabases
) -> Efficiencies:
    """Efficiencies that agree with looking ahead by themselves; each round is printed."""
    now = JANOWSKIS
    for number in range(1, MAX_ROUNDS + 1):
        aims = {
            name: aim(tree, looked_ahead(tree, table_at(now, databases)))
            for name, tree in trees.items()
        }
        curve = race_curve([aim(known, exact), aims["race"], aims["at home"]])
        following = Efficiencies(best_efficiency(aims["contact"]), *curve)
        print(f"round {number}:", " ".join(f"{each:.3f}" for each in following), flush=True)
        if following == now:
            break
        now = following
    return now


def print_class(name: str, tree: CubeTree, wanted: Values, best: Efficiencies) -> None:
    """Print the errors of one class by Janowski's efficiency, the best, and one of its own."""
    one = aim(tree, wanted)
    own = best_efficiency(one)
    tries = (JANOWSKIS, best, fixed(own))
    found = (errors_text(static(tree, table_at(each)), wanted) for each in tries)
    print(f"{name:12} {' | '.join(found)} | {own:.2f}")
    for low, high in pairwise(PIPS):
        part = (low <= one.pips) & (one.pips < high)
        if name != "contact" and part.sum() >= FEWEST:
            efficiency = best_efficiency(one.of_some(part))
            print(f"  {low:3} to {high - 1:3} pips: {efficiency:.2f} ({part.sum()} positions)")


@told_in_a_sentence()
def main() -> None:
    """Find positions, fit and print."""
    parser = lab_parser(__doc__)
    parser.add_argument("--positions", type=whole_number(1), default=300, help="of each class")
    parser.add_argument("--seed", type=seed_number, default=1, help="of the dice")
    parser.add_argument("--weights", default=DEFAULT, help="name or file")
    options = parser.parse_args()
    level = Level(options.weights)
    evaluator = level.evaluator(print)
    found = boards_by_class(level, evaluator, options.positions, options.seed)
    print("positions:", ", ".join(f"{len(boards)} {name}" for name, boards in found.items()))
    held = found.pop("in the table")
    trees = {name: cube_tree(boards, evaluator) for name, boards in found.items()}
    exact = known_equities(held, evaluator.databases)[0].astype(np.float64)
    known = leafless_tree(held, evaluator.outcomes(held))
    best = fitted(trees, known, exact, evaluator.databases)
    print("decisions' loss and values' error: Janowski's, ours, one number for the class")
    cube = table_at(best, evaluator.databases)
    for name, tree in trees.items():
        print_class(name, tree, looked_ahead(tree, cube), best)
    print_class("in the table", known, exact, best)


if __name__ == "__main__":
    main()
