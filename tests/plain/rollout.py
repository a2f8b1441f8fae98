"""The slow obvious twin of a rollout's trial: given rolls, all lookaheads in plain Python.

Boards are tuples as in tests/plain/plays.py; rate gives the five chances of the player on roll,
choose the board after the play of a roll, seen by the other side.
"""

from bot.backgammon.rules.roll import ROLLS
from tests.plain.search import plain_is_over, plain_reply, plain_turned_chances


def plain_trial(board, rolls, rate, *, is_reduced, choose=None):
    """The chances of the player on roll after such rolls, less their luck if that is asked for."""
    choose = choose or (lambda board, roll: plain_reply(board, roll, rate))
    luck = [0.0] * 5
    is_own = True
    for roll in rolls:
        if is_reduced:
            seen = {each: _view(rate(plain_reply(board, each, rate)), is_own) for each in ROLLS}
            for i in range(5):
                mean = sum(each.chance * seen[each][i] for each in ROLLS)
                luck[i] += seen[roll][i] - mean
        board = choose(board, roll)
        chances = _view(rate(board), is_own)
        if plain_is_over(board):
            break
        is_own = not is_own
    return tuple(chance - less for chance, less in zip(chances, luck, strict=True))


def _view(chances, is_own_turn):
    """Chances of the other side after a turn, as the player the trial is for has them."""
    return plain_turned_chances(chances) if is_own_turn else chances
