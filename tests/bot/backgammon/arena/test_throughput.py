import pytest

from bot.backgammon.arena.throughput import Workload, per_second
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS
from tests.plain.games import scattered_turns

DANCING = Position.of({25: 2, 6: 3}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 3})
POSITIONS = [START, DANCING, *(Position(board) for board, _ in scattered_turns(10, 1))]


@pytest.fixture(scope="module")
def workload():
    return Workload(CompositeEvaluator(random_network(8, seed=1)), POSITIONS)


def plays_by_roll(position):
    return [len(legal_plays(position, roll)) for roll in ROLLS]


def test_every_legal_play_of_every_roll_is_made(workload):
    assert workload.make_plays() == sum(sum(plays_by_roll(each)) for each in POSITIONS)


def test_every_play_made_is_evaluated_in_a_batch(workload):
    assert workload.evaluate_batch() == workload.make_plays()


def test_a_search_evaluates_every_play_and_once_the_position_if_a_roll_cannot_be_played(workload):
    assert 0 in plays_by_roll(DANCING)
    stuck = sum(0 in plays_by_roll(each) for each in POSITIONS)
    assert workload.evaluate_replies() == workload.make_plays() + stuck


def test_pruned_work_is_counted_as_all_of_it(workload):
    networks = [random_network(8, seed=seed) for seed in (1, 2)]
    pruned = Workload(CompositeEvaluator(networks[0]), POSITIONS, networks[1])
    pruned.check()
    assert pruned.evaluate_pruned_replies() == workload.evaluate_replies()


def test_pruned_work_leaves_plays_out_and_finds_other_best_ones():
    networks = [random_network(8, seed=seed) for seed in (1, 2)]
    pruned = Workload(CompositeEvaluator(networks[0]), POSITIONS, networks[1])
    pruned.evaluate_replies()
    best = pruned._replies.copy()
    pruned.evaluate_pruned_replies()
    assert (pruned._replies != best).any()


def test_plays_are_evaluated_as_the_other_side_sees_them():
    class Noting(CompositeEvaluator):
        def outcomes(self, boards):
            noted.append(boards)
            return super().outcomes(boards)

    noted = []
    position = Position.of({6: 3}, {24: 2})
    Workload(Noting(random_network(8, seed=1)), [position]).evaluate_batch()
    assert {*noted[-1].clip(min=0).sum(axis=1).tolist()} == {2}


def test_work_that_makes_other_plays_than_there_are_is_found(monkeypatch):
    workload = Workload(CompositeEvaluator(random_network(8, seed=1)), [START])
    made = workload.make_plays()
    monkeypatch.setattr(workload, "make_plays", lambda: 1)
    with pytest.raises(ValueError, match=f"1 plays made, not {made}"):
        workload.check()


def test_right_work_passes_its_check(workload):
    workload.check()


def test_work_that_evaluates_wrongly_is_found():
    class Wrong(CompositeEvaluator):
        def outcomes(self, boards):
            return super().outcomes(boards) + 0.001

    with pytest.raises(ValueError, match=r"search and batch evaluate the replies to .* apart"):
        Workload(Wrong(random_network(8, seed=1)), POSITIONS).check()


def test_there_is_no_work_without_positions():
    with pytest.raises(ValueError, match="no positions"):
        Workload(CompositeEvaluator(random_network(8, seed=1)), [])


def test_work_is_repeated_for_the_time_given_and_counted(monkeypatch):
    clock = iter([10.0, 11.0, 12.0])
    monkeypatch.setattr("bot.backgammon.arena.throughput.time.perf_counter", lambda: next(clock))
    assert per_second(lambda: 30, 2.0) == 30.0


def test_work_is_done_once_however_short_the_time(monkeypatch):
    clock = iter([10.0, 14.0])
    monkeypatch.setattr("bot.backgammon.arena.throughput.time.perf_counter", lambda: next(clock))
    assert per_second(lambda: 30, 0.5) == 7.5
