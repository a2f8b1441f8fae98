"""Compilation: the jobs that a player or a command of backgammon needs."""

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.bearoff import bearoff_path
from bot.backgammon.evaluation.network import load_network
from bot.compilation import Compilation

COMPILATION = Compilation("bot.backgammon.jobs")
"""The jobs of backgammon."""


def player_jobs(*, searches: bool, shares: bool = False) -> list[str]:
    """The jobs that the decisions of an engine need.

    searches: whether it looks ahead; shares: whether with several threads or within a time.
    """
    jobs = ["boards", "plays", "evaluation", "candidates"]
    if not bearoff_path().exists():
        jobs.append("bear-off databases")
    return jobs + ["search"] * searches + ["replies"] * shares


def rollout_jobs(ply: int) -> list[str]:
    """The jobs that rollouts of players so many plies deep need beside those of an engine."""
    return ["search", "replies", "luck"] if ply > 0 else ["rollout"]


def jobs_of_level(level: Level) -> list[str]:
    """The jobs to compile before a level, or a baseline by its name, can decide.

    Raises ValueError if there are no such weights, or their file holds no network.
    """
    if level.weights in BASELINES:
        return ["boards", "plays", "baselines"]
    load_network(level.weights)  # takes a moment, and to compile for a wrong file minutes
    search = level.search
    limited = search.seconds is not None or (level.roller and level.roller.seconds is not None)
    jobs = player_jobs(searches=search.ply > 0, shares=search.threads > 1 or bool(limited))
    return jobs if level.roller is None else [*jobs, *rollout_jobs(level.roller.ply)]
