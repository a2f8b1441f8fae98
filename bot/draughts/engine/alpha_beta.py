"""Alpha-beta: a player that searches to a fixed depth, by alpha-beta or every move of the tree.

Source: J. Knoflíček, thesis (Brno 2011), known at second hand.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from threading import Event

from bot.draughts.evaluation.simulated_value import men_of, worths_of
from bot.draughts.evaluation.state_table import StateTable, states_of
from bot.draughts.kernels.alpha_beta import BEST, NODES, Seat, Tree, advance, begin, new_tree
from bot.draughts.rules.board import boards_of, kernel_squares, rules_of
from bot.draughts.rules.decision import Found, Limits, Tell
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import set_of

MAX_DEPTH = 60
DISCOUNT = 0.99
"""Share of a value that is left a ply earlier; ours, the thesis's is not known to us."""

_ENDLESS = 1 << 62
_NODES_AT_ONCE = 8192
"""Boards met between two looks at the clock: some milliseconds."""


@dataclass(frozen=True, slots=True)
class AlphaBetaSettings:
    """Settings of a player: depth in plies, 0 to move by chance.

    is_pruned: False to look at all moves of the tree, with the same values. is_shuffled: whether a
    seed decides between moves of the same value, or the first of them is played.
    """

    depth: int = 4
    is_pruned: bool = True
    is_shuffled: bool = True
    discount: float = DISCOUNT

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"a search is 0 to {MAX_DEPTH} plies deep, not {self.depth}")
        if not 0 < self.discount <= 1:
            raise ValueError(f"a discount is more than 0 and up to 1, not {self.discount:g}")

    def seat(self, table: StateTable | None) -> Seat:
        """The player as kernels see it."""
        return Seat(self.depth, self.is_pruned, self.is_shuffled, states_of(table))


class AlphaBeta:
    """The thesis's player; one search at a time.

    table: of states, whose values it takes for simulated ones at the leaves of the tree.
    Within the tree it sees a player without a move lose, but no draw: neither repetitions nor the
    clocks of kings. It does know which of its moves would end the game drawn at once.
    """

    def __init__(
        self, settings: AlphaBetaSettings, *, table: StateTable | None = None, seed: int = 0
    ) -> None:
        self.settings = settings
        self.table = table
        self._random = Random(seed)
        self._tree = new_tree(settings.depth, settings.discount)

    def search(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """The best move to the player's depth, or to that of the limits.

        An only move is played at once. With a limit of nodes or time it looks one ply deep, then
        two, and so on; the last depth that was finished counts. Without end it goes on to 60 plies
        at most, then answers. Raises ValueError if the game is over, or for a position of another
        variant than the table's.
        """
        began = time.perf_counter()
        if game.result is not None:
            raise ValueError(f"the game is over: {game.result.ending.value}")
        if self.table is not None and self.table.variant is not game.position.variant:
            raise ValueError(f"the table of states is of {self.table.variant.name} draughts")
        moves = list(game.moves)
        if self.settings.is_shuffled or self.settings.depth == 0:
            self._random.shuffle(moves)
        seconds = limits.move_seconds
        end = math.inf if seconds is None else began + seconds
        most = _ENDLESS if limits.nodes is None else limits.nodes
        depth = limits.depth or (MAX_DEPTH if limits.is_infinite else self.settings.depth)
        depth = min(depth, MAX_DEPTH) if len(moves) > 1 else 0
        is_limited = limits.is_infinite or end < math.inf or most < _ENDLESS
        tree = self._prepared(game, moves, depth)
        found = Found(moves[0], nodes=0, line=(moves[0],))
        nodes = 0
        for reached in range(1 if is_limited else max(depth, 1), depth + 1):
            is_done = self._search_to(tree, game, reached, (most - nodes, end), stop)
            nodes += int(tree.at[NODES])
            best = moves[tree.at[BEST]]
            if not is_done:
                if found.depth is None:
                    found = Found(best, line=(best,))
                break
            score = men_of(float(tree.best[0]), game.position)
            found = Found(best, score, reached, nodes, line=(best,))
            tell(replace(found, seconds=time.perf_counter() - began))
        return replace(found, nodes=nodes, seconds=time.perf_counter() - began)

    def _prepared(self, game: Game, moves: Sequence[Move], depth: int) -> Tree:
        """The tree with the moves in its root."""
        if depth >= len(self._tree.counts):
            self._tree = new_tree(depth, self.settings.discount)
        tree, variant, turn = self._tree, game.position.variant, game.position.turn
        tree.boards[0] = boards_of([game.position])[0]
        for row, move in enumerate(moves):
            sets = (set_of([move.start]), set_of([move.end]), set_of(move.captured))
            tree.moves[0, row] = [kernel_squares(squares, variant, turn) for squares in sets]
            after = game.after(move)
            tree.drawn[row] = isinstance(after, Result) and after.winner is None
        return tree

    def _search_to(
        self, tree: Tree, game: Game, depth: int, limits: tuple[int, float], stop: Event
    ) -> bool:
        """Search to a depth; returns whether it was finished within the limits.

        limits: of boards met, and the time.perf_counter to end at, which does not hold for one ply:
        no move is made unseen.
        """
        variant = game.position.variant
        rules, worths = rules_of(variant), worths_of(variant)
        most, end = limits
        seat = replace(self.settings, depth=depth).seat(self.table)
        begin(tree, len(game.moves))
        nodes = 0
        while nodes < most and not stop.is_set() and (depth == 1 or time.perf_counter() < end):
            nodes = min(nodes + _NODES_AT_ONCE, most)
            if advance(tree, seat, rules, worths, nodes):
                return True
        return False
