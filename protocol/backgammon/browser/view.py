"""View: a sitting as values that a page shows, in no language."""

from dataclasses import asdict, astuple
from typing import Any

from bot.backgammon.engine.analysis import CubeVerdict
from bot.backgammon.engine.match_statistics import PlayerStatistics, Skill, rating_word
from bot.backgammon.rules.decision import Candidate, ChooseCheckerPlay, DoubleAnswer, Request
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.shots import shots
from protocol.backgammon.browser.sitting import Lesson, Sitting
from protocol.backgammon.formats.analysis_lines import mark_text
from protocol.backgammon.formats.diagram import board_rows
from protocol.backgammon.formats.notation import parse_play, short_play_text
from protocol.backgammon.formats.svg_board import Picture, place_name, svg_board
from protocol.backgammon.reports.cube import answer_rows, cube_rows, row_values
from protocol.backgammon.table.table import HUMAN, Table
from protocol.backgammon.table.table_id import table_ids
from protocol.backgammon.table.turn import Turn

Values = dict[str, Any]


def state_values(sitting: Sitting) -> Values:
    """All that a page shows of a sitting but what is being found out; hold its lock."""
    table = sitting.table
    asks = sitting.asks
    setting, turn, result = table.setting, table.turn, table.result
    is_asked = asks == "play" and turn is not None
    return {
        "version": sitting.version,
        "players": [_player_values(table, seat) for seat in (0, 1)],
        "length": setting.length,
        "is_crawford": table.is_crawford,
        "has_cube": setting.cube,
        "cube_used": _uses_cube(table),
        "jacoby": setting.money.jacoby,
        "beavers": setting.money.beavers,
        "dice_by": setting.dice.value,
        "number": table.number,
        **_board_values(table),
        "turn": None if result else table.game.turn,
        "dice": [turn.roll.high, turn.roll.low] if turn else None,
        "dice_left": list(turn.dice_left) if turn else [],
        "asked": sitting.asked,
        "asks": asks,
        "may": sitting.may,
        "targets": _targets(turn, table.mover) if is_asked and turn else {},
        "is_complete": is_asked and turn is not None and turn.is_complete,
        "cube": {
            "value": table.game.state.cube.value,
            "owner": table.game.cube_owner,
            "shown": table.game.cube_shown,
        },
        "resigned": table.game.resigned,
        "stakes": [[kind, points] for kind, points in sitting.stakes.items()],
        "result": result
        and {
            "winner": result.winner,
            "kind": result.kind_counted,
            "points": result.points,
            "match_over": table.is_match_over,
        },
        "last": _last_values(sitting),
        "log": list(sitting.log),
        "lesson": sitting.lesson and lesson_values(sitting.lesson),
        "summary": _summary_values(sitting),
        "settings": asdict(sitting.wishes),
        "trouble": sitting.trouble,
        "kept_as": sitting.kept.name if sitting.kept.exists else "",
        **ids_values(table),
    }


def ids_values(table: Table) -> Values:
    """The IDs of a table, no XGID where there is none."""
    ids = table_ids(table).splitlines()
    return {
        "id": ids[0].partition(": ")[2],
        "xgid": ids[1] if ids[1].startswith("XGID=") else "",
    }


def legs_values(play: CheckerPlay, seat: int) -> list[list[str]]:
    """The legs of a seat's play by the names of their places."""
    return [[place_name(leg.source, seat), place_name(leg.target, seat)] for leg in play.legs]


def lesson_values(lesson: Lesson) -> Values:
    """A choice that gave something away, what was better, and why in figures."""
    choice, verdict = lesson.choice, lesson.verdict
    values: Values = {
        "loss": round(verdict.loss, 5),
        "mark": _mark(verdict.loss),
        "match_loss": 100 * verdict.loss * verdict.stake if choice.request.state.score else None,
    }
    if isinstance(verdict, CubeVerdict):
        is_answer = isinstance(verdict.answer, DoubleAnswer)
        rows = (answer_rows if is_answer else cube_rows)(verdict.evaluation)
        return values | {
            "kind": "cube",
            "played": verdict.answer.value,
            "rows": _cube_values(row_values(rows)),
            "chances": astuple(verdict.chances.turned() if is_answer else verdict.chances),
        }
    position = choice.request.state.position
    best, played = verdict.candidates[0], verdict.played or verdict.candidates[0]
    return values | {
        "kind": "play",
        "played": _candidate_values(played, best, position, choice.seat),
        "best": _candidate_values(best, best, position, choice.seat),
    }


