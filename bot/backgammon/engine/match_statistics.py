"""Match statistics: the errors and the luck of a player, counted as GNU Backgammon counts them.

Source: GNU Backgammon 1.07, analysis.c, updateStatcontext, and formatgs.c.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from bot.backgammon.engine.analysis import CubeVerdict, Verdict
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import Score
from bot.backgammon.rules.record import GameRecord, Rules


class Skill(Enum):
    """A mark on a choice, by the equity beyond which it is given."""

    NONE = 0.0
    DOUBTFUL = 0.03
    BAD = 0.06
    VERY_BAD = 0.12

    @classmethod
    def of(cls, loss: float) -> "Skill":
        """The mark on a choice that gives so much equity away."""
        marks = (cls.VERY_BAD, cls.BAD, cls.DOUBTFUL)
        return next((mark for mark in marks if loss > mark.value), cls.NONE)


class Fortune(Enum):
    """A mark on a roll, by the equity beyond which it is given."""

    VERY_LUCKY = 0.6
    LUCKY = 0.3
    NONE = 0.0
    UNLUCKY = -0.3
    VERY_UNLUCKY = -0.6

    @classmethod
    def of(cls, luck: float) -> "Fortune":
        """The mark on a roll that wins so much equity, less than 0 if it loses some."""
        if luck > cls.LUCKY.value:
            return cls.VERY_LUCKY if luck > cls.VERY_LUCKY.value else cls.LUCKY
        if luck < cls.UNLUCKY.value:
            return cls.VERY_UNLUCKY if luck < cls.VERY_UNLUCKY.value else cls.UNLUCKY
        return cls.NONE


RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
"""Words for error rates below a limit, in equity per decision."""

WORST_RATING = "Awful!"

PR_FACTOR = 500
"""eXtreme Gammon's performance rating is so many times the equity lost per decision."""


class CubeError(Enum):
    """A kind of error with the cube; CP, DP and TG: cash, double and too-good points."""

    MISSED_BELOW_CP = "missed doubles below CP"
    MISSED_ABOVE_CP = "missed doubles above CP"
    WRONG_BELOW_DP = "wrong doubles below DP"
    WRONG_ABOVE_TG = "wrong doubles above TG"
    WRONG_TAKE = "wrong takes"
    WRONG_DROP = "wrong drops"


@dataclass(slots=True)
class Amount:
    """A count of what was given away or won, and its sum: equity, and points or chances.

    cost: points in money games, match-winning chance in matches.
    """

    count: int = 0
    equity: float = 0.0
    cost: float = 0.0

    def add(self, equity: float, stake: float) -> None:
        """Count one more, at what an equity of 1 stands for."""
        self.count += 1
        self.equity += equity
        self.cost += equity * stake

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.count + other.count, self.equity + other.equity, self.cost + other.cost)


