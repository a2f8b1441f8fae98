"""Game rates: how Blot's games against itself end, from which its match equity table is computed.

Both sides play, double, take and drop 0 plies deep with the cube: for money, without Jacoby and
beavers; at scores of a match by a match equity table. That table is computed anew from what is
measured, and games are played by the new one, until it changes by less than its standard error.

    python -m bot.backgammon.lab.game_rates

The recurrence asks how games end at the board, and sets the cube upon that by itself. So a game in
which a double is dropped is played on as if it had been taken; it counts as it ends then, but only
for the rates. Every game that is begun counts once, whatever becomes of it, so that nothing is
selected. Games that nobody dropped would be: they have more gammons, which is printed as well.

Of one player who wants gammons that are nothing to the other there are games at scores 1 away:
the Crawford game, and the games after it, which he doubles at once. Who needs an even number then
may be dropped, which depends on how he stands when he may first double. How live the cube is: see
bot.backgammon.lab.cube.life.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bot.backgammon.engine.rollout_trials import RolloutPlayer, Seat, seat_of
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.cube import Values, cube_table
from bot.backgammon.evaluation.met import (
    MatchEquityTable,
    blot_table,
    computed_table,
    gammon_value,
)
from bot.backgammon.evaluation.met_recurrence import RATES, Gammons, OneSided, Rates
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.kernels.cube import CubeTable
from bot.backgammon.lab.cube.games import (
    MONEY,
    cube_games,
    mean_and_error,
    share_and_error,
    state_at,
)
from bot.backgammon.lab.cube.life import fit_line, fitted, games_parser, score_chances
from bot.backgammon.rules.position import START, turned_boards
from bot.backgammon.rules.roll import OPENINGS, ROLLS, Roll
from bot.lab.command_line import told_in_a_sentence

TENTHS = 10
MAX_AWAY = 25
MAX_ROUNDS = 5
MONEY_GAMES = 5
"""So many times as many as at each score: they are the only ones in which both want gammons."""

TRAILERS = (
    ((4, True), (6, True), (5, False), (6, False), (7, False), (8, False)),
    ((2, True), (3, False), (4, False)),
)
"""Away scores of a trailer for whom a gammon adds about 0.65 wins, and about 1, and whether it is
the Crawford game."""


class Measured(NamedTuple):
    """Rates and the standard error of each; those of worths and first chances are left at 0."""

    rates: Rates
    errors: Rates


def pooled(found: list[tuple[float, float]]) -> tuple[float, float]:
    """Mean of what was measured in several places, and its standard error."""
    means, errors = np.array(found).T
    return float(means.mean()), float((errors @ errors) ** 0.5) / len(found)


def percent(mean: float, error: float) -> str:
    """A share and its standard error in percent."""
    return f"{100 * mean:.2f} ± {100 * error:.2f} %"


def money(seat: Seat, games: int, seed: int) -> tuple[Gammons, Gammons]:
    """Gammons of money games, and their standard errors."""
    played = cube_games(MONEY, None, games, seed, seat)
    size = np.abs(played.points)
    all_games = size > 0
    gammon = share_and_error(size >= 2, all_games)
    backgammon = share_and_error(size == 3, all_games)
    dropped = share_and_error(played.is_dropped, all_games)
    undropped = share_and_error(size >= 2, ~played.is_dropped)
    print(
        f"money, {games} games: gammons {percent(*gammon)}, "
        f"backgammons {percent(*backgammon)}; a double dropped in {percent(*dropped)}, "
        f"gammons of the others {percent(*undropped)}",
        flush=True,
    )
    means, errors = zip(gammon, backgammon, strict=True)
    return Gammons(*means), Gammons(*errors)


def trailer(
    met: MatchEquityTable,
    scores: tuple[tuple[int, bool], ...],
    seat: Seat,
    games: int,
    seed: int,
) -> tuple[OneSided, OneSided]:
    """Rates at which games end for who is behind, scores counted alike, and standard errors."""
    worths, wins, gammons = [], [], []
    for away, is_crawford in scores:
        state = state_at(away, 1, is_crawford=is_crawford)
        assert state.score is not None
        stream = 2 * away + is_crawford
        played = cube_games(state, met, games, seed, seat, stream=stream)
        worths.append(gammon_value(met, state.score, 1 if is_crawford else 2))
        is_won = played.points > 0
        wins.append(mean_and_error(is_won))
        gammons.append(share_and_error(played.points >= 2, is_won))
        mwc, error = mean_and_error(0.5 + 0.5 * played.utilities)
        print(
            f"{away} away, {'Crawford' if is_crawford else 'after it'}, {games} games: gammon "
            f"worth {worths[-1]:.3f}, won {percent(*wins[-1])}, "
            f"gammons {percent(*gammons[-1])}, match {percent(mwc, error)}, "
            f"in the table {100 * met.mwc_after(state.score, 0):.2f}",
            flush=True,
        )
    win, gammon = pooled(wins), pooled(gammons)
    worth = float(np.mean(worths))
    print(f"gammon worth {worth:.3f}: won {percent(*win)}, gammons {percent(*gammon)}")
    return OneSided(worth, win[0], gammon[0]), OneSided(0.0, win[1], gammon[1])


def first_chances(seat: Seat, met: MatchEquityTable) -> tuple[float, ...]:
    """Winning chances of a trailer 2 away when he may first double: the means of equal tenths.

    He may before his second roll or, if the other side has begun, before his first. All openings
    and replies, played one ply deep.
    """
    search = Search(seat.evaluator, SearchSettings(1))
    state = state_at(2, 1)
    trailers, leaders = (cube_table(each, met) for each in (state, state.turned()))

    def reply(board: Boards, roll: Roll, cube: CubeTable) -> Boards:
        turned: Boards = turned_boards(search.choice(board, roll, cube=cube)[np.newaxis])[0]
        return turned

    rows = []
    for opening in OPENINGS:
        share = 1 / 15 / 2
        board = reply(START.board, opening, leaders)
        rows.append((share, search.outcomes(board)[0, 0]))
        board = reply(START.board, opening, trailers)
        rows += [
            (share * roll.chance, search.outcomes(reply(board, roll, leaders))[0, 0])
            for roll in ROLLS
        ]
    shares, chances = np.array(sorted(rows, key=lambda row: row[1])).T
    ends = np.linspace(0, 1, TENTHS + 1)
    sums = np.interp(ends, [0, *shares.cumsum()], [0, *(shares * chances).cumsum()])
    found = tuple(round(float(chance), 3) for chance in np.diff(sums) * TENTHS)
    print("first chances:", ", ".join(f"{chance:.3f}" for chance in found), flush=True)
    return found


def measured(
    met: MatchEquityTable,
    gammons: tuple[Gammons, Gammons],
    seat: Seat,
    games: int,
    most_away: int,
    seed: int,
) -> Measured:
    """All rates by games at scores, played by this table; gammons: of money games."""
    trailers = [trailer(met, scores, seat, games, seed) for scores in TRAILERS]
    means, errors = zip(*trailers, strict=True)
    rates = Rates(gammons[0], means, first_chances(seat, met), RATES.efficiency)
    fit = fitted(score_chances(met, rates, seat, games, most_away, seed))
    print(fit_line(fit), flush=True)
    nothing = (0.0,) * TENTHS
    return Measured(
        rates._replace(efficiency=fit.efficiency),
        Rates(gammons[1], errors, nothing, fit.error),
    )


def shifted(found: Measured) -> Iterator[Rates]:
    """The rates, each in turn larger by its standard error."""
    rates, errors = found
    for name in Gammons._fields:
        more = getattr(rates.money, name) + getattr(errors.money, name)
        yield rates._replace(money=rates.money._replace(**{name: more}))
    for i, one in enumerate(rates.trailer):
        for name in ("win", "gammon"):
            more = getattr(one, name) + getattr(errors.trailer[i], name)
            changed = list(rates.trailer)
            changed[i] = one._replace(**{name: more})
            yield rates._replace(trailer=tuple(changed))
    yield rates._replace(efficiency=rates.efficiency + errors.efficiency)


def chances_in(met: MatchEquityTable) -> Values:
    """All chances up to 25 away, one after another."""
    return np.append(met.pre[:MAX_AWAY, :MAX_AWAY].ravel(), met.post[:MAX_AWAY])


def table_errors(found: Measured) -> Values:
    """Standard errors of chances_in the table computed from the rates."""
    chances = chances_in(computed_table("", found.rates))
    moves = [chances_in(computed_table("", each)) - chances for each in shifted(found)]
    errors: Values = np.sqrt((np.array(moves) ** 2).sum(axis=0))
    return errors


@told_in_a_sentence()
def main() -> None:
    """Measure and print; exits with 1 if the table does not settle."""
    options = games_parser(__doc__, most_away=6, seed=1).parse_args()
    seat = seat_of(RolloutPlayer(options.weights))
    gammons = money(seat, MONEY_GAMES * options.games, options.seed)
    met = blot_table()
    for number in range(1, MAX_ROUNDS + 1):
        found = measured(met, gammons, seat, options.games, options.most_away, options.seed)
        following = computed_table("Blot", found.rates)
        change = np.abs(chances_in(following) - chances_in(met))
        errors = table_errors(found)
        print(found.rates)
        print(
            f"round {number}: the table changes by {100 * change.mean():.2f} % on average "
            f"and {100 * change.max():.2f} % at most; its standard error is "
            f"{100 * errors.mean():.2f} % and {100 * errors.max():.2f} %",
            flush=True,
        )
        if change.mean() <= errors.mean() and change.max() <= errors.max():
            return
        met = following
    raise SystemExit(f"the table still changes after {MAX_ROUNDS} rounds")


if __name__ == "__main__":
    main()
