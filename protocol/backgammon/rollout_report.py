"""Rollout report: what playing positions out has shown, in text and for JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.backgammon.rollout import Rollout, RolloutSettings
from protocol.backgammon.hint import CHANCE_TITLES, PLAY_WIDTH

DIGITS = 5


@dataclass(frozen=True, slots=True)
class RolledOutPlay:
    """A play in text, none for the position itself, and what the mover has after it."""

    text: str | None
    rollout: Rollout


def ranked(texts: Sequence[str | None], rollouts: Sequence[Rollout]) -> list[RolledOutPlay]:
    """The plays with their rollouts, the best first."""
    plays = [RolledOutPlay(*each) for each in zip(texts, rollouts, strict=True)]
    return sorted(plays, key=lambda play: -play.rollout.equity)


def rollout_lines(plays: Sequence[RolledOutPlay], settings: RolloutSettings) -> list[str]:
    """A table of at most 80 columns: equity, loss and chances in percent, errors below each."""
    titles = "".join(f"{title:>6}" for title in CHANCE_TITLES)
    if [play.text for play in plays] == [None]:
        lines = [f"{'':3} equity{titles}"]
    else:
        width = max(PLAY_WIDTH, *(len(play.text or "") for play in plays))
        lines = [f"{'':{width + 3}} equity   loss{titles}"]
    for number, play in enumerate(plays, start=1):
        rollout = play.rollout
        chances = _percentages(asdict(rollout.chances).values())
        errors = _percentages(rollout.chance_errors)
        if play.text is None:
            lines.append(f"{'':3}{rollout.equity:+7.3f}{chances}")
            lines.append(f"  ±{rollout.equity_error:7.3f}{errors}")
            continue
        best = plays[0].rollout
        loss = f"{rollout.equity - best.equity:+.3f}" if number > 1 else ""
        loss_error = f"{rollout.loss_error(best):.3f}" if number > 1 else ""
        lines.append(f"{number:>2} {play.text:<{width}}{rollout.equity:+7.3f}{loss:>7}{chances}")
        lines.append(f"{'±':>{width + 3}}{rollout.equity_error:7.3f}{loss_error:>7}{errors}")
    return [*lines, terms_text(plays[0].rollout.trials, settings)]


def terms_text(trials: int, settings: RolloutSettings) -> str:
    """How it was rolled out, in words."""
    end = "to the end" if settings.truncate is None else f"cut off after {settings.truncate} plies"
    luck = "" if settings.is_reduced else ", luck left in"
    return (
        f"{trials:,} trials {end}, {settings.ply}-ply, seed {settings.seed}{luck}; ± standard error"
    )


def rollout_values(plays: Sequence[RolledOutPlay], settings: RolloutSettings) -> dict[str, Any]:
    """The same for a program: plays with equity, loss, chances and the error of each."""
    values: dict[str, Any] = {
        "trials": plays[0].rollout.trials if plays else 0,
        "truncate": settings.truncate,
        "ply": settings.ply,
        "seed": settings.seed,
        "variance_reduction": settings.is_reduced,
    }
    if [play.text for play in plays] == [None]:
        return values | _rating(plays[0].rollout)
    return values | {
        "plays": [
            {
                "play": play.text,
                "loss": round(plays[0].rollout.equity - play.rollout.equity, DIGITS),
                "loss_error": round(play.rollout.loss_error(plays[0].rollout), DIGITS),
                **_rating(play.rollout),
            }
            for play in plays
        ]
    }


def standing_text(plays: Sequence[RolledOutPlay]) -> str:
    """What is known so far, in a few words."""
    best = plays[0]
    found = f"{best.rollout.equity:+.3f} ± {best.rollout.equity_error:.3f}"
    return found if best.text is None else f"{best.text} {found}"


def _rating(rollout: Rollout) -> dict[str, Any]:
    names = asdict(rollout.chances)
    return {
        "equity": round(rollout.equity, DIGITS),
        "equity_error": round(rollout.equity_error, DIGITS),
        "chances": {name: round(chance, DIGITS) for name, chance in names.items()},
        "chance_errors": {
            name: round(error, DIGITS)
            for name, error in zip(names, rollout.chance_errors, strict=True)
        },
    }


def _percentages(chances: Iterable[float]) -> str:
    rounded = (round(100 * chance, 1) + 0.0 for chance in chances)  # a zero without a sign
    return "".join(f"{chance:6.1f}" for chance in rounded)
