from dataclasses import replace

import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.games import random_match


@pytest.mark.parametrize("beavers", [True, False])
def test_beavers_are_told_though_nobody_doubled(beavers):
    match = random_match(Rules(beavers=beavers), 1, games=1, words=0.0)
    assert parse_sgf(sgf_text(match)).whole.rules.beavers is beavers


@pytest.mark.parametrize("times", [1, 2])
def test_a_cube_of_automatic_doubles_may_be_set_up_once_more(times):
    root = "(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[one]PB[two]CV[2]"
    match = parse_sgf(f"{root};CV[2];W[43])").whole
    (game,) = match.games
    first, again, *rest = game.events
    match = replace(match, games=(replace(game, events=(first, *times * [again], *rest)),))
    assert parse_sgf(sgf_text(match)).whole == as_filed(match)
