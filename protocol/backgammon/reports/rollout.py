"""Rollout report: what playing positions out has shown, in text and for JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.backgammon.engine.rollout import RolloutSettings
from bot.backgammon.engine.rollout_result import CubefulRollout, Rollout
from bot.backgammon.rules.decision import CubeRating
from protocol.backgammon.reports.hint import CHANCE_TITLES, PLAY_WIDTH

DIGITS = 5
NAME_WIDTH = 12


@dataclass(frozen=True, slots=True)
class RolledOutPlay:
    """A play in text, none for the position itself, and what the mover has after it."""

    text: str | None
    rollout: Rollout | CubefulRollout


@dataclass(frozen=True, slots=True)
class RolledOutCube:
    """A cube decision: what the player on roll has if he rolls, and after a double and take."""

    no_double: CubefulRollout
    double_take: CubefulRollout

    @property
    def rating(self) -> CubeRating:
        """What both sides should do follows from it; a drop is worth just what it says."""
        mwc = None
        if self.no_double.mwc is not None and self.double_take.mwc is not None:
            dropped = 0.5 + 0.5 * self.no_double.won
            mwc = (self.no_double.mwc, self.double_take.mwc, dropped)
        return CubeRating(self.no_double.equity, self.double_take.equity, 1.0, mwc)

    @property
    def margin(self) -> tuple[float, float]:
        """By how much doubling is right, below 0 if it is wrong, and its standard error."""
        rated = self.rating
        if rated.double_take <= rated.double_drop:
            error = self.double_take.loss_error(self.no_double)
            return rated.double_take - rated.no_double, error
        return rated.double_drop - rated.no_double, self.no_double.equity_error

    @property
    def take_margin(self) -> tuple[float, float]:
        """By how much taking is right, below 0 if it is wrong, and its standard error."""
        return 1.0 - self.double_take.equity, self.double_take.equity_error


Known = Sequence[RolledOutPlay] | RolledOutCube
"""What a rollout has shown; no plays if there are none."""


def trials_of(known: Known) -> int:
    """Games played of each play or action."""
    if isinstance(known, RolledOutCube):
        return known.no_double.trials
    return known[0].rollout.trials if known else 0


def known_lines(known: Known, settings: RolloutSettings) -> list[str]:
    """What has been shown, in at most 80 columns."""
    if isinstance(known, RolledOutCube):
        return cube_rollout_lines(known, settings)
    return rollout_lines(known, settings)


def known_values(known: Known, settings: RolloutSettings) -> dict[str, Any]:
    """The same for a program."""
    if isinstance(known, RolledOutCube):
        return cube_rollout_values(known, settings)
    return rollout_values(known, settings)


def ranked(
    texts: Sequence[str | None], rollouts: Sequence[Rollout | CubefulRollout]
) -> list[RolledOutPlay]:
    """The plays with their rollouts, the best first."""
    plays = [RolledOutPlay(text, each) for text, each in zip(texts, rollouts, strict=True)]
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


def cube_rollout_lines(cube: RolledOutCube, settings: RolloutSettings) -> list[str]:
    """A table of at most 80 columns: each action's equity, and what comes of it; what is right.

    Points at the cube before a double; in a match equity as in RatedPlay, and match-winning chance.
    """
    rating = cube.rating
    is_match = rating.mwc is not None
    mwc_title = "  mwc %" if is_match else ""
    titles = "".join(f"{title:>6}" for title in CHANCE_TITLES)
    lines = [f"{'':{NAME_WIDTH}} {'EMG' if is_match else 'points':>7}{mwc_title}{titles}"]
    for name, rollout in (("No double", cube.no_double), ("Double, take", cube.double_take)):
        mwcs = ["", ""]
        if rollout.mwc is not None and rollout.mwc_error is not None:
            mwcs = [f"{100 * rollout.mwc:7.2f}", f"{100 * rollout.mwc_error:7.2f}"]
        chances = _percentages(asdict(rollout.chances).values())
        errors = _percentages(rollout.chance_errors)
        lines.append(f"{name:<{NAME_WIDTH}} {rollout.equity:+7.3f}{mwcs[0]}{chances}")
        lines.append(f"{'±':>{NAME_WIDTH}} {rollout.equity_error:7.3f}{mwcs[1]}{errors}")
    dropped = f"{100 * rating.mwc[2]:7.2f}" if rating.mwc else ""
    lines.append(f"{'Double, drop':<{NAME_WIDTH}} {rating.double_drop:+7.3f}{dropped}")
    doubled = _margin_text(cube.margin)
    taken = _margin_text(cube.take_margin)
    act = "Not to double" if cube.margin[0] >= 0 else "To double"
    answer = "to drop" if cube.take_margin[0] >= 0 else "to take"
    return [
        *lines,
        f"Proper action: {rating.proper.value}.",
        f"{act} loses {doubled}, {answer} a double {taken}.",
        terms_text(cube.no_double.trials, settings),
    ]


def _margin_text(margin: tuple[float, float]) -> str:
    return f"{abs(margin[0]):.3f} ± {margin[1]:.3f}"


def terms_text(trials: int, settings: RolloutSettings) -> str:
    """How it was rolled out, in words."""
    end = "to the end" if settings.truncate is None else f"cut off after {settings.truncate} plies"
    luck = "" if settings.is_reduced else ", luck left in"
    return (
        f"{trials:,} trials {end}, {settings.ply}-ply, seed {settings.seed}{luck}; ± standard error"
    )


def rollout_values(plays: Sequence[RolledOutPlay], settings: RolloutSettings) -> dict[str, Any]:
    """The same for a program: plays with equity, loss, chances and the error of each."""
    values = _terms(trials_of(plays), settings)
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


def cube_rollout_values(cube: RolledOutCube, settings: RolloutSettings) -> dict[str, Any]:
    """The same for a program: equities of the actions with errors, and what is right by how much.

    double_loss, take_loss: what not to double, or to drop, gives away; below 0 if it is right.
    """
    rating = cube.rating
    drop = {"equity": rating.double_drop}
    if rating.mwc is not None:
        drop["mwc"] = round(rating.mwc[2], DIGITS)
    losses: dict[str, float] = {}
    for name, (margin, error) in (("double", cube.margin), ("take", cube.take_margin)):
        losses |= {
            f"{name}_loss": round(margin, DIGITS),
            f"{name}_loss_error": round(error, DIGITS),
        }
    return {
        **_terms(cube.no_double.trials, settings),
        "cube": {
            "no_double": _rating(cube.no_double),
            "double_take": _rating(cube.double_take),
            "double_drop": drop,
            "proper_action": rating.proper.value,
            **losses,
        },
    }


def standing_text(known: Known) -> str:
    """What is known so far, in a few words."""
    if isinstance(known, RolledOutCube):
        return f"{known.rating.proper.value}, {_margin_text(known.margin)}"
    best = known[0]
    found = f"{best.rollout.equity:+.3f} ± {best.rollout.equity_error:.3f}"
    return found if best.text is None else f"{best.text} {found}"


def _terms(trials: int, settings: RolloutSettings) -> dict[str, Any]:
    return {
        "trials": trials,
        "truncate": settings.truncate,
        "ply": settings.ply,
        "seed": settings.seed,
        "variance_reduction": settings.is_reduced,
    }


def _rating(rollout: Rollout | CubefulRollout) -> dict[str, Any]:
    names = asdict(rollout.chances)
    mwc = {}
    if (
        isinstance(rollout, CubefulRollout)
        and rollout.mwc is not None
        and rollout.mwc_error is not None
    ):
        mwc = {"mwc": round(rollout.mwc, DIGITS), "mwc_error": round(rollout.mwc_error, DIGITS)}
    return {
        "equity": round(rollout.equity, DIGITS),
        "equity_error": round(rollout.equity_error, DIGITS),
        **mwc,
        "chances": {name: round(chance, DIGITS) for name, chance in names.items()},
        "chance_errors": {
            name: round(error, DIGITS)
            for name, error in zip(names, rollout.chance_errors, strict=True)
        },
    }


def _percentages(chances: Iterable[float]) -> str:
    rounded = (round(100 * chance, 1) + 0.0 for chance in chances)  # a zero without a sign
    return "".join(f"{chance:6.1f}" for chance in rounded)
