"""What a controller may set, and what is no value of it."""

import pytest

from protocol.draughts.adapters.hub_parameter import VARIANT, HubParameter, number_of

THREADS = HubParameter("threads", "1", "int", least=1, most=16)
SHARE = HubParameter("share", "0.5", "real", least=-1, most=1.5)
BOOK = HubParameter("book", "true", "bool")
FILE = HubParameter("file", "a b")


@pytest.mark.parametrize(
    ("parameter", "line"),
    [
        (THREADS, "param name=threads value=1 type=int min=1 max=16"),
        (SHARE, "param name=share value=0.5 type=real min=-1 max=1.5"),
        (BOOK, "param name=book value=true type=bool"),
        (FILE, 'param name=file value="a b" type=string'),
        (VARIANT, 'param name=variant value=normal type=enum values="normal czech"'),
    ],
)
def test_a_parameter_is_told_with_its_kind_and_limits(parameter, line):
    assert parameter.line == line


@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        (THREADS, ("1", "16")),
        (SHARE, ("-1", "0.25", "1.5")),
        (BOOK, ("true", "false")),
        (FILE, ("", "nan")),
        (VARIANT, ("normal", "czech")),
    ],
)
def test_what_a_parameter_may_be_is_not_refused(parameter, values):
    assert [parameter.refusal(value) for value in values] == [None] * len(values)


@pytest.mark.parametrize(
    ("parameter", "values", "sentence"),
    [
        (THREADS, ("0", "17", "1.5", "", "1_0", "٣", "1e1"), "threads is 1 to 16, not {!r}"),
        (SHARE, ("-1.1", "1.6", "nan", "inf", "1_0", "x"), "share is -1 to 1.5, not {!r}"),
        (BOOK, ("True", "1", ""), "book is true or false, not {!r}"),
        (VARIANT, ("bt", ""), "variant is one of normal, czech, not {!r}"),
    ],
)
def test_what_a_parameter_cannot_be_is_refused_in_a_clause(parameter, values, sentence):
    for value in values:
        assert parameter.refusal(value) == sentence.format(value)
    assert parameter.refusal("x" * 99) == sentence.format("x" * 40)


def test_a_number_has_at_most_as_many_signs_as_any_needs():
    assert (number_of("9" * 19, whole=True), number_of("9" * 20, whole=True)) == (10**19 - 1, None)
    assert (number_of("0" * 38 + "1"), number_of("0" * 39 + "1")) == (1.0, None)
