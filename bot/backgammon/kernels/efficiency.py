"""Efficiency of the cube: how much of a live cube's worth it has, from dead 0 to live 1.

Source of the term: R. Janowski, "Take-Points in Money Games" (1993). What depends on the score was
fitted by `bot.backgammon.lab.cube_at_score` to Blot's own cubeful rollouts.
"""

from typing import NamedTuple

from bot.backgammon.kernels.boards import Boards
from bot.kernels import inner

MONEY_PRICE = 0.5
"""Price of a gammon in money games."""


class Efficiencies(NamedTuple):
    """Efficiency of the cube, from dead 0 to live 1, by the class of the position.

    contact: with contact; race, race_jump: in a race race - race_jump / pips of the player on
    roll, as the fewer rolls are left the further the chances jump from one to the next.

    least_chance, per_chance, per_price: the owner of a match's cube, with contact, lacks per_chance
    for each by which his chance to win is below least_chance, and per_price for each by which
    the price of his gammons is above money's; see `owned_efficiency`.
    """

    contact: float
    race: float
    race_jump: float
    least_chance: float = 0.0
    per_chance: float = 0.0
    per_price: float = 0.0


@inner
def owned_efficiency(chance: float, price: float, efficiencies: Efficiencies) -> float:
    """Efficiency of a match's cube, with contact, for an owner who wins with this chance.

    price: what the other side gains by a gammon instead of a win, as a share of what it gains by a
    win instead of a loss: 0.5 for money. An owner far behind turns the game by jumps that pass the
    point where he would double; and where gammons decide, most of those he might have lost are out
    of reach when he does, while the values of a live cube suppose that their share stays.
    """
    lacks = efficiencies.per_chance * (efficiencies.least_chance - chance)
    lacks += efficiencies.per_price * (price - MONEY_PRICE)
    return max(efficiencies.contact - max(lacks, 0.0), 0.0)


@inner
def race_efficiency(board: Boards, efficiencies: Efficiencies) -> float:
    """Efficiency of the cube in a race, int8[26]; the player on roll has checkers left."""
    pips = 0
    for point in range(1, 26):
        pips += point * max(int(board[point]), 0)
    return max(efficiencies.race - efficiencies.race_jump / max(pips, 1), 0.0)
