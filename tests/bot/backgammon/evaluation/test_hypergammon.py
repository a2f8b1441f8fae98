import numpy as np
import pytest

from bot.backgammon.evaluation.hypergammon import (
    TOLERANCE,
    ended_equities,
    hypergammon_path,
    load_hypergammon,
    sides_of,
    solve,
    start_of,
)
from bot.backgammon.rules.position import START, Position
from tests.plain.hypergammon import (
    makehyper_equities,
    makehyper_number,
    plain_equity,
    plain_one_checker_game,
    some_positions,
)

PUBLISHED_POSITIONS = 7_959_904
"""Source: bkgm.com, Tom Keith, Hyper Fun (2018)."""


def ignored(_: str) -> None:
    """Nobody is told."""


@pytest.fixture(scope="module")
def one():
    """The game with a checker a side, which even uncompiled kernels solve."""
    return solve(1, ignored)


def equity(game, board):
    return float(game.equities_of(np.array([board], np.int8))[0])


def test_one_checker_game_agrees_with_the_plain_twin(one):
    plain = plain_one_checker_game(30)
    assert len(plain) == 25 * 25 - 24
    worst = max(abs(equity(one, board) - expected) for board, expected in plain.items())
    assert worst < 1e-9


@pytest.mark.slow
def test_two_checker_game_is_its_own_plain_best_play():
    two = solve(2, ignored)

    class Solved(dict):
        def __missing__(self, board):
            return equity(two, board)

    for board in some_positions(2, 150, 1):
        assert abs(plain_equity(board, Solved()) - equity(two, board)) < 1e-9


@pytest.mark.gnubg
def test_one_checker_game_is_that_of_gnubgs_makehyper(one, tmp_path):
    theirs = makehyper_equities(1, tmp_path)
    numbers = [makehyper_number(places, 1) for places in one.sides.places.tolist()]
    ours = one.equities
    is_open = ~np.isnan(ours)
    is_open[0, :] = is_open[:, 0] = False
    difference = np.abs(theirs[np.ix_(numbers, numbers)] - ours)[is_open]
    assert difference.max() < 2e-6


def test_there_are_as_many_positions_as_published():
    assert np.count_nonzero(~np.isnan(ended_equities(sides_of(3), 3))) == PUBLISHED_POSITIONS


def test_loser_pays_a_gammon_only_with_every_checker_left():
    sides = sides_of(3)
    ended = ended_equities(sides, 3)
    for places, points in (((25, 1, 1), 3), ((19, 3, 0), 1), ((18, 2, 1), 2), ((19, 2, 1), 3)):
        number = sides.numbers[places]
        assert ended[number, 0] == -points
        assert ended[0, number] == points


def test_solved_game_is_found_again_and_a_half_solved_one_gone_on_with(tmp_path, monkeypatch, one):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    told = []
    first = load_hypergammon(told.append, 1)
    assert any("sweep" in text for text in told)
    told.clear()
    again = load_hypergammon(told.append, 1)
    assert told == []
    assert np.array_equal(first.equities, again.equities, equal_nan=True)
    assert again.change <= TOLERANCE

    monkeypatch.setattr("bot.backgammon.evaluation.hypergammon.TOLERANCE", 0.01)
    hypergammon_path(1).unlink()
    half = load_hypergammon(told.append, 1)
    assert half.change > TOLERANCE
    monkeypatch.undo()
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    told.clear()
    whole = load_hypergammon(told.append, 1)
    assert 1 < sum("sweep" in text for text in told) < 14
    assert np.nanmax(np.abs(whole.equities - one.equities)) < 1e-9


def test_damaged_file_is_told_and_solved_again(tmp_path, monkeypatch):
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    load_hypergammon(ignored, 1)
    path = hypergammon_path(1)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    told = []
    assert load_hypergammon(told.append, 1).positions == 652
    assert "damaged" in told[0]


def test_other_numbers_of_checkers_are_refused(one):
    with pytest.raises(ValueError, match="1 to 3 checkers a side: 4"):
        sides_of(4)
    with pytest.raises(ValueError, match="1 checkers a side here, not more"):
        one.equities_of(START.board[np.newaxis])


def test_start_has_a_checker_on_each_of_the_last_points():
    assert start_of(3) == Position.of({24: 1, 23: 1, 22: 1}, {24: 1, 23: 1, 22: 1})
