"""The slow obvious twin of the search: recursion over rolls, replies and plies, in plain Python.

Boards are tuples as in tests/plain/plays.py; rate gives the five chances of the player on roll.
"""

import functools

import numpy as np

from bot.backgammon.rules.roll import ROLLS
from tests.plain.games import plain_turned
from tests.plain.plays import plain_boards_after


def plain_rate(evaluator):
    """Rates one board, a tuple, and remembers."""

    @functools.cache
    def rate(board):
        return tuple(evaluator.outcomes(np.array([board], np.int8))[0].tolist())

    return rate


def plain_equity(chances):
    """Cubeless equity of five chances."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return win + win_gammon + win_backgammon - (1 - win) - lose_gammon - lose_backgammon


def plain_turned_chances(chances):
    """Five chances as the other player has them."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    return (1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon)


def plain_is_over(board):
    """Whether the other side has borne off its last checker."""
    return min(board) >= 0


def plain_reply(board, roll, rate):
    """The board after the best play of a roll, seen by the other side; evaluated 0 plies deep."""
    after = plain_boards_after(board, roll.high, roll.low) or {board}
    return min((plain_turned(each) for each in after), key=lambda each: plain_equity(rate(each)))


def plain_pruned_reply(board, roll, rate, guess):
    """The reply where only plays are rated that a guess has close to its best: eight at most."""
    after = plain_boards_after(board, roll.high, roll.low) or {board}
    guesses = {plain_turned(each): plain_equity(guess(plain_turned(each))) for each in after}
    close = [each for each in guesses if guesses[each] <= min(guesses.values()) + 0.1]
    return min(
        sorted(close, key=guesses.__getitem__)[:8], key=lambda each: plain_equity(rate(each))
    )


def plain_lookahead(board, plies, rate, reply=plain_reply):
    """The five chances of the player on roll, so many plies deep."""
    if plies == 0 or plain_is_over(board):
        return rate(board)
    total = [0.0] * 5
    for roll in ROLLS:
        chances = plain_turned_chances(
            plain_lookahead(reply(board, roll, rate), plies - 1, rate, reply)
        )
        total = [sum_ + roll.chance * chance for sum_, chance in zip(total, chances, strict=True)]
    return tuple(total)
