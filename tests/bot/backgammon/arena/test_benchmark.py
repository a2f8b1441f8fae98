"""The benchmark: positions of every kind with rolled-out equities."""

from types import SimpleNamespace

import numpy as np
import pytest

from bot.backgammon.arena.benchmark import Benchmark, equities_of, errors_by_kind
from bot.backgammon.engine.rollout_result import Rollout
from bot.backgammon.evaluation.kinds import Kind
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.position import START, Position, turned_boards

BACK_GAME = Position.of({24: 2, 22: 2, 13: 3, 8: 3, 6: 5}, {13: 3, 8: 2, 7: 3, 6: 4, 5: 3}).board
HEADER = {"weights": "easy", "seed": 3}


def samples_of(trials, seed):
    """Trials as rollouts make them: luck explains most of the results."""
    dice = np.random.default_rng(seed)
    samples = dice.random((2, trials, 6))
    samples[1] -= 0.5
    samples[0] = 0.3 + 0.8 * samples[1] + 0.1 * samples[0]
    for part, constant in zip(samples, (0, 1), strict=True):
        part[:, 5] = cubeless_equities(part[:, :5]) + constant
    return samples


@pytest.mark.parametrize("pieces", [(36,), (36, 36), (36, 100, 36)])
def test_pieces_add_up_to_the_rollout_of_all_trials(pieces):
    benchmark = Benchmark.of_boards(np.stack([START.board, BACK_GAME]), HEADER)
    parts = [samples_of(trials, seed) for seed, trials in enumerate(pieces)]
    for part in parts:
        benchmark.add(1, part)
    rollout = Rollout(*np.concatenate(parts, axis=1))
    assert benchmark.trials.tolist() == [0, sum(pieces)]
    assert benchmark.equities[1] == pytest.approx(rollout.equity, abs=1e-9)
    assert benchmark.equity_errors[1] == pytest.approx(rollout.equity_error, rel=1e-6)
    assert benchmark.equity_errors[0] == np.inf


def test_position_is_rolled_out_once_it_has_two_trials():
    benchmark = Benchmark.of_boards(np.stack([START.board] * 3), HEADER)
    for place in range(3):
        benchmark.add(place, samples_of(place, seed=1))
    assert benchmark.rolled_out.trials.tolist() == [2]


def test_equities_of_a_search_are_cubeless_and_told_one_by_one():
    outcomes = {1: [0.5, 0, 0, 0, 0], 2: [1, 0.25, 0, 0, 0]}
    search = SimpleNamespace(outcomes=lambda board: np.array([outcomes[board[0]]], np.float32))
    boards, told = np.zeros((2, 26), np.int8), []
    boards[:, 0] = 1, 2
    assert equities_of(search, boards, told.append).tolist() == [0.0, 1.25]
    assert told == [1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_luck_that_is_rounding_alone_is_worth_nothing(seed):
    benchmark = Benchmark.of_boards(BACK_GAME[np.newaxis], HEADER)
    dice = np.random.default_rng(seed)
    samples = np.zeros((2, 180, 6))
    samples[0, :, 5] = np.where(dice.random(180) < 0.02, -2, -1)
    samples[1, :, 5] = 1e-16 * dice.integers(4, 9, 180)
    for part in np.split(samples, 5, axis=1):
        benchmark.add(0, part)
    assert benchmark.equities[0] == pytest.approx(Rollout(*samples).equity, abs=1e-9)


def test_file_keeps_everything(tmp_path):
    benchmark = Benchmark.of_boards(BACK_GAME[np.newaxis], HEADER)
    benchmark.add(0, samples_of(36, 1))
    benchmark.save(tmp_path / "kinds.npz")
    found = Benchmark.load(tmp_path / "kinds.npz")
    assert found.equities.tolist() == benchmark.equities.tolist()
    assert found.equity_errors.tolist() == benchmark.equity_errors.tolist()
    assert found.boards.tolist() == benchmark.boards.tolist()
    assert {key: found.header[key] for key in HEADER} == HEADER


def test_file_that_is_no_benchmark_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no benchmark"):
        Benchmark.load(tmp_path / "missing.npz")
    np.savez(tmp_path / "other.npz", header='{"version": 1}', boards=np.zeros((1, 26)))
    with pytest.raises(ValueError, match=r"other\.npz is no benchmark"):
        Benchmark.load(tmp_path / "other.npz")


@pytest.mark.parametrize(
    "damage",
    [
        {"sums": None},
        {"trials": np.zeros(2, np.int64)},
        {"trials": np.int64(1)},
        {"trials": np.zeros(1)},
        {"boards": np.zeros((1, 25), np.int8)},
        {"boards": np.zeros((1, 26))},
        {"squares": np.zeros((1, 2))},
    ],
)
def test_benchmark_whose_arrays_do_not_fit_is_refused_in_a_sentence(damage, tmp_path):
    path = tmp_path / "kinds.npz"
    Benchmark.of_boards(BACK_GAME[np.newaxis], HEADER).save(path)
    arrays = {**np.load(path)} | damage
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=r"kinds\.npz is no benchmark of Blot, or is damaged"):
        Benchmark.load(path)


def test_errors_are_told_for_each_kind_and_side():
    boards = np.stack([BACK_GAME, BACK_GAME, *turned_boards(BACK_GAME[np.newaxis]), START.board])
    benchmark = Benchmark.of_boards(np.concatenate([boards, boards[:1]]), HEADER)
    for place in range(len(boards)):
        benchmark.add(place, samples_of(40, place))
    assert len(benchmark.boards) == len(boards) + 1
    benchmark = benchmark.rolled_out
    evaluated = benchmark.equities + np.array([-0.1, 0.3, 0.2, -0.5])
    found = errors_by_kind(benchmark, evaluated)
    rows = {(row.kind, row.side): row for row in found}
    assert len(found) == len(rows)
    assert {*rows} == {
        (Kind.BACK_GAME, "playing it"),
        (Kind.BACK_GAME, "against it"),
        (Kind.USUAL, ""),
    }
    own = rows[Kind.BACK_GAME, "playing it"]
    assert own.positions == 2
    assert (own.error.mean, own.bias.mean) == pytest.approx((0.2, 0.1))
    assert (own.error.error, own.bias.error) == pytest.approx((0.1, 0.2))
    assert own.known == pytest.approx(np.sqrt(np.mean(benchmark.equity_errors[:2] ** 2)))
    assert rows[Kind.BACK_GAME, "against it"].bias.mean == pytest.approx(0.2)
    assert rows[Kind.USUAL, ""].error.mean == pytest.approx(0.5)
    assert rows[Kind.USUAL, ""].error.error is None


def test_errors_by_rollouts_of_which_no_error_is_told_are_known_to_an_unknown_one():
    errors = np.array([0.01, np.nan])
    published = SimpleNamespace(
        boards=np.stack([START.board, BACK_GAME]), equities=np.zeros(2), equity_errors=errors
    )
    known = {row.kind: row.known for row in errors_by_kind(published, np.ones(2))}
    assert known == {Kind.USUAL: pytest.approx(0.01), Kind.BACK_GAME: None}
