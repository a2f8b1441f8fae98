"""MET: the match equity table, and what it says about gammons at a score."""

import hashlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from bot.archive import read_archive
from bot.backgammon.evaluation.met_recurrence import Rates, Values, before_crawford, post_crawford
from bot.backgammon.rules.match import MAX_LENGTH, Score
from bot.backgammon.rules.outcome import Chances
from bot.weights import match_equities_file

ROLLED_OUT = "file of match equities", 1
"""Kind and version of the file that bot.backgammon.lab.match_equities writes."""


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """Match-winning chances by away scores, before a game.

    pre: float64[64, 64], of a player i + 1 away against one j + 1 away; row or column 0 is the
    Crawford game. post: float64[64], of the trailer i + 1 away against one 1 away, after it. Raises
    ValueError for other shapes, what is no chance, and two sides' chances that are not 1 together.
    """

    name: str
    pre: Values
    post: Values

    def __post_init__(self) -> None:
        size = MAX_LENGTH
        if self.pre.shape != (size, size) or self.post.shape != (size,):
            raise ValueError(
                f"a match equity table has {size} x {size} and {size} chances, "
                f"not {self.pre.shape} and {self.post.shape}"
            )
        for chances in (self.pre, self.post):
            if not ((chances >= 0) & (chances <= 1)).all():
                raise ValueError(f"match-winning chances of {self.name} are not all from 0 to 1")
        if not np.allclose(self.pre + self.pre.T, 1, rtol=0, atol=1e-9):
            raise ValueError(f"both sides' match-winning chances in {self.name} do not sum to 1")

    @property
    def digest(self) -> str:
        """The sha256 of its chances, in 64 hexadecimal digits; whatever it is called."""
        return hashlib.sha256(self.pre.tobytes() + self.post.tobytes()).hexdigest()

    def mwc(self, away: int, other_away: int, *, is_post_crawford: bool = False) -> float:
        """Match-winning chance of a player so many points away, before a game or at the end.

        0 or less away: that match is won. Raises ValueError beyond 64 away.
        """
        if max(away, other_away) > MAX_LENGTH:
            raise ValueError(
                f"a match has at most {MAX_LENGTH} points, not {max(away, other_away)} to go"
            )
        if away <= 0 or other_away <= 0:
            return 1.0 if away <= 0 else 0.0
        if is_post_crawford and away > other_away == 1:
            return float(self.post[away - 1])
        if is_post_crawford and other_away > away == 1:
            return 1 - float(self.post[other_away - 1])
        return float(self.pre[away - 1, other_away - 1])

    def mwc_after(self, score: Score, points: int) -> float:
        """Match-winning chance of the player on roll once this game has won him so many points.

        Below 0 he loses them; 0 is the score as it stands, with this game to be played.
        """
        is_post = 1 in (score.away, score.other_away)
        if points == 0:
            is_post = is_post and not score.is_crawford
        return self.mwc(
            score.away - max(points, 0),
            score.other_away - max(-points, 0),
            is_post_crawford=is_post,
        )

    def mwc_of_chances(self, score: Score, value: int, chances: Chances) -> float:
        """Match-winning chance of the player on roll if the game is played out at this cube."""
        ends = {
            1: chances.win - chances.win_gammon,
            2: chances.win_gammon - chances.win_backgammon,
            3: chances.win_backgammon,
            -1: 1 - chances.win - chances.lose_gammon,
            -2: chances.lose_gammon - chances.lose_backgammon,
            -3: chances.lose_backgammon,
        }
        return sum(chance * self.mwc_after(score, ways * value) for ways, chance in ends.items())


def computed_table(name: str, rates: Rates) -> MatchEquityTable:
    """The table of players whose games end in such a way; nobody can change it. 20 ms."""
    post = post_crawford(MAX_LENGTH, rates=rates)
    return _table_of(name, post, before_crawford(post, rates=rates))


def completed_table(pre: Values, post: Values) -> MatchEquityTable:
    """Blot's table of chances that are known, the others following; nobody can change it.

    pre: float64[m, m] by both away scores from 0, of either player; post: float64[m]; NaN where
    nothing is known. See before_crawford and post_crawford.
    """
    completed = post_crawford(MAX_LENGTH, post)
    return _table_of("Blot", completed, before_crawford(completed, pre))


def _table_of(name: str, post: Values, pre: Values) -> MatchEquityTable:
    for chances in (pre, post):
        chances.flags.writeable = False
    return MatchEquityTable(name, pre[1:, 1:], post[1:])


@cache
def blot_table() -> MatchEquityTable:
    """Blot's own table, made at the first call: rolled out at low scores, else computed."""
    _, rolled_out = read_archive(match_equities_file(), *ROLLED_OUT)
    return completed_table(rolled_out["pre"], rolled_out["post"])


def gammon_value(met: MatchEquityTable, score: Score, value: int = 1) -> float:
    """Share that a gammon adds to a win for the player on roll, of what lies between win and loss.

    value: of the cube at the end of the game. For money 0.5. 0 if a win is the match.
    """
    won, lost = met.mwc_after(score, value), met.mwc_after(score, -value)
    return (met.mwc_after(score, 2 * value) - won) / (won - lost)