@dataclass(slots=True)
class PlayerStatistics:
    """The choices and rolls of one player.

    moves: all checker plays; plays: what unforced ones gave away; good: those that are good; marks
    and fortunes: of all plays and rolls; cube_choices: all, close_choices: those that were close or
    acted on; actions: how often the player did something with the cube; cube_errors: by their kind;
    rolls: their luck.
    """

    moves: int = 0
    plays: Amount = field(default_factory=Amount)
    good: int = 0
    marks: Counter[Skill] = field(default_factory=Counter)
    cube_choices: int = 0
    close_choices: int = 0
    actions: Counter[CubeAction | DoubleAnswer] = field(default_factory=Counter)
    cube_marks: Counter[Skill] = field(default_factory=Counter)
    cube_errors: dict[CubeError, Amount] = field(
        default_factory=lambda: {kind: Amount() for kind in CubeError}
    )
    rolls: Amount = field(default_factory=Amount)
    fortunes: Counter[Fortune] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Count one more verdict on a choice of the player."""
        if isinstance(verdict, CubeVerdict):
            self._add_cube(verdict)
            return
        self.rolls.add(verdict.luck, verdict.stake)
        self.fortunes[Fortune.of(verdict.luck)] += 1
        if verdict.rank is None:
            return
        self.moves += 1
        self.good += verdict.is_good
        self.marks[Skill.of(verdict.loss)] += 1
        if verdict.is_unforced:
            self.plays.add(verdict.loss, verdict.stake)

    def _add_cube(self, verdict: CubeVerdict) -> None:
        self.cube_choices += 1
        self.close_choices += verdict.is_close
        self.actions[verdict.answer] += 1
        self.cube_marks[Skill.of(verdict.loss)] += 1
        if verdict.loss > 0:
            self.cube_errors[cube_error(verdict)].add(verdict.loss, verdict.stake)

    @property
    def cube(self) -> Amount:
        """All that was given away with the cube."""
        return sum(self.cube_errors.values(), Amount())

    @property
    def lost(self) -> Amount:
        """All that was given away."""
        return self.plays + self.cube

    @property
    def decisions(self) -> int:
        """Unforced plays, and choices with the cube that were close or acted on."""
        return self.plays.count + self.close_choices

    @property
    def play_rate(self) -> float | None:
        """Equity lost per unforced play; None if there was none."""
        return _rate(self.plays.equity, self.plays.count)

    @property
    def cube_rate(self) -> float | None:
        """Equity lost per choice with the cube that was close or acted on; None without one."""
        return _rate(self.cube.equity, self.close_choices)

    @property
    def rate(self) -> float | None:
        """Equity lost per decision; None if there was none."""
        return _rate(self.lost.equity, self.decisions)

    @property
    def performance_rating(self) -> float | None:
        """PR as eXtreme Gammon counts it, of the decisions as GNU Backgammon counts them."""
        return None if self.rate is None else PR_FACTOR * self.rate


def cube_error(verdict: CubeVerdict) -> CubeError:
    """The kind that an error with the cube is of."""
    evaluation = verdict.evaluation
    match verdict.answer:
        case CubeAction.ROLL:
            is_cash = evaluation.double_take > evaluation.double_drop
            return CubeError.MISSED_ABOVE_CP if is_cash else CubeError.MISSED_BELOW_CP
        case CubeAction.DOUBLE:
            is_too_good = evaluation.no_double > evaluation.double_drop
            return CubeError.WRONG_ABOVE_TG if is_too_good else CubeError.WRONG_BELOW_DP
        case DoubleAnswer.DROP:
            return CubeError.WRONG_DROP
        case _:
            return CubeError.WRONG_TAKE


def rating_word(rate: float | None) -> str:
    """GNU Backgammon's word for an error rate in equity per decision; n/a without decisions."""
    if rate is None:
        return "n/a"
    return next((word for limit, word in RATINGS if rate < limit), WORST_RATING)


def statistics_of(judged: Iterable[tuple[Choice, Verdict]]) -> tuple[PlayerStatistics, ...]:
    """The statistics of seats 0 and 1."""
    players = PlayerStatistics(), PlayerStatistics()
    for choice, verdict in judged:
        players[choice.seat].add(verdict)
    return players


def won_of(
    rules: Rules, games: Sequence[GameRecord], met: MatchEquityTable | None = None
) -> float | None:
    """The finished games' gain for seat 0: points, in a match chances to win it.

    None if no game was finished. Source: GNU Backgammon, analysis.c, updateStatcontext.
    """
    finished = [game for game in games if game.result is not None]
    if not finished:
        return None
    return sum(_won(rules, game, met) for game in finished)


def _won(rules: Rules, game: GameRecord, met: MatchEquityTable | None) -> float:
    assert game.result is not None
    points = -game.result.points if game.result.winner else game.result.points
    if rules.length is None:
        return float(points)
    score = Score(rules.length, *game.points, game.is_crawford)
    table = met or blot_table()
    return table.mwc_after(score, points) - table.mwc_after(score, 0)


def _rate(amount: float, count: int) -> float | None:
    return amount / count if count else None
