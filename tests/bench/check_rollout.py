"""Prove that subtracting the luck leaves rollouts right, and measure how much work it saves.

Positions come from games of the network against itself. Each is rolled out plainly and with the
luck subtracted, by other dice; in units of the standard error the differences of all chances must
be those of chance. Bear-offs that the two-sided database knows are played to their end and held
against it. The gain is the ratio of the variances of one trial, averaged over the positions, by the
ratio of the processor times of one trial.

    python -m tests.bench.check_rollout --positions 20
    python -m tests.bench.check_rollout --positions 20 --truncate 11
    python -m tests.bench.check_rollout --positions 6 --ply 1 --plain 144 --reduced 36
"""

import argparse
import itertools
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import Rollout
from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.bearoff import known_outcomes, load_databases
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START, Position
from bot.lab.command_line import told_in_a_sentence, whole_number
from tests.plain.games import turns_of_games

Check = Callable[[argparse.Namespace, RolloutPlayer], bool]
"""Checks what the options ask for, and prints; whether all is right."""

PLIES_BETWEEN = 13
MAX_ERRORS = 4.5
EXACTLY = 2e-5


def positions_of_games(player: RolloutPlayer, count: int, seed: int) -> list[Position]:
    """Positions before the roll that no table knows, some turns apart from each other."""
    engine = Engine(player.evaluator(), candidates=1, cube=False)
    databases = load_databases(print)

    def choose(board, roll):
        return engine.decide(ChooseCheckerPlay(GameState(Position(board)), roll)).play.after.points

    found = []
    for board, _ in itertools.islice(
        turns_of_games(choose, sys.maxsize, seed), 5, None, PLIES_BETWEEN
    ):
        if not known_outcomes(np.array([board], np.int8), databases)[1][0]:
            found.append(Position(board))
        if len(found) == count:
            return found
    return found