def hint_view(hint: Values, level: str, question: Request, seat: int) -> Values:
    """A hint, as hint_values tells it to a seat, for the page: with the places of plays.

    Chances are those of the player on roll, or of the side that is to answer.
    """
    told: Values = {"level": level}
    if isinstance(question, ChooseCheckerPlay):
        position, roll = question.state.position, question.roll
        rows = [
            {
                "text": row["play"],
                **{name: row[name] for name in ("ply", "equity", "loss")},
                "mark": _mark(row["loss"]),
                "chances": list(row["chances"].values()),
                "legs": legs_values(parse_play(row["play"], position, roll), seat),
            }
            for row in hint["plays"]
        ]
        return told | {"kind": "play", "rows": rows}
    rows = _cube_values(hint.get("cube") or hint.get("answer") or {})
    return told | {
        "kind": "cube",
        "chances": list(hint["chances"].values()),
        "cubeless": hint["equity"],
        "rows": rows,
        "action": hint["proper"].replace(", ", "_").replace(" ", "_"),
    }


def _cube_values(rows: dict[str, dict[str, float]]) -> list[Values]:
    """Rows of the cube with what each is away from the right action."""
    doubled = [row["equity"] for key, row in rows.items() if key.startswith("double_")]
    no_double = rows.get("no_double", {}).get("equity")
    points = [row["equity"] for row in rows.values()]
    right = max(points, default=0.0) if no_double is None else max(no_double, min(doubled))
    return [
        {"key": key, "points": row["equity"], "diff": row["equity"] - right}
        for key, row in rows.items()
    ]


def _candidate_values(row: Candidate, best: Candidate, position: Position, seat: int) -> Values:
    after = row.play.after
    return {
        "text": short_play_text(row.play, position),
        "ply": row.ply,
        "equity": row.equity,
        "loss": best.equity - row.equity,
        "mark": _mark(best.equity - row.equity),
        "chances": astuple(row.chances),
        "legs": legs_values(row.play, seat),
        "shots": shots(turned(after)) if after.checkers else 0,
        "points_made": sum(
            1
            for before, made in zip(position.points[1:25], after.points[1:25], strict=True)
            if before < 2 <= made
        ),
    }


def _mark(loss: float) -> str:
    """The mark of a loss as a key, empty for none."""
    return mark_text(Skill.of(loss)).replace(" ", "_")


def _player_values(table: Table, seat: int) -> Values:
    name = table.setting.players[seat]
    now = table.now if table.mover == seat else turned(table.now)
    return {
        "name": name,
        "is_person": name == HUMAN,
        "points": table.score[seat],
        "pips": now.pip_count,
    }


def _board_values(table: Table) -> Values:
    """The board as it stands with the legs played so far, drawn for either seat, and in letters."""
    turn, mover = table.turn, table.mover
    points = table.now.points
    used: list[int] = []
    if turn:
        dice = [turn.roll.high] * 4 if turn.roll.is_double else [turn.roll.high, turn.roll.low]
        used = list(dice)
        for die in turn.dice_left:
            used.remove(die)
    picture = Picture(
        tuple(-count for count in reversed(points)) if mover else points,
        table.game.cube_shown if _uses_cube(table) else None,
        table.game.cube_owner,
        tuple(dice) if turn else (),
        tuple(used),
        mover,
    )
    return {
        "points": list(picture.points),
        "svg": svg_board(picture),
        "svg_flipped": svg_board(picture, bottom=1),
        "text_board": [row.rstrip() for row in board_rows(table.now, roller=1 - mover)],
    }


def _uses_cube(table: Table) -> bool:
    """Whether the cube can ever be turned; not in a match to a point."""
    return table.setting.cube and table.setting.length != 1


def _targets(turn: Turn, seat: int) -> dict[str, list[Values]]:
    """The places that one checker can go to from each place, and by which dice."""
    return {
        place_name(source, seat): [
            {"to": place_name(target, seat), "dice": _dice_of(turn, len(legs), source, target)}
            for target, legs in targets.items()
        ]
        for source, targets in turn.moves.items()
    }


def _dice_of(turn: Turn, count: int, source: int, target: int) -> list[int]:
    """The dice that a move takes: so many, that is all of them but for the first leg."""
    left = list(turn.dice_left)
    if count > 1 or len(set(left)) == 1:
        return left[:count]
    exact = [die for die in left if die == source - target]
    return exact or [die for die in left if die > source - target][-1:]


def _last_values(sitting: Sitting) -> Values | None:
    last = sitting.last
    if last is None:
        return None
    return {
        "seat": last.player,
        "text": short_play_text(last.play, last.position),
        "legs": legs_values(last.play, last.player),
        "dice": [last.roll.high, last.roll.low],
    }


def _summary_values(sitting: Sitting) -> list[Values] | None:
    if sitting.summary is None:
        return None
    return [_statistics_values(seat, player) for seat, player in enumerate(sitting.summary)]


def _statistics_values(seat: int, player: PlayerStatistics) -> Values:
    marks = {
        mark_text(mark).replace(" ", "_"): player.marks[mark] + player.cube_marks[mark]
        for mark in (Skill.DOUBTFUL, Skill.BAD, Skill.VERY_BAD)
    }
    rate = player.rate
    return {
        "seat": seat,
        "decisions": player.decisions,
        **marks,
        "lost": player.lost.equity,
        "rate": None if rate is None else 1000 * rate,
        "word": rating_word(rate),
        "luck": player.rolls.equity,
    }
