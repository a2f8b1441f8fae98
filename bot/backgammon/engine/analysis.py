"""Analysis: how good each choice of a match was, and how lucky each roll."""

from dataclasses import dataclass, replace

from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import DoublingRefusal, GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.roll import OPENINGS, ROLLS, Roll

CANDIDATES_KEPT = 5
"""Plays that a verdict keeps, besides the one that was played."""

CLOSE = 0.16
"""Equity by which a double may be wrong and still be one to think about."""


@dataclass(frozen=True, slots=True)
class PlayVerdict:
    """A checker play beside the best ones, and the luck of its roll.

    candidates: the best first, with the one played; legal: how many plays there were; rank: of the
    play, from 1, None if nothing was played. luck: equity that the roll won. stake: points, in a
    match chance to win it, that an equity of 1 stands for. static_loss: equity that an unforced
    play gives away as seen without looking ahead, None if nobody looked.
    """

    candidates: tuple[Candidate, ...]
    legal: int
    rank: int | None
    luck: float
    stake: float
    static_loss: float | None = None

    @property
    def played(self) -> Candidate | None:
        """The candidate that was played; None if there was nothing to play."""
        if self.rank is None or not self.candidates:
            return None
        return self.candidates[min(self.rank, len(self.candidates)) - 1]

    @property
    def loss(self) -> float:
        """Equity that the play gave away, 0 or more."""
        played = self.played
        return 0.0 if played is None else max(0.0, self.candidates[0].equity - played.equity)

    @property
    def is_unforced(self) -> bool:
        """Whether there were several plays, and one of them was made."""
        return self.legal > 1 and self.rank is not None

    @property
    def is_good(self) -> bool:
        """Whether the play is the best although it is wrong as seen without looking ahead."""
        is_wrong = self.static_loss is not None and self.static_loss > 0
        return is_wrong and self.is_unforced and self.loss == 0


@dataclass(frozen=True, slots=True)
class CubeVerdict:
    """A cube action, or the answer to a double, and what the others are worth.

    evaluation and chances are of the player on roll; stake: as in PlayVerdict.
    """

    answer: CubeAction | DoubleAnswer
    evaluation: CubeEvaluation
    chances: Chances
    stake: float

    @property
    def loss(self) -> float:
        """Equity that the action or answer gave away, 0 or more."""
        return cube_loss(self.evaluation, self.answer)

    @property
    def is_close(self) -> bool:
        """Whether a double was made or answered, or would have been no very bad one.

        Source: GNU Backgammon, eval.c, isCloseCubedecision.
        """
        if self.answer is not CubeAction.ROLL:
            return True
        doubled = min(self.evaluation.double_take, self.evaluation.double_drop)
        best = max(self.evaluation.doubled, self.evaluation.no_double)
        return best - doubled < CLOSE


Verdict = PlayVerdict | CubeVerdict


def cube_loss(evaluation: CubeEvaluation, answer: CubeAction | DoubleAnswer) -> float:
    """Equity that an action, or an answer to a double, gives away beside the best one."""
    doubled, rolls = evaluation.doubled, evaluation.no_double
    losses = {
        CubeAction.ROLL: max(doubled, rolls) - rolls,
        CubeAction.DOUBLE: max(doubled, rolls) - doubled,
        DoubleAnswer.TAKE: evaluation.double_take - doubled,
        DoubleAnswer.DROP: evaluation.double_drop - doubled,
        DoubleAnswer.BEAVER: 2 * evaluation.double_take - doubled,
    }
    return losses[answer]


def stake_of(state: GameState, met: MatchEquityTable | None = None) -> float:
    """Points, in a match the chance to win it, that an equity of 1 stands for."""
    won, lost = ends_of(state, met)
    return (won - lost) / 2


def ends_of(state: GameState, met: MatchEquityTable | None = None) -> tuple[float, float]:
    """Worth to the player on roll of having won the cube's value, and of having lost it.

    Points, in a match the chance to win it; met: Blot's own table if None.
    """
    value = state.cube.value
    if state.score is None:
        return float(value), -float(value)
    table = met or blot_table()
    return table.mwc_after(state.score, value), table.mwc_after(state.score, -value)


