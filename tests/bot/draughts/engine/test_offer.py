from threading import Event

import pytest

from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.engine.offer import agrees
from bot.draughts.rules.decision import Found, Limits
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import INTERNATIONAL
from protocol.draughts.formats.fen import parse_fen


def answer(fen, player=None):
    player = player or AlphaBeta(AlphaBetaSettings(2))
    return agrees(player, Game.of(parse_fen(fen, INTERNATIONAL)), Limits(), Event())


@pytest.mark.parametrize(
    ("fen", "is_agreed"),
    [
        ("W:W46,47:BK1,K2,19", False),
        ("W:W46:BK1,K2,19", False),  # one move, then a choice of the other side
        ("W:WK46,K47,K48:B11,12", True),
        ("W:W46:B37", False),  # its last moves, both without a choice
        ("W:W28:B23", True),  # a capture that wins
    ],
)
def test_who_is_ahead_does_not_agree_even_where_moves_have_no_choice(fen, is_agreed):
    assert answer(fen) == is_agreed


class Silent:
    def search(self, game, limits, stop, tell):
        return Found(game.moves[0])


def test_who_tells_no_scores_agrees():
    assert answer("W:W46,47:BK1,K2,19", Silent())
