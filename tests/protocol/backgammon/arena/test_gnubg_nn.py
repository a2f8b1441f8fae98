"""gnubg_nn's equities."""

import sys

import numpy as np
import pytest

from bot.backgammon.rules.position import START, Position
from protocol.backgammon.arena.gnubg_nn import GnubgNnError, gnubg_nn_equities, is_installed

AHEAD = Position.of({6: 7, 5: 8}, {13: 5, 6: 5, 4: 5})


def test_the_player_on_roll_is_the_one_evaluated():
    start, ahead = gnubg_nn_equities(np.stack([START.board, AHEAD.board]), 0)
    assert 0 < start < 0.2
    assert ahead > 0.9


def test_lost_positions_are_evaluated_from_the_losing_side():
    lost = Position.of({13: 2, 6: 13}, {1: 1})
    assert gnubg_nn_equities(lost.board[np.newaxis], 0) == pytest.approx(-2, abs=0.05)


def test_a_board_read_back_otherwise_is_refused(monkeypatch):
    monkeypatch.setattr("gnubg_nn.board_from_position_key", lambda key: ((0,) * 25, (0,) * 25))
    with pytest.raises(GnubgNnError, match="took the board"):
        gnubg_nn_equities(START.board[np.newaxis], 0)


def test_without_it_one_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    assert not is_installed()
    with pytest.raises(GnubgNnError, match=r"pip install 'blot-gammon\[judges\]'"):
        gnubg_nn_equities(START.board[np.newaxis], 0)
