"""Decisions to measure players by: from games, or from a file that says what each answer loses."""

import gzip
import json
import random
import statistics
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from bot.backgammon.arena.baselines import PubevalPlayer
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
    Request,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from bot.estimate import Estimate, estimate
from bot.files import open_to_read

Answer = tuple[int, ...] | CubeAction | DoubleAnswer
"""The 26 points after a checker play, seen by the mover; or what is done with the cube."""

Ask = Callable[[Request], tuple[float, Answer]]
"""Whoever answers a request, and in how many seconds."""

MONEY = MoneyRules(jacoby=False, beavers=False)
"""The rules that files of judged decisions keep to in money games."""

BLUNDER = 0.04
"""Points of equity; who loses more than this in one decision has made a clear mistake."""

KINDS = {ChooseCheckerPlay: "play", ChooseCubeAction: "double", AnswerDouble: "take"}

_SEED = 1


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A question, and what each possible answer loses in points of equity; empty if unknown."""

    request: Request
    losses: Mapping[Answer, float]


@dataclass(frozen=True, slots=True)
class Result:
    """A player's result on decisions of one kind: seconds of each, and losses in points of equity.

    losses is empty if nobody knows them.
    """

    kind: str
    seconds: tuple[float, ...]
    losses: tuple[float, ...]

    @property
    def median_seconds(self) -> float:
        """Half of the decisions take no longer."""
        return statistics.median(self.seconds)

    @property
    def per_second(self) -> float:
        """Decisions a second of the clock, one after the other."""
        return len(self.seconds) / sum(self.seconds)

    @property
    def loss(self) -> Estimate | None:
        """Mean loss and its standard error; None if nobody knows."""
        return estimate(self.losses)

    @property
    def blunders(self) -> int:
        """Decisions that lose more than 0.04."""
        return sum(loss > BLUNDER for loss in self.losses)


def game_decisions(count: int) -> list[JudgedDecision]:
    """Checker plays with a choice, from games of pubeval against itself; always the same ones."""
    player, dice = PubevalPlayer(), random.Random(_SEED)
    position = START
    found: list[JudgedDecision] = []
    while len(found) < count:
        roll = Roll.of_dice(dice.randint(1, 6), dice.randint(1, 6))
        if len(legal_plays(position, roll)) > 1:
            request = ChooseCheckerPlay(GameState(position, money=MONEY), roll)
            found.append(JudgedDecision(request, {}))
        after = player.choose(position, roll).after
        position = turned(after) if any(points > 0 for points in after.points) else START
    return found


def judged_decisions(path: Path, limit: int | None = None) -> list[JudgedDecision]:
    """Decisions of a file, one JSON object a line, gzipped if its name ends in .gz.

    Checker plays: `board` seen by the player on roll, `dice`, `plays` with the board `after`, seen
    by the mover, and its `equity`, the best first. Cube: `board`, `cube`, `owner` ("centered" or
    "player"), `away` (both 0 for money), `no_double`, `double_take`, `double_drop`; each line is
    two questions. limit: of lines. Raises ValueError, with the line's number, for anything else.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"measure at least 1 decision, not {limit}")
    found: list[JudgedDecision] = []
    try:
        with open_to_read(path) as file:
            packed = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
            lines = TextIOWrapper(packed, encoding="utf-8")
            for number, line in enumerate(islice(lines, limit), 1):
                found += _decisions_of_line(line, f"line {number} of {path}")
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read {path}: it is no text in UTF-8") from None
    except (EOFError, zlib.error) as error:
        raise ValueError(f"cannot read {path}: {error}") from None
    if not found:
        raise ValueError(f"no decisions in {path}")
    return found


def _decisions_of_line(line: str, place: str) -> list[JudgedDecision]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"{place} is no judged decision: it is no JSON") from None
    try:
        return [_judged_play(row)] if "dice" in row else _judged_cube(row)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        missing = isinstance(error, KeyError)
        why = f"there is no {error}" if missing else f"{error}"
        raise ValueError(f"{place} is no judged decision: {why}") from None


def _judged_play(row: Mapping[str, Any]) -> JudgedDecision:
    state = GameState(Position(tuple(row["board"])), money=MONEY)
    best = row["plays"][0]["equity"]
    losses: dict[Answer, float] = {
        tuple(play["after"]): best - play["equity"] for play in row["plays"]
    }
    return JudgedDecision(ChooseCheckerPlay(state, Roll.of_dice(*row["dice"])), losses)


def _judged_cube(row: Mapping[str, Any]) -> list[JudgedDecision]:
    away, other_away = row["away"]
    length = max(away, other_away)
    score = Score(length, length - away, length - other_away) if length else None
    owner = CubeOwner.CENTRED if row["owner"] == "centered" else CubeOwner.ON_ROLL
    state = GameState(Position(tuple(row["board"])), Cube(row["cube"], owner), score, MONEY)
    no_double, take, drop = row["no_double"], row["double_take"], row["double_drop"]
    doubled = min(take, drop)
    best = max(no_double, doubled)
    return [
        JudgedDecision(
            ChooseCubeAction(state),
            {CubeAction.ROLL: best - no_double, CubeAction.DOUBLE: best - doubled},
        ),
        JudgedDecision(
            AnswerDouble(state),
            {DoubleAnswer.TAKE: take - doubled, DoubleAnswer.DROP: drop - doubled},
        ),
    ]


def results(
    decisions: Sequence[JudgedDecision], ask: Ask, on_answer: Callable[[], None] = lambda: None
) -> list[Result]:
    """Ask every decision and add up by kind; raises ValueError for an answer that cannot be."""
    seconds: dict[str, list[float]] = {}
    losses: dict[str, list[float]] = {}
    for decision in decisions:
        request = decision.request
        took, answer = ask(request)
        kind = KINDS[type(request)]
        possible = decision.losses or _possible_answers(request)
        if answer not in possible:
            raise ValueError(f"the answer {answer} is not possible in {request}")
        seconds.setdefault(kind, []).append(took)
        losses.setdefault(kind, []).extend([decision.losses[answer]] if decision.losses else [])
        on_answer()
    return [Result(kind, tuple(seconds[kind]), tuple(losses[kind])) for kind in seconds]


def _possible_answers(request: Request) -> set[Answer]:
    match request:
        case ChooseCheckerPlay(state, roll):
            return {play.after.points for play in legal_plays(state.position, roll)}
        case ChooseCubeAction():
            return set(CubeAction)
        case AnswerDouble():
            return {DoubleAnswer.TAKE, DoubleAnswer.DROP}
    return set()
