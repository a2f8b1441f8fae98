import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.games import random_match


@pytest.mark.parametrize("beavers", [True, False])
def test_beavers_are_told_though_nobody_doubled(beavers):
    match = random_match(Rules(beavers=beavers), 1, games=1, words=0.0)
    assert parse_sgf(sgf_text(match)).whole.rules.beavers is beavers
