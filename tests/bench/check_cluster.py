"""Prove that what is lost on a cluster changes no result: nodes are taken away in mid-run.

Two nodes of Ray on this machine, alone with each other. Rollouts, matches and lookahead training
are done there in turn, and each time the second node is killed at a random moment and another one
comes. Every result must be that of one machine's processes, to the last bit.

    python -m tests.bench.check_cluster --removals 20
"""

import argparse
import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.lab.command_line import told_in_a_sentence

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # nobody else can reach the nodes

from ray.cluster_utils import Cluster as RayCluster

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.tournament import Plan, Tournament
from bot.backgammon.compilation import COMPILATION, player_jobs
from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.engine.rollout_workers import RolloutWorkers
from bot.backgammon.rules.position import START
from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.presets import STANDARD
from bot.backgammon.training.settings import LearnerName
from bot.compilation import compile_missing
from bot.workers import everywhere_first, on_cluster
from bot.workers.cluster import Cluster
from protocol.backgammon.commands.entrants import entrant_of

NODE = {"num_cpus": 1, "object_store_memory": 100_000_000}
JOBS = [*player_jobs(searches=True), "rollout", "luck", "lookahead training"]
LIMIT = 900.0
"""Seconds a run may take."""


def rolled_out(trials: int) -> bytes:
    """Results and lucks of a rollout of the opening."""
    with RolloutWorkers(2) as workers:
        samples = workers.trials(
            RolloutPlayer(), RolloutSettings(trials=trials), [cubeless_start(START)], 0, trials
        )
    assert samples is not None
    return samples.tobytes()


def played(games: int) -> bytes:
    """Results of games between two levels."""
    entrants = tuple(entrant_of(name, None, None) for name in ("td-128:1", "td-256:1"))
    plan = Plan(entrants, ((0, 1),), MatchFormat(games))
    pairs: list[str] = []
    Tournament(plan, RunFile(), lambda duel, pair: pairs.append(repr(pair))).play(2)
    return "\n".join(pairs).encode()


def trained(rounds: int) -> bytes:
    """Weights and examples after so many rounds of lookahead training."""
    settings = replace(STANDARD[LearnerName.LOOKAHEAD], workers=2, promote_every=400)
    learner = Lookahead(settings)
    try:
        for _ in range(rounds):
            learner.advance(learner.round_games)
        state = learner.state()
        return b"".join(state[name].tobytes() for name in sorted(state))
    finally:
        learner.close()


def _find(work: Callable[[], bytes], found: list[bytes]) -> None:
    found.append(work())


@told_in_a_sentence()
def main() -> None:
    """Do each work without a cluster, then on one that loses nodes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--removals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=4000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    works: dict[str, Callable[[], bytes]] = {
        "rollout": partial(rolled_out, options.trials),
        "match": partial(played, options.games),
        "training": partial(trained, options.rounds),
    }
    compile_missing(COMPILATION, JOBS)
    expected: dict[str, bytes] = {}
    seconds: dict[str, float] = {}
    for name, work in works.items():
        began = time.monotonic()
        expected[name] = work()
        seconds[name] = time.monotonic() - began
        print(f"{name} by processes: {seconds[name]:.1f} s", flush=True)
    two = RayCluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    # Nodes of one machine have one address: this process is to be on the one that stays.
    cluster = Cluster(two.address, partial(print, flush=True))
    node = two.add_node(**NODE)
    moments, equal = random.Random(options.seed), 0
    try:
        with on_cluster(cluster):
            everywhere_first(compile_missing, COMPILATION, JOBS)
            number = 0
            while equal < options.removals:
                name = list(works)[number % len(works)]
                number += 1
                found: list[bytes] = []
                run = threading.Thread(target=_find, args=(works[name], found), daemon=True)
                run.start()
                time.sleep(moments.uniform(0.2, 0.8) * seconds[name])
                is_amid = run.is_alive()
                two.remove_node(node, allow_graceful=False)
                node = two.add_node(**NODE)
                run.join(LIMIT)
                is_equal = found == [expected[name]]
                equal += is_amid
                print(
                    f"{number}: {name}, {'amid it' if is_amid else 'too late'}, "
                    f"{'equal' if is_equal else 'NOT EQUAL'}; {cluster.account}",
                    flush=True,
                )
                if not is_equal:
                    raise SystemExit(1)
    finally:
        cluster.close()
        two.shutdown()
    print(f"{equal} times a node was lost amid a run, and all were equal to the last bit")


if __name__ == "__main__":
    main()
