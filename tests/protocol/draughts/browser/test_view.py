"""What a page of draughts is told, looked at without a page."""

from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import INTERNATIONAL
from protocol.draughts.browser.view import _clock_values
from tests.plain.perft_tables import plain_position

KINGS = plain_position(INTERNATIONAL, "W:WK47,K48:BK3,K4,1")


def test_limits_that_run_towards_a_draw_are_told_once_they_matter():
    assert _clock_values(Game(KINGS, king_moves=3)) == []
    assert _clock_values(Game(KINGS, king_moves=4, against_three=5, against_two=6)) == [
        {"ending": "king_moves", "plies": 4, "limit": 50},
        {"ending": "one_against_three", "plies": 5, "limit": 32},
        {"ending": "one_against_two", "plies": 6, "limit": 10},
    ]


def test_position_that_was_there_before_is_told_with_how_often():
    assert _clock_values(Game(KINGS, earlier=(KINGS,))) == [
        {"ending": "repetition", "plies": 2, "limit": 3}
    ]
