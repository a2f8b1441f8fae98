"""Bear-off databases: built, looked up, and held against gnubg and the obvious twin."""

import gnubg_nn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.evaluation.bearoff import (
    NO_DATABASES,
    build_databases,
    known_equities,
    known_outcomes,
)
from bot.backgammon.kernels.bearoff import home_numbers
from bot.backgammon.kernels.bearoff_databases import fill_home, number_of_home
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.position import START
from tests.plain.bearoff import (
    PlainBearoff,
    dense_rolls,
    home_board,
    makebearoff_equities,
    plain_home_afters,
    plain_homes,
    plain_race_chances,
)
from tests.plain.judges import gnubg_sides
from tests.plain.plays import plain_boards_after
from tests.strategies import boards, rolls

CHECKERS, TWO_SIDED_CHECKERS = 4, 3


def ignored(_: str) -> None:
    """Nobody is told."""


@pytest.fixture(scope="module")
def small():
    """Tables for a few checkers, which even uncompiled kernels build in seconds."""
    return build_databases(ignored, CHECKERS, TWO_SIDED_CHECKERS)


@pytest.fixture(scope="module")
def databases():
    """The databases in full."""
    return build_databases(ignored)


@pytest.fixture(scope="module")
def small_rows(small):
    """Chances of the rolls to bear off all, a row for each position of the small databases."""
    return dense_rolls(small.all_off)


@pytest.fixture(scope="module")
def rows(databases):
    """Chances of the rolls to bear off all and the first, a row for each position."""
    return dense_rolls(databases.all_off), dense_rolls(databases.first_off)


def homes(checkers=15, fewest=0):
    """Homes of so many checkers."""
    points = st.lists(st.integers(1, 6), min_size=fewest, max_size=checkers)
    return points.map(lambda some: tuple(some.count(point) for point in range(1, 7)))


def board_of(own, other):
    return np.array(home_board(own, other), np.int8)


def random_homes(random, positions, count):
    """So many numbers of positions, drawn among the first positions but the empty one."""
    return random.integers(1, positions, count)


# numbers and plays


def test_numbers_follow_the_order_of_the_twin():
    home = np.zeros(7, np.int8)
    for number, plain in enumerate(plain_homes(6)):
        fill_home(number, home)
        assert tuple(home[1:]) == plain
        assert home_numbers(board_of(plain, (0,) * 6)) == (number, 0)


@given(own=homes(), other=homes())
def test_number_of_a_home_board_is_read_back(own, other):
    home = np.zeros(7, np.int8)
    for number, plain in zip(home_numbers(board_of(own, other)), (own, other), strict=True):
        fill_home(number, home)
        assert tuple(home[1:]) == plain
        assert number_of_home(home) == number


@given(board=boards())
def test_only_home_boards_have_numbers(board):
    is_home = not board[7:19].any() and (board[:7] >= 0).all() and (board[19:] <= 0).all()
    assert (home_numbers(board) != (-1, -1)) == is_home


@given(home=homes(checkers=6, fewest=1), roll=rolls())
def test_twin_plays_a_home_by_the_rules(home, roll):
    nobody = (0,) * 6
    afters = {home_board(after, nobody) for after in plain_home_afters(home, roll.high, roll.low)}
    assert afters == plain_boards_after(home_board(home, nobody), roll.high, roll.low)


# what is built


def test_small_tables_are_those_of_the_twin(small):
    one_sided, two_sided = PlainBearoff(CHECKERS).rolls(), PlainBearoff(TWO_SIDED_CHECKERS)
    equities = two_sided.two_sided()
    assert dense_rolls(small.all_off) == pytest.approx(one_sided, abs=1e-6)
    assert small.wins == pytest.approx((1 + equities[..., 0]) / 2, abs=1e-6)
    assert small.equities == pytest.approx(equities[..., 1:], abs=1e-6)


@pytest.mark.slow
def test_tables_of_eight_checkers_are_those_of_the_twin(databases):
    twin = PlainBearoff(8)
    known = len(twin.homes)
    assert dense_rolls(databases.all_off)[:known] == pytest.approx(twin.rolls(), abs=1e-6)
    pairs = PlainBearoff(4).two_sided()
    assert databases.wins[:210, :210] == pytest.approx((1 + pairs[..., 0]) / 2, abs=1e-6)
    assert databases.equities[:210, :210] == pytest.approx(pairs[..., 1:], abs=1e-6)


