"""Measurement: how strong a network was at one moment of its training, and the table of them."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from bot.archive import write_whole
from bot.backgammon.arena.benchmark import Benchmark, KindErrors, errors_by_kind
from bot.backgammon.arena.network_duel import network_duel
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import Network
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.training.plays_lost import PlaysLost
from bot.files import open_to_read
from bot.table import table_text

SHARE_AGAINST_RANDOM = 10
"""Random is beaten so clearly that a tenth of the games tells as much."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Test results of a network after so many games of training; errors are standard errors,
    None where one pair of games tells nothing of them.

    seconds: spent playing and learning, testing apart; won: share of the games; points: per game,
    cubeless; broken_off: test games that reached the ply limit, which count in nothing else; lost,
    teacher_lost: points per play, see PlaysLost, None for a learner without a teacher.
    """

    games: int
    seconds: float
    plies_per_game: float
    test_games: int
    pubeval_won: float
    pubeval_won_error: float | None
    pubeval_points: float
    pubeval_points_error: float | None
    random_won: float
    random_won_error: float | None
    random_points: float
    random_points_error: float | None
    broken_off: int
    lost: float | None = None
    lost_error: float | None = None
    teacher_lost: float | None = None


def measured(
    network: Network,
    *,
    games: int,
    seconds: float,
    plies_per_game: float,
    test_games: int,
    seed: int,
    on_games: Callable[[int], None],
    lost: PlaysLost | None = None,
) -> Measurement:
    """Let the network play test_games against pubeval, a tenth of it against random.

    The dice depend on the seed alone, so that all measurements of a run share them. on_games:
    called now and then with the games tested so far; it may raise to end the measurement. lost:
    what its plays cost by its teacher, if it has one.
    """
    pairs = test_games // 2
    few = max(pairs // SHARE_AGAINST_RANDOM, 1)
    random = network_duel(
        network, "random", pairs=few, seed=seed, on_pairs=lambda done: on_games(2 * done)
    )
    pubeval = network_duel(
        network, "pubeval", pairs=pairs, seed=seed, on_pairs=lambda done: on_games(2 * (few + done))
    )
    return Measurement(
        games=games,
        seconds=round(seconds, 2),
        plies_per_game=round(plies_per_game, 2),
        test_games=test_games,
        pubeval_won=pubeval.won,
        pubeval_won_error=pubeval.won_error,
        pubeval_points=pubeval.points_per_game,
        pubeval_points_error=pubeval.points_error,
        random_won=random.won,
        random_won_error=random.won_error,
        random_points=random.points_per_game,
        random_points_error=random.points_error,
        broken_off=pubeval.broken_off + random.broken_off,
        lost=lost.student.mean if lost else None,
        lost_error=lost.student.error if lost else None,
        teacher_lost=lost.teacher.mean if lost else None,
    )


def kind_errors(network: Network) -> list[KindErrors]:
    """Errors of the network in each kind of game, 0 plies deep, on Blot's own benchmark."""
    benchmark = Benchmark.load().rolled_out
    outcomes = CompositeEvaluator(network).outcomes(benchmark.boards)
    return errors_by_kind(benchmark, cubeless_equities(outcomes.astype(np.float64)))


def write_measurements(path: Path, measurements: Sequence[Measurement]) -> None:
    """Write the table, a line each, with nothing for an unknown error; then the old one goes."""
    names = [field.name for field in fields(Measurement)]
    text = table_text(names, map(asdict, measurements)).encode("ascii")
    write_whole(path, lambda file: file.write(text))


def read_measurements(path: Path) -> list[Measurement]:
    """The measurements of a table; raises ValueError for a file that is none."""
    try:
        with open_to_read(path) as file:
            text = file.read().decode("ascii")
        return [measurement_of(row) for row in csv.DictReader(text.splitlines())]
    except FileNotFoundError:
        raise ValueError(f"{path.parent} holds no run: there is no {path.name} in it") from None
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, csv.Error):
        raise ValueError(f"{path} is no table of measurements of Blot, or is damaged") from None


def measurement_of(row: Mapping[str, Any]) -> Measurement:
    """One measurement from a row of names and values, text or numbers.

    What a row of an earlier version does not tell is unknown.
    """
    kinds = {field.name: field.type for field in fields(Measurement)}
    values: dict[str, Any] = {}
    for name, kind in kinds.items():
        is_unknown = kind == float | None and row.get(name) in ("", None)
        values[name] = None if is_unknown else int(row[name]) if kind is int else float(row[name])
    return Measurement(**values)
