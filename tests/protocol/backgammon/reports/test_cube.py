import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import CubeEvaluation
from protocol.backgammon.reports.cube import (
    answer_lines,
    answer_rows,
    beavered_rows,
    cube_lines,
    cube_rows,
    proper_answer,
    row_values,
)

MONEY = """\
cubeful       points   diff
No double     +0.105
Double, take  -0.172 -0.277
Double, drop  +1.000 +0.895
Proper action: no double, take.
To double loses 0.277, to drop a double 1.172."""

MATCH = """\
cubeful          EMG   diff    mwc %   diff
No double     +0.600 -0.120    61.00  -2.50
Double, take  +0.720           63.50
Double, drop  +1.000 +0.280    70.00  +6.50
Proper action: double, take.
Not to double loses 0.120 (2.50 %), to drop a double 0.280 (6.50 %)."""

ANSWER = """\
cubeful       points   diff
Take          -1.130 -0.130
Drop          -1.000
Proper action: drop.
To take loses 0.130."""

BEAVER = """\
cubeful         points   diff
No double       -0.200
Double, take    -0.300 -0.100
Double, drop    +1.000 +1.200
Double, beaver  -0.600 -0.400
Proper action: no double, beaver.
To double loses 0.400, only to take a double 0.300."""

equities = st.floats(-3, 3)


def test_money_table_tells_points_and_what_a_wrong_action_loses():
    assert "\n".join(cube_lines(CubeEvaluation(0.105, -0.172, 1.0))) == MONEY


def test_match_table_tells_match_winning_chances_too():
    evaluation = CubeEvaluation(0.6, 0.72, 1.0, mwc=(0.61, 0.635, 0.7))
    assert "\n".join(cube_lines(evaluation)) == MATCH


def test_answer_is_seen_by_the_side_that_answers():
    assert "\n".join(answer_lines(answer_rows(CubeEvaluation(0.9, 1.13, 1.0)))) == ANSWER
    rows = answer_rows(CubeEvaluation(0.6, 0.72, 1.0, mwc=(0.61, 0.635, 0.7)))
    assert [(row.name, row.equity) for row in rows] == [("Take", -0.72), ("Drop", -1.0)]
    assert [row.mwc for row in rows] == pytest.approx([0.365, 0.3])


def test_beaver_has_a_row_where_it_is_allowed():
    evaluation = CubeEvaluation(-0.2, -0.3, 1.0, may_beaver=True)
    assert "\n".join(cube_lines(evaluation)) == BEAVER
    assert proper_answer(evaluation) == "beaver"
    assert answer_lines(answer_rows(evaluation))[-1] == "Only to take loses 0.300."


def test_who_is_beavered_sees_what_going_on_is_worth():
    rows = beavered_rows(CubeEvaluation(0.1, 0.2, 1.0, may_beaver=True))
    assert [(row.name, row.equity) for row in rows] == [
        ("Take", 0.2),
        ("Drop", -1.0),
        ("Beaver", 0.4),
    ]
    assert answer_lines(rows)[-2:] == ["Proper action: beaver.", "Only to take loses 0.200."]
    last = beavered_rows(CubeEvaluation(0.1, -1.2, 1.0))
    assert answer_lines(last)[-2:] == ["Proper action: drop.", "To take loses 0.200."]


@pytest.mark.parametrize(
    ("evaluation", "sentence"),
    [
        (
            CubeEvaluation(1.2, 1.5, 1.0),
            "To double loses 0.200, to take a double 0.500.",
        ),
        (
            CubeEvaluation(0.8, 1.2, 1.0),
            "Not to double loses 0.200, to take a double 0.200.",
        ),
        (
            CubeEvaluation(1.1, 0.9, 1.0),
            "To double loses 0.200, to drop a double 0.100.",
        ),
        (
            CubeEvaluation(-1.0, -1.0, 1.0),
            "To double or not is worth the same, to drop a double loses 2.000.",
        ),
        (
            CubeEvaluation(1.0, 2.0, 1.0),
            "To double or not is worth the same, to take a double loses 1.000.",
        ),
    ],
)
def test_losses_are_those_of_the_wrong_action_and_the_wrong_answer(evaluation, sentence):
    assert cube_lines(evaluation)[-1] == sentence


@given(
    no_double=equities,
    take=equities,
    drop=equities,
    mwc=st.none() | st.tuples(*[st.floats(0, 1)] * 3),
    may_beaver=st.booleans(),
)
def test_tables_fit_into_eighty_columns_and_name_the_proper_action(
    no_double, take, drop, mwc, may_beaver
):
    evaluation = CubeEvaluation(no_double, take, drop, mwc, may_beaver and mwc is None)
    for lines in (cube_lines(evaluation), answer_lines(answer_rows(evaluation))):
        assert max(map(len, lines)) <= 80
    assert f"Proper action: {evaluation.proper.value}." in cube_lines(evaluation)
    assert f"Proper action: {proper_answer(evaluation)}." in answer_lines(answer_rows(evaluation))
    doubled = min(row.equity for row in cube_rows(evaluation)[1:])
    assert doubled == evaluation.doubled
    if no_double <= drop:
        assert evaluation.proper.value.endswith(proper_answer(evaluation))


def test_values_for_a_program_have_plain_names():
    values = row_values(cube_rows(CubeEvaluation(0.6, 0.72, 1.0, mwc=(0.61, 0.635, 0.7))))
    assert values == {
        "no_double": {"equity": 0.6, "mwc": 0.61},
        "double_take": {"equity": 0.72, "mwc": 0.635},
        "double_drop": {"equity": 1.0, "mwc": 0.7},
    }
    assert row_values(answer_rows(CubeEvaluation(0.6, 0.72, 1.0))) == {
        "take": {"equity": -0.72},
        "drop": {"equity": -1.0},
    }
