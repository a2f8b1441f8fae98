"""Analysis report: the statistics of both players and their worst choices, for people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.backgammon.engine.analysis import PlayVerdict, Verdict
from bot.backgammon.engine.match_statistics import (
    Amount,
    CubeError,
    Fortune,
    PlayerStatistics,
    Skill,
    rating_word,
    statistics_of,
    won_of,
)
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.formats.analysis_lines import answer_text, mark_text, verdict_mark
from protocol.backgammon.formats.notation import short_play_text
from protocol.encoding import shown

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

Judged = Sequence[tuple[Choice, Verdict]]
Row = tuple[str, str, str]

MARKS = {Skill.NONE: "unmarked", Skill.DOUBTFUL: "doubtful", Skill.BAD: "bad"}
MARKS[Skill.VERY_BAD] = "very bad"


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """An analysed match: the record, the verdict on each choice, by whom, and match equities."""

    match: MatchRecord
    judged: Judged
    by: str
    met: MatchEquityTable | None = None

    @property
    def players(self) -> tuple[PlayerStatistics, ...]:
        """The statistics of both players."""
        return statistics_of(self.judged)

    @property
    def won(self) -> float | None:
        """Seat 0's gain from the finished games; see won_of."""
        return won_of(self.match.rules, self.match.games, self.met)

    @property
    def won_by_skill(self) -> float | None:
        """Seat 0's gain with the luck of both taken out; None without a result."""
        first, second = (player.rolls.cost for player in self.players)
        return None if self.won is None else self.won - first + second

    @property
    def is_money(self) -> bool:
        """Whether points are won, not a match."""
        return self.match.rules.length is None

    def worst(self, count: int) -> list[tuple[Choice, Verdict]]:
        """The choices that gave most away, the worst first."""
        wrong = [one for one in self.judged if one[1].loss > 0]
        return sorted(wrong, key=lambda one: -one[1].loss)[:count]


def statistics_rows(analysis: MatchAnalysis) -> Iterator[Row]:
    """The rows of both players' statistics, a title alone where a section begins."""
    players, money = analysis.players, analysis.is_money

    def row(title: str, *cells: object) -> Row:
        first, second = map(str, cells)
        return title, first, second

    def amounts(title: str, *found: Amount) -> Row:
        return row(title, *(_amount_text(each, money) for each in found))

    def errors(kind: CubeError) -> Row:
        found = [each.cube_errors[kind] for each in players]
        return row(
            kind.value,
            *(f"{each.count}: {_amount_text(each, money)}" if each.count else 0 for each in found),
        )

    yield row("Checker play", "", "")
    yield row("moves", *(each.moves for each in players))
    yield row("unforced moves", *(each.plays.count for each in players))
    for mark, word in MARKS.items():
        yield row(f"moves {word}", *(each.marks[mark] for each in players))
    yield row("good plays", *(each.good for each in players))
    yield amounts("lost by plays", *(each.plays for each in players))
    yield row("error rate (mEMG)", *(rate_text(each.play_rate) for each in players))
    yield row("rating", *(rating_word(each.play_rate) for each in players))
    yield row("Cube", "", "")
    yield row("decisions", *(each.cube_choices for each in players))
    yield row("close or actual ones", *(each.close_choices for each in players))
    for action, word in (
        (CubeAction.DOUBLE, "doubles"),
        (DoubleAnswer.TAKE, "takes"),
        (DoubleAnswer.DROP, "drops"),
        (DoubleAnswer.BEAVER, "beavers"),
    ):
        if action is not DoubleAnswer.BEAVER or any(each.actions[action] for each in players):
            yield row(word, *(each.actions[action] for each in players))
    for kind in CubeError:
        yield errors(kind)
    yield amounts("lost with the cube", *(each.cube for each in players))
    yield row("error rate (mEMG)", *(rate_text(each.cube_rate) for each in players))
    yield row("rating", *(rating_word(each.cube_rate) for each in players))
    yield row("Luck", "", "")
    for fortune in Fortune:
        word = mark_text(fortune) or "unmarked"
        yield row(f"rolls {word}", *(each.fortunes[fortune] for each in players))
    yield amounts("luck", *(each.rolls for each in players))
    yield row("Overall", "", "")
    yield amounts("lost", *(each.lost for each in players))
    yield row("error rate (mEMG)", *(rate_text(each.rate) for each in players))
    yield row("PR", *(_number(each.performance_rating, "{:.2f}") for each in players))
    yield row("rating", *(rating_word(each.rate) for each in players))
    if analysis.won is not None and analysis.won_by_skill is not None:
        for title, won in (("result", analysis.won), ("without luck", analysis.won_by_skill)):
            yield row(title, *(_cost_text(each, money) for each in (won, -won)))


