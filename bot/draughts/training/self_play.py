"""Self-play: an evaluation that learns from games against itself."""

from functools import cached_property

import numpy as np

from bot.archive import Arrays
from bot.draughts.engine.tree import new_tree, set_root
from bot.draughts.evaluation.endings import load_endings, no_endings
from bot.draughts.evaluation.patterns import PatternEvaluation, twins
from bot.draughts.kernels.boards import BOARD
from bot.draughts.kernels.pattern_learning import Learning
from bot.draughts.kernels.patterns import UNIT
from bot.draughts.kernels.search import Knowledge
from bot.draughts.kernels.self_play import (
    COURSE,
    MAX_PLIES,
    PLY,
    Lesson,
    Record,
    begin_game,
    learn_from_game,
)
from bot.draughts.rules.board import rules_of
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import VARIANTS
from bot.draughts.training.settings import Settings

_NODES_AT_ONCE = 1 << 20
"""Nodes that a search opens in about a second; between two times as many Ctrl-C is heard."""

_TABLE_ROWS = 1 << 12
_SEEDS = 1 << 31
_LEARNT = ("regions", "region_sums", "terms", "term_sums")


class SelfPlay:
    """A learner: games one after the other, each learnt from when it is over.

    The seed of a game follows from the run's and its number, so that nothing but the weights, what
    moved them and the number of games stands in a state. Nothing is compiled, and no ending solved,
    before the first game.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.games = 0
        self.plies = 0
        variant = VARIANTS[settings.variant]
        start = PatternEvaluation.untrained(variant)
        self._evaluation = PatternEvaluation(variant, start.regions.copy(), start.terms.copy())
        self._learning = Learning(
            regions=start.regions / UNIT,
            region_sums=np.zeros(start.regions.shape),
            terms=start.terms / UNIT,
            term_sums=np.zeros(start.terms.shape),
            twins=twins(),
        )
        self._tree = new_tree()
        self._table = np.zeros((_TABLE_ROWS, 2), np.int64)
        self._record = Record(
            np.zeros((MAX_PLIES, BOARD), np.int64),
            np.zeros(MAX_PLIES),
            np.zeros((MAX_PLIES, 2), np.int64),
            np.zeros(COURSE, np.int64),
        )
        self._start = Game.start(variant)

    @cached_property
    def _known(self) -> Knowledge:
        variant, pieces = self._evaluation.variant, self.settings.endings
        endings = load_endings(variant, lambda _: None, pieces) if pieces else no_endings()
        return Knowledge(rules_of(variant), self._evaluation.patterns, endings)

    @property
    def evaluation(self) -> PatternEvaluation:
        """The evaluation as it is now, a copy."""
        now = self._evaluation
        return PatternEvaluation(now.variant, now.regions.copy(), now.terms.copy())

    def advance(self, games: int) -> None:
        """Play so many games and learn from them."""
        settings = self.settings
        for _ in range(games):
            done = self.games / settings.games
            lesson = Lesson(
                settings.depth,
                settings.trace,
                settings.rate + (settings.last_rate - settings.rate) * done,
                settings.opening,
                settings.random_every,
            )
            tree, table, record = self._tree, self._table, self._record
            set_root(tree, self._start, age=0)
            begin_game(settings.seed * _SEEDS + self.games, tree, table, lesson, record)
            game = tree, self._known, table, lesson, record, self._learning
            while not learn_from_game(*game, _NODES_AT_ONCE):
                pass
            self.plies += int(record.course[PLY])
            self.games += 1

    def state(self) -> Arrays:
        """All that advance changes, as arrays by name."""
        learnt = {name: getattr(self._learning, name) for name in _LEARNT}
        return {**learnt, "played": np.array([self.games, self.plies])}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another evaluation."""
        for name in _LEARNT:
            array = getattr(self._learning, name)
            if state[name].shape != array.shape:
                raise ValueError(f"its {name} are of another evaluation")
            array[:] = state[name]
        self._evaluation.regions[:] = np.round(self._learning.regions * UNIT)
        self._evaluation.terms[:] = np.round(self._learning.terms * UNIT)
        self.games, self.plies = (int(number) for number in state["played"])
