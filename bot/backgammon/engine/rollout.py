"""Rollout: positions played out many times, with the cube or without, and what to play out."""

import math
from collections.abc import Iterator, Sequence
from contextlib import nullcontext

import numpy as np

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout_result import (
    LEAST_TRIALS,
    RolledOut,
    RolledOutCube,
    RolledOutPlay,
    Rollout,
)
from bot.backgammon.engine.rollout_start import (
    Start,
    cubeless_start,
    play_start,
    roll_start,
    take_start,
)
from bot.backgammon.engine.rollout_trials import (
    RolloutPlayer,
    RolloutSettings,
    piece_of_rollout,
    seat_of,
)
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.kernels.rollout import COLUMNS, Samples
from bot.backgammon.rules.decision import ChooseCheckerPlay, PlayDecision, Request
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import turned
from bot.workers import all_results, worker_pool

TRIALS_AT_ONCE = (36, 12, 4, 2)
"""Trials between two looks at the error, for 0 to 3 plies."""


def rolled_out(
    request: Request,
    player: RolloutPlayer,
    settings: RolloutSettings,
    *,
    has_cube: bool = True,
    met: MatchEquityTable | None = None,
    count: int = 5,
    wanted: Sequence[CheckerPlay] = (),
) -> Iterator[RolledOut]:
    """Roll out what a request is about: what is known, again and again up to the end.

    The plays of a roll that are best 0-ply, so many at most, and those wanted, none if it allows
    none; before a roll both rolling and a double that is taken, if there may be one, else the
    position. Without the cube equities are cubeless, of a money game. met: match equities, Blot's
    own if None. Raises as rollouts does.
    """
    met, state = met or blot_table(), request.state
    if isinstance(request, ChooseCheckerPlay):
        evaluator = seat_of(player, settings.search).evaluator
        best = _best_plays(request, Engine(evaluator, cube=has_cube, met=met), count)
        plays = list({play.after: play for play in (*best, *wanted)}.values())
        starts = [
            play_start(state, play.after, met) if has_cube else cubeless_start(turned(play.after))
            for play in plays
        ]
        for found in rollouts(starts, player, settings) if plays else ():
            ranked = [
                RolledOutPlay(play, each.turned()) for play, each in zip(plays, found, strict=True)
            ]
            yield sorted(ranked, key=lambda play: -play.rollout.equity)
    elif has_cube and state.doubling_refusal is None:
        starts = [roll_start(state, met), take_start(state, met)]
        for no_double, double_take in rollouts(starts, player, settings):
            yield RolledOutCube(no_double, double_take)
    else:
        start = roll_start(state, met) if has_cube else cubeless_start(state.position)
        for (known,) in rollouts([start], player, settings):
            yield known


def _best_plays(request: ChooseCheckerPlay, engine: Engine, count: int) -> list[CheckerPlay]:
    decision = engine.decide(request)
    assert isinstance(decision, PlayDecision)
    return [rated.play for rated in decision.candidates[:count]]


def rollouts(
    starts: Sequence[Start], player: RolloutPlayer, settings: RolloutSettings
) -> Iterator[tuple[Rollout, ...]]:
    """Play games from each start, all with the same dice: what is known, again and again.

    Trial t depends on the seed and t alone, and the answer not on the number of workers. Nobody
    beavers. Raises ValueError if there are no such weights, ChildProcessError if a worker dies.
    """
    trials = np.empty((len(starts), 2, settings.trials, COLUMNS))
    at_once = TRIALS_AT_ONCE[settings.ply]
    parts = [
        (first, min(first + at_once, settings.trials))
        for first in range(0, settings.trials, at_once)
    ]
    is_alone = settings.workers == 1
    per_round = 1 if is_alone else math.ceil(2 * settings.workers / max(len(starts), 1))
    with nullcontext() if is_alone else worker_pool(settings.workers) as workers:
        for number in range(0, len(parts), per_round):
            wanted = parts[number : number + per_round]
            pieces = [(player, settings, start, *part) for part in wanted for start in starts]
            if workers is None:
                found = [piece_of_rollout(*piece) for piece in pieces]
            else:
                found = all_results(workers, piece_of_rollout, pieces)
            for i, (*_, first, end) in enumerate(pieces):
                trials[i % len(starts), :, first:end] = found[i]
            for _, end in wanted:
                known = tuple(map(_known, starts, trials[:, :, :end]))
                if _is_enough(known, settings):
                    yield known
                    return
            yield known


def _known(start: Start, trials: Samples) -> Rollout:
    """The rollout that trials, float64[2, n, 6], make of their start."""
    won, lost = start.utility(start.unit), start.utility(-start.unit)
    results, lucks = trials
    return Rollout(results, lucks, won, lost, start.met is not None)


def _is_enough(known: Sequence[Rollout], settings: RolloutSettings) -> bool:
    """Whether all equities are known as well as was asked for."""
    error = settings.error
    if error is None or any(each.trials < LEAST_TRIALS for each in known):
        return False
    return all(each.equity_error <= error for each in known)
