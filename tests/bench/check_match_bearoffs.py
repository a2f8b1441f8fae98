"""Measure doubles and takes in bear-offs at the score by what best play makes of them.

Bear-offs of few checkers are solved turn by turn, the cube included, with Blot's match equities.
Where doubling is close, or taking, an engine is asked at each depth, or with --clear where a wrong
choice costs 0.05 to 0.3; printed is by how much what it says of rolling and of a double that is
taken is wrong, and what its choices lose.

    python -m tests.bench.check_match_bearoffs --count 300 --ply 0 1 2 [--clear]
"""

import argparse

import numpy as np

from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.cube import cube_table
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.bearoff import OTHERS
from bot.backgammon.rules.decision import ChooseCubeAction
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.position import START, Position
from bot.lab.command_line import told_in_a_sentence, whole_number
from tests.plain.bearoff import PlainBearoff, home_board

CENTRED, OWN_2 = Cube(), Cube(2, CubeOwner.ON_ROLL)
SCORES = [
    *((Score(length, 0, 0), CENTRED) for length in (3, 4, 7)),
    *(
        (Score(*points), CENTRED)
        for points in ((5, 0, 2), (5, 2, 0), (5, 2, 1), (4, 2, 0), (4, 0, 1))
    ),
    *((Score(*points), OWN_2) for points in ((5, 0, 0), (6, 2, 0), (9, 0, 0))),
    *((Score(*points), CENTRED) for points in ((6, 4, 0), (7, 0, 5), (8, 0, 2))),
]
"""Scores and cubes of the player on roll, who may double."""


def close_decisions(
    twin: PlainBearoff,
    score: Score,
    cube: Cube,
    count: int,
    random: np.random.Generator,
    *,
    is_clear: bool,
) -> list[tuple[GameState, float, float]]:
    """States where doubling or taking is close, with the equities of rolling and of a take.

    is_clear: whether a wrong choice is to cost 0.05 at least, so that it is not close.
    """
    table = cube_table(GameState(START, cube, score), blot_table())
    won, lost = table.utilities[0, 0, 0], table.utilities[0, 0, 3]
    exact = twin.at_score(table.utilities[:, :, 0], table.may_double)[:, :, 0]
    equities = (2 * exact - won - lost) / (won - lost)
    rolling, taken = equities[..., table.root], equities[..., OTHERS + 2]
    doubling, taking = abs(np.minimum(taken, 1) - rolling), abs(taken - 1)
    is_close = (taking < 0.4) & (doubling < 0.2)
    if is_clear:
        is_close = (rolling < 0.995) & (
            (abs(doubling - 0.175) < 0.125) | (abs(taking - 0.1) < 0.05)
        )
    is_close[0] = is_close[:, 0] = False
    found = random.permutation(np.argwhere(is_close))[:count]
    return [
        (
            GameState(Position(home_board(twin.homes[own], twin.homes[other])), cube, score),
            rolling[own, other],
            taken[own, other],
        )
        for own, other in found
    ]


def told(name: str, rows: list[tuple[float, ...]]) -> None:
    """Print means and root mean squares of errors, and losses in thousandths."""
    errors = np.array(rows)
    mean, rms = errors.mean(axis=0), np.sqrt((errors**2).mean(axis=0))
    se = errors.std(axis=0) / len(rows) ** 0.5
    print(
        f"{name}: {len(rows)} decisions, rolling {mean[0]:+.3f} (rms {rms[0]:.3f}), "
        f"double, take {mean[1]:+.3f} (rms {rms[1]:.3f}), loss of doubles "
        f"{1000 * mean[2]:.2f} ± {1000 * se[2]:.2f}, of takes {1000 * mean[3]:.2f} "
        f"± {1000 * se[3]:.2f}",
        flush=True,
    )


@told_in_a_sentence()
def main() -> None:
    """Solve, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--checkers", type=whole_number(3, 6), default=5, help="most on a side, 3 to 6"
    )
    parser.add_argument(
        "--count", type=whole_number(2, 10_000), default=300, help="decisions at each score"
    )
    parser.add_argument("--ply", type=whole_number(0, 3), nargs="+", default=[0, 1, 2])
    parser.add_argument(
        "--clear", action="store_true", help="decisions of which a wrong one costs 0.05 to 0.3"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    twin = PlainBearoff(options.checkers)
    asked = [
        decision
        for score, cube in SCORES
        for decision in close_decisions(
            twin, score, cube, options.count, random, is_clear=options.clear
        )
    ]
    for ply in options.ply:
        engine = Level(search=SearchSettings(ply)).engine(print)
        rows = []
        for state, rolling, taken in asked:
            said = engine.decide(ChooseCubeAction(state)).evaluation
            assert said is not None
            doubled = min(taken, 1.0)
            doubles = said.doubled >= said.no_double
            takes = said.double_take <= said.double_drop
            rows.append(
                (
                    said.no_double - rolling,
                    said.double_take - taken,
                    max(rolling, doubled) - (doubled if doubles else rolling),
                    (taken if takes else 1.0) - doubled,
                )
            )
        told(f"{ply}-ply", rows)


if __name__ == "__main__":
    main()
