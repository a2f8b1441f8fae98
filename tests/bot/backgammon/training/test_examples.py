"""Examples of games that begin with layouts given, in place of those of the mix."""

import numpy as np
import pytest

from bot.backgammon.evaluation.kinds import Kind
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.lookahead import Mix
from bot.backgammon.lab.kind_layouts import laid_out
from bot.backgammon.rules.play import RollWorkspace, boards_after
from bot.backgammon.rules.position import turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.backgammon.training.lookahead import examples_of
from bot.generator import new_generator

NETWORK = random_network(10, 3)


@pytest.mark.slow
def test_games_of_layouts_given_begin_with_doubles_too():
    start = laid_out(Kind.BACK_GAME, np.random.default_rng(1))
    games = 30
    mix = Mix(layouts=0.0, candidates=1, trace=0.0, layout_trace=0.0)
    boards, *_ = examples_of(NETWORK, "", mix, new_generator(1), games, [start] * games)
    first = np.flatnonzero((boards == start).all(axis=1))
    assert len(first) == games
    doubles, others = (
        {
            bytes(after)
            for roll in ROLLS
            if (roll.high == roll.low) is is_double
            for after in turned_boards(boards_after(start, roll, RollWorkspace())[0])
        }
        for is_double in (True, False)
    )
    assert any(bytes(boards[row + 1]) in doubles - others for row in first)