def test_rows_of_chances_add_up(small):
    assert dense_rolls(small.all_off).sum(axis=1) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("checkers", "two_sided", "sentence"),
    [
        (0, 1, "a one-sided database has 1 to 15 checkers, not 0"),
        (16, 6, "a one-sided database has 1 to 15 checkers, not 16"),
        (4, 5, "a two-sided database has 1 to 4 checkers, not 5"),
        (15, 9, "a two-sided database has 1 to 8 checkers, not 9"),
    ],
)
def test_tables_of_impossible_size_are_refused(checkers, two_sided, sentence):
    with pytest.raises(ValueError, match=sentence):
        build_databases(ignored, checkers, two_sided)


# against gnubg


def test_twin_has_the_rolls_of_gnubg_to_the_last_bit():
    twin = PlainBearoff(8).rolls(gnubg=True)
    for number in range(1, len(twin)):
        theirs = gnubg_nn.bearoff_probabilities(number)
        assert twin[number, 1 : len(theirs) + 1] == pytest.approx(theirs, abs=1e-7)


@pytest.mark.slow
def test_rolls_are_those_of_gnubg(rows):
    """Up to a few positions where gnubg's rounding decides between plays of equal mean."""
    all_off, _ = rows
    differences, mean_differences = [], []
    for number in random_homes(np.random.default_rng(1), len(all_off), 4000):
        theirs = np.zeros(all_off.shape[1])
        found = gnubg_nn.bearoff_probabilities(int(number))
        theirs[1 : len(found) + 1] = found
        differences.append(np.abs(all_off[number] - theirs).max())
        mean_differences.append((all_off[number] - theirs) @ np.arange(len(theirs)))
    assert np.mean(np.array(differences) < 1e-4) > 0.99
    assert np.abs(mean_differences).max() < 3e-4


@pytest.mark.slow
def test_chances_of_six_against_six_are_those_of_gnubg(databases):
    for ours, theirs in chances_beside_gnubg(databases, 6, 6, 3000):
        assert ours == pytest.approx(theirs, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("own", "other"), [(10, 10), (4, 15), (15, 4), (15, 15)])
def test_chances_of_a_race_are_those_of_gnubg(databases, own, other):
    """Up to a few whose plays differ (see above) or which gnubg thinks decided and are not."""
    pairs = list(chances_beside_gnubg(databases, own, other, 1000))
    differences = np.array([np.abs(ours - theirs).max() for ours, theirs in pairs])
    assert np.mean(differences < 1e-4) > 0.99
    assert differences.max() < 3e-3


def chances_beside_gnubg(databases, own, other, count):
    """Our chances and gnubg's of random home boards, of 15 checkers or of at most so many."""
    random = np.random.default_rng([own, other])
    for _ in range(count):
        sides = []
        for most in (own, other):
            checkers = 15 if most == 15 else random.integers(1, most + 1)
            sides.append(tuple(np.bincount(random.integers(0, 6, checkers), minlength=6).tolist()))
        outcomes, is_known = known_outcomes(board_of(*sides)[np.newaxis], databases)
        assert is_known[0]
        yield outcomes[0], np.array(gnubg_nn.probabilities(gnubg_sides(home_board(*sides)), 0))


@pytest.mark.gnubg
def test_twin_has_the_cube_equities_of_makebearoff_to_the_last_bit(tmp_path):
    ours = PlainBearoff(4).two_sided(gnubg=True)
    theirs = makebearoff_equities(4, tmp_path)
    assert ours[1:, 1:] == pytest.approx(theirs[1:, 1:], abs=1e-9)


@pytest.mark.gnubg
def test_cube_equities_are_those_of_makebearoff(small, tmp_path):
    theirs = makebearoff_equities(3, tmp_path)
    assert small.equities[1:, 1:] == pytest.approx(theirs[1:, 1:, 1:], abs=1e-4)


# looked up


