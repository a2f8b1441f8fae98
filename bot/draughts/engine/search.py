"""Search: positions looked into deeper and deeper, by one thread or several, until a limit."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event, Thread

import numpy as np

from bot.draughts.engine.tree import new_tree, set_root
from bot.draughts.kernels.patterns import SCORE
from bot.draughts.kernels.search import (
    BEST,
    FIRST_ALPHA,
    LINE,
    NODES,
    SURE,
    WIN,
    Knowledge,
    Tree,
    begin_search,
    search_slice,
)
from bot.draughts.kernels.table import AGES, BUCKET
from bot.draughts.rules.board import own_squares
from bot.draughts.rules.decision import Found, Limits, Tell
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, squares_of

MAX_DEPTH = 100
"""Plies at which a search ends whatever its limits are."""

WON = WIN / SCORE
"""The score of a game that is won, in men; each ply until then takes a hundredth off."""

_SLICE = 4_000
"""Nodes between two looks at the clock and at what says stop, some 5 ms."""

_WINDOW = 30
"""Hundredths of a man by which the next score may differ before the search is done again."""

_NARROWED_FROM = 5
_SECONDS_OF_WAITING = 1.0


@dataclass(slots=True)
class _End:
    """The end of a search: a limit, a thread that sets stop, or the search itself by done."""

    limits: Limits
    stop: Event
    done: Event
    started: float

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def is_reached(self, nodes: int) -> bool:
        """Whether to end now; time does not count before the first node: no move is made unseen."""
        seconds = self.limits.move_seconds
        is_late = nodes > 0 and seconds is not None and self.seconds >= seconds
        return is_late or self.stop.is_set() or self.done.is_set()


class Search:
    """A search with its table, which later searches go on using.

    rows: of the table, 16 bytes each; the next lower power of 2 is taken. threads: that search at
    once and share the table. is_plain: neither are moves reduced, nor is more taken from the table
    than values of the same depth. With one thread and a limit of depth or nodes a new search always
    finds the same. Raises ValueError if there is no thread, or no room in the table.
    """

    def __init__(
        self, known: Knowledge, *, rows: int, threads: int = 1, is_plain: bool = False
    ) -> None:
        if threads < 1 or rows < BUCKET:
            raise ValueError(f"a search has 1 thread or more, and {BUCKET} rows or more")
        self._known = known
        self._table = np.zeros((1 << int(math.log2(rows)), 2), np.int64)
        self._trees = [new_tree() for _ in range(threads)]
        self._is_plain = is_plain
        self._age = 0

    def forget(self) -> None:
        """Forget what earlier searches found."""
        self._table[:] = 0
        for tree in self._trees:
            tree.history[:] = 0

    def found(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """The best move of a game that is not over; see Player."""
        end = _End(limits, stop, Event(), time.perf_counter())
        self._age = (self._age + 1) % AGES
        for tree in self._trees:
            set_root(tree, game, age=self._age, is_plain=self._is_plain)
            tree.history[:] //= 2
        others = [
            Thread(target=self._deepen, args=(tree, number % 2, end), daemon=True)
            for number, tree in enumerate(self._trees[1:])
        ]
        for other in others:
            other.start()
        best = Found(game.moves[0])
        try:
            for best in self._depths(game, end):
                tell(best)
            while limits.is_infinite and not stop.wait(_SECONDS_OF_WAITING):
                pass
        finally:
            end.done.set()
            for other in others:
                other.join()
        return Found(best.move, best.score, best.depth, self._nodes, end.seconds, best.line)

    @property
    def _nodes(self) -> int:
        return sum(int(tree.state[NODES]) for tree in self._trees)

    def _depths(self, game: Game, end: _End) -> Iterator[Found]:
        """The finds of each depth; at last what is known of a depth that was not finished."""
        tree = self._trees[0]
        score, low, high = 0, -WIN, WIN
        deepest = min(end.limits.depth or MAX_DEPTH, MAX_DEPTH)
        depth = 1
        while depth <= deepest:
            begin_search(tree, depth, low, high)
            is_finished = self._search_on(tree, end)
            score = int(tree.frames[0, BEST])
            if not is_finished:
                # a move that was searched at all is at least as good as the one before
                if tree.frames[0, LINE] > 0 and score > tree.frames[0, FIRST_ALPHA]:
                    yield self._result(game, score, depth, end)
                return
            if not low < score < high and (low, high) != (-WIN, WIN):
                low, high = -WIN, WIN
                continue
            yield self._result(game, score, depth, end)
            if abs(score) >= WIN - depth and not end.limits.is_infinite:
                return
            low, high = -WIN, WIN
            if depth >= _NARROWED_FROM and abs(score) < SURE:
                low, high = score - _WINDOW, score + _WINDOW
            depth += 1

    def _deepen(self, tree: Tree, more: int, end: _End) -> None:
        """Search for the table's sake, some threads a ply ahead of the others."""
        for depth in range(1 + more, MAX_DEPTH + 1):
            begin_search(tree, depth, -WIN, WIN)
            if not self._search_on(tree, end):
                return

    def _search_on(self, tree: Tree, end: _End) -> bool:
        """Search until the depth is finished; returns False if the end is reached before."""
        while not end.is_reached(here := int(tree.state[NODES])):
            nodes = here + _SLICE
            if end.limits.nodes is not None:
                nodes = min(nodes, here + end.limits.nodes - self._nodes)
            if nodes <= here:
                return False
            if search_slice(tree, self._known, self._table, nodes):
                return True
        return False

    def _result(self, game: Game, score: int, depth: int, end: _End) -> Found:
        line = _line(self._trees[0], game.position)
        return Found(line[0], score / SCORE, depth, self._nodes, end.seconds, line)


def _line(tree: Tree, position: Position) -> tuple[Move, ...]:
    """The best line of a tree as moves."""
    moves: list[Move] = []
    for row in tree.lines[0, : int(tree.frames[0, LINE])].tolist():
        start, end, captured = (
            tuple(squares_of(own_squares(squares, position.variant, position.turn)))
            for squares in row
        )
        wanted = Move(start[0], end[0], captured)
        moves.append(next(move for move in legal_moves(position) if move == wanted))
        position = position_after(position, moves[-1])
    return tuple(moves)