def statistics_table(analysis: MatchAnalysis) -> "Table":
    """The statistics as a table."""
    from rich.table import Table

    unit = "points" if analysis.is_money else "match-winning chance"
    title = f"Analysis by {analysis.by}; equity (EMG) and {unit}"
    table = Table(title=plain(title, "table.title"))
    table.add_column("")
    for name in analysis.match.players:
        table.add_column(plain(name), justify="right")
    for place, (title, *cells) in enumerate(statistics_rows(analysis)):
        if cells == ["", ""]:
            if place:
                table.add_section()
            table.add_row(f"[bold]{title}[/bold]")
        else:
            table.add_row(f"  {title}", *cells)
    return table


def worst_table(analysis: MatchAnalysis, count: int) -> "Table":
    """The choices that gave most away, and what was better."""
    from rich.table import Table

    table = Table(title="The worst choices")
    for title in ("game", "move", "player", "roll", "choice", "better", "lost", ""):
        table.add_column(title, justify="right" if title in ("game", "move", "lost") else "left")
    for choice, verdict in analysis.worst(count):
        table.add_row(*map(plain, choice_cells(analysis, choice, verdict)))
    return table


def choice_cells(analysis: MatchAnalysis, choice: Choice, verdict: Verdict) -> tuple[str, ...]:
    """Game, move, player, roll, choice, what was better, equity lost and the mark on it."""
    is_play = isinstance(verdict, PlayVerdict)
    roll = getattr(choice.request, "roll", None)
    return (
        str(choice.game),
        str(choice.move),
        analysis.match.players[choice.seat],
        f"{roll.high}{roll.low}" if roll else "",
        answer_text(choice) if is_play else cube_text(answer_text(choice)),
        better_text(choice, verdict),
        f"{verdict.loss:.3f}",
        verdict_mark(verdict),
    )


def better_text(choice: Choice, verdict: Verdict) -> str:
    """The best play, or the best actions of both sides."""
    if isinstance(verdict, PlayVerdict):
        position = choice.request.state.position
        return short_play_text(verdict.candidates[0].play, position) if verdict.candidates else ""
    return verdict.evaluation.proper.value


def summary_values(analysis: MatchAnalysis) -> dict[str, Any]:
    """The statistics of both players for programs; costs in points, in a match chances to win."""
    return {
        "by": analysis.by,
        "length": analysis.match.rules.length,
        "players": [
            {"player": name, **_player_values(player)}
            for name, player in zip(analysis.match.players, analysis.players, strict=True)
        ],
        "won": _rounded(analysis.won),
        "won_by_skill": _rounded(analysis.won_by_skill),
    }


def _player_values(player: PlayerStatistics) -> dict[str, Any]:
    return {
        "moves": player.moves,
        "unforced_moves": player.plays.count,
        "marks": {mark.replace(" ", "_"): player.marks[skill] for skill, mark in MARKS.items()},
        "good_plays": player.good,
        "plays": _amount_values(player.plays),
        "cube_decisions": player.cube_choices,
        "close_cube_decisions": player.close_choices,
        "actions": {action.value: count for action, count in player.actions.items()},
        "cube_errors": {
            kind.name.lower(): _amount_values(player.cube_errors[kind]) for kind in CubeError
        },
        "cube": _amount_values(player.cube),
        "luck": _amount_values(player.rolls),
        "rolls": {fortune.name.lower(): player.fortunes[fortune] for fortune in Fortune},
        "lost": _amount_values(player.lost),
        "play_rate": _rounded(player.play_rate),
        "cube_rate": _rounded(player.cube_rate),
        "rate": _rounded(player.rate),
        "pr": _rounded(player.performance_rating),
        "rating": rating_word(player.rate),
    }


def _amount_values(amount: Amount) -> dict[str, float]:
    return {
        "count": amount.count,
        "equity": round(amount.equity, 6),
        "cost": round(amount.cost, 8),
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 6)


def _amount_text(amount: Amount, money: bool) -> str:
    return f"{amount.equity:z.3f} ({_cost_text(amount.cost, money)})"


def _cost_text(cost: float, money: bool) -> str:
    return f"{cost:z.3f}" if money else f"{100 * cost:z.2f} %"  # z: a zero without a sign


def rate_text(rate: float | None) -> str:
    """An error rate in thousandths, n/a for none."""
    return _number(None if rate is None else 1000 * rate, "{:z.1f}")


def _number(number: float | None, form: str) -> str:
    return "n/a" if number is None else form.format(number)


def cube_text(word: str) -> str:
    """A word for an action or answer, as people say it."""
    return "no double" if word == CubeAction.ROLL.value else word


def plain(text: str, style: str = "") -> "Text":
    """Text for a table: nothing in it is markup, commands the terminal, or tears a cell apart."""
    from rich.text import Text

    return Text(shown(text).replace("\t", " "), style)
