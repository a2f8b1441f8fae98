"""Learning from one ply of lookahead."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.engine.nets import nets_of
from bot.backgammon.evaluation.bearoff import NO_DATABASES, build_databases, known_outcomes
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.inputs import PLAYERS, inputs_of
from bot.backgammon.evaluation.network import Network, random_network
from bot.backgammon.kernels.layouts import fill_layout
from bot.backgammon.kernels.lookahead import (
    MARGIN,
    MAX_CANDIDATES,
    Mix,
    example_tools,
    fill_examples,
)
from bot.backgammon.rules.outcome import chances_of, cubeless_equities
from bot.backgammon.rules.play import RollWorkspace, boards_after
from bot.backgammon.rules.position import Position, pip_counts, turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.backgammon.training import lookahead
from bot.backgammon.training.lookahead import Lookahead
from bot.backgammon.training.run import Run
from bot.backgammon.training.settings import BOUNDS, LearnerName, Settings
from bot.backgammon.training.student import Student
from bot.generator import new_generator
from tests.plain.networks import cross_entropy, decided_network, phase_layers
from tests.plain.phases import plain_phase

NETWORK = random_network(10, 3)
PLAIN = Mix(layouts=0.25, candidates=4, trace=0.0, layout_trace=0.0)
TINY = Settings(
    learner=LearnerName.LOOKAHEAD,
    games=36,
    units=(8, 4),
    rates=(1e-3, 1e-4),
    promote_every=12,
    batch=16,
    window=1000,
    passes=1.0,
    test_every=12,
    test_games=20,
)


@pytest.fixture
def short_tests(monkeypatch):
    """Of what plays lose, two games each."""
    monkeypatch.setattr(lookahead, "GAMES_OF_PIECE", 2)


def plain_expectation(position):
    """The five chances averaged over 21 rolls, a whole batch of plays at a time."""
    evaluator = CompositeEvaluator(NETWORK)
    total = np.zeros(5)
    for roll in ROLLS:
        after, _ = boards_after(position.board, roll, RollWorkspace())
        replies = turned_boards(after if len(after) else position.board[np.newaxis])
        outcomes = evaluator.outcomes(replies)
        best = chances_of(outcomes[np.argmin(cubeless_equities(outcomes))]).turned()
        total += roll.chance * np.array([getattr(best, name) for name in best.__slots__])
    return total


def plain_replies(board):
    """All replies to each roll, seen by the other player."""
    for roll in ROLLS:
        after, _ = boards_after(board, roll, RollWorkspace())
        yield turned_boards(after if len(after) else board[np.newaxis])


def examples(games, databases=NO_DATABASES, seed=1, mix=PLAIN):
    """Boards, targets and the first of each group of games of self-play, and their counts."""
    most = 400 * games
    boards, targets = np.empty((most, 26), np.int8), np.empty((most, 5), np.float32)
    places, counts = np.empty(most, np.int8), np.zeros(3, np.int64)
    nets = nets_of(CompositeEvaluator(NETWORK, databases), None)
    tools, generator = example_tools(nets), new_generator(seed)
    filled = fill_examples(games, mix, tools, generator, boards, targets, places, counts)
    firsts = np.flatnonzero(places[:filled] == 0)
    sizes = np.diff(firsts, append=filled)
    assert np.array_equal(places[:filled], np.concatenate([np.arange(size) for size in sizes]))
    return boards[:filled], targets[:filled], firsts, counts


@pytest.mark.slow
def test_examples_are_positions_of_games_and_their_expectations():
    boards, targets, firsts, counts = examples(3)
    assert counts[0] == 3
    assert counts[1] <= len(firsts) < counts[1] + 3 + 1
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


def groups_of(boards, firsts):
    """The rows of each group."""
    return [np.arange(*ends) for ends in pairwise([*firsts, len(boards)])]


def play_before(boards, group, following, candidates):
    """The row of the group whose best replies to a roll are the following boards, and these.

    None if no row has: the following boards begin another game, or were reached by chance.
    """
    evaluator = CompositeEvaluator(NETWORK)
    for row in group:
        for replies in plain_replies(boards[row]):
            left = cubeless_equities(evaluator.outcomes(replies))
            order = np.argsort(left, kind="stable")[:candidates]
            replies = replies[order[left[order] < left.min() + MARGIN]]
            if np.array_equal(replies, following):
                return row, replies
    return None


@pytest.mark.slow
@pytest.mark.parametrize("candidates", [1, 4])
def test_plays_of_a_roll_that_come_close_to_the_best_stand_side_by_side(candidates):
    boards, _, firsts, _ = examples(2, mix=PLAIN._replace(candidates=candidates))
    groups = groups_of(boards, firsts)
    found = [
        play_before(boards, group, boards[following], candidates)
        for group, following in pairwise(groups)
    ]
    assert sum(each is not None for each in found) > 0.8 * len(found)  # some are any plays
    assert max(map(len, groups)) == candidates


@pytest.mark.slow
def test_trace_hands_on_what_the_next_look_corrected_to_all_plays_of_a_roll():
    """With these dice no other roll leads to the same plays, and no forced one is drawn."""
    mix = Mix(layouts=0.0, candidates=3, trace=0.0, layout_trace=0.0)
    boards, targets, firsts, _ = examples(2, seed=2, mix=mix)
    traced_boards, traced, _, _ = examples(2, seed=2, mix=mix._replace(trace=0.5))
    assert np.array_equal(boards, traced_boards)
    wanted = targets.astype(float)
    evaluator = CompositeEvaluator(NETWORK)
    groups = groups_of(boards, firsts)
    followed = 0
    change = np.zeros(5)
    for group, following in reversed(list(pairwise(groups))):
        later, change = change, np.zeros(5)
        found = play_before(boards, group, boards[following], mix.candidates)
        if found is not None:
            followed += 1
            best = following[np.argmin(cubeless_equities(targets[following]))]
            seen = evaluator.outcomes(found[1][:1])[0]
            sample = 0.5 * (targets[best] + later - seen)
            change = np.array([-sample[0], *sample[[3, 4, 1, 2]]])
        wanted[group] += change
    assert followed > len(groups) / 2
    assert traced == pytest.approx(wanted, abs=1e-4)


@pytest.mark.slow
def test_games_go_on_by_the_play_that_is_best_one_ply_deep():
    boards, targets, firsts, _ = examples(6, mix=PLAIN._replace(layouts=1.0))
    groups = groups_of(boards, firsts)
    best = others = 0
    for group, following in pairwise(groups):
        found = play_before(boards, group, boards[following], PLAIN.candidates)
        if found is not None and len(group) > 1:
            best += found[0] == group[np.argmin(cubeless_equities(targets[group]))]
            others += 1
    assert others / 2 < best < others  # half the games choose with noise


@pytest.mark.slow
def test_same_dice_make_the_same_examples():
    assert np.array_equal(examples(2)[0], examples(2)[0])
    assert not np.array_equal(examples(2)[0][:50], examples(2, seed=2)[0][:50])


@pytest.mark.slow
def test_games_end_where_the_tables_know_the_rest():
    databases = build_databases(lambda sentence: None, 15, 4)
    boards, *_ = examples(3, databases)
    assert not known_outcomes(boards, databases)[1].any()


def test_room_that_is_full_ends_the_examples():
    boards, targets = np.empty((20, 26), np.int8), np.empty((20, 5), np.float32)
    places, counts = np.empty(20, np.int8), np.zeros(3, np.int64)
    nets = nets_of(CompositeEvaluator(NETWORK, NO_DATABASES), None)
    tools, generator = example_tools(nets), new_generator(1)
    filled = fill_examples(5, PLAIN, tools, generator, boards, targets, places, counts)
    assert 20 - MAX_CANDIDATES < filled <= 20


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
    boards, *_ = examples(3)
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
@pytest.mark.usefixtures("short_tests")
def test_run_by_phases_stopped_and_resumed_ends_where_one_without_a_stop_does(tmp_path):
    by_phases = replace(TINY, phases=8)
    whole = Run.start(tmp_path / "whole", by_phases).go_on(ignore)
    run = Run.start(tmp_path / "parts", by_phases)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=lambda: run.progress.games >= 24)
    parts = Run.resume(tmp_path / "parts").go_on(ignore)
    assert all(map(np.array_equal, whole.layers, parts.layers))
    assert parts.phases == 8


@pytest.mark.parametrize("phases", [1, 8])
def test_contrast_weighs_differences_between_the_errors_of_a_group(phases):
    boards, targets, firsts, _ = examples(2)
    assert 1 < len(firsts) < len(boards)

    def gradient(contrast, groups=firsts):
        """Adam's first mean is a tenth of the gradient."""
        student = Student(PLAYERS, (6, 4), 1, phases)
        student.start_from(decided_network(6, 4, inputs=PLAYERS, phases=phases))
        student.learn(boards, targets, 1e-3, 0.0, groups, contrast)
        return np.concatenate([10 * mean.reshape(-1) for mean in student.means])

    plain, weighed = gradient(0.0), gradient(3.0)
    assert np.abs(weighed - plain).max() > 0.01 * np.abs(plain).max()
    assert gradient(3.0, np.arange(len(boards))) == pytest.approx(plain, rel=1e-4, abs=1e-7)
    # the gradient is linear in the errors, so that of targets whose errors differ more is the same
    network = decided_network(6, 4, inputs=PLAYERS, phases=phases)
    chances = network.outcomes(boards)
    errors = chances - targets
    slopes = 4 * chances * (1 - chances)
    for group in groups_of(boards, firsts):
        errors[group] += 3 * slopes[group] * (errors[group] - errors[group].mean(axis=0))
    targets = chances - errors
    assert gradient(0.0) == pytest.approx(weighed, rel=1e-3, abs=1e-5)