def test_last_checker_of_each_side(small):
    """Bearing off from the ace point wins at once; from the 6 and 5 points 27 rolls in 36 do."""
    ace, six = (1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)
    some = np.stack([board_of(ace, six), board_of(six, ace), START.board])
    outcomes, is_known = known_outcomes(some, small)
    assert is_known.tolist() == [True, True, False]
    assert outcomes[:, 0] == pytest.approx([1, 27 / 36, 0])
    equities, is_known = known_equities(some, small)
    assert is_known.tolist() == [True, True, False]
    assert equities == pytest.approx(np.array([[1, 1, 1], [0.5, 0.5, 0.5], [0, 0, 0]]))


def test_cube_is_worth_what_doubling_twice_makes_of_it(small):
    """Three checkers on the ace point against one on the six point, worked out by hand.

    The player on roll wins 6 rolls in 36, all doubles; then the other side wins 27 in 36; then the
    player wins. The other side, if it may, doubles, and that is just a drop: it wins 1, not 1/2.
    """
    board = board_of((3, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1))[np.newaxis]
    outcomes, _ = known_outcomes(board, small)
    assert outcomes[0, 0] == pytest.approx(1 / 6 + 5 / 6 * 1 / 4)
    equities, _ = known_equities(board, small)
    assert equities[0] == pytest.approx([1 / 6 - 5 / 6, 1 / 6 - 5 / 6 / 2, 1 / 6 - 5 / 6])


@given(own=homes(checkers=4, fewest=1), other=homes(checkers=4, fewest=1))
def test_more_checkers_than_in_the_two_sided_table_are_evaluated_by_their_rolls(
    small, small_rows, own, other
):
    outcomes, is_known = known_outcomes(board_of(own, other)[np.newaxis], small)
    assert is_known[0]
    assert known_equities(board_of(own, other)[np.newaxis], small)[1][0] == (
        max(sum(own), sum(other)) <= TWO_SIDED_CHECKERS
    )
    if max(sum(own), sum(other)) > TWO_SIDED_CHECKERS:
        number, other_number = home_numbers(board_of(own, other))
        win, _, _ = plain_race_chances(small_rows, np.eye(1, 32), number, other_number)
        assert outcomes[0, 0] == pytest.approx(win, abs=1e-6)
        assert outcomes[0, 1:].tolist() == [0, 0, 0, 0]


@pytest.mark.slow
@given(own=homes(fewest=13), other=homes(fewest=13))
def test_race_is_evaluated_by_the_rolls_of_both_sides(databases, rows, own, other):
    number, other_number = home_numbers(board_of(own, other))
    win, gammon, lose_gammon = plain_race_chances(*rows, number, other_number)
    outcomes, is_known = known_outcomes(board_of(own, other)[np.newaxis], databases)
    assert is_known[0]
    assert outcomes[0] == pytest.approx([win, gammon, 0, lose_gammon, 0], abs=1e-6)


@given(own=homes(checkers=3, fewest=1), other=homes(checkers=3, fewest=1))
def test_owning_the_cube_is_never_worse_than_a_centred_one_or_the_other_sides(small, own, other):
    (centred, owned, others), *_ = known_equities(board_of(own, other)[np.newaxis], small)[0]
    assert others - 1e-6 <= centred <= owned + 1e-6


def test_no_chance_is_below_nothing(small):
    homes = plain_homes(TWO_SIDED_CHECKERS)[1:]
    every = np.stack([home_board(own, other) for own in homes for other in homes]).astype(np.int8)
    wins = np.full_like(small.wins, -1e-16)
    outcomes, is_known = known_outcomes(every, small._replace(wins=wins))
    assert is_known.all()
    assert (outcomes >= 0).all()


def test_no_tables_know_no_board(small):
    board = board_of((1,) * 6, (2,) * 6)[np.newaxis]
    assert not known_outcomes(board, NO_DATABASES)[1].any()
    assert not known_equities(board, NO_DATABASES)[1].any()
    assert not known_outcomes(board, small)[1].any()


def test_finished_games_are_over(small):
    some = np.stack(
        [board_of((0,) * 6, (2, 0, 0, 0, 0, 0)), board_of((1,) * 1 + (0,) * 5, (0,) * 6)]
    )
    outcomes, is_known = known_outcomes(some, small)
    assert is_known.all()
    assert [chances_of(row).equity for row in outcomes] == [1, -1]
