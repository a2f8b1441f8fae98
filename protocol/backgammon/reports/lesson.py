"""Lesson: what a choice gave away, what was better, and why, in figures."""

from collections.abc import Iterator

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict, Verdict
from bot.backgammon.engine.match_statistics import PlayerStatistics, Skill, rating_word
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import Candidate, CubeAction, DoubleAnswer
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.shots import shots
from protocol.backgammon.formats.analysis_lines import answer_text, mark_text
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.reports.cube import answer_lines, answer_rows, cube_lines

TITLES = ("equity", "win %", "gammons", "lost", "shots")
WIDTH = 24
ACTS = {
    CubeAction.ROLL: "Not to double",
    CubeAction.DOUBLE: "To double",
    DoubleAnswer.TAKE: "To take",
    DoubleAnswer.DROP: "To drop",
    DoubleAnswer.BEAVER: "To beaver",
}


def lesson_lines(choice: Choice, verdict: Verdict) -> list[str]:
    """The loss, the better choice, and figures of both; at most 80 columns."""
    lost = f"loses {verdict.loss:.3f}"
    if choice.request.state.score:
        lost += f", {100 * verdict.loss * verdict.stake:.2f} % of the match"
    mark = mark_text(Skill.of(verdict.loss))
    lost += f": {mark}." if mark else "."
    if isinstance(verdict, CubeVerdict):
        rows = (
            cube_lines(verdict.evaluation)
            if isinstance(verdict.answer, CubeAction)
            else answer_lines(answer_rows(verdict.evaluation))
        )
        return [f"{ACTS[verdict.answer]} {lost}", *rows]
    position = choice.request.state.position
    return [
        f"{answer_text(choice)} {lost}",
        *_play_lines(verdict, position),
        "Gammons and lost ones in percent; shots: rolls of 36 that hit.",
    ]


def summary_text(whose: str, player: PlayerStatistics) -> str:
    """A player's errors in a game and the luck of the rolls, in a line or two."""
    marks = {mark: player.marks[mark] + player.cube_marks[mark] for mark in Skill}
    told = ", ".join(
        f"{marks[mark]} {mark_text(mark)}" for mark in (Skill.DOUBTFUL, Skill.BAD, Skill.VERY_BAD)
    )
    rate = "none" if player.rate is None else f"{1000 * player.rate:.1f} mEMG each"
    return (
        f"{whose} {player.decisions} decision{'s' * (player.decisions != 1)}: {told};\n"
        f"{player.lost.equity:.3f} lost, {rate}, {rating_word(player.rate)}; "
        f"luck {player.rolls.equity:+.3f}."
    )


def _play_lines(verdict: PlayVerdict, position: Position) -> Iterator[str]:
    """The best play and the one that was made, with their figures."""
    yield f"{'':{WIDTH}}" + "".join(f"{title:>9}" for title in TITLES)
    played = verdict.played
    for row in (verdict.candidates[0], *([played] if played else [])):
        yield _row_text(row, position)


def _row_text(row: Candidate, position: Position) -> str:
    chances = row.chances
    figures = (
        f"{row.equity:+.3f}",
        *(f"{100 * each:.1f}" for each in (chances.win, chances.win_gammon, chances.lose_gammon)),
        str(shots(turned(row.play.after))) if row.play.after.checkers else "0",
    )
    name = short_play_text(row.play, position)
    return f"{name:{WIDTH}}" + "".join(f"{figure:>9}" for figure in figures)
