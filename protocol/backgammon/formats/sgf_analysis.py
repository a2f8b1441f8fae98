"""SGF analysis: verdicts on the choices of a match as GNU Backgammon notes them in SGF.

Source: GNU Backgammon 1.07, sgf.c: A has the plays compared, DA both branches of a double, LU the
luck of the roll, and the rest are marks. Good plays, which it does not know, have a comment.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict, Verdict, stake_of
from bot.backgammon.engine.match_statistics import Fortune, Skill
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    Candidate,
    ChooseCheckerPlay,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.record import Annotations, MatchRecord
from protocol.backgammon.formats.notation import parse_legs
from protocol.backgammon.formats.sgf import legs_of_letters
from protocol.backgammon.formats.sgf_set_up import COLOURS
from protocol.backgammon.formats.sgf_writing import legs_letters

ANALYSIS = {"A", "DA", "MR", "CR", "LU", "GW", "GB", "BM", "DO", "BC", "DC"}
"""Names of the properties that tell of an analysis."""

PRAISE = re.compile(r"(?:\A|\n)Good play: without looking ahead it loses \d+\.\d{3}\.(?=\n|\Z)")
"""The line of a comment that an analysis wrote on a good play."""

CHANCES = 5
MARKS = {Skill.VERY_BAD: "2", Skill.BAD: "1", Skill.DOUBTFUL: ""}
FORTUNES = {
    Fortune.VERY_LUCKY: (0, "2"),
    Fortune.LUCKY: (0, "1"),
    Fortune.UNLUCKY: (1, "1"),
    Fortune.VERY_UNLUCKY: (1, "2"),
}
"""Which side is lucky, the player's 0 or the other's 1, and how much."""


def annotated(
    match: MatchRecord, judged: Iterable[tuple[Choice, Verdict]], ply: int
) -> MatchRecord:
    """The match with these verdicts, seen so many plies deep, in place of any it had."""
    notes: dict[tuple[int, int], Annotations] = defaultdict(tuple)
    praise: dict[tuple[int, int], str] = {}
    for choice, verdict in judged:
        notes[choice.game, choice.event] += tuple(_properties(choice, verdict, ply))
        if isinstance(verdict, PlayVerdict) and verdict.is_good:
            praise[choice.game, choice.event] = (
                f"Good play: without looking ahead it loses {verdict.static_loss:.3f}."
            )
    games = []
    for number, game in enumerate(match.games, start=match.first_game):
        events = [
            replace(
                event,
                annotations=_others(event.annotations) + notes[number, place],
                comment=_praised(event.comment, praise.get((number, place))),
            )
            for place, event in enumerate(game.events)
        ]
        kept = tuple(note for note in game.annotations if note[0] != "GS")
        games.append(replace(game, events=tuple(events), annotations=kept))
    return replace(match, games=tuple(games))


def verdicts_in(
    match: MatchRecord, choices: Sequence[Choice], met: MatchEquityTable | None = None
) -> tuple[Verdict | None, ...]:
    """The verdicts that a match read from SGF has on its choices, None where it has none.

    met: the match equities of whoever analysed. Raises ValueError for notes that nobody could read.
    """
    first = match.first_game
    found: list[Verdict | None] = []
    for choice in choices:
        event = match.games[choice.game - first].events[choice.event]
        notes = dict(event.annotations)
        if isinstance(choice.request, ChooseCheckerPlay):
            found.append(_play_verdict(choice, choice.request, notes, met))
        else:
            found.append(_cube_verdict(choice, notes, met))
    return tuple(found)


def _praised(comment: str, praise: str | None) -> str:
    """The comment with a line on a good play in place of any that it had."""
    kept = PRAISE.sub("", comment)
    return f"{kept}\n{praise}" if kept and praise else praise or kept


def _others(annotations: Annotations) -> Annotations:
    return tuple(note for note in annotations if note[0] not in ANALYSIS)


def _properties(
    choice: Choice, verdict: Verdict, ply: int
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The properties of the node of a choice that tell of the verdict on it."""
    skill = Skill.of(verdict.loss)
    if isinstance(verdict, CubeVerdict):
        yield "DA", (_double_text(verdict, ply),)
        names = ("BC", "DC") if verdict.answer is CubeAction.ROLL else ("BM", "DO")
    else:
        if verdict.candidates and verdict.rank is not None:
            index = min(verdict.rank, len(verdict.candidates)) - 1
            rows = (_candidate_text(row, choice.seat) for row in verdict.candidates)
            yield "A", (str(index), *rows)
        yield "LU", (f"{verdict.luck:.5f}",)
        fortune = Fortune.of(verdict.luck)
        if fortune in FORTUNES:
            side, text = FORTUNES[fortune]
            yield f"G{COLOURS[choice.seat ^ side]}", (text,)
        names = ("BM", "DO")
    if skill in MARKS:
        yield names[skill is Skill.DOUBTFUL], (MARKS[skill],)


