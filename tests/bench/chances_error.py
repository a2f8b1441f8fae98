"""How far the chances themselves are off, against Blot's own rollouts, beside gnubg_nn's.

    python -m tests.bench.chances_error --weights default --positions 100 --workers 2

Positions before the roll that no table knows, from games of the network against itself. Each is
rolled out, luck subtracted, until its equity is known to --error or --trials are played; the plies
of the rollouts should be more than those evaluated, for a rollout sees the game as its players do.
The rollouts' own variance is subtracted from the mean squares. gnubg_nn rates the same positions,
each read back from it first; it must agree on who stands better.
"""

import argparse
import time

import numpy as np

from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import Rollout
from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import Position
from bot.lab.command_line import told_in_a_sentence, whole_number
from tests.bench.check_rollout import positions_of_games
from tests.bench.duel_gnubg_nn import gnubg_nn_chances

SECONDS_BETWEEN_LINES = 10.0
LEAST_CORRELATION = 0.9

FIGURES = ("win", "win gammon", "lose gammon", "equity")


def figures(chances: np.ndarray) -> np.ndarray:
    """Win, gammons won and lost, and equity; float64[n, 5] in, float64[n, 4] out."""
    return np.column_stack(
        [chances[:, 0], chances[:, 1], chances[:, 3], cubeless_equities(chances)]
    )


def rolled_out(
    positions: list[Position], player: RolloutPlayer, settings: RolloutSettings
) -> tuple[Rollout, ...]:
    """What rollouts find; progress on the way."""
    began = told = time.monotonic()
    known: tuple[Rollout, ...] = ()
    for known in rollouts([*map(cubeless_start, positions)], player, settings):
        now = time.monotonic()
        if now - told > SECONDS_BETWEEN_LINES:
            told = now
            error = np.sqrt(np.mean([each.equity_error**2 for each in known]))
            print(
                f"{known[0].trials} of {settings.trials} trials each, equities ± {error:.4f}, "
                f"{now - began:.0f} s",
                flush=True,
            )
    return known


def told(name: str, evaluated: np.ndarray, found: np.ndarray, variances: np.ndarray) -> None:
    """Print a player's errors: root mean square and mean, with their standard errors."""
    errors = figures(evaluated) - found
    count = len(errors)
    squares = errors**2 - variances
    cells = []
    for i in range(len(FIGURES)):
        rms = np.sqrt(max(squares[:, i].mean(), 0.0))
        spread = squares[:, i].std(ddof=1) / count**0.5
        uncertain = spread / (2 * rms) if rms**2 > spread else spread**0.5
        mean, error = errors[:, i].mean(), errors[:, i].std(ddof=1) / count**0.5
        cells.append(f"{rms:.4f} ± {uncertain:.4f}, {mean:+.4f} ± {error:.4f}")
    print(f"{name:<16}" + "".join(f"{cell:<36}" for cell in cells).rstrip(), flush=True)


@told_in_a_sentence()
def main() -> None:
    """Rate, roll out, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", default="default", help="that are evaluated")
    parser.add_argument("--judge", help="weights that roll out; if not given the same")
    parser.add_argument("--positions", type=whole_number(2), default=100)
    parser.add_argument("--plies", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--trials", type=int, default=1296, help="of each, at most")
    parser.add_argument("--rollout-ply", type=int, default=1)
    parser.add_argument("--error", type=float, default=0.01, help="of equities that is enough")
    parser.add_argument("--gnubg-plies", type=int, nargs="*", default=[0])
    parser.add_argument("--seed", type=int, default=1, help="of positions and dice")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    player = RolloutPlayer(options.weights)
    positions = positions_of_games(player, options.positions, options.seed)
    settings = RolloutSettings(
        options.trials,
        ply=options.rollout_ply,
        seed=options.seed,
        error=options.error,
        workers=options.workers,
    )
    judge = RolloutPlayer(options.judge or options.weights)
    results = rolled_out(positions, judge, settings)
    chances = np.array([each.chance_samples.mean(axis=0) for each in results])
    found = figures(chances)
    variances = np.array(
        [figures(each.chance_samples).var(axis=0, ddof=1) / each.trials for each in results]
    )
    print(
        f"{len(positions)} positions of {options.weights}, rolled out {results[0].trials} times "
        f"each by {judge.weights} {options.rollout_ply}-ply, seed {options.seed}; the rollouts' "
        "own standard errors, root mean square: "
        + ", ".join(
            f"{name} {error:.4f}"
            for name, error in zip(FIGURES, np.sqrt(variances.mean(axis=0)), strict=True)
        )
    )
    print(f"{'rms, mean':<16}" + "".join(f"{name:<36}" for name in FIGURES).rstrip())
    for ply in options.plies:
        search = Search(player.evaluator(), SearchSettings(ply))
        evaluated = np.array([search.outcomes(position.board)[0] for position in positions], float)
        told(f"blot {ply}-ply", evaluated, found, variances)
    for ply in options.gnubg_plies:
        evaluated = np.array([gnubg_nn_chances(position.points, ply) for position in positions])
        if np.corrcoef(evaluated[:, 0], found[:, 0])[0, 1] < LEAST_CORRELATION:
            raise SystemExit("gnubg_nn and the rollouts do not agree on who stands better")
        told(f"gnubg_nn {ply}-ply", evaluated, found, variances)


if __name__ == "__main__":
    main()
