import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.archive import write_archive
from bot.draughts.evaluation.state_table import NO_STATES, StateTable, states_of
from bot.draughts.kernels.state_table import States, new_states, place_of, put_states
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import position_after
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from tests.bot.draughts.evaluation.test_simulated_value import mirrored


def line_of(number, choices=(0,)):
    """So many positions from the beginning, by the moves that choices name."""
    position = Position.start(CZECH)
    found = []
    for ply in range(number):
        found.append(position)
        moves = Game.of(position).moves
        position = position_after(position, moves[choices[ply % len(choices)] % len(moves)])
    return found


def boards(positions):
    return np.concatenate([boards_of([each]) for each in positions])


def plain_learning(games, discount, is_backward):
    """TD(0) on a dict: values and visits by the board's numbers."""
    found = {}
    for keys, end in games:
        plies = range(len(keys))
        for ply in reversed(plies) if is_backward else plies:
            if ply == len(keys) - 1:
                target = -discount * end
            elif keys[ply + 1] in found:
                target = -discount * found[keys[ply + 1]][0]
            else:
                continue
            value, visits = found.get(keys[ply], (0.0, 0))
            found[keys[ply]] = (value + (target - value) / (visits + 1), visits + 1)
    return found


@given(
    games=st.lists(
        st.tuples(
            st.lists(st.integers(0, 3), min_size=1, max_size=3),
            st.integers(1, 12),
            st.sampled_from([-1.0, 0.0]),
        ),
        max_size=6,
    ),
    is_backward=st.booleans(),
)
def test_learning_agrees_with_plain_learning(games, is_backward):
    table, plain = StateTable(CZECH), []
    for choices, plies, end in games:
        rows = boards(line_of(plies, choices))
        table.learn(rows, end, 0.9, is_backward=is_backward)
        plain.append(([tuple(row) for row in rows.tolist()], end))
    expected = plain_learning(plain, 0.9, is_backward)
    assert len(table) == len(expected)
    for key, (value, visits) in expected.items():
        values, found = table.known(np.array([key], np.int64))
        assert (values[0], found[0]) == (pytest.approx(value, abs=1e-12), visits)


def test_the_end_reaches_all_positions_at_once_when_the_last_learns_first():
    table, line = StateTable(CZECH), line_of(4)
    table.learn(boards(line), -1.0, 0.5, is_backward=True)
    assert [table.value(each) for each in line] == [-0.0625, 0.125, -0.25, 0.5]


def test_the_end_reaches_one_position_a_game_when_the_first_learns_first():
    table, line = StateTable(CZECH), line_of(4)
    for known in range(1, 5):
        table.learn(boards(line), -1.0, 0.5, is_backward=False)
        assert len(table) == known
        assert table.value(line[-known]) is not None


def test_a_drawn_game_is_worth_nothing_and_is_known():
    table, line = StateTable(CZECH), line_of(3)
    table.learn(boards(line), 0.0, 0.9, is_backward=True)
    assert [table.value(each) for each in line] == [0, 0, 0]


def test_both_colours_share_a_state():
    table, line = StateTable(CZECH), line_of(3)
    table.learn(boards(line), -1.0, 0.9, is_backward=True)
    other = mirrored(line[1])
    assert other.turn is Side.WHITE
    assert table.value(other) == table.value(line[1]) != 0


def test_an_unknown_position_has_no_value():
    table = StateTable(CZECH)
    assert table.value(Position.start(CZECH)) is None
    assert len(table) == 0


def test_a_position_of_another_variant_is_refused():
    with pytest.raises(ValueError, match="knows nothing of international"):
        StateTable(CZECH).value(Position.start(INTERNATIONAL))


def test_a_table_that_grows_keeps_what_it_knows():
    table = StateTable(CZECH)
    rows = np.arange(1, 4001, dtype=np.int64).reshape(-1, 4)
    values = np.linspace(-1, 1, len(rows))
    for first in range(0, len(rows), 100):
        part = rows[first : first + 100]
        for row, value in zip(part, values[first : first + 100], strict=True):
            table.learn(row[np.newaxis], -value, 1.0, is_backward=True)
    assert len(table) == len(rows)
    assert len(table.states.visits) >= 2 * len(rows)
    np.testing.assert_allclose(table.known(rows)[0], values)


def test_boards_that_fall_on_one_place_stand_beside_each_other():
    states = new_states(8)
    rows = np.array([[number, 0, 0, 0] for number in (1, 2, 3, 4)], np.int64)
    put_states(rows, np.arange(4.0), np.ones(4, np.int64), states)
    places = {int(place_of(tuple_board(row), states)) for row in rows}
    assert len(places) == 4


def tuple_board(row):
    from bot.draughts.kernels.boards import Board

    return Board(*row.tolist())


def test_a_table_is_saved_and_loaded(tmp_path):
    table, line = StateTable(CZECH), line_of(6)
    table.learn(boards(line), -1.0, 0.9, is_backward=True)
    table.save(tmp_path / "states.npz")
    loaded = StateTable.load(tmp_path / "states.npz")
    assert loaded.variant is CZECH
    assert len(loaded) == len(table) == 6
    assert [loaded.value(each) for each in line] == [table.value(each) for each in line]
    for name, array in table.arrays().items():
        np.testing.assert_array_equal(loaded.arrays()[name], array)


@pytest.mark.parametrize(
    "change",
    [
        {"keys": np.zeros((2, 4), np.int64)},
        {"values": np.array([2.0])},
        {"values": np.array([np.nan])},
        {"visits": np.array([0])},
        {"visits": np.array([[1]])},
        {"visits": None},
    ],
)
def test_a_file_with_other_arrays_is_no_table(tmp_path, change):
    arrays = {
        "keys": np.ones((1, 4), np.int64),
        "values": np.array([0.5]),
        "visits": np.array([1]),
    }
    arrays = {name: array for name, array in (arrays | change).items() if array is not None}
    write_archive(tmp_path / "states.npz", {"version": 1, "variant": "czech"}, arrays)
    with pytest.raises(ValueError, match=r"states.npz is no table of states"):
        StateTable.load(tmp_path / "states.npz")


def test_no_table_is_asked_nothing():
    assert states_of(None) is NO_STATES
    assert isinstance(NO_STATES, States)
    assert len(NO_STATES.visits) == 1
