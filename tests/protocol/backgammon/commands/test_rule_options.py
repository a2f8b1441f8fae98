import argparse

import pytest

from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.commands.rule_options import add_rules, money_of


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
