"""Fit what a bear-off's cube has at a score to what best play makes of it.

Bear-offs of few checkers are solved turn by turn with the cube at every score up to 9 away, with
Blot's match equities. The numbers of `known_at_score` (bot/backgammon/kernels/efficiency.py) follow
by least squares from close decisions, in units of half of what the cube is played for, each score
counting the same. Printed are those numbers, and the root mean square of what is left of rolling
and of a double that is taken: with money's efficiency at every score, by Blot, and when fitted.

    python -m tests.bench.fit_match_bearoffs --checkers 4
"""

import argparse
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.cube import cube_table, rolled_values
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.bearoff import OTHERS, OWNED, BearoffDatabases
from bot.backgammon.kernels.cube import CENTRED, CubeTable, level_of
from bot.backgammon.kernels.efficiency import Efficiencies, known_efficiencies
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.position import START
from bot.lab.command_line import told_in_a_sentence, whole_number
from tests.plain.bearoff import PlainBearoff, home_board

Values = NDArray[np.float64]

FARTHEST = 9
"""Most points that a side is away."""

CUBES = (Cube(), Cube(2, CubeOwner.ON_ROLL), Cube(4, CubeOwner.ON_ROLL))

DEAD, LIVE = Efficiencies(0.0, 0.0, 0.0), Efficiencies(1.0, 1.0, 0.0)

NUMBERS = ("turned later", "dropped sooner", "early, on roll", "early, the other's")

NO_RISK = 1e-6
"""An owner who can lose no more than this by turning the cube does so at once."""

FEWEST = 50
"""Close decisions below which a score tells nothing."""

CHANCE = 1 / 1024
"""A chance to win so far below every point of turning a cube that its value is a line up to it."""


class Endings(NamedTuple):
    """N pairs of homes, as boards int8[n, 26], with chances float32[n, 5].

    shares: float64[n, 2], of a live cube's worth that one of the player on roll, and of the other
    side, has for money, from 0 to 1.
    """

    boards: NDArray[np.int8]
    chances: NDArray[np.float32]
    shares: Values


class Lesson(NamedTuple):
    """What n close decisions at one score tell, of rolling and of a double that is taken.

    wanted: float64[n, 2], by best play; said: the same by Blot; money: with the efficiency for
    money; slopes: float64[n, 2, 4], by how much more than that for each of NUMBERS.
    """

    wanted: Values
    said: Values
    money: Values
    slopes: Values


def endings_of(twin: PlainBearoff, databases: BearoffDatabases) -> Endings:
    """Every pair of homes with a checker on either side."""
    boards = [home_board(own, other) for own, other in product(twin.homes[1:], repeat=2)]
    wins = databases.wins[1:, 1:].ravel()
    chances = np.zeros((len(boards), 5), np.float32)
    chances[:, 0] = wins
    equities = databases.equities[1:, 1:].reshape(-1, 3)
    shares = [known_efficiencies(*pair) for pair in zip(wins.tolist(), equities, strict=True)]
    return Endings(np.array(boards, np.int8), chances, np.clip(shares, 0.0, 1.0))


def cash_point(live: CubeTable, owner: int, level: int) -> float:
    """The owner's chance from which the other side drops; owner: 0 on roll, 1 the other."""
    boards = np.array([START.board, START.board], np.int8)
    chances = np.zeros((2, 5), np.float32)
    chances[1, 0] = CHANCE
    nothing, little = rolled_values(boards, chances, owner, live)[:, 1 + 2 * level]
    return CHANCE * float((live.utilities[owner, level, 0] - nothing) / (little - nothing))


def rises(live: CubeTable, owner: int, level: int, share: Values) -> Values | None:
    """By how much a cube's efficiency rises with each of NUMBERS, float64[n, 4].

    share: float64[n], its efficiency for money. None if its owner may not turn it, or at no risk.
    """
    if not live.may_double[owner, 1 + 2 * level]:
        return None
    now, turned = live.utilities[owner, level : level + 2]
    gain, risk = turned[0] - now[0], now[3] - turned[3]
    if risk < NO_RISK:
        return None
    later = risk / (gain + risk) - 0.5
    early = max(-later, 0.0) * (1 - share)
    sooner = 0.8 - cash_point(live, owner, level)
    by_number = [-max(later, 0.0) * share, -sooner * share, early * 0, early * 0]
    by_number[2 + owner] = early
    return np.stack(by_number, axis=1)


