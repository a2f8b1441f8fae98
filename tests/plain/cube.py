"""Cubeful values the slow way: a live cube's turning points found by bisection, cube by cube.

Utilities are of the player on roll; how a game is won or lost is fixed while the chance to win it
changes. A live cube is turned where the other side may as well drop.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bot.backgammon.rules.match import MAX_CUBE, CubeOwner, GameState

CENTRED, OWN, OTHER = CubeOwner.CENTRED, CubeOwner.ON_ROLL, CubeOwner.OTHER
_MONEY_CUBES = 20


class EvenMet:
    """Match equities of a made-up kind: each side wins as often as the other is far away."""

    def mwc_after(self, score, points):
        away = score.away - max(points, 0)
        other_away = score.other_away - max(-points, 0)
        if away <= 0 or other_away <= 0:
            return float(away <= 0)
        return other_away / (away + other_away)


@dataclass(frozen=True)
class PlainCube:
    """The values of a state's position, which has these chances, with these efficiencies.

    keeps_rights: a live cube is turned also where playing on is worth more, as gnubg has it.
    """

    state: GameState
    met: object
    chances: object
    efficiencies: object
    keeps_rights: bool = False

    def utility(self, points):
        if self.state.score is None:
            return points / self.state.cube.value
        return 2 * self.met.mwc_after(self.state.score, points) - 1

    def mean(self, cube, is_won, is_jacoby=False):
        whole = self.chances.win if is_won else 1 - self.chances.win
        gammon = self.chances.win_gammon if is_won else self.chances.lose_gammon
        backgammon = self.chances.win_backgammon if is_won else self.chances.lose_backgammon
        sign = 1 if is_won else -1
        ways = [self.utility(sign * cube * points) for points in (1, 2, 3)]
        if whole == 0 or is_jacoby:
            return ways[0]
        shares = [whole - gammon, gammon - backgammon, backgammon]
        return sum(share / whole * way for share, way in zip(shares, ways, strict=True))

    def aways(self):
        return (self.state.score.away, self.state.score.other_away)

    def may(self, owner, is_own, cube):
        """Whether a side may double a cube of this value, and gains by it."""
        if owner is (OTHER if is_own else OWN) or 2 * self.state.cube.value > MAX_CUBE:
            return False
        if self.state.score is None:
            return cube < self.state.cube.value * 2**_MONEY_CUBES
        return not self.state.score.is_crawford and cube < self.aways()[not is_own]

    @cache  # noqa: B019 - made for one position and soon forgotten
    def turning_points(self, cube):
        """Chances to win at which the player on roll takes, and at which the other side does."""
        drop, drops = self.utility(-cube), self.utility(cube)
        take = _crossing(lambda win: self.live(OWN, 2 * cube, win) - drop)
        cash = _crossing(lambda win: self.live(OTHER, 2 * cube, win) - drops)
        return take, cash

    def base_of(self, is_own, *, is_owned):
        """Efficiency for one side before its way to a double and its gammons' price count."""
        rates = self.efficiencies
        each = self.chances if is_own else self.chances.turned()
        gammons = each.win_gammon / each.win if each.win else 0
        board = self.state.position.board.tolist()
        own_pips = sum(point * max(board[point], 0) for point in range(26))
        other_pips = sum((25 - point) * max(-board[point], 0) for point in range(26))
        pips = own_pips if is_own else other_pips
        if self.is_race:
            efficiency = max(rates.race - rates.race_jump / own_pips, 0)
            return efficiency + is_owned * rates.race_owner
        efficiency = rates.contact + rates.pips * pips / 100 - rates.gammons * gammons
        more = rates.owner + rates.owner_pips * pips / 100 - rates.owner_gammons * gammons
        more += rates.money if self.state.score is None else 0
        return efficiency + is_owned * more

    @property
    def is_race(self):
        board = self.state.position.board.tolist()
        own = [point for point in range(26) if board[point] > 0]
        return max(own) < min(point for point in range(26) if board[point] < 0)

    @property
    def has_jacoby(self):
        state = self.state
        return state.score is None and state.money.jacoby and state.cube.owner is CENTRED

    def efficiency_of(self, owner, cube, is_own):
        """Efficiency of a cube of this value, which is worth more to one side than a dead one."""
        rates = self.efficiencies
        efficiency = self.base_of(is_own, is_owned=owner is not CENTRED)
        take, cash = self.turning_points(cube)
        win = self.chances.win
        if owner is CENTRED:
            if self.has_jacoby and not self.is_race:
                efficiency = self.base_of(is_own, is_owned=True)
            efficiency = min(max(efficiency, 0), 1)
            if self.may(CENTRED, not is_own, cube) and (win <= take if is_own else win >= cash):
                efficiency *= rates.playing_on
        else:
            way = win / cash if is_own else (1 - win) / (1 - take)
            efficiency -= (rates.race_way if self.is_race else rates.contact_way) * max(1 - way, 0)
            sign = -1 if is_own else 1  # of the points that the owner loses
            single, gammon, lost = (self.utility(sign * cube * points) for points in (1, 2, -1))
            price = (gammon - single) / (single - lost)
            efficiency -= 0 if self.is_race else rates.price * (price - 0.5)
        return min(max(efficiency, 0), 1)

    def live(self, owner, cube, win, is_jacoby=False):
        points = [
            (0.0, self.mean(cube, False, is_jacoby)),
            (1.0, self.mean(cube, True, is_jacoby)),
        ]
        takes = cashes = []
        if self.may(owner, False, cube):
            takes = [(self.turning_points(cube)[0], self.utility(-cube))]
        if self.may(owner, True, cube):
            cashes = [(self.turning_points(cube)[1], self.utility(cube))]
        # nobody turns the cube where playing on is worth more to him
        if not self.keeps_rights and any(
            _on_lines(points + takes, chance) > value for chance, value in cashes
        ):
            cashes = []
        if not self.keeps_rights and any(
            _on_lines(points + cashes, chance) < value for chance, value in takes
        ):
            takes = []
        return _on_lines(points + takes + cashes, win)

    def rolled(self, owner, cube):
        """Utility of rolling with a cube of this value."""
        win = self.chances.win
        is_jacoby = self.has_jacoby and owner is CENTRED
        lost, won = self.mean(cube, False, is_jacoby), self.mean(cube, True, is_jacoby)
        dead = lost + win * (won - lost)
        live = self.live(owner, cube, win, is_jacoby)
        is_own = live >= dead if owner is CENTRED else owner is OWN
        efficiency = self.efficiency_of(owner, cube, is_own)
        mixed = efficiency * live + (1 - efficiency) * dead
        own_may, other_may = self.may(owner, True, cube), self.may(owner, False, cube)
        if self.state.score is not None and other_may and cube >= self.aways()[0]:
            take = self.turning_points(cube)[0]
            return live if win >= take else min(self.utility(-cube), mixed)
        return mixed if own_may or other_may else dead

    def static(self, owner, cube):
        """Utility of doubling or rolling, whichever is better."""
        rolled = self.rolled(owner, cube)
        if not self.may(owner, True, cube):
            return rolled
        taken = self.rolled(OTHER, 2 * cube)
        if self.state.score is None and self.state.money.beavers and taken < 0:
            taken *= 2
        return max(rolled, min(taken, self.utility(cube)))


def _on_lines(points, win):
    """Value at a chance to win, on straight lines from each of the points to the next."""
    for (start, low), (end, high) in pairwise(sorted(points)):
        if start <= win <= end and end > start:
            return low + (high - low) * (win - start) / (end - start)
    return max(points)[1]


def _crossing(rising):
    """Where a rising function of the chance to win crosses 0, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