def bearoffs(count: int, seed: int) -> list[Position]:
    """Positions of one to six checkers a side, all at home."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        own, other = (Counter(rng.choices(range(1, 7), k=rng.randint(1, 6))) for _ in range(2))
        found.append(Position.of(own, other))
    return found


def answer(
    position: Position, player: RolloutPlayer, settings: RolloutSettings
) -> tuple[Rollout, float]:
    """The rollout, and the processor time of one trial."""
    began = time.process_time()
    *_, (found,) = rollouts([cubeless_start(position)], player, settings)
    return found, (time.process_time() - began) / found.trials


def errors_apart(one: Rollout, other: Rollout) -> float:
    """The largest difference of a chance or the equity, in units of its standard error.

    A chance that is the same in all trials of one, as gammons that never came, is left out.
    """
    values = [*zip(one.chance_samples.mean(axis=0), other.chance_samples.mean(axis=0), strict=True)]
    errors = [*zip(one.chance_errors, other.chance_errors, strict=True)]
    values.append((one.equity, other.equity))
    errors.append((one.equity_error, other.equity_error))
    apart = [
        abs(mean - other_mean) / math.hypot(*pair)
        for (mean, other_mean), pair in zip(values, errors, strict=True)
        if min(pair) > 1e-4
    ]
    return max(apart, default=0.0)


def check_positions(options: argparse.Namespace, player: RolloutPlayer) -> bool:
    """Compare and measure; whether all differences are those of chance."""
    limits = {"truncate": options.truncate, "ply": options.ply}
    for is_reduced in (True, False):
        answer(START, player, RolloutSettings(2, ply=options.ply, is_reduced=is_reduced))
    variances, times, differences = [], [], []
    positions = positions_of_games(player, options.positions, options.seed)
    for i, position in enumerate(positions):
        seed = 2 * (len(positions) * options.seed + i)  # dice no other position has
        reduced, reduced_time = answer(
            position, player, RolloutSettings(options.reduced, seed=seed, **limits)
        )
        plain, plain_time = answer(
            position,
            player,
            RolloutSettings(options.plain, seed=seed + 1, is_reduced=False, **limits),
        )
        apart = errors_apart(reduced, plain)
        differences.append(
            (reduced.equity - plain.equity) / math.hypot(reduced.equity_error, plain.equity_error)
        )
        variances.append(
            (plain.equity_error**2 * plain.trials, reduced.equity_error**2 * reduced.trials)
        )
        times.append((plain_time, reduced_time))
        print(
            f"{'race' if position.is_race else 'contact':8}"
            f"{plain.equity:+.3f} ± {plain.equity_error:.3f}  "
            f"{reduced.equity:+.3f} ± {reduced.equity_error:.3f}  {apart:.1f} errors apart, "
            f"variance / {variances[-1][0] / max(variances[-1][1], 1e-12):.1f}, "
            f"time x {reduced_time / plain_time:.1f}",
            flush=True,
        )
        if apart > MAX_ERRORS:
            return False
    (plain_variance, variance), (plain_time, reduced_time) = (
        np.mean(variances, 0),
        np.mean(times, 0),
    )
    ratios = np.array(variances)[:, 0] / np.maximum(np.array(variances)[:, 1], 1e-12)
    gains = ratios * np.array(times)[:, 0] / np.array(times)[:, 1]
    print(
        f"equities {np.sqrt(np.mean(np.square(differences))):.2f} errors apart (root mean square), "
        f"{np.mean(differences):+.2f} on average\n"
        f"one trial: variance {plain_variance:.4f} plain, {variance:.4f} less luck, "
        f"ratio {plain_variance / variance:.1f}; "
        f"{1000 * plain_time:.3f} and {1000 * reduced_time:.3f} ms, ratio "
        f"{reduced_time / plain_time:.1f}\n"
        f"gain at equal error: {plain_variance / variance * plain_time / reduced_time:.2f} "
        f"overall; by position {gains.min():.2f} to {gains.max():.2f}, median "
        f"{np.median(gains):.2f}"
    )
    return True


def check_bearoffs(options: argparse.Namespace, player: RolloutPlayer) -> bool:
    """Hold bear-offs played to their end against the two-sided database."""
    databases = load_databases(print)
    largest = largest_plain = 0.0
    for position in bearoffs(options.bearoffs, options.seed):
        exact = float(known_outcomes(position.board[np.newaxis], databases)[0][0, 0])
        reduced, _ = answer(position, player, RolloutSettings(72, knows_endings=False))
        plain, _ = answer(
            position, player, RolloutSettings(1296, is_reduced=False, knows_endings=False)
        )
        largest = max(largest, float(abs(reduced.chance_samples[:, 0] - exact).max()))
        error = max(plain.chance_errors[0], 1e-4)
        largest_plain = max(largest_plain, abs(plain.chances.win - exact) / error)
    print(
        f"{options.bearoffs} bear-offs: every trial less luck within {largest:.1e} of the table, "
        f"plain rollouts within {largest_plain:.1f} standard errors"
    )
    return largest < EXACTLY and largest_plain < MAX_ERRORS


def check(description: str, *checks: Check, **numbers: int) -> None:
    """Make the checks that a command's options ask for; exits with 1 if something is wrong.

    numbers: what is asked for if nothing is said: positions, bearoffs, plain, reduced.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--positions", type=whole_number(1))
    parser.add_argument("--bearoffs", type=whole_number(1))
    parser.add_argument("--plain", type=int, help="plain trials of each")
    parser.add_argument("--reduced", type=int, help="trials less luck of each")
    parser.add_argument("--truncate", type=int)
    parser.add_argument("--ply", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1, help="of positions and dice")
    parser.add_argument("--weights", default="default")
    parser.set_defaults(**numbers)
    options = parser.parse_args()
    player = RolloutPlayer(options.weights)
    if not all(each(options, player) for each in checks):
        raise SystemExit(1)


@told_in_a_sentence()
def main() -> None:
    """Check, measure and print; exits with 1 if something is wrong."""
    check(
        __doc__,
        check_bearoffs,
        check_positions,
        positions=20,
        bearoffs=20,
        plain=5184,
        reduced=324,
    )


if __name__ == "__main__":
    main()
