"""Match report: the results of games and matches, in text and for JSON.

In text `±` is how far off a figure is at most in 95 of 100 cases; JSON has standard errors.
"""

from typing import Any

from bot.backgammon.arena.played_pair import KINDS_OF_WINS
from bot.backgammon.arena.tally import Tally
from bot.estimate import Estimate
from protocol.backgammon.formats.notation import play_text
from protocol.backgammon.formats.position_id import gnubg_id

FORFEITS_SHOWN = 5
"""Reasons given to people; programs get them all."""


def tally_values(tally: Tally) -> dict[str, Any]:
    """All figures of a tally by name, for programs."""
    seconds = tally.seconds_per_decision
    matches = {} if tally.length is None else {"matches_won": figures(tally.score)}
    return {
        "games": tally.games,
        "won": {kind: tally.won[level] for level, kind in KINDS_OF_WINS.items()},
        "lost": {kind: tally.lost[level] for level, kind in KINDS_OF_WINS.items()},
        **matches,
        "points_per_game": figures(tally.points_per_game),
        "samples": len(tally.samples),
        "unfinished": tally.unfinished,
        "forfeits": tally.forfeits,
        "rejected_plays": _rejected_plays(tally),
        "seconds_per_decision": seconds,
        "decisions_timed": len(tally.decision_seconds),
    }


def tally_text(tally: Tally) -> str:
    """All figures of a tally in a few lines, for people."""
    lines = [f"{'':14}{'single':>9}{'gammon':>9}{'backgammon':>12}{'games':>9}"]
    for name, counts in (("won", tally.won), ("lost", tally.lost)):
        singles, gammons, backgammons = (counts[level] for level in KINDS_OF_WINS)
        lines.append(f"{name:14}{singles:9}{gammons:9}{backgammons:12}{counts.total():9}")
    if tally.length is not None:
        won = _estimate_text(tally.score, is_share=True)
        lines.append(f"{tally.length}-point matches won: {won}{_samples(tally)}")
    points = _estimate_text(tally.points_per_game)
    lines.append(f"points per game: {points}{_samples(tally)}")
    if tally.unfinished:
        lines.append(f"unfinished: {tally.unfinished}, with their pairs not in these figures")
    if tally.forfeits:
        lines.append(f"forfeited, as single games: {len(tally.forfeits)}")
        lines.extend(f"forfeit: {reason}" for reason in tally.forfeits[:FORFEITS_SHOWN])
    lines.extend(f"rejected play: {play}" for play in _rejected_plays(tally))
    seconds = tally.seconds_per_decision
    if seconds is not None:
        lines.append(f"our time per decision: {milliseconds(seconds)} ms (median)")
    return "\n".join(lines)


def milliseconds(seconds: float) -> str:
    """Seconds as milliseconds: three digits, or all of a whole number."""
    thousandths = 1000 * seconds
    return f"{thousandths:.3g}" if thousandths < 999.5 else f"{thousandths:,.0f}"


def standing_text(tally: Tally) -> str:
    """The standing so far, in a few words; our decisions until something is finished."""
    score = tally.score
    if score is None:
        count = len(tally.decision_seconds)
        return f"{count} decision{'s' * (count != 1)}"
    return f"{score.text_95} points per game" if tally.length is None else f"{score.percent_95} won"


def figures(found: Estimate | None) -> dict[str, float | None] | None:
    """A mean and its standard error by name, for programs."""
    return None if found is None else {"mean": found.mean, "standard_error": found.error}


def _rejected_plays(tally: Tally) -> list[str]:
    """Each play that the other side did not accept, and the ID of where it was asked."""
    return [
        f"{play_text(play, request.state.position)} at {gnubg_id(request)}"
        for request, play in tally.rejected_plays
    ]


def _samples(tally: Tally) -> str:
    """Number of samples that the figures stand on."""
    number = len(tally.samples)
    return f" (95 %, {number} sample{'s' * (number != 1)})" if number else ""


def _estimate_text(found: Estimate | None, *, is_share: bool = False) -> str:
    if found is None:
        return "none finished"
    return found.percent_95 if is_share else found.text_95