class Analyst:
    """Judges choices with an engine, and the luck of rolls with one that does not look ahead.

    engine: lists all candidates. met: the table of both, Blot's own if None; has_cube: whether both
    play with the cube.
    """

    def __init__(
        self,
        engine: Engine,
        static: Engine,
        met: MatchEquityTable | None = None,
        *,
        has_cube: bool = True,
    ) -> None:
        self._engine = engine
        self._static = static
        self._met = met
        self._has_cube = has_cube

    def verdict(self, choice: Choice) -> Verdict:
        """The verdict on a choice; raises ValueError for a double that the rules forbid."""
        stake = stake_of(choice.request.state, self._met)
        match choice.request:
            case ChooseCheckerPlay():
                return self._play_verdict(choice, choice.request, stake)
            case ChooseCubeAction(state) if state.doubling_refusal is not DoublingRefusal.DEAD:
                decision = self._engine.decide(choice.request)
                evaluation, chances = decision.evaluation, decision.chances
            case ChooseCubeAction(state) | AnswerDouble(state):
                # no engine turns a dead cube, but it tells what each answer to that is worth
                answered = self._engine.decide(AnswerDouble(state))
                evaluation, chances = answered.evaluation, answered.chances.turned()
                if evaluation is not None and choice.beavers:
                    evaluation = replace(evaluation, may_beaver=False)
        if evaluation is None or not isinstance(choice.answer, CubeAction | DoubleAnswer):
            raise ValueError(f"there is no choice with the cube in {choice.request!r:.200}")
        return CubeVerdict(choice.answer, evaluation, chances, stake)

    def _play_verdict(
        self, choice: Choice, request: ChooseCheckerPlay, stake: float
    ) -> PlayVerdict:
        played = choice.answer if isinstance(choice.answer, CheckerPlay) else None
        wanted = () if played is None else (played,)
        candidates = self._engine.all_candidates(request, wanted)
        rank = None if played is None else 1
        for number, row in enumerate(candidates, start=1):
            if played is not None and row.play.after == played.after:
                rank, candidates = number, _with_play(candidates, number, played)
        kept = candidates[:CANDIDATES_KEPT]
        if rank is not None and rank > len(kept) and candidates:
            kept = (*kept, candidates[rank - 1])
        luck = self.luck(request.state, request.roll, is_opening=choice.is_opening)
        static_loss = None
        if played is not None and len(candidates) > 1:
            static_loss = self._static_loss(request, played)
        return PlayVerdict(kept, len(candidates), rank, luck, stake, static_loss)

    def _static_loss(self, request: ChooseCheckerPlay, played: CheckerPlay) -> float:
        """Equity that a play gives away as seen without looking ahead."""
        rows = self._static.all_candidates(request)
        own = next(row.equity for row in rows if row.play.after == played.after)
        return rows[0].equity - own

    def luck(self, state: GameState, roll: Roll, *, is_opening: bool = False) -> float:
        """Equity of the roll's best play less the mean over all rolls, without looking ahead.

        is_opening: whether either player may have won the roll, and no double begins.
        Source: GNU Backgammon, analysis.c, LuckFirst and LuckNormal.
        """
        if is_opening:
            own = {each: self._after(state, each) for each in OPENINGS}
            other = sum(self._after(state.turned(), each) for each in OPENINGS)
            return own[roll] - (sum(own.values()) - other) / (2 * len(OPENINGS))
        equities = {each: self._after(state, each) for each in ROLLS}
        return equities[roll] - sum(each.chance * equities[each] for each in ROLLS)

    def _after(self, state: GameState, roll: Roll) -> float:
        """Equity after the best play of a roll."""
        candidates = self._static.decide(ChooseCheckerPlay(state, roll)).candidates
        if candidates:
            return candidates[0].equity
        chances, worth = self._static.worth(state.turned())
        if not self._has_cube:
            return -chances.equity
        if state.score is None:
            return -worth
        won, lost = ends_of(state, self._met)
        return (2 * (1 - worth) - won - lost) / (won - lost)


def _with_play(
    candidates: tuple[Candidate, ...], rank: int, played: CheckerPlay
) -> tuple[Candidate, ...]:
    """The candidates, that of the rank with its legs as they were played."""
    row = replace(candidates[rank - 1], play=played)
    return (*candidates[: rank - 1], row, *candidates[rank:])
