"""Players: who can sit at the board, by name, and how each is asked."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.backgammon.arena.baselines import BASELINES, Player, baseline
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.search import Search
from bot.backgammon.evaluation.evaluator import Evaluator
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decider,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.outcome import Chances, cubeless_equities
from bot.backgammon.rules.play import PlayBuffers, boards_after
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_program import MOST_PLIES
from protocol.backgammon.commands.strength_options import tell

Dice = NDArray[np.int8]

GNUBG_NAMES = ("gnubg", "gnubg:PLIES")
"""How gnubg is named as an opponent."""

_EVEN = Chances(0.5, 0.0, 0.0, 0.0, 0.0)
"""What a player says who knows no chances."""


class DuelPlayer(Protocol):
    """Whoever plays many games at once, blind to score and cube."""

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board, as its mover sees it.

        boards: int8[n, 26] seen by the player on roll; dice: int8[n, 2], the higher die first.
        Returns int8[n, 26], a new array; the same board where the roll allows no play.
        """


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
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            chosen[i] = self._search.choice(boards[i], Roll(high, low))
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


class TimedDecider:
    """A decider, and the seconds each of its decisions took, added to the list given."""

    def __init__(self, decider: Decider, seconds: list[float]) -> None:
        self._decider = decider
        self._seconds = seconds

    def decide(self, request: Request) -> Decision:
        """Answer the request; the decision's type follows the request's."""
        started = time.perf_counter()
        decision = self._decider.decide(request)
        self._seconds.append(time.perf_counter() - started)
        return decision

    def decisions(self) -> int:
        """How many were made."""
        return len(self._seconds)


def ask_everything(player: Decider) -> None:
    """Ask every kind of question once, so that all later answers come from compiled kernels."""
    last_checkers = Position((0, 1, *(0,) * 22, -1, 0))
    for position in (START, last_checkers):
        for state in (GameState(position), GameState(position, score=Score(5, 0, 0))):
            player.decide(ChooseCheckerPlay(state, Roll(3, 1)))
            player.decide(ChooseCubeAction(state))
            player.decide(AnswerDouble(state))
            player.decide(AnswerResignation(state, 1))


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


def duel_player(player: str | Level, *, seed: int) -> DuelPlayer:
    """The baseline, level or network of that name or file, or what plays at a level given.

    Only `random` uses the seed. Raises ValueError if there is no such player.
    """
    level = _level(player)
    if level.weights in BASELINES:
        return BaselinePlayer(baseline(level.weights, seed))
    with _named(level):
        if level.search.ply == 0:
            return EvaluatingPlayer(level.evaluator(tell))
        return SearchingPlayer(level.searcher(tell))


def decider(
    player: str | Level,
    *,
    seed: int,
    cube: bool = True,
    met: MatchEquityTable | None = None,
    others: Sequence[str] = GNUBG_NAMES,
) -> Decider:
    """The same players, asked one question at a time; raises ValueError if there is none.

    Without the cube they play cubeless; met: match equities, Blot's own if None; others: who else
    the sentence of the error names.
    """
    level = _level(player)
    if level.weights in BASELINES:
        return BaselineEngine(baseline(level.weights, seed))
    with _named(level, others):
        return level.engine(tell, candidates=1, cube=cube, met=met)


def _level(player: str | Level) -> Level:
    return player if isinstance(player, Level) else LEVELS.get(player, Level(player))


@contextmanager
def _named(level: Level, others: Sequence[str] = GNUBG_NAMES) -> Iterator[None]:
    """Say which players there are if the level's weights cannot be loaded."""
    try:
        yield
    except ValueError as error:
        names = ", ".join((*others, *BASELINES, *LEVELS))
        raise ValueError(
            f"no player {level.weights!r}: it is none of {names}, and {error}"
        ) from None
