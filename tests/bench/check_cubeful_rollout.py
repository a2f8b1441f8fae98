"""Prove that rollouts with the cube are right on average, and measure what their luck is worth.

Bear-offs that the two-sided database knows are played to their end in every state of the cube,
plainly and less luck, and held against it; in units of the standard error the plain differences
must be those of chance. Positions of the network's own games, for money and at scores, are rolled
out plainly and less luck by other dice, and compared in the same way.

    python -m tests.bench.check_cubeful_rollout --bearoffs 40 --positions 12
"""

import argparse
import random

import numpy as np

from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import Rollout
from bot.backgammon.engine.rollout_start import Start, roll_start, take_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.bearoff import known_equities, load_databases
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.lab.command_line import told_in_a_sentence
from tests.bench.check_rollout import EXACTLY, MAX_ERRORS, bearoffs, check, positions_of_games

OWNERS = list(CubeOwner)
"""In the order of the table."""


def answers(
    starts: list[Start], player: RolloutPlayer, settings: RolloutSettings
) -> tuple[Rollout, ...]:
    """The rollouts of starts with the same dice."""
    *_, found = rollouts(starts, player, settings)
    return found


def told(name: str, apart: list[float]) -> bool:
    """Print how far differences are apart; whether they are those of chance."""
    rms = float(np.sqrt(np.mean(np.square(apart))))
    print(
        f"{name}: {len(apart)} equities {rms:.2f} errors apart (root mean square), "
        f"{np.mean(apart):+.2f} on average, {max(map(abs, apart)):.1f} at most",
        flush=True,
    )
    return rms < 1.5 and max(map(abs, apart)) < MAX_ERRORS


def check_bearoffs(options: argparse.Namespace, player: RolloutPlayer) -> bool:
    """Hold bear-offs in all cube states against the table."""
    databases = load_databases(print)
    largest, apart = 0.0, []
    for number, position in enumerate(bearoffs(options.bearoffs, options.seed)):
        exact = known_equities(position.board[np.newaxis], databases)[0][0]
        starts = [
            roll_start(GameState(position, Cube(1 if owner is CubeOwner.CENTRED else 2, owner)))
            for owner in OWNERS
        ]
        less_luck = answers(starts, player, RolloutSettings(36, knows_endings=False))
        limits = RolloutSettings(
            options.plain, seed=number + 1, is_reduced=False, knows_endings=False
        )
        plain = answers(starts, player, limits)
        for reduced, found, equity in zip(less_luck, plain, exact, strict=True):
            largest = max(largest, float(abs(reduced.utilities - equity).max()))
            if found.equity_error > 1e-3:
                apart.append((found.equity - equity) / found.equity_error)
    print(f"bear-offs: every trial less luck within {largest:.1e} of the table")
    return told("bear-offs, plain against the table", apart) and largest < EXACTLY


def check_positions(options: argparse.Namespace, player: RolloutPlayer) -> bool:
    """Compare rollouts less luck with plain ones."""
    rng, met = random.Random(options.seed), blot_table()
    apart, ratios = [], []
    for number, position in enumerate(positions_of_games(player, options.positions, options.seed)):
        score = None
        if number % 2:
            score = Score(7, rng.randrange(6), rng.randrange(6))
        state = GameState(position, score=score)
        starts = [roll_start(state, met)]
        if state.doubling_refusal is None:
            starts.append(take_start(state, met))
        limits = {"truncate": options.truncate, "ply": options.ply}
        seed = 2 * (options.positions * options.seed + number)
        reduced = answers(starts, player, RolloutSettings(options.reduced, seed=seed, **limits))
        plain = answers(
            starts,
            player,
            RolloutSettings(options.plain, seed=seed + 1, is_reduced=False, **limits),
        )
        for one, other in zip(reduced, plain, strict=True):
            errors = one.equity_error, other.equity_error
            apart.append((one.equity - other.equity) / float(np.hypot(*errors)))
            ratios.append(errors[1] ** 2 * other.trials / (errors[0] ** 2 * one.trials))
    print(f"variance of a trial, plain by less luck: median {np.median(ratios):.1f}")
    return told("positions, less luck against plain", apart)


@told_in_a_sentence()
def main() -> None:
    """Check and print; exits with 1 if something is wrong."""
    check(
        __doc__,
        check_bearoffs,
        check_positions,
        positions=12,
        bearoffs=40,
        plain=1296,
        reduced=180,
    )


if __name__ == "__main__":
    main()
