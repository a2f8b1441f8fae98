import pytest

from protocol.draughts.formats.hub_line import HubLine, hub_line_text, parse_hub_line
from protocol.errors import WireError


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("level", {}),
        ("level infinite", {"infinite": ""}),
        (" level  time=3.5\tmoves=20 ", {"time": "3.5", "moves": "20"}),
        ('level a="b c" d=""', {"a": "b c", "d": ""}),
        ("level time = 3", {"time": "3"}),
        ("level time=1 time=2", {"time": "2"}),
    ],
)
def test_arguments_are_names_with_values_or_flags(text, arguments):
    assert parse_hub_line(text) == HubLine("level", arguments)


def test_values_are_quoted_where_they_must_be():
    line = hub_line_text("id", name="Blot", author="A. Player", country="", is_new=None, x="a=b")
    assert line == 'id name=Blot author="A. Player" country="" is-new x="a=b"'


def test_a_value_never_ends_the_line_or_its_quotes():
    assert hub_line_text("error", message='say "no"\nquit') == "error message=\"say 'no' quit\""


@pytest.mark.parametrize(
    "text", ["", "  ", "=3", '"go"', 'level a="b', "level =3", 'level a"b"', "level a=b=c"]
)
def test_what_is_no_line_is_one_sentence(text):
    with pytest.raises(WireError, match=r"^(a line begins with|cannot read) .*$"):
        parse_hub_line(text)