def _candidate_text(row: Candidate, seat: int) -> str:
    letters = legs_letters(row.play.legs, seat)
    numbers = " ".join(f"{number:.6f}" for number in (*astuple(row.chances), row.equity))
    return f"{letters} E ver 3 {numbers} {row.ply}C 0 1 0.000000 0"


def _double_text(verdict: CubeVerdict, ply: int) -> str:
    """Both branches, each with chances, cubeless equity and what it is worth with the cube."""
    evaluation = verdict.evaluation
    worth = evaluation.mwc or (evaluation.no_double, evaluation.double_take, 1.0)
    shared = (*astuple(verdict.chances), verdict.chances.equity)
    numbers = " ".join(f"{number:.6f}" for each in worth[:2] for number in (*shared, each))
    return f"E ver 3 {ply}C 1 0.000000 0 {numbers}"


def _play_verdict(
    choice: Choice,
    request: ChooseCheckerPlay,
    notes: dict[str, tuple[str, ...]],
    met: MatchEquityTable | None,
) -> PlayVerdict | None:
    position, roll = request.state.position, request.roll
    if "LU" not in notes:
        return None
    luck = _number(notes["LU"][0])
    legal = len(legal_plays(position, roll))
    if not isinstance(choice.answer, CheckerPlay):
        return PlayVerdict((), legal, None, luck, stake_of(request.state, met))
    rows = []
    for text in notes.get("A", ("0",))[1:]:
        letters, _, rest = text.partition(" ")
        words = rest.split()
        if words[:3] != ["E", "ver", "3"] or len(words) < 3 + CHANCES + 2:
            raise ValueError(f"cannot read the analysis of a play {text[:60]!r}")
        *chances, equity = map(_number, words[3 : 4 + CHANCES])
        play = parse_legs(legs_of_letters(letters, choice.seat), position, roll)
        ply = int(words[4 + CHANCES].rstrip("C"))
        rows.append(Candidate(play, Chances(*chances), equity, ply))
    ranks = [rank for rank, row in enumerate(rows, 1) if row.play.after == choice.answer.after]
    rank = ranks[0] if ranks else 1
    return PlayVerdict(tuple(rows), legal, rank, luck, stake_of(request.state, met))


def _cube_verdict(
    choice: Choice, notes: dict[str, tuple[str, ...]], met: MatchEquityTable | None
) -> CubeVerdict | None:
    if "DA" not in notes or not isinstance(choice.answer, CubeAction | DoubleAnswer):
        return None
    words = notes["DA"][0].split()
    numbers = [_number(word) for word in words[-2 * (CHANCES + 2) :]]
    if words[:3] != ["E", "ver", "3"] or len(numbers) != 2 * (CHANCES + 2):
        raise ValueError(f"cannot read the analysis of a double {notes['DA'][0][:60]!r}")
    state = choice.request.state
    evaluation = _evaluation(state, numbers[CHANCES + 1], numbers[-1], met)
    chances = Chances(*numbers[:CHANCES])
    return CubeVerdict(choice.answer, evaluation, chances, stake_of(state, met))


def _evaluation(
    state: GameState, rolls: float, taken: float, met: MatchEquityTable | None
) -> CubeEvaluation:
    """The evaluation of a double from what both branches are worth; in a match that is chances."""
    if state.score is None:
        return CubeEvaluation(rolls, taken, 1.0)  # its statistics know nothing of beavers
    stake = stake_of(state, met)
    drops = (met or blot_table()).mwc_after(state.score, state.cube.value)
    mwc = (rolls, taken, drops)
    equities = [1 + (each - drops) / stake for each in mwc]
    return CubeEvaluation(equities[0], equities[1], 1.0, mwc)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"cannot read the number {text[:40]!r} of an analysis") from None
