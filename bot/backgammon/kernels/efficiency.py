"""Efficiency of the cube: how much of a live cube's worth it has, from dead 0 to live 1.

Source of the term: R. Janowski, "Take-Points in Money Games" (1993). What its owner has
of it was fitted by `bot.backgammon.lab.owned_cube` to Blot's own cubeful rollouts.
"""

from typing import NamedTuple

from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner

MONEY_PRICE = 0.5
"""Price of a gammon in money games."""

LEAST = 1e-9
"""Differences of chances or utilities below this count as none."""


class Efficiencies(NamedTuple):
    """Efficiency of the cube, from dead 0 to live 1, by the class of the position.

    contact: with contact; race, race_jump: in a race race - race_jump / pips of the player on
    roll, as the fewer rolls are left the further the chances jump from one to the next.

    owner: by how much more one side's cube has at the point where he turns it; contact_way,
    race_way: by how much less at the other end of his way there, with contact and in a race;
    price: by how much less, with contact, for each by which the price of the owner's gammons is
    above money's; see `owned_efficiency`.
    """

    contact: float
    race: float
    race_jump: float
    owner: float = 0.0
    contact_way: float = 0.0
    race_way: float = 0.0
    price: float = 0.0


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
def race_efficiency(board: Boards, efficiencies: Efficiencies) -> float:
    """Efficiency of the cube in a race, int8[26]; the player on roll has checkers left."""
    pips = 0
    for point in range(1, 26):
        pips += point * max(int(board[point]), 0)
    return max(efficiencies.race - efficiencies.race_jump / max(pips, 1), 0.0)
