"""Learning from one ply of lookahead."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine.search import nets_of
from bot.backgammon.evaluation.bearoff import NO_DATABASES, build_databases, known_outcomes
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import PLAYERS, inputs_of
from bot.backgammon.evaluation.network import Network, random_network
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.kernels.lookahead import (
    MARGIN,
    MAX_CANDIDATES,
    Mix,
    example_workspace,
    fill_examples,
)
from bot.backgammon.rules.dice import new_generator
from bot.backgammon.rules.outcome import chances_of, cubeless_equities
from bot.backgammon.rules.play import PlayBuffers, boards_after
from bot.backgammon.rules.position import Position, pip_counts, turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.backgammon.training.lookahead import Lookahead, Window
from bot.backgammon.training.run import Run
from bot.backgammon.training.settings import LearnerName, Settings
from bot.backgammon.training.student import Student
from tests.plain.networks import cross_entropy, decided_network, phase_layers
from tests.plain.phases import plain_phase

NETWORK = random_network(10, 3)
PLAIN = Mix(layouts=0.25, layout_ply=0, trace=0.0, layout_trace=0.0)
TINY = Settings(
    learner=LearnerName.LOOKAHEAD,
    games=300,
    units=(8, 4),
    rates=(1e-3, 1e-4),
    promote_every=100,
    batch=16,
    window=2000,
    passes=1.0,
    test_every=100,
    test_games=20,
)


def plain_expectation(position):
    """The five chances averaged over 21 rolls, a whole batch of plays at a time."""
    evaluator = CompositeEvaluator(NETWORK)
    total = np.zeros(5)
    for roll in ROLLS:
        after, _ = boards_after(position.board, roll, PlayBuffers())
        replies = turned_boards(after if len(after) else position.board[np.newaxis])
        outcomes = evaluator.outcomes(replies)
        best = chances_of(outcomes[np.argmin(cubeless_equities(outcomes))]).turned()
        total += roll.chance * np.array([getattr(best, name) for name in best.__slots__])
    return total


def plain_replies(board):
    """The best reply to each roll, seen by the other player."""
    evaluator = CompositeEvaluator(NETWORK)
    for roll in ROLLS:
        after, _ = boards_after(board, roll, PlayBuffers())
        replies = turned_boards(after if len(after) else board[np.newaxis])
        yield replies[np.argmin(cubeless_equities(evaluator.outcomes(replies)))]


def examples(games, databases=NO_DATABASES, seed=1, mix=PLAIN):
    boards = np.empty((100 * games, 26), np.int8)
    targets = np.empty((100 * games, 5), np.float32)
    counts = np.zeros(3, np.int64)
    generator = new_generator(seed)
    nets = nets_of(CompositeEvaluator(NETWORK, databases), None)
    workspace = example_workspace(nets)
    filled = fill_examples(games, mix, nets, workspace, generator, boards, targets, counts)
    return boards[:filled], targets[:filled], counts


@pytest.mark.slow
def test_examples_are_positions_of_games_and_their_expectations():
    boards, targets, counts = examples(3)
    assert counts[0] == 3
    assert counts[1] == len(boards)
    for board, target in list(zip(boards, targets, strict=True))[::20]:
        assert target == pytest.approx(plain_expectation(Position.of_board(board)), abs=1e-5)


def test_layouts_are_positions_that_games_can_reach():
    generator = new_generator(3)
    boards = np.empty((400, 26), np.int8)
    for board in boards:
        fill_layout(board, generator)
        position = Position.of_board(board)
        assert min(position.checkers, position.other_checkers) >= 3
    assert len(np.unique(boards, axis=0)) > 390
    assert 0.4 < np.mean([(board > 0) @ board == 15 for board in boards]) < 0.9
    assert 0.1 < np.mean(boards[:, 25] > 0) < 0.6


@pytest.mark.slow
def test_trace_hands_on_what_the_next_look_corrected():
    """With these dice no other play leads to the best reply of a roll that was not thrown."""
    boards, targets, _ = examples(2, seed=2)
    traced_boards, traced, _ = examples(2, seed=2, mix=Mix(0.25, 0, 0.5, 0.5))
    assert np.array_equal(boards, traced_boards)
    wanted = targets.astype(float)
    evaluator = CompositeEvaluator(NETWORK)
    followed = 0
    for t in range(len(boards) - 2, -1, -1):
        if not any(np.array_equal(boards[t + 1], reply) for reply in plain_replies(boards[t])):
            continue
        followed += 1
        change = 0.5 * (wanted[t + 1] - evaluator.outcomes(boards[t + 1 : t + 2])[0])
        wanted[t] += [-change[0], *change[[3, 4, 1, 2]]]
    assert followed > len(boards) / 3
    assert traced == pytest.approx(wanted, abs=1e-4)


@pytest.mark.slow
def test_games_of_layouts_go_on_by_the_play_that_is_best_one_ply_deep():
    boards, _, _ = examples(2, mix=PLAIN._replace(layouts=1.0, layout_ply=1))
    sampled = range(0, len(boards) - 1, 8)
    deep = sum(is_best_somewhere(boards[t], boards[t + 1], deep=True) for t in sampled)
    flat = sum(is_best_somewhere(boards[t], boards[t + 1], deep=False) for t in sampled)
    assert deep >= len(sampled) - 3  # one play in fifty is any, and a game ends
    assert flat < deep


def is_best_somewhere(board, reached, deep):
    """Whether the board reached follows the best play of a roll, one ply deep or none."""
    evaluator = CompositeEvaluator(NETWORK)
    for roll in ROLLS:
        after, _ = boards_after(board, roll, PlayBuffers())
        replies = turned_boards(after if len(after) else board[np.newaxis])
        if not (replies == reached).all(axis=1).any():
            continue
        left = cubeless_equities(evaluator.outcomes(replies))
        if deep:
            order = np.argsort(left)[:MAX_CANDIDATES]
            replies = replies[order[left[order] < left.min() + MARGIN]]
            chances = [plain_expectation(Position.of_board(reply)) for reply in replies]
            left = cubeless_equities(np.array(chances, np.float32))
        if np.array_equal(replies[np.argmin(left)], reached):
            return True
    return False


@pytest.mark.slow
def test_same_dice_make_the_same_examples():
    assert np.array_equal(examples(2)[0], examples(2)[0])
    assert not np.array_equal(examples(2)[0][:50], examples(2, seed=2)[0][:50])


@pytest.mark.slow
def test_games_end_where_the_tables_know_the_rest():
    databases = build_databases(lambda sentence: None, 15, 4)
    boards, _, _ = examples(3, databases)
    assert not known_outcomes(boards, databases)[1].any()


def test_room_that_is_full_ends_the_examples():
    boards = np.empty((10, 26), np.int8)
    targets = np.empty((10, 5), np.float32)
    counts = np.zeros(3, np.int64)
    nets = nets_of(CompositeEvaluator(NETWORK, NO_DATABASES), None)
    workspace = example_workspace(nets)
    assert fill_examples(5, PLAIN, nets, workspace, new_generator(1), boards, targets, counts) == 10


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=st.integers(0, 1000))
def test_first_step_of_the_student_goes_down_the_gradient(seed):
    """Adam's first step is the rate times the gradient's sign."""
    student = Student(PLAYERS, (6, 4), seed)
    boards = examples(1)[0][:5]
    targets = np.full((5, 5), 0.3, np.float32)

    def loss(weights):
        rows = inputs_of(boards, PLAYERS).astype(float)
        for i in (0, 2):
            rows = np.maximum(rows @ weights[i] + weights[i + 1], 0)
        totals = rows @ weights[4] + weights[5]
        return (np.logaddexp(0, totals) - targets * totals).sum() / 5

    before = [array.astype(float) for array in student.weights]
    measured = student.learn(boards, targets, 1e-3, 0.9)
    assert measured == pytest.approx(loss(before), rel=1e-4)
    checked = 0
    for array in range(6):
        place = tuple(np.array(before[array].shape) // 2)
        slopes = []
        for sign in (1, -1):
            moved = [weights.copy() for weights in before]
            moved[array][place] += sign * 1e-5
            slopes.append(loss(moved))
        slope = (slopes[0] - slopes[1]) / 2e-5
        if abs(slope) > 1e-4:
            step = float(student.weights[array][place]) - before[array][place]
            assert step == pytest.approx(-1e-3 * np.sign(slope), rel=1e-2)
            checked += 1
    assert checked


@pytest.mark.slow
def test_student_learns_what_it_is_taught():
    student = Student(PLAYERS, (16,), 1)
    boards, _, _ = examples(3)
    lead = (pip_counts(turned_boards(boards)) - pip_counts(boards)) / 50
    targets = np.tile((1 / (1 + np.exp(-lead))).astype(np.float32)[:, np.newaxis], (1, 5))
    for _ in range(300):
        student.learn(boards, targets, 3e-3, 0.9)
    taught = Network(student.layers, PLAYERS).outcomes(boards)
    assert np.abs(taught - targets).mean() < 0.02
    assert np.abs(targets - 0.5).mean() > 0.1


def test_student_starts_from_a_network_of_its_shape():
    student, other = Student(PLAYERS, (6, 4), 1), Student(PLAYERS, (6, 4), 2)
    other.start_from(Network(student.layers, PLAYERS))
    assert all(map(np.array_equal, student.layers, other.layers))
    with pytest.raises(ValueError, match="196-10-5 cannot start"):
        other.start_from(NETWORK)


def test_student_by_phases_starts_from_a_network_that_has_none():
    network = decided_network(6, 4, inputs=PLAYERS)
    student = Student(PLAYERS, (6, 4), 1, phases=8)
    student.start_from(network)
    found = Network(student.layers, PLAYERS)
    assert found.phases == 8
    boards = examples(1)[0]
    assert np.array_equal(found.outcomes(boards), network.outcomes(boards))
    with pytest.raises(ValueError, match="244-6-8x4-5 cannot start"):
        Student(PLAYERS, (6, 4), 1).start_from(found)


@pytest.mark.parametrize("phases", [1, 8])
def test_wider_student_means_nearly_the_same_as_the_network_it_starts_from(phases):
    network = decided_network(12, 6, inputs=PLAYERS, phases=phases)
    student = Student(PLAYERS, (30, 14), 1, phases)
    student.start_from(network)
    boards = examples(1)[0]
    found = Network(student.layers, PLAYERS).outcomes(boards)
    expected = network.outcomes(boards)
    assert np.abs(found - expected).mean() < 0.02
    assert expected.std(axis=0).max() > 0.05


def test_student_learns_from_each_example_for_its_phase_alone():
    boards = examples(2)[0]
    phases = np.array([plain_phase(board) for board in boards])
    assert len(set(phases.tolist())) > 3
    targets = np.random.default_rng(1).uniform(0, 1, (len(boards), 5)).astype(np.float32)
    network = decided_network(6, 4, inputs=PLAYERS, phases=8)
    student = Student(PLAYERS, (6, 4), 1, phases=8)
    student.start_from(network)
    loss = student.learn(boards, targets, 1e-3, 0.0)
    first = sum(
        cross_entropy(phase_layers(network.layers, phase), row, target)
        for phase, row, target in zip(phases, inputs_of(boards, PLAYERS), targets, strict=True)
    )
    assert loss == pytest.approx(first / len(boards), rel=1e-4)
    for phase in set(phases.tolist()):
        of_phase = phases == phase
        alone = Student(PLAYERS, (6, 4), 1)
        alone.start_from(Network(phase_layers(network.layers, phase), PLAYERS))
        alone.learn(boards[of_phase], targets[of_phase], 1e-3, 0.0)
        for whole, part in zip(student.means[2:], alone.means[2:], strict=True):
            share = of_phase.mean()
            assert whole[phase] == pytest.approx(share * part[0], rel=1e-3, abs=1e-7)
    absent = sorted(set(range(8)) - set(phases.tolist()))
    assert all(not mean[absent].any() for mean in student.means[2:])


@pytest.mark.parametrize(
    ("units", "phases", "words"),
    [((6, 4), 3, "tells 1 or 8 phases apart, not 3"), ((6,), 8, "needs a second layer")],
)
def test_impossible_phases_are_refused_in_a_sentence(units, phases, words):
    with pytest.raises(ValueError, match=words):
        Student(PLAYERS, units, 1, phases)


@pytest.mark.slow
def test_run_by_phases_stopped_and_resumed_ends_where_one_without_a_stop_does(tmp_path):
    by_phases = replace(TINY, phases=8)
    whole = Run.start(tmp_path / "whole", by_phases).go_on(ignore)
    run = Run.start(tmp_path / "parts", by_phases)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=lambda: run.progress.games >= 200)
    parts = Run.resume(tmp_path / "parts").go_on(ignore)
    assert all(map(np.array_equal, whole.layers, parts.layers))
    assert parts.phases == 8


def test_window_keeps_the_latest():
    window = Window(5)
    for first in range(0, 9, 3):
        boards = np.full((3, 26), first, np.int8) + np.arange(3, dtype=np.int8)[:, np.newaxis]
        window.add(boards, np.zeros((3, 5), np.float32))
    assert window.filled == 5
    drawn, _ = window.batch(200, np.random.default_rng(1))
    assert set(drawn[:, 0]) == {4, 5, 6, 7, 8}


def ignore(progress):
    assert progress.seconds >= 0


@pytest.mark.slow
def test_resumed_run_ends_bit_equal_to_one_never_stopped(tmp_path):
    NETWORK.save(tmp_path / "teacher.npz")
    settings = replace(TINY, teacher=str(tmp_path / "teacher.npz"))
    whole = Run.start(tmp_path / "whole", settings).go_on(ignore)
    run = Run.start(tmp_path / "halves", settings)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=lambda: run.progress.games >= 200)
    resumed = Run.resume(tmp_path / "halves")
    assert resumed.progress.games == 200
    assert all(map(np.array_equal, resumed.go_on(ignore).layers, whole.layers))


def test_checkpoint_of_another_shape_is_refused():
    one = Lookahead(TINY)
    other = Lookahead(Settings(learner=LearnerName.LOOKAHEAD, units=(9,)))
    with pytest.raises(ValueError, match="checkpoint"):
        other.restore(one.state())
