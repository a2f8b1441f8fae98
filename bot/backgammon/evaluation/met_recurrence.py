"""Recurrence: the match equity table computed score by score from how games end.

After the Crawford game the trailer doubles at once and the leader drops where that costs him
nothing he misses; the Crawford game has no cube; before it the cube is worth what Janowski says,
between dead and live. Away scores are counted from 0 (match won) here, so that row i is i away.
Sources: Zadeh and Kobliska, On optimal doubling in backgammon, Management Science 23 (1977); Zadeh,
On doubling in tournament backgammon, ibid.; Janowski, Take-points in money games (1993).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Aways = NDArray[np.int64]


class Gammons(NamedTuple):
    """Gammons among the games a player wins, backgammons included; and backgammons among them."""

    gammon: float = 0.0
    backgammon: float = 0.0


class OneSided(NamedTuple):
    """Rates at which games end for a player who wants gammons that are nothing to the other.

    worth: what a gammon adds to a win for him, in wins; win: the share of all games that he wins;
    gammon: of those, the share with a gammon or more.
    """

    worth: float
    win: float
    gammon: float


class Rates(NamedTuple):
    """Rates at which games end: all that a table is computed from.

    money: if both sides want gammons as in money games; trailer: of one who is alone in wanting
    them, by rising worth; first_chances: tenths of all games by the winning chance of a player when
    he may first double, their means; efficiency: how far the cube's worth lies from dead, 0, to
    live, 1, at the start of a game.
    """

    money: Gammons
    trailer: tuple[OneSided, ...]
    first_chances: tuple[float, ...]
    efficiency: float


RATES = Rates(
    money=Gammons(0.2674, 0.0110),
    trailer=(OneSided(0.63, 0.4988, 0.2685), OneSided(1.02, 0.4982, 0.2706)),
    first_chances=(0.434, 0.467, 0.482, 0.492, 0.495, 0.498, 0.511, 0.531, 0.544, 0.566),
    efficiency=0.707,
)
"""Of games that Blot plays against itself with the cube, ahead-512-64 0 plies deep on both sides.

Its weights were those of run 5 in weights/training.md, which the mean of five runs replaced since.

python -m bot.backgammon.lab.game_rates: 100,000 games for money and 20,000 at each of 19 scores,
played by the table that comes of them: to play by this one instead of the one before changed it by
0.02 % at most. Standard errors: gammons 0.0014, backgammons 0.0003; the trailer's wins 0.0014 and
0.0020, his gammons 0.0018 and 0.0026; efficiency 0.021; of the table 0.07 % on average, 0.14 % at
most.
"""

_NONE: Values = np.empty(0)
_NONE_BY_BOTH: Values = np.empty((0, 0))


def post_crawford(longest: int, known: Values = _NONE, rates: Rates = RATES) -> Values:
    """Match-winning chance of the trailer, by his away score, after the Crawford game.

    known: the chances that are known by away score from 0, NaN where they are not; float64[m].
    Returns float64[longest + 1]. He doubles as soon as he may; an even number away he gains nothing
    by a won point alone, so that the leader may drop for nothing and does so behind.
    """
    found = np.ones(longest + 1)
    for away in range(1, longest + 1):
        if away < len(known) and not np.isnan(known[away]):
            found[away] = known[away]
            continue
        win, won = _one_sided(found, away, 2, rates)
        found[away] = win * won
        if away % 2 == 0:
            taken = (np.array(rates.first_chances) + win - 0.5) * won
            found[away] = np.minimum(taken, found[away - 1]).mean()
    return found


def crawford(post: Values, rates: Rates = RATES) -> Values:
    """Match-winning chance of the trailer, by his away score, before the Crawford game.

    post: as post_crawford returns it. Returns float64 of the same length, 1 at 0, 0.5 at 1.
    """
    found = np.array([1.0, 0.5, *post[2:]])
    for away in range(2, len(post)):
        win, won = _one_sided(post, away, 1, rates)
        found[away] = win * won
    return found


def before_crawford(post: Values, known: Values = _NONE_BY_BOTH, rates: Rates = RATES) -> Values:
    """Match-winning chance of a player by his and the other's away score, before a game.

    post: as post_crawford returns it. known: the chances that are known by both away scores from 0,
    NaN where they are not; float64[m, m], either side's. Row or column 1 is the Crawford game.
    Returns float64[n, n] for n values of post; row 0 is 1, column 0 is 0.
    """
    size = len(post)
    given = np.full((size, size), np.nan)
    given[: len(known), : len(known)] = known[:size, :size]
    given = np.where(np.isnan(given), 1 - given.T, given)
    found = np.full((size, size), 0.5)
    found[0], found[:, 0] = 1.0, 0.0
    found[:, 1] = np.where(np.isnan(given[:, 1]), crawford(post, rates), given[:, 1])
    found[1, 1:] = 1 - found[1:, 1]
    for both in range(4, 2 * size - 1):
        own = np.arange(max(2, both - size + 1), min(both - 1, size), dtype=np.int64)
        there = given[own, both - own]
        is_new = np.isnan(there)
        if is_new.any():
            chances = game_chances(found, own, both - own, rates.money, rates.efficiency)
            there = np.where(is_new, chances, there)
        found[own, both - own] = there
    return found


def _one_sided(after: Values, away: int, value: int, rates: Rates) -> tuple[float, float]:
    """The trailer's chance to win a game at a cube of this value, and what that is worth to him.

    after: his match-winning chances by away score once the game is over; a lost game is the match.
    Who wants no gammons wins half of the games.
    """
    one, two, three = (float(after[max(away - n * value, 0)]) for n in (1, 2, 3))
    worths, wins, gammons = zip(*rates.trailer, strict=True)
    worth = (two - one) / one
    win = float(np.interp(worth, (0, *worths), (0.5, *wins)))
    gammon = float(np.interp(worth, worths, gammons))
    return win, one + gammon * (two - one) + rates.money.backgammon * (three - two)


def game_chances(
    found: Values, own: Aways, other: Aways, gammons: Gammons, efficiency: float
) -> Values:
    """Match-winning chances before a game, at scores with as many points to go in all; float64[n].

    found: by away scores from 0, float64, with all scores of fewer points to go. own, other:
    int64[n], away scores of 2 and more, rising and falling, each the other's reverse, so that what
    one side has at a score the other has at its mirror image.
    """
    # from large cubes down; at the largest nobody doubles any more
    value = 1 << int(own[-1] - 1).bit_length()
    take = np.zeros(len(own))  # chance with which a player just takes the cube at this value
    after_two = found[np.maximum(own - 2 * value, 0), other]
    after_one = found[np.maximum(own - value, 0), other]
    while True:
        after_three = found[np.maximum(own - 3 * value, 0), other]
        won = after_one + gammons.gammon * (after_two - after_one)
        won += gammons.backgammon * (after_three - after_two)
        lost = 1 - won[::-1]
        if value == 1:
            break
        can = own > value
        cash = np.where(can, after_one, won)
        gain = (cash - lost) / np.where(can, 1 - take[::-1], 1.0)
        value //= 2
        after_two, after_one = after_one, found[np.maximum(own - value, 0), other]
        take = np.maximum((1 - after_one[::-1] - lost) / gain, 0.0)
    dead = (won + lost) / 2
    low, high = 1 - after_one[::-1], after_one
    live = low + (high - low) * np.clip((0.5 - take) / (1 - take[::-1] - take), 0, 1)
    mixed: Values = efficiency * live + (1 - efficiency) * dead
    return mixed