def lesson_of(
    state: GameState, endings: Endings, twin: PlainBearoff, databases: BearoffDatabases
) -> Lesson | None:
    """What close decisions at a score and a cube tell; None if there are few."""
    met = blot_table()
    table = cube_table(state, met, databases)
    live_table = cube_table(state, met, efficiencies=LIVE)
    exact = twin.at_score(table.utilities[:, :, 0], table.may_double)[1:, 1:, 0]
    won, lost = table.utilities[0, 0, 0], table.utilities[0, 0, 3]
    wanted, said, live, dead = (
        (2 * values - won - lost) / (won - lost)
        for values in (
            exact.reshape(len(endings.boards), -1),
            *(
                rolled_values(endings.boards, endings.chances, 0, each)
                for each in (table, live_table, cube_table(state, met, efficiencies=DEAD))
            ),
        )
    )
    places = [table.root, OTHERS + 2]
    rolling, taken = wanted[:, places].T
    is_close = (abs(taken - 1) < 0.4) & (abs(np.minimum(taken, 1) - rolling) < 0.2)
    if is_close.sum() < FEWEST or not table.may_double[0, table.root]:
        return None

    def worth(place: int) -> tuple[Values, Values]:
        owner = 1 - place % 2
        share = endings.shares[is_close, owner]
        told = rises(live_table, owner, level_of(place), share)
        if told is None:
            return said[is_close, place], np.zeros((len(share), len(NUMBERS)))
        span = (live - dead)[is_close, place]
        return dead[is_close, place] + share * span, told * span[:, np.newaxis]

    columns = [worth(OWNED), worth(OTHERS + 2)]
    if table.root == CENTRED:
        both = zip(columns[0], worth(OTHERS), strict=True)
        money, slopes = (mine + yours for mine, yours in both)
        columns[0] = money - dead[is_close, OWNED], slopes
    money, slopes = (np.stack(parts, axis=1) for parts in zip(*columns, strict=True))
    return Lesson(wanted[is_close][:, places], said[is_close][:, places], money, slopes)


def all_lessons(checkers: int) -> Iterator[Lesson]:
    """What every score and cube tells at which enough decisions are close."""
    databases = build_databases(print, checkers, checkers)
    twin = PlainBearoff(checkers)
    endings = endings_of(twin, databases)
    for away, other_away in product(range(2, FARTHEST + 1), repeat=2):
        length = max(away, other_away)
        score = Score(length, length - away, length - other_away)
        for cube in CUBES:
            if cube.value == 1 or cube.value < away:
                told = lesson_of(GameState(START, cube, score), endings, twin, databases)
                if told is not None:
                    yield told


def left_over(errors: list[Values]) -> str:
    """Root mean squares, of rolling and of a double that is taken; every lesson counts the same."""
    rolling, taken = np.mean([(each**2).mean(axis=0) for each in errors], axis=0) ** 0.5
    return f"rolling {rolling:.4f}, double, take {taken:.4f}"


@told_in_a_sentence()
def main() -> None:
    """Solve, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--checkers", type=whole_number(3, 6), default=4, help="most on a side, 3 to 6"
    )
    told = list(all_lessons(parser.parse_args().checkers))
    squares, products = np.zeros((len(NUMBERS), len(NUMBERS))), np.zeros(len(NUMBERS))
    for each in told:
        slopes, lacks = each.slopes.reshape(-1, len(NUMBERS)), (each.wanted - each.money).ravel()
        squares += slopes.T @ slopes / len(slopes)
        products += slopes.T @ lacks / len(slopes)
    best = np.linalg.solve(squares, products)
    print(f"{len(told)} cubes, {sum(len(each.wanted) for each in told)} decisions")
    print(
        *(f"{name:20} {number:.2f}" for name, number in zip(NUMBERS, best, strict=True)), sep="\n"
    )
    print(f"money's efficiency: {left_over([each.money - each.wanted for each in told])}")
    print(f"Blot: {left_over([each.said - each.wanted for each in told])}")
    fitted = [each.money + each.slopes @ best - each.wanted for each in told]
    print(f"fitted: {left_over(fitted)}")


if __name__ == "__main__":
    main()
