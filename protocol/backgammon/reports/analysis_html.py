"""Analysis page: an analysed match as one HTML file that needs nothing else."""

from collections.abc import Iterable
from html import escape

from bot.backgammon.engine.analysis import PlayVerdict, Verdict
from bot.backgammon.rules.choice import Choice
from protocol.backgammon.formats.analysis_lines import verdict_mark
from protocol.backgammon.formats.diagram import diagram
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.svg_board import BOARD_STYLE, picture_of, svg_board
from protocol.backgammon.reports.analysis import (
    MatchAnalysis,
    choice_cells,
    statistics_rows,
)
from protocol.backgammon.reports.cube import cube_lines

TITLES = ("game", "move", "player", "roll", "choice", "better", "lost", "")
VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'
STYLE = """
body { font: 15px sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 }
td, th { padding: .15em .7em; text-align: left } .n { text-align: right }
tr.section td { font-weight: bold; border-top: 1px solid #999 }
tr.doubtful { background: #fff7d6 } tr.bad { background: #ffe3c2 }
tr.very-bad { background: #ffcbc2 } tr.good { background: #dff2d8 }
main { overflow-x: auto }
pre { background: #f4f4f0; padding: .7em; overflow-x: auto; line-height: 1.15 }
@media (prefers-color-scheme: dark) { body { background: #1d1c1a; color: #ddd }
  tr.doubtful { background: #4a431f } tr.bad { background: #573a1d }
  tr.very-bad { background: #5e2b26 } tr.good { background: #24421c }
  pre { background: #2a2926 } }
"""


def page_text(analysis: MatchAnalysis, count: int) -> str:
    """The page: statistics, so many of the worst choices with their boards, and all choices."""
    first, second = map(escape, analysis.match.players)
    parts = [
        f"<h1>{first} - {second}</h1>",
        f"<p>Analysis by {escape(analysis.by)}. Losses are equity at the cube's value.</p>",
        _statistics(analysis),
        "<h2>The worst choices</h2>",
        *(_board(analysis, choice, verdict) for choice, verdict in analysis.worst(count)),
        "<h2>All choices</h2>",
        _choices(analysis, analysis.judged),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{VIEWPORT}\n'
        f"<title>{first} - {second}</title>\n<style>{STYLE}{BOARD_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(("<main>", *parts, "</main>"))
        + "\n</body>\n</html>\n"
    )


def _statistics(analysis: MatchAnalysis) -> str:
    first, second = map(escape, analysis.match.players)
    rows = [f'<tr><th></th><th class="n">{first}</th><th class="n">{second}</th></tr>']
    for title, one, other in statistics_rows(analysis):
        kind = ' class="section"' if (one, other) == ("", "") else ""
        unbroken = (escape(cell.replace(" %", "\u00a0%")) for cell in (one, other))
        cells = "".join(f'<td class="n">{cell}</td>' for cell in unbroken)
        rows.append(f"<tr{kind}><td>{escape(title)}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _choices(analysis: MatchAnalysis, judged: Iterable[tuple[Choice, Verdict]]) -> str:
    rows = ["<tr>" + "".join(f"<th>{title}</th>" for title in TITLES) + "</tr>"]
    for choice, verdict in judged:
        mark = verdict_mark(verdict)
        kind = f' class="{mark.replace(" ", "-")}"' if mark else ""
        cells = map(escape, choice_cells(analysis, choice, verdict))
        rows.append(f"<tr{kind}>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f"<table>{''.join(rows)}</table>"


def _board(analysis: MatchAnalysis, choice: Choice, verdict: Verdict) -> str:
    """A board with what was chosen there, and what there was to choose from.

    Whoever is on roll sits at the bottom, so that the points have the numbers that plays name.
    """
    cells = choice_cells(analysis, choice, verdict)
    game, move, player, _, chosen, better, lost, mark = map(escape, cells)
    roller = choice.roller
    names = analysis.match.players
    board = diagram(choice.request, roller=roller, names=names)
    lines = "\n".join(_options(choice, verdict))
    lost += f", {mark}" if mark else ""
    head = f"<h3>Game {game}, move {move}: {player} {chosen} loses {lost}</h3>"
    played = verdict.played if isinstance(verdict, PlayVerdict) else None
    picture = picture_of(choice.request, roller, None if played is None else played.play)
    text = f"<details><summary>The board as text</summary>{_text(board)}</details>"
    drawn = svg_board(picture, bottom=roller)
    return f"{head}<p>Better: {better}</p>{drawn}{_text(lines)}{text}"


def _text(text: str) -> str:
    """A text with its columns, which keys can move to and fro where it is too wide."""
    return f'<pre tabindex="0">{escape(text)}</pre>'


def _options(choice: Choice, verdict: Verdict) -> list[str]:
    if not isinstance(verdict, PlayVerdict):
        return cube_lines(verdict.evaluation)
    position = choice.request.state.position
    played = verdict.played
    rows = []
    for row in verdict.candidates:
        sign = "*" if row is played else " "
        text = short_play_text(row.play, position)
        behind = row.equity - verdict.candidates[0].equity
        chances = row.chances
        rows.append(
            f"{sign} {text:24} {row.ply}-ply {row.equity:+.3f} ({behind:+.3f})  "
            f"win {100 * chances.win:.1f} % gammon {100 * chances.win_gammon:.1f} % "
            f"lose gammon {100 * chances.lose_gammon:.1f} %"
        )
    return rows
