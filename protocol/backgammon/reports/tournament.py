"""Tournament report: standings of duels, as text, as values for --json, and as a cross table."""

from typing import Any

from bot.backgammon.arena.played_pair import Fault, PlayedPair
from bot.backgammon.arena.standing import Standing
from bot.backgammon.arena.tournament import Plan, Tournament
from bot.estimate import NORMAL_95, Estimate
from protocol.backgammon.reports.analysis import plain
from protocol.backgammon.reports.match import (
    figures,
    milliseconds,
    tally_text,
    tally_values,
)

Values = dict[str, Any]


def progress_text(tournament: Tournament) -> str:
    """The standing in a few words: the only duel, or how many of several are done."""
    plan, standings = tournament.plan, tournament.standings
    if len(standings) > 1:
        texts = []
        for (one, other), standing in zip(plan.duels, standings, strict=True):
            names = plan.entrants[one].name, plan.entrants[other].name
            texts.append(f"{'-'.join(names)} {_score_95(standing)}")
        return ", ".join(texts)
    (standing,) = standings
    tally = standing.tally
    won, lost = (
        "/".join(str(each[kind]) for kind in (1, 2, 3)) for each in (tally.won, tally.lost)
    )
    parts = [f"{_score_95(standing)} (95 %)", f"won {won}, lost {lost}"]
    if standing.test is not None:
        parts.append(f"LLR {standing.test.llr:+.2f}")
    means = [_ms(*thought) for thought in tournament.thought[0]]
    return ", ".join([*parts, f"{' and '.join(means)} ms per decision"])


def duel_text(tournament: Tournament, duel: int) -> str:
    """All that is known of a duel, in some lines, the last of them to be pasted anywhere."""
    plan, standing = tournament.plan, tournament.standings[duel]
    names = [entrant.name for entrant in plan.seats(duel)]
    lines = [f"{names[0]} against {names[1]}, {plan.match_format}", tally_text(standing.tally)]
    if standing.adjusted is not None:
        lines.append(f"less the luck of the dice: {_result_95(standing, standing.adjusted)} (95 %)")
    if standing.test is not None and standing.unbiased is not None:
        end = "not decided" if not standing.is_decided else "decided"
        told = f"{end}, {standing.test.likelier_text}"
        if standing.is_decided:
            mean = standing.unbiased.mean
            unbiased = f"{100 * mean:.1f} %" if standing.tally.length else f"{mean:+.3f}"
            told += f"; {unbiased} is the result that stopping early has not exaggerated"
        lines.append(f"sequential test: {told}")
    for player, name in enumerate(names):
        failed = [fault for fault in standing.faults if fault.player == player]
        if failed:
            games = f"{len(failed)} game{'s' * (len(failed) != 1)}"
            lines.append(f"{name} lost {games} by failing, the last one: {failed[-1].reason}")
    times = [_ms(*thought) for thought in tournament.thought[duel]]
    lines.append(f"ms per decision: {names[0]} {times[0]}, {names[1]} {times[1]}")
    lines.append(one_line(standing))
    return "\n".join(lines)


def one_line(standing: Standing) -> str:
    """The result in one line, to be pasted into a commit."""
    parts = []
    if standing.test is not None:
        bounds = standing.test.bounds
        parts.append(f"LLR {standing.test.llr:+.2f} ({bounds.low:g} to {bounds.high:g})")
    pairs = standing.pairs
    parts += [f"{pairs} pair{'s' * (pairs != 1)}", f"{_score_95(standing)} (95 %)"]
    if standing.adjusted is not None:
        parts.append(f"{_text_95(standing, standing.adjusted)} less luck")
    rating = standing.rating_difference
    if rating is not None:
        length = standing.tally.length or 1
        error = "unknown" if rating.error is None else f"{NORMAL_95 * rating.error:.0f}"
        parts.append(f"FIBS rating {round(rating.mean):+} ± {error} ({length}-point matches)")
    return ", ".join(parts)


def cross_table(tournament: Tournament) -> Any:
    """A table of each player's results against each other one, the first named by the row."""
    from rich.table import Table

    plan = tournament.plan
    is_money = plan.match_format.length is None
    what = "points per game" if is_money else "matches won"
    table = Table(title=f"{what} ± 95 %")
    table.add_column("")
    names = [entrant.name for entrant in plan.entrants]
    for name in names:
        table.add_column(plain(name), justify="right")
    cells = {}
    for (one, other), standing in zip(plan.duels, tournament.standings, strict=True):
        score = standing.tally.score
        if score is not None:
            cells[one, other] = _text_95(standing, score)
            turned = 2 * standing.even - score.mean
            cells[other, one] = _text_95(standing, Estimate(turned, score.error))
    for row, name in enumerate(names):
        table.add_row(plain(name), *(cells.get((row, column), "") for column in range(len(names))))
    return table


def duel_values(tournament: Tournament, duel: int) -> Values:
    """All figures of a duel by name, for programs."""
    standing = tournament.standings[duel]
    test = standing.test
    return {
        "players": [entrant.name for entrant in tournament.plan.seats(duel)],
        "pairs": standing.pairs,
        **tally_values(standing.tally),
        "luck_adjusted": figures(standing.adjusted),
        "llr": None if test is None else test.llr,
        "is_decided": None if test is None else test.is_over,
        "median_unbiased": figures(standing.unbiased),
        "rating_difference": figures(standing.rating_difference),
        "decisions_and_seconds": tournament.thought[duel],
        "line": one_line(standing),
    }


def pair_values(plan: Plan, duel: int, pair: PlayedPair) -> list[Values]:
    """The events of a pair that was played: its faults, and its results."""
    names = [entrant.name for entrant in plan.seats(duel)]
    games = [[game.result.points for game in contest] for contest in pair.contests]
    lucks = [[game.luck for game in contest] for contest in pair.contests]
    about = {"players": names, "pair": pair.number}
    played = {"event": "pair", **about, "points": games, "unfinished": pair.unfinished}
    if plan.meter is not None:
        played["luck"] = lucks
    return [*(fault_values(about, names, fault) for fault in pair.faults), played]


def fault_values(about: Values, names: list[str], fault: Fault) -> Values:
    """The event of a game lost by a player that failed."""
    said = {"player": names[fault.player], "reason": fault.reason, "transcript": fault.transcript}
    return {"event": "fault", **about, **said}


def _score_95(standing: Standing) -> str:
    """The raw result, and what it is of."""
    return _result_95(standing, standing.tally.score)


def _result_95(standing: Standing, found: Estimate | None) -> str:
    """A result, raw or not, and what it is of."""
    is_money = standing.tally.length is None
    what = "points per game" if is_money else "of the matches"
    if found is None:
        return f"nothing known of {what}"
    text = _text_95(standing, found)
    return f"{what} {text}" if is_money else f"{text} {what}"


def _text_95(standing: Standing, found: Estimate) -> str:
    """Points per game, or the matches won in per cent."""
    return found.text_95 if standing.tally.length is None else found.percent_95


def _ms(decisions: int, seconds: float) -> str:
    return milliseconds(seconds / decisions) if decisions else "?"