def test_as_many_candidates_may_be_asked_for_as_there_is_room_for():
    assert BOUNDS["candidates"] == (1, MAX_CANDIDATES)


def ignore(progress):
    assert progress.seconds >= 0


@pytest.mark.slow
@pytest.mark.usefixtures("short_tests")
def test_resumed_run_ends_bit_equal_to_one_never_stopped(tmp_path):
    NETWORK.save(tmp_path / "teacher.npz")
    settings = replace(TINY, teacher=str(tmp_path / "teacher.npz"))
    whole = Run.start(tmp_path / "whole", settings).go_on(ignore)
    run = Run.start(tmp_path / "halves", settings)
    with pytest.raises(KeyboardInterrupt):
        run.go_on(ignore, is_stopped=lambda: run.progress.games >= 24)
    resumed = Run.resume(tmp_path / "halves")
    assert resumed.progress.games == 24
    assert all(map(np.array_equal, resumed.go_on(ignore).layers, whole.layers))


def test_checkpoint_of_another_shape_is_refused():
    one = Lookahead(TINY)
    other = Lookahead(Settings(learner=LearnerName.LOOKAHEAD, units=(9,)))
    with pytest.raises(ValueError, match="checkpoint"):
        other.restore(one.state())


def test_a_run_goes_on_with_no_other_pruner(tmp_path, monkeypatch):
    settings = replace(TINY, pruner=str(tmp_path / "own.npz"))
    random_network(3, 1).save(tmp_path / "own.npz")
    state = Lookahead(settings).state()
    random_network(3, 2).save(tmp_path / "own.npz")
    lookahead._pruner.cache_clear()
    lookahead._mark_of_pruner.cache_clear()
    with pytest.raises(ValueError, match=r"the pruner .*own\.npz is another network than"):
        Lookahead(settings).restore(state)
