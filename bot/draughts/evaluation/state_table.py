"""State table: values of positions learnt by TD(0), each stored as the player to move sees it.

Both colours share what is learnt: a position and its mirror with the other player to move are one
state. A value is what the game is worth to the player to move, as its end was or as the states that
followed are worth, less for each ply until then: 1 won, 0 drawn, -1 lost. A simulated value is on
the same scale, so near to 0 that every state known to win is preferred and every one known to lose
is avoided. Source: J. Knoflíček, thesis (Brno 2011), known at second hand.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.archive import Arrays, read_archive, write_archive
from bot.draughts.kernels.boards import BOARD, Boards
from bot.draughts.kernels.state_table import (
    States,
    Values,
    Visits,
    fill_known,
    learn_game,
    new_states,
    put_states,
)
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import VARIANTS, Variant

KIND, VERSION = "table of states", 1
LEAST_PLACES = 1024

NO_STATES = new_states(1)
"""A table with room for nothing, of which players ask nothing."""


class StateTable:
    """States of one variant with their values; it grows as it learns."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.states = new_states(LEAST_PLACES)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def value(self, position: Position) -> float | None:
        """The value for the player to move; None for a position that is not known.

        Raises ValueError for one of another variant.
        """
        if position.variant is not self.variant:
            raise ValueError(
                f"a table of states of {self.variant.name} draughts knows nothing of "
                f"{position.variant.name}"
            )
        values, visits = self.known(boards_of([position]))
        return float(values[0]) if visits[0] else None

    def known(self, boards: Boards) -> tuple[Values, Visits]:
        """Values and visits of boards, int64[n, 4]; 0 visits for those that are not known."""
        values, visits = np.empty(len(boards)), np.empty(len(boards), np.int64)
        fill_known(boards, self.states, values, visits)
        return values, visits

    def learn(self, boards: Boards, end: float, discount: float, *, is_backward: bool) -> None:
        """Learn from a game by TD(0); its boards before each ply, int64[n, 4].

        end: what the position after them is worth to the player to move there, -1 or 0.
        is_backward: whether the last position learns first; see
        bot.draughts.kernels.state_table.learn_game.
        """
        self._make_room(self._count + len(boards))
        self._count += learn_game(boards, end, discount, is_backward, self.states)

    def _make_room(self, states: int) -> None:
        """Keep half of the places free."""
        places = len(self.states.visits)
        while places < 2 * states:
            places *= 2
        if places > len(self.states.visits):
            larger = new_states(places)
            put_states(*self.states, larger)
            self.states = larger

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All states in an order of their own: keys int64[n, 4], values, visits."""
        filled = np.flatnonzero(self.states.visits)
        order = filled[np.lexsort(self.states.keys[filled].T)]
        states = self.states
        return {
            "keys": states.keys[order],
            "values": states.values[order],
            "visits": states.visits[order],
        }

    @classmethod
    def of(cls, variant: Variant, arrays: Arrays) -> "StateTable":
        """The table of these arrays; raises ValueError if they are none of a table."""
        table = cls(variant)
        try:
            keys, values, visits = (arrays[name] for name in ("keys", "values", "visits"))
        except KeyError as error:
            raise ValueError(f"there are no {error.args[0]}") from None
        number = len(visits)
        found = [(array.shape, array.dtype) for array in (keys, values, visits)]
        shapes = [(number, BOARD), (number,), (number,)]
        kinds = [np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.int64)]
        if [each[1] for each in found] != kinds or [each[0] for each in found] != shapes:
            raise ValueError("keys, values and visits do not fit together")
        if number and not (visits.min() > 0 and bool((np.abs(values) <= 1).all())):
            raise ValueError("a state has visits, and a value of -1 to 1")
        table._make_room(number)
        put_states(np.ascontiguousarray(keys), np.ascontiguousarray(values), visits, table.states)
        table._count = int(np.count_nonzero(table.states.visits))
        return table

    def save(self, path: Path) -> None:
        """Write the table to a file, whole or not at all."""
        write_archive(path, {"version": VERSION, "variant": self.variant.name}, self.arrays())

    @classmethod
    def load(cls, path: Path) -> "StateTable":
        """The table in a file; raises ValueError, which names the file, if there is none in it."""
        header, arrays = read_archive(path, KIND, VERSION, ["variant", "keys"])
        try:
            return cls.of(VARIANTS[header["variant"]], arrays)
        except (KeyError, TypeError, ValueError):
            raise ValueError(f"{path} is no {KIND} of Blot, or is damaged") from None


def states_of(table: StateTable | None) -> States:
    """The states that a player with or without a table asks."""
    return NO_STATES if table is None else table.states
