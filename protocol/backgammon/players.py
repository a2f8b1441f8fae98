"""Players: who can sit at the board, by name, and how each is asked."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.baselines import BASELINES, Player, baseline
from bot.backgammon.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.engine import NO_SEARCH, Engine
from bot.backgammon.evaluator import CompositeEvaluator, Evaluator
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.level import LEVELS, Level
from bot.backgammon.outcome import Chances, cubeless_equities
from bot.backgammon.play import PlayBuffers, boards_after
from bot.backgammon.position import Position, turned_boards
from bot.backgammon.roll import Roll
from bot.backgammon.search import Search, SearchSettings
from protocol.backgammon.gnubg_external import Decider
from protocol.backgammon.gnubg_program import MOST_PLIES
from protocol.backgammon.strength import tell

Dice = NDArray[np.int8]

_EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
"""What a player says who knows no chances."""


class DuelPlayer(Protocol):
    """Whoever plays many games at once, blind to score and cube."""

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board, as its mover sees it.

        boards: int8[n, 26] seen by the player on roll; dice: int8[n, 2], the higher die first.
        Returns int8[n, 26], a new array; the same board where the roll allows no play.
        """
        ...


class EvaluatingPlayer:
    """Takes the play of most cubeless equity; the evaluator is asked for all games at once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._buffers = PlayBuffers()

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = boards.copy()
        asked: list[int] = []
        candidates: list[Boards] = []
        for i, (high, low) in enumerate(dice.tolist()):
            after, _ = boards_after(boards[i], Roll(high, low), self._buffers)
            if len(after) == 1:
                chosen[i] = after[0]
            elif len(after) > 1:
                asked.append(i)
                candidates.append(after.copy())
        if not asked:
            return chosen
        every = np.concatenate(candidates)
        losses = cubeless_equities(self._evaluator.outcomes(turned_boards(every)))
        first = 0
        for i, after in zip(asked, candidates, strict=True):
            chosen[i] = after[np.argmin(losses[first : first + len(after)])]
            first += len(after)
        return chosen


class SearchingPlayer:
    """Takes the best play of a search, game by game."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = boards.copy()
        for i, (high, low) in enumerate(dice.tolist()):
            ratings = self._search.ratings(boards[i], Roll(high, low), is_choice=True)
            if len(ratings.after):
                chosen[i] = ratings.after[ratings.order()[0]]
        return chosen


class BaselinePlayer:
    """A baseline asked game by game."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see DuelPlayer."""
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            play = self._player.choose(Position.of_board(boards[i]), Roll(high, low))
            chosen[i] = play.after.points
        return chosen


class BaselineEngine:
    """A baseline in the engine's chair; it never doubles, always takes, accepts resignations."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        match request:
            case ChooseCheckerPlay(state, roll):
                return PlayDecision(self._player.choose(state.position, roll), ())
            case ChooseCubeAction():
                return CubeDecision(CubeAction.ROLL, _EVEN)
            case AnswerDouble():
                return DoubleDecision(DoubleAnswer.TAKE, _EVEN)
            case AnswerResignation():
                return ResignationDecision(True, _EVEN)


def gnubg_plies(name: str) -> int | None:
    """Plies of `gnubg` (0) or `gnubg:PLIES`, None for every other name.

    Raises ValueError if the plies are no number that gnubg plays well with.
    """
    program, colon, plies = name.partition(":")
    if program != "gnubg":
        return None
    if not colon:
        return 0
    if not (plies.isascii() and plies.isdigit() and int(plies) <= MOST_PLIES):
        raise ValueError(f"gnubg plays at 0 to {MOST_PLIES} plies, as gnubg:2, not at {plies!r}")
    return int(plies)


def duel_player(name: str, *, seed: int, search: SearchSettings = NO_SEARCH) -> DuelPlayer:
    """The baseline, the level or the network of that name or file; only `random` uses the seed.

    search: how far a network looks ahead; a level knows for itself. Raises ValueError if there is
    none.
    """
    if name in BASELINES:
        return BaselinePlayer(baseline(name, seed))
    level = _level(name, search)
    evaluator = _evaluator(level)
    if level.search.ply == 0:
        return EvaluatingPlayer(evaluator)
    return SearchingPlayer(Search(evaluator, level.search))


def decider(name: str, *, seed: int, search: SearchSettings = NO_SEARCH) -> Decider:
    """The same players, asked one question at a time; raises ValueError if there is none."""
    if name in BASELINES:
        return BaselineEngine(baseline(name, seed))
    level = _level(name, search)
    return Engine(_evaluator(level), level.search, candidates=1)


def _level(name: str, search: SearchSettings) -> Level:
    return LEVELS[name] if name in LEVELS and search == NO_SEARCH else Level(name, search)


def _evaluator(level: Level) -> CompositeEvaluator:
    try:
        return level.evaluator(tell)
    except ValueError as error:
        others = ", ".join(("gnubg", "gnubg:PLIES", *BASELINES, *LEVELS))
        raise ValueError(
            f"no player {level.weights!r}: it is none of {others}, and {error}"
        ) from None
