"""Efficiency of the cube: how much of a live cube's worth it has, from dead 0 to live 1.

Source of the term: R. Janowski, "Take-Points in Money Games" (1993). The rest was fitted to Blot's
own cubeful rollouts by `bot.backgammon.lab.cube.fit`.
"""

from typing import NamedTuple

from bot.backgammon.kernels.bearoff import OTHERS, OWNED, Floats
from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner

MONEY_PRICE = 0.5
"""Price of a gammon in money games."""

OWN_EARLY, OTHERS_EARLY = 0.5, 1.0
"""How much more a cube has where it is turned early: of the side on roll, and of the other."""

LEAST = 1e-9
"""Differences of chances or utilities below this count as none."""


class Efficiencies(NamedTuple):
    """Efficiency of the cube, from dead 0 to live 1, by the class of the position.

    A centred cube's with contact is contact + pips * P - gammons * G, of the side that has more of
    it: P is its pip count in hundreds and G the share of gammons among its wins. Where a side could
    win by a double and may rather play on, the share playing_on of the other side's counts, as who
    plays on may still double later. In a race it is race - race_jump / pips of the player on roll,
    as the fewer rolls are left the further the chances jump from one to the next.

    An owned cube has owner, owner_pips and owner_gammons more of these, in a race race_owner, at
    the point where he turns it. contact_way, race_way: by how much less it has at the other end of
    his way there; price: by how much less, with contact, for each by which the price of the
    owner's gammons is above money's; see `owned_efficiency`. money: how much more it has with
    contact in money games. A centred cube with contact under Jacoby's rule has as much as an owned
    one at that point. None of these counts in a bear-off of the two-sided database, which tells
    money's equities itself, and the efficiencies at a score by `known_at_score`.
    """

    contact: float
    race: float
    race_jump: float
    pips: float = 0.0
    gammons: float = 0.0
    owner: float = 0.0
    owner_pips: float = 0.0
    owner_gammons: float = 0.0
    contact_way: float = 0.0
    price: float = 0.0
    race_owner: float = 0.0
    race_way: float = 0.0
    money: float = 0.0
    playing_on: float = 1.0


@inner
def side_efficiencies(
    pips: int, gammons: float, in_contact: bool, is_money: bool, rates: Efficiencies
) -> tuple[float, float]:
    """Efficiencies of a cube as far as it is a side's: centred, and its own where he turns it.

    pips: of the side, in a race of the player on roll; gammons: the share of gammons among the
    side's wins. That of the owned cube may lie beyond 0 and 1.
    """
    if not in_contact:
        centred = max(rates.race - rates.race_jump / max(pips, 1), 0.0)
        return centred, centred + rates.race_owner
    far = pips / 100.0
    centred = rates.contact + rates.pips * far - rates.gammons * gammons
    more = rates.owner + rates.owner_pips * far - rates.owner_gammons * gammons
    if is_money:
        more += rates.money
    return min(max(centred, 0.0), 1.0), centred + more


@inner
def known_efficiencies(win: float, equities: Floats) -> tuple[float, float]:
    """Efficiencies of a cube of the player on roll and of one of the other side, in a bear-off.

    They are the shares of a live cube's worth that make Janowski's values the equities that are
    known for money, as how far the game can still jump is the same at every score. They may lie
    beyond 0 and 1. win: chance of the player on roll; equities: float32[3], see `bearoff_equities`.
    """
    dead = 2.0 * win - 1.0
    live_owned = min(2.5 * win - 1.0, 1.0)
    live_others = max(2.5 * win - 1.5, -1.0)
    owned = (equities[OWNED] - dead) / max(live_owned - dead, LEAST)
    others = (equities[OTHERS] - dead) / min(live_others - dead, -LEAST)
    return owned, others


@inner
def known_at_score(known: float, gain: float, risk: float, cash: float, early: float) -> float:
    """Efficiency at a score of a cube that has a known one for money, in a bear-off.

    known: see `known_efficiencies`; gain, risk: what the owner wins more by a win, and loses more
    by a loss, when he has turned it; cash: his chance from which the other side drops. For money he
    doubles at the last roll from a chance of 0.5, and cash is 0.8. The later he may and the sooner
    the other side drops, the less there is to gain by the cube. Where he doubles earlier it counts
    in games where money's does not yet, early times as much of what it lacks to a live one. The
    numbers are near those that fit bear-offs of five checkers a side, solved turn by turn at scores
    up to 9 away (tests/bench/fit_match_bearoffs.py).
    """
    share = min(max(known, 0.0), 1.0)
    later = risk / max(gain + risk, LEAST) - 0.5
    window = 1.0 - 0.5 * max(later, 0.0) - 0.5 * (0.8 - cash)
    return min(window * share + early * max(-later, 0.0) * (1.0 - share), 1.0)


@inner
def owned_efficiency(
    efficiency: float, chance: float, turn: float, per_way: float, price: float, per_price: float
) -> float:
    """Efficiency of a cube whose owner has this chance to win, and turns it at the chance turn.

    efficiency: at that point and at money's price; per_way: what it lacks at no chance at all, and
    in proportion in between, as from far behind he turns the game by jumps that pass the point.
    price: what the other side gains by a gammon instead of a win, as a share of what it gains by a
    win instead of a loss, 0.5 for money; per_price: what the efficiency lacks for each above that,
    as of the gammons that the owner might have lost most are out of reach when he doubles, while
    the values of a live cube suppose that their share stays.
    """
    way_left = 1.0 - min(chance / max(turn, LEAST), 1.0)
    lacks = per_way * way_left + per_price * (price - MONEY_PRICE)
    return min(max(efficiency - lacks, 0.0), 1.0)


@inner
def pips_of(board: Boards) -> tuple[int, int]:
    """Pip counts of the player on roll and of the other side, int8[26]."""
    own = 0
    other = 0
    for point in range(26):
        own += point * max(int(board[point]), 0)
        other -= (25 - point) * min(int(board[point]), 0)
    return own, other
