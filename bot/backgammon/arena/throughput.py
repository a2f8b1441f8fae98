"""Throughput: plays made and boards evaluated in a second, on one thread."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.engine.nets import nets_of
from bot.backgammon.evaluation.evaluator import CompositeEvaluator
from bot.backgammon.evaluation.network import Network
from bot.backgammon.kernels.boards import POINTS
from bot.backgammon.kernels.dice import ROLL_COUNT
from bot.backgammon.kernels.outcomes import MONEY
from bot.backgammon.kernels.search import Tools, fill_replies_of, search_tools
from bot.backgammon.rules.outcome import OUTPUTS
from bot.backgammon.rules.play import RollWorkspace, boards_after, play_count
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import ROLLS
from bot.kernels.held import Held

CLOSE_ENOUGH = 1e-5
"""Largest difference of two ways to evaluate a board, in any chance: single precision."""


class Workload:
    """Positions with a player on roll, and the work of making and evaluating all plays from them.

    Each kind of work does all of it once and returns how many boards it made or evaluated. pruner:
    as a search has one, or none.
    """

    def __init__(
        self,
        evaluator: CompositeEvaluator,
        positions: Sequence[Position],
        pruner: Network | None = None,
    ) -> None:
        if not positions:
            raise ValueError("nothing to measure speed with: no positions")
        self._evaluator = evaluator
        self._boards = np.array([position.points for position in positions], np.int8)
        self._roll_workspace = RollWorkspace()
        self._tools = search_tools(nets_of(evaluator, None))
        self._pruning_tools = search_tools(nets_of(evaluator, pruner))
        size = (len(positions), ROLL_COUNT)
        self._replies = np.empty((*size, POINTS), np.int8)
        self._outcomes = np.empty((*size, OUTPUTS), np.float32)
        self._is_exact = np.empty(size, np.bool_)
        self._values = np.empty((*size, 0))
        made, self._to_evaluate = [], 0
        for board in self._boards:
            counts = []
            for roll in ROLLS:
                after, _ = boards_after(board, roll, self._roll_workspace)
                made.append(after.copy())
                counts.append(len(after))
            self._to_evaluate += sum(counts) + (0 in counts)
        self._made = turned_boards(np.concatenate(made))

    def make_plays(self) -> int:
        """Make every legal play of all 21 rolls."""
        return play_count(self._boards, self._roll_workspace)

    def evaluate_replies(self) -> int:
        """Make and evaluate every legal play of all 21 rolls, as a search may at each position.

        Where a roll cannot be played the position itself is evaluated, once for all such rolls.
        """
        self._fill_replies(self._tools)
        return self._to_evaluate

    def evaluate_pruned_replies(self) -> int:
        """Evaluate the best replies to each roll, of many plays those the pruning network picks."""
        self._fill_replies(self._pruning_tools)
        return self._to_evaluate

    def evaluate_batch(self) -> int:
        """Evaluate the boards after every legal play of all 21 rolls, made before, in one batch."""
        return len(self._evaluator.outcomes(self._made))

    def check(self) -> None:
        """Raise ValueError unless what is timed gives the right answers.

        All plays are counted, and the search's best replies are evaluated as in a batch.
        """
        if self.make_plays() != len(self._made):
            raise ValueError(f"{self.make_plays()} plays made, not {len(self._made)}")
        self._fill_replies(self._tools)
        for board, replies, outcomes in zip(
            self._boards, self._replies, self._outcomes, strict=True
        ):
            apart = float(abs(outcomes - self._evaluator.outcomes(replies)).max())
            if apart > CLOSE_ENOUGH:
                raise ValueError(
                    f"search and batch evaluate the replies to {Position.of_board(board)} "
                    f"{apart:.1e} apart"
                )

    def _fill_replies(self, tools: Held[Tools]) -> None:
        fill_replies_of(
            self._boards,
            0,
            MONEY,
            CUBELESS,
            tools,
            self._replies,
            self._outcomes,
            self._is_exact,
            self._values,
        )


def per_second(work: Callable[[], int], seconds: float) -> float:
    """Work done in a second of the clock, repeated for so many seconds or once."""
    done = 0
    began = time.perf_counter()
    while True:
        done += work()
        passed = time.perf_counter() - began
        if passed >= seconds:
            return done / passed
