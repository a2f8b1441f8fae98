"""Cube life: how live the cube is at the start of a game, fitted to games at many scores.

The match-winning chance before a game lies between what the recurrence says of a dead and of a live
cube; where in between is the efficiency. The scores to come count as in the table that the games
are played by, so that one game is all that is fitted.

    python -m bot.backgammon.lab.cube.life --games 20000
"""

import argparse
from typing import NamedTuple

import numpy as np

from bot.backgammon.engine.rollout_trials import RolloutPlayer, Seat, seat_of
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.evaluation.met_recurrence import RATES, Rates, game_chances
from bot.backgammon.lab.cube.games import cube_games, mean_and_error, state_at
from bot.lab.command_line import lab_parser, seed_number, told_in_a_sentence, whole_number
from bot.weights import DEFAULT

LEAST_GAMES = 4
"""At each score: a standard error needs two pairs."""

MOST_AWAY = 4, 25
"""How far the scores may go: at 3 there would be a single one, which any efficiency fits."""


class ScoreChance(NamedTuple):
    """Match-winning chance before a game: by games played, their standard error, by recurrence."""

    away: int
    other_away: int
    played: float
    error: float
    dead: float
    live: float

    @property
    def gain(self) -> float:
        """The trailer's gain if the cube is live."""
        return self.live - self.dead


class Fit(NamedTuple):
    """The efficiency that agrees best with the games, its standard error, and what remains.

    misfit: mean of the squares of what is left in standard errors, per free score; 1 if the
    recurrence is right.
    """

    efficiency: float
    error: float
    misfit: float


def ends_of(met: MatchEquityTable, away: int, other: int, rates: Rates) -> tuple[float, float]:
    """Match-winning chance before a game with a dead and with a live cube, by the recurrence."""
    size = len(met.post) + 1
    table = np.zeros((size, size))
    table[0] = 1.0
    table[1:, 1:] = met.pre
    own = np.arange(2, away + other - 1)
    dead, live = (game_chances(table, own, own[::-1], rates.money, x) for x in (0.0, 1.0))
    return float(dead[away - 2]), float(live[away - 2])


def score_chances(
    met: MatchEquityTable, rates: Rates, seat: Seat, games: int, most_away: int, seed: int
) -> list[ScoreChance]:
    """Play so many games at every score of unlike players from 2 away on."""
    found = []
    for away in range(3, most_away + 1):
        for other in range(2, away):
            stream = 1000 * away + other
            played = cube_games(state_at(away, other), met, games, seed, seat, stream=stream)
            mean, error = mean_and_error(0.5 + 0.5 * played.utilities)
            one = ScoreChance(away, other, mean, error, *ends_of(met, away, other, rates))
            found.append(one)
            print(
                f"{away:2} away, {other:2} away: {100 * mean:.2f} ± {100 * error:.2f} %, dead "
                f"{100 * one.dead:.2f}, live {100 * one.live:.2f}, in the table "
                f"{100 * met.mwc(away, other):.2f}",
                flush=True,
            )
    return found


def fitted(chances: list[ScoreChance]) -> Fit:
    """The efficiency by least squares; raises ValueError if the games at a score were all alike."""
    for one in chances:
        if not one.error > 0:
            raise ValueError(
                f"the games at {one.away} away, {one.other_away} away came out alike: play more"
            )
    gains = np.array([one.gain / one.error for one in chances])
    lifts = np.array([(one.played - one.dead) / one.error for one in chances])
    efficiency = float(gains @ lifts / (gains @ gains))
    left = lifts - efficiency * gains
    return Fit(efficiency, float(gains @ gains) ** -0.5, float(left @ left) / (len(chances) - 1))


def fit_line(fit: Fit) -> str:
    """The efficiency, its standard error and the misfit in one line."""
    return f"efficiency {fit.efficiency:.3f} ± {fit.error:.3f}, misfit {fit.misfit:.2f}"


def games_parser(doc: str, *, most_away: int, seed: int) -> argparse.ArgumentParser:
    """A parser for a module, told of by its docstring, that plays games at scores and fits to them.

    most_away, seed: if they are not given.
    """
    games, away = whole_number(LEAST_GAMES, is_even=True), whole_number(*MOST_AWAY)
    parser = lab_parser(doc)
    parser.add_argument("--games", type=games, default=20_000, help="at each score")
    parser.add_argument("--most-away", type=away, default=most_away, help="of the scores fitted to")
    parser.add_argument("--seed", type=seed_number, default=seed, help="of the dice")
    parser.add_argument("--weights", default=DEFAULT, help="name or file, of both players")
    return parser


@told_in_a_sentence()
def main() -> None:
    """Play, fit and print."""
    options = games_parser(__doc__, most_away=7, seed=2).parse_args()
    seat = seat_of(RolloutPlayer(options.weights))
    chances = score_chances(
        blot_table(), RATES, seat, options.games, options.most_away, options.seed
    )
    print(fit_line(fitted(chances)))


if __name__ == "__main__":
    main()
