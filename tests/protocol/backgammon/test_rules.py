import argparse

import pytest

from bot.backgammon.match import MoneyRules
from protocol.backgammon.rules import add_rules, met_of, money_of


@pytest.mark.parametrize(
    ("options", "cube", "money"),
    [
        ((), True, MoneyRules(jacoby=True, beavers=False)),
        (("--no-cube", "--no-jacoby"), False, MoneyRules(jacoby=False, beavers=False)),
        (("--beavers",), True, MoneyRules(jacoby=True, beavers=True)),
    ],
)
def test_cube_and_money_rules_are_options(options, cube, money):
    parser = argparse.ArgumentParser()
    add_rules(parser)
    parsed = parser.parse_args(options)
    assert parsed.cube is cube
    assert money_of(parsed) == money


def test_match_equity_table_is_read_from_a_file_if_one_is_given(tmp_path):
    parser = argparse.ArgumentParser()
    add_rules(parser)
    assert met_of(parser.parse_args([])) is None
    path = tmp_path / "none.xml"
    path.write_text("<met></met>")
    with pytest.raises(ValueError, match=r"none\.xml is no match equity table"):
        met_of(parser.parse_args(["--met", str(path)]))
