"""Agreement report: two analyses of a match side by side, and who was right where they differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.backgammon.engine.agreement import Best, Opinions, Ruling, best_of, opinions_of
from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.engine.match_statistics import PlayerStatistics, statistics_of
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.play import CheckerPlay
from bot.estimate import Estimate
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.position_id import gnubg_id
from protocol.backgammon.reports.analysis import MatchAnalysis, cube_text, plain, rate_text

if TYPE_CHECKING:
    from rich.table import Table

DIGITS = 5
RATES = ("play_rate", "cube_rate", "rate")
RATE_TITLES = ("mEMG a play", "mEMG a cube choice", "mEMG a decision")


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Two analyses of a match, and the choices that they dispute, with what rollouts say of them.

    threshold: equity that both must say the other's choice loses, for a dispute.
    """

    first: MatchAnalysis
    second: MatchAnalysis
    disputes: Sequence[Opinions]
    rulings: Sequence[Ruling]
    threshold: float

    @property
    def opinions(self) -> list[Opinions]:
        """The choices that both judged."""
        return opinions_of(self.first.judged, self.second.judged)

    @property
    def names(self) -> tuple[str, str]:
        """The two analysts."""
        return self.first.by, self.second.by

    @property
    def players(self) -> list[tuple[PlayerStatistics, PlayerStatistics]]:
        """Each player's statistics by both, of the choices that both judged."""
        opinions = self.opinions
        first = statistics_of(_judged(opinions, is_first=True))
        second = statistics_of(_judged(opinions, is_first=False))
        return list(zip(first, second, strict=True))

    @property
    def edge(self) -> Estimate | None:
        """Mean edge of the first one's disputed choices; None if there are none."""
        count = len(self.rulings)
        if not count:
            return None
        error = sum(each.error**2 for each in self.rulings) ** 0.5 / count
        return Estimate(sum(each.edge for each in self.rulings) / count, error)

    @property
    def right(self) -> tuple[int, int, int]:
        """Counts of choices where the first is right, the second, and where it stays open."""
        said = [each.right for each in self.rulings]
        return said.count(0), said.count(1), said.count(None)


def agreement_values(report: AgreementReport) -> dict[str, Any]:
    """The report for programs; rates and edges in equity."""
    edge = report.edge
    return {
        "analysts": list(report.names),
        "choices": len(report.opinions),
        **{
            name: {"count": len(found), "same": _same(found)}
            for name, found in zip(("plays", "cube"), _kinds(report.opinions), strict=True)
        },
        "players": [
            {"player": name}
            | {rate: [_rounded(getattr(one, rate)) for one in both] for rate in RATES}
            for name, both in zip(report.first.match.players, report.players, strict=True)
        ],
        "threshold": report.threshold,
        "disputed": [
            dispute_values(opinions)
            | {
                "edge": _rounded(ruling.edge),
                "error": _rounded(ruling.error),
                "trials": ruling.trials,
                "right": None if ruling.right is None else report.names[ruling.right],
            }
            for opinions, ruling in zip(report.disputes, report.rulings, strict=True)
        ],
        "right": dict(zip(("first", "second", "open"), report.right, strict=True)),
        "edge": edge and [_rounded(edge.mean), _rounded(edge.error)],
    }


def dispute_values(opinions: Opinions) -> dict[str, Any]:
    """The disputed choice, both best ones, and what each says that the other's loses."""
    choice = opinions.choice
    return {
        "game": choice.game,
        "move": choice.move,
        "seat": choice.seat,
        "id": gnubg_id(choice.request),
        "best": [_text(best_of(one), choice) for one in (opinions.first, opinions.second)],
        "losses": [_rounded(loss) for loss in opinions.losses],
    }


def agreement_lines(report: AgreementReport) -> list[str]:
    """The sentences on how often both would choose the same, and who was right elsewhere."""
    plays, cube = _kinds(report.opinions)
    lines = [
        f"The same best play in {_share(plays)} unforced plays, "
        f"the same action in {_share(cube)} choices with the cube."
    ]
    count = len(report.disputes)
    said = f"{report.threshold:g} of equity"
    if count == 0:
        return [*lines, f"No choice is disputed by more than {said}."]
    first, second, neither = report.right
    one, other = report.names
    return [
        *lines,
        f"{count} disputed by more than {said}, rolled out: {one} is right in {first}, {other} in "
        f"{second}, open {neither};",
        f"on average the choices of {one} are worth {report.edge} more than the other ones.",
    ]


def rates_table(report: AgreementReport) -> "Table":
    """Error rates of both players by both analysts, and how far they are apart."""
    from rich.table import Table

    table = Table(title="Two analysts")
    for title in ("player", "", *report.names, "apart"):
        table.add_column(plain(title), justify="left" if title in ("player", "") else "right")
    for name, both in zip(report.first.match.players, report.players, strict=True):
        for title, rate in zip(RATE_TITLES, RATES, strict=True):
            one, other = (getattr(each, rate) for each in both)
            apart = None if one is None or other is None else one - other
            table.add_row(plain(name), title, rate_text(one), rate_text(other), rate_text(apart))
    return table


def disputes_table(report: AgreementReport) -> "Table":
    """The disputed choices: what each analyst would do, and what the rollout says."""
    from rich.table import Table

    table = Table(title="Disputed choices, rolled out")
    for title in ("game", "move", "player", "roll", *report.names, "edge of the first", "right"):
        table.add_column(plain(title))
    for opinions, ruling in zip(report.disputes, report.rulings, strict=True):
        choice, right = opinions.choice, ruling.right
        roll = choice.request.roll if isinstance(choice.request, ChooseCheckerPlay) else None
        cells = (
            str(choice.game),
            str(choice.move),
            report.first.match.players[choice.seat],
            f"{roll.high}{roll.low}" if roll else "",
            *(_text(best_of(one), choice) for one in (opinions.first, opinions.second)),
            f"{ruling.edge:+.3f} ± {ruling.error:.3f}",
            "open" if right is None else report.names[right],
        )
        table.add_row(*map(plain, cells))
    return table


def _judged(opinions: Sequence[Opinions], *, is_first: bool) -> list[tuple[Choice, Verdict]]:
    return [(one.choice, one.first if is_first else one.second) for one in opinions]


def _kinds(opinions: Sequence[Opinions]) -> tuple[list[Opinions], list[Opinions]]:
    """The unforced plays, and the choices with the cube that are close to either."""
    return [one for one in opinions if one.is_play], [one for one in opinions if one.is_cube]


def _same(opinions: Sequence[Opinions]) -> int:
    return sum(one.is_same for one in opinions)


def _share(opinions: Sequence[Opinions]) -> str:
    count, same = len(opinions), _same(opinions)
    return f"{same} of {count} ({100 * same / count:.1f} %)" if count else "0 of 0"


def _text(best: Best, choice: Choice) -> str:
    if isinstance(best, CheckerPlay):
        return short_play_text(best, choice.request.state.position)
    return cube_text(best.value)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)
