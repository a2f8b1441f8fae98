"""Cost of a cluster on this machine, beside plain processes, and what each step of training takes.

    python -m tests.bench.bench_cluster --repeats 5

Rollouts and examples of lookahead training are made by two processes and by a local cluster of two
processors, in turn; the medians of the ratios tell what Ray costs. Then the figures that
tests.bench.simulate_cluster needs, as its options: what one core makes, learns and takes in is of
processor time, which is nearly the same on a busy machine; a piece's time is not.
"""

import argparse
import pickle
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from statistics import median

import numpy as np

from bot.backgammon.compilation import COMPILATION, player_jobs
from bot.backgammon.engine.rollout_start import cubeless_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings, piece_of_rollout
from bot.backgammon.evaluation.network import load_network
from bot.backgammon.rules.position import START
from bot.backgammon.training.lookahead import Window, _examples, examples_of, mix_of
from bot.backgammon.training.presets import STANDARD
from bot.backgammon.training.settings import LearnerName
from bot.backgammon.training.student import Student
from bot.compilation import compile_missing
from bot.generator import new_generator
from bot.lab.command_line import told_in_a_sentence
from bot.workers import Pool, ProcessPool, all_results, everywhere_first, on_cluster, worker_pool
from bot.workers.cluster import LOCAL, Cluster

JOBS = [*player_jobs(searches=True), "rollout", "luck", "lookahead training"]
SETTINGS = replace(STANDARD[LearnerName.LOOKAHEAD], workers=2)
NETWORK = load_network()


def rolled(pool: Pool, pieces: int, first: int) -> int:
    """Roll the opening out; trials played."""
    player, settings, start = RolloutPlayer(), RolloutSettings(), cubeless_start(START)
    parts = [(player, settings, start, first + 36 * i, first + 36 * (i + 1)) for i in range(pieces)]
    found = all_results(pool, piece_of_rollout, parts)
    return sum(part.shape[1] for part in found)


def made(pool: Pool, rounds: int, games: int) -> int:
    """Make examples in rounds of one piece for each of two workers; how many."""
    teacher = pool.publish(NETWORK)
    total = 0
    for number in range(rounds):
        parts = [
            (teacher, SETTINGS.pruner, mix_of(SETTINGS), new_generator(number, worker), games)
            for worker in range(2)
        ]
        total += sum(len(boards) for boards, *_ in all_results(pool, _examples, parts))
    return total


def speed(work: Callable[[], int]) -> float:
    """So many a second."""
    began = time.perf_counter()
    return work() / (time.perf_counter() - began)


@told_in_a_sentence()
def main() -> None:
    """Measure in turn, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pieces", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--games", type=int, default=100, help="of each worker and round")
    options = parser.parse_args()
    compile_missing(COMPILATION, JOBS)
    works = {
        "trials": partial(rolled, pieces=options.pieces, first=0),
        "examples": partial(made, rounds=options.rounds, games=options.games),
    }
    with closing(Cluster(LOCAL, print, 2)) as cluster, on_cluster(cluster), ProcessPool(2) as plain:
        everywhere_first(compile_missing, COMPILATION, JOBS)
        with worker_pool(2) as ray_pool:
            for pool in (plain, ray_pool):
                rolled(pool, 4, 0)
                made(pool, 1, 10)
            for name, work in works.items():
                ratios = []
                for number in range(options.repeats):
                    pair = [plain, ray_pool] if number % 2 == 0 else [ray_pool, plain]
                    speeds = {pool is plain: speed(partial(work, pool)) for pool in pair}
                    ratios.append(speeds[False] / speeds[True])
                    print(f"{name}/s: {speeds[True]:,.0f} plain, {speeds[False]:,.0f} Ray")
                told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
                print(f"{name}: Ray over plain, median {median(ratios):.3f} of {told}", flush=True)
            received, sent = cluster.account.received, cluster.account.sent
            examples = made(ray_pool, 4, options.games)
            bytes_each = (cluster.account.received - received) / examples
            print(f"a version of the weights: {len(pickle.dumps(NETWORK)):,} bytes, sent once")
            print(f"sent in these four rounds: {cluster.account.sent - sent:,} bytes")
            began = time.perf_counter()
            all_results(ray_pool, divmod, [(7, 2)] * 500)
            piece = (time.perf_counter() - began) / 500
    boards = np.tile(START.board, (4096, 1)).astype(np.int8)
    targets = np.full((4096, 5), 0.5, np.float32)
    places = np.tile(np.arange(SETTINGS.candidates, dtype=np.int8), 4096)[:4096]
    window = Window(100_000, SETTINGS.candidates)
    payload = pickle.dumps((boards, targets, places), pickle.HIGHEST_PROTOCOL)
    began = time.process_time()
    for _ in range(200):
        window.add(*pickle.loads(payload))
    take = (time.process_time() - began) / 200 / 4096
    student = Student(NETWORK.inputs, SETTINGS.units, 1, SETTINGS.phases)
    numbers = np.random.default_rng(1)

    def learn() -> None:
        boards, targets, firsts = window.batch(SETTINGS.batch, numbers)
        student.learn(boards, targets, 1e-4, SETTINGS.averaging, firsts, SETTINGS.contrast)

    learn()
    began = time.process_time()
    for _ in range(100):
        learn()
    learnt = 100 * SETTINGS.batch / SETTINGS.passes / (time.process_time() - began)
    mix = mix_of(SETTINGS)
    examples_of(NETWORK, SETTINGS.pruner, mix, new_generator(0, 0), 10)
    began = time.process_time()
    examples = len(
        examples_of(NETWORK, SETTINGS.pruner, mix, new_generator(1, 0), options.games)[0]
    )
    made_each = examples / (time.process_time() - began)
    print(
        f"--made {made_each:.0f} --learnt {learnt:.0f} --bytes {bytes_each:.0f} "
        f"--take {take * 1e6:.2f} --piece {piece * 1e3:.2f}"
    )


if __name__ == "__main__":
    main()
