"""Baselines: players to measure against, none of which looks ahead or learns."""

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np

from bot.backgammon.kernels.baselines import (
    BLOCKERS,
    BLOCKS,
    PUBEVAL_INPUTS,
    TOGETHER,
    PubevalWeights,
    pubeval_choice,
    random_choice,
    simple_choice,
)
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.dice import WORDS
from bot.backgammon.rules.decision import (
    GAMES_AT_ONCE,
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    Dice,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
    refused,
)
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay, RollWorkspace, boards_after, legs_of_steps
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from bot.weights import weights_folder

PUBEVAL_FILE = "pubeval.txt"


_EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
"""The chances named by a player who knows none."""


class Baseline(ABC):
    """A player blind to score and cube: it never doubles, always takes, accepts resignations."""

    games_at_once = GAMES_AT_ONCE

    def __init__(self) -> None:
        self._workspace = RollWorkspace()

    @abstractmethod
    def _choice(self, board: Boards, after: Boards) -> int:
        """The row of the play chosen among the boards after at least one legal play."""

    def choose(self, position: Position, roll: Roll) -> CheckerPlay:
        """The play chosen; one without legs if the roll allows none."""
        board = position.board
        after, steps = boards_after(board, roll, self._workspace)
        if len(after) == 0:
            return CheckerPlay((), position)
        row = self._choice(board, after)
        return CheckerPlay(legs_of_steps(steps[row]), Position.of_board(after[row]))

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        match request:
            case ChooseCheckerPlay(state, roll):
                return PlayDecision(self.choose(state.position, roll), ())
            case ChooseCubeAction():
                return CubeDecision(CubeAction.ROLL, _EVEN)
            case AnswerDouble():
                return DoubleDecision(DoubleAnswer.TAKE, _EVEN)
            case AnswerResignation():
                return ResignationDecision(True, _EVEN)
            case _:
                raise refused(request)

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see BatchDecider."""
        chosen = boards.copy()
        for i, (high, low) in enumerate(dice.tolist()):
            after, _ = boards_after(boards[i], Roll(high, low), self._workspace)
            if len(after):
                chosen[i] = after[self._choice(boards[i], after)]
        return chosen


class RandomPlayer(Baseline):
    """Plays any of the resulting positions, all equally likely."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = np.random.SeedSequence(seed).generate_state(WORDS).astype(np.int64)

    def _choice(self, board: Boards, after: Boards) -> int:
        return random_choice(len(after), self._state)


class SimplePlayer(Baseline):
    """Holds as many points as it can, by one of three plans.

    blockers takes, with contact before the play and in this order, the most blocks (points with two
    or more own checkers), the most pairs of neighbouring blocks, the fewest blots, the fewest pips.
    In a race: the most checkers off, the most in the home, the fewest pips. simple-2 has no other
    plan for a race, simple-1 looks at no pairs either. They are the three simple players of the
    PulverGammon report (2007), which says what they want and not how ties are broken.
    """

    def __init__(self, plan: int) -> None:
        super().__init__()
        self._plan = plan

    def _choice(self, board: Boards, after: Boards) -> int:
        return simple_choice(self._plan, board, after, len(after))


class PubevalPlayer(Baseline):
    """Tesauro's public evaluator of 1993: the play with the highest of its linear scores."""

    def __init__(self) -> None:
        super().__init__()
        self._contact, self._race = pubeval_weights()

    def _choice(self, board: Boards, after: Boards) -> int:
        return pubeval_choice(board, after, len(after), self._contact, self._race)


SIMPLE_PLANS = {"blockers": BLOCKERS, "simple-1": BLOCKS, "simple-2": TOGETHER}
"""The simple players by name."""

BASELINES = ("random", "blockers", "pubeval", "simple-1", "simple-2")


def baseline(name: str, seed: int) -> Baseline:
    """The baseline of that name; only random uses the seed. Raises ValueError for another name."""
    match name:
        case "random":
            return RandomPlayer(seed)
        case "pubeval":
            return PubevalPlayer()
    if name in SIMPLE_PLANS:
        return SimplePlayer(SIMPLE_PLANS[name])
    raise ValueError(f"no baseline {name!r}; there are {', '.join(BASELINES)}")


def pubeval_weights(path: Path | None = None) -> tuple[PubevalWeights, PubevalWeights]:
    """Pubeval's contact and race weights, float32[122] each, from the file in weights/.

    Raises ValueError for a file that does not hold 122 rows of index, contact and race.
    """
    path = path or weights_folder() / PUBEVAL_FILE
    lines = path.read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    if [row[0] for row in rows] != [str(i) for i in range(PUBEVAL_INPUTS)]:
        raise ValueError(f"{path} does not hold the rows 0 to {PUBEVAL_INPUTS - 1} in order")
    for row in rows:
        if len(row) != 3:
            raise ValueError(f"row {row[0]} of {path} has {len(row)} fields, not 3")
    try:
        columns = np.array([[float(field) for field in row[1:]] for row in rows], np.float32)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return np.ascontiguousarray(columns[:, 0]), np.ascontiguousarray(columns[:, 1])
