"""Rollout: positions played out many times, with the cube or without, and what to play out."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout_result import (
    LEAST_TRIALS,
    RolledOut,
    RolledOutCube,
    RolledOutPlay,
    Rollout,
    rollout_of,
)
from bot.backgammon.engine.rollout_start import (
    Start,
    cubeless_start,
    play_start,
    roll_start,
    take_start,
)
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings, seat_of
from bot.backgammon.engine.rollout_workers import TRIALS_AT_ONCE, RolloutWorkers
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.kernels.rollout import COLUMNS, Samples
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, Request
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import DoublingRefusal
from bot.backgammon.rules.play import CheckerPlay
from bot.workers import worker_count


class Store(Protocol):
    """Trials that were played before, and the place for new ones.

    trials: float64[starts, 2, n, 6], results and lucks of trials 0 to n - 1.
    """

    trials: Samples

    def add(self, first: int, trials: Samples) -> None:
        """Keep more trials, from the first on."""


StoreOf = Callable[[Sequence[Start]], Store]
"""Makes the store for what is rolled out."""


def rolled_out(
    request: Request,
    player: RolloutPlayer,
    settings: RolloutSettings,
    *,
    has_cube: bool = True,
    met: MatchEquityTable | None = None,
    count: int = 5,
    wanted: Sequence[CheckerPlay] = (),
    store: StoreOf | None = None,
) -> Iterator[RolledOut]:
    """Roll out what a request is about; yields all that is known so far, round after round.

    Of a roll its plays are rolled out: the best ones as seen 0-ply, count at most, and those
    wanted. Before a roll it is both rolling and a double that is taken, if a double is allowed,
    else the position. Yields nothing if the roll allows no play. Without the cube equities are
    cubeless, of a money game. met: match equities, Blot's own if None. store: see rollouts. Raises
    as rollouts does.
    """
    met, state = met or blot_table(), request.state
    if isinstance(request, ChooseCheckerPlay):
        evaluator = seat_of(player, settings.search).evaluator
        decision = Engine(evaluator, cube=has_cube, met=met).decide(request)
        best = [candidate.play for candidate in decision.candidates[:count]]
        plays = list({play.after: play for play in (*best, *wanted)}.values())
        starts = [play_start(state, play.after, met, has_cube=has_cube) for play in plays]
        for found in rollouts(starts, player, settings, store) if plays else ():
            ranked = [
                RolledOutPlay(play, each.turned()) for play, each in zip(plays, found, strict=True)
            ]
            yield sorted(ranked, key=lambda play: -play.rollout.equity)
    elif has_cube and _doubling_refusal(request) is None:
        starts = [roll_start(state, met), take_start(state, met)]
        counts_gammons = Game.asking(request, 0).counts_gammons
        for no_double, double_take in rollouts(starts, player, settings, store):
            yield RolledOutCube(no_double, double_take, counts_gammons=counts_gammons)
    else:
        start = roll_start(state, met) if has_cube else cubeless_start(state.position)
        for (known,) in rollouts([start], player, settings, store):
            yield known


def _doubling_refusal(request: Request) -> DoublingRefusal | None:
    """Why no double is rolled out; None if one is.

    With a dead cube one is rolled out only where it waits for its answer.
    """
    state = request.state
    is_made = isinstance(request, AnswerDouble)
    return state.doubling_illegality if is_made else state.doubling_refusal


def rollouts(
    starts: Sequence[Start],
    player: RolloutPlayer,
    settings: RolloutSettings,
    store: StoreOf | None = None,
) -> Iterator[tuple[Rollout, ...]]:
    """Play games from each start, all with the same dice; yields all that is known so far.

    It yields after each round of new trials, until all are played or the error asked for is
    reached. Trial t depends on the seed and t alone. The answer depends neither on the number of
    workers nor on how many trials a store had. store: makes the store; new trials are added to it
    round by round. Nobody beavers. Raises ValueError if there are no such weights,
    ChildProcessError if a worker dies.
    """
    trials = np.empty((len(starts), 2, settings.trials, COLUMNS))
    kept, done = None, 0
    if store is not None:
        kept = store(starts)
        done = min(kept.trials.shape[2], settings.trials)
        trials[:, :, :done] = kept.trials[:, :, :done]
    at_once, count = TRIALS_AT_ONCE[settings.ply], worker_count(settings.workers)
    per_round = 1 if count == 1 else math.ceil(2 * count / max(len(starts), 1))
    looks = [*range(at_once, settings.trials, at_once), settings.trials]
    with RolloutWorkers(settings.workers) as workers:
        for place in range(0, len(looks), per_round):
            ends = looks[place : place + per_round]
            is_news = done < ends[-1]
            if is_news:
                found = workers.trials(player, settings, starts, done, ends[-1])
                assert found is not None, "they have all the time they want"
                trials[:, :, done : ends[-1]] = found
                if kept is not None:
                    kept.add(done, found)
                done = ends[-1]
            for looked_at in ends:
                known = tuple(map(rollout_of, starts, trials[:, :, :looked_at]))
                if _is_enough(known, settings):
                    yield known
                    return
            if is_news or ends[-1] == settings.trials:
                yield known


def _is_enough(known: Sequence[Rollout], settings: RolloutSettings) -> bool:
    """Whether all equities are known as well as was asked for."""
    error = settings.error
    if error is None or any(each.trials < LEAST_TRIALS for each in known):
        return False
    return all(each.equity_error <= error for each in known)
