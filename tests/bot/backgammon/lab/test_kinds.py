"""The making of the benchmark."""

import signal

import numpy as np
import pytest

from bot.backgammon.arena.benchmark import Benchmark
from bot.backgammon.engine.rollout_trials import RolloutPlayer, seat_of
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.kinds import KINDS, SIDES, Kind, kinds_of
from bot.backgammon.lab import kinds
from bot.backgammon.lab.kind_layouts import LAYOUTS, laid_out
from bot.backgammon.lab.kinds import (
    BIASED,
    begun,
    in_order,
    main,
    places_left,
    reached_positions,
    roll_out,
)
from bot.backgammon.rules.position import START, Position
from bot.files import alone_with

WEIGHTS = "easy"

LONG = pytest.mark.slow
"""For games that look ahead, which take minutes uncompiled."""


@pytest.fixture(scope="module")
def boards():
    return reached_positions(seat_of(RolloutPlayer(WEIGHTS), SearchSettings(1)), 2, 1)


@pytest.fixture
def short(monkeypatch):
    """Pieces of two trials, and nothing better known than by one of them."""
    monkeypatch.setattr(kinds, "PIECE", 2)
    monkeypatch.setattr(kinds, "LEAST_AT_THE_END", 2)


def test_layouts_are_positions_with_one_side_whole():
    dice = np.random.default_rng(1)
    for kind in LAYOUTS:
        for _ in range(50):
            position = Position.of_board(laid_out(kind, dice))
            assert min(position.checkers, position.other_checkers) >= 2
            assert min(position.off, position.other_off) == 0


@LONG
def test_as_many_positions_of_each_kind_and_side_are_reached(boards):
    numbers, is_first = kinds_of(boards)
    for number, kind in enumerate(KINDS):
        assert (numbers == number).sum() == 2
        if kind in SIDES:
            assert is_first[numbers == number].tolist() == [True, False]


@LONG
def test_positions_depend_on_the_seed_alone(boards):
    seat = seat_of(RolloutPlayer(WEIGHTS), SearchSettings(1))
    assert (reached_positions(seat, 2, 1) == boards).all()
    assert (reached_positions(seat, 2, 2) != boards).any()


@LONG
def test_one_of_each_kind_and_side_is_rolled_out_before_a_second(boards):
    order = in_order(boards)
    assert sorted(order) == [*range(len(boards))]
    numbers, _ = kinds_of(boards)
    assert {*numbers[order[:17]].tolist()} == {*range(len(KINDS))}


@LONG
def test_biased_kinds_are_known_better_before_the_others(boards):
    benchmark = Benchmark.of_boards(boards, {})
    assert next(places_left(benchmark, 0.01)) == in_order(boards)
    samples = np.zeros((2, 36, 6))
    samples[0, ::2] = 0.42
    for place in range(len(boards)):
        benchmark.add(place, samples)
    assert benchmark.equity_errors == pytest.approx(0.0355, abs=1e-4)
    numbers, _ = kinds_of(boards)
    is_biased = [KINDS[numbers[place]] in BIASED for place in next(places_left(benchmark, 0.01))]
    assert is_biased == sorted(is_biased, reverse=True)
    assert sum(is_biased) == 2 * len(BIASED)


@LONG
def test_only_the_kinds_that_are_named_are_rolled_out(boards):
    benchmark = Benchmark.of_boards(boards, {})
    numbers, _ = kinds_of(boards)
    places = next(places_left(benchmark, 0.01, [Kind.RACE, Kind.USUAL]))
    assert places == [
        place for place in in_order(boards) if KINDS[numbers[place]] in (Kind.RACE, Kind.USUAL)
    ]
    assert {KINDS[numbers[place]] for place in places} == {Kind.RACE, Kind.USUAL}


@LONG
def test_broken_off_and_gone_on_with_the_file_is_the_same(boards, short, tmp_path):
    few = boards[:8]
    header = {"weights": WEIGHTS, "seed": 1}
    whole = Benchmark.of_boards(few, header)
    for _ in roll_out(whole, 5.0, 1):
        pass
    broken = Benchmark.of_boards(few, header)
    next(roll_out(broken, 5.0, 1))
    assert (broken.trials < whole.trials).any()
    broken.save(tmp_path / "kinds.npz")
    gone_on = Benchmark.load(tmp_path / "kinds.npz")
    for _ in roll_out(gone_on, 5.0, 1):
        pass
    assert gone_on.trials.tolist() == whole.trials.tolist()
    assert gone_on.sums.tolist() == whole.sums.tolist()


class InterruptedSum(np.ndarray):
    """Trials during whose adding up somebody presses Ctrl-C."""

    def sum(self, *arguments, **options):
        signal.raise_signal(signal.SIGINT)
        return super().sum(*arguments, **options)


def test_an_interrupted_piece_is_added_whole(monkeypatch):
    benchmark = Benchmark.of_boards(START.board[np.newaxis], {"weights": WEIGHTS, "seed": 1})
    trials = np.ones((2, kinds.PIECE, 6)).view(InterruptedSum)
    monkeypatch.setattr(kinds, "piece_of_rollout", lambda *_: trials)
    with pytest.raises(KeyboardInterrupt):
        list(roll_out(benchmark, 0.01, 1))
    assert benchmark.trials.tolist() == [kinds.PIECE]
    assert (benchmark.sums == kinds.PIECE).all()
    assert (benchmark.squares == kinds.PIECE).all()


@LONG
def test_file_made_otherwise_is_not_gone_on_with(boards, tmp_path):
    path = tmp_path / "kinds.npz"
    Benchmark.of_boards(boards, {"weights": WEIGHTS, "seed": 7}).save(path)
    with pytest.raises(ValueError, match="made otherwise"):
        begun(path, WEIGHTS, 2, 1)


@LONG
def test_command_makes_the_file_and_says_what_is_known(short, tmp_path, monkeypatch, capsys):
    path = tmp_path / "kinds.npz"
    arguments = ["--weights", WEIGHTS, "--positions", "2", "--minutes", "0"]
    monkeypatch.setattr("sys.argv", ["kinds", "--out", str(path), *arguments])
    main()
    assert capsys.readouterr().out.startswith("20 positions, 8 trials, known: ")
    assert Benchmark.load(path).trials.sum() == 8


def test_a_file_that_another_process_makes_is_left_to_it(tmp_path, monkeypatch):
    path = tmp_path / "kinds.npz"
    monkeypatch.setattr("sys.argv", ["kinds", "--out", str(path), "--positions", "2"])
    with alone_with(path), pytest.raises(SystemExit, match=r"another process is making .*kinds"):
        main()
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--positions", "3"], "an even number of positions is made, 2 or more, not 3"),
        (["--error", "nan"], "more than 0 points, not nan"),
        (["--minutes", "nan"], "--minutes: a number from 0 on is wanted, not 'nan'"),
        (["--seed", "-1"], "--seed: a whole number from 0 to 2,147,483,647 is wanted"),
        (["--workers", "0"], "--workers: a whole number from 1 to 256 is wanted"),
        (["--only", "foo"], "--only: the kinds are 'closed out, checkers off', "),
    ],
)
def test_wrong_numbers_are_refused_in_a_sentence(arguments, sentence, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["kinds", "--out", "never.npz", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert sentence in capsys.readouterr().err
