"""Signature: how Blot plays, in one number that stays as long as its choices do.

Only choices go in, no equities, for the last digits of these differ between machines: compiled
kernels add in the order that suits the width of the CPU's vectors. A choice could still tip where
two candidates lie that close. So one by less than LEAST_MARGIN goes in as close, whatever it is,
and a play of that kind does not carry the game on: the dice are rolled again. What is left is a
margin that lies at that bound itself; the slack tells how far from it the nearest one is.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.search import NO_SEARCH, SearchSettings
from bot.backgammon.kernels.dice import next_dice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeDecision,
    Decider,
    Decision,
    DoubleDecision,
    PlayDecision,
    Request,
    ResignationDecision,
)
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from bot.generator import new_generator

LEAST_MARGIN = 1e-4
"""A choice whose margin is smaller, in points of equity, does not count."""

DOUBT = 0.003
"""A choice whose margin is smaller two plies deep is asked for once more, deeper."""

SEED = 39
"""Of the first 79 the one with the most slack, with the default network, of those whose choices
tell all changes that tests/bot/backgammon/arena/test_signature.py makes."""

GAMES = 6
MAX_PLIES = 60
MAX_PLIES_OF_LAYOUT = 12

SEARCHES = (NO_SEARCH, SearchSettings(1), SearchSettings(2), LEVELS["expert"].search)
"""Settings of the searches of a signature's engines."""

_SHARES = ((1, 6), (4, 1), (15, 1))
"""Each engine but the deepest is asked about one position in so many, at so many stakes: the deeper
it looks the less often, as far as seconds allow. The deepest is asked where the choice before is in
doubt, as there a look so much deeper tells most."""

_OWN, _OTHERS = CubeOwner.ON_ROLL, CubeOwner.OTHER

STAKES: tuple[tuple[Cube, Score | None, MoneyRules], ...] = (
    *(
        (cube, None, rules)
        for rules in (MoneyRules(), MoneyRules(beavers=True), MoneyRules(jacoby=False))
        for cube in (Cube(), Cube(2, _OWN), Cube(4, _OTHERS))
    ),
    (Cube(MAX_CUBE, _OWN), None, MoneyRules()),
    *(
        (cube, score, MoneyRules())
        for cube, score in (
            (Cube(), Score(7, 0, 0)),
            (Cube(2, _OWN), Score(7, 2, 4)),
            (Cube(2, _OTHERS), Score(9, 5, 3)),
            (Cube(4, _OWN), Score(11, 4, 6)),
            (Cube(8, _OTHERS), Score(25, 3, 10)),
            (Cube(), Score(5, 3, 3)),
            (Cube(), Score(5, 3, 2)),
            (Cube(), Score(5, 1, 3)),
            (Cube(2, _OWN), Score(5, 3, 1)),
            (Cube(), Score(5, 4, 1, is_crawford=True)),
            (Cube(), Score(5, 3, 4, is_crawford=True)),
            (Cube(), Score(5, 4, 3, is_crawford=True)),
            (Cube(), Score(5, 2, 4)),
            (Cube(), Score(5, 1, 4)),
            (Cube(2, _OWN), Score(7, 6, 2)),
            (Cube(), Score(3, 2, 2)),
            (Cube(), Score(7, 3, 3)),
            (Cube(), Score(7, 3, 4)),
        )
    ),
)
"""Money games under different rules, and matches: even, ahead and behind, before, in and after the
Crawford game, two away where a gammon wins or saves the match, and double match point."""

LAYOUTS = tuple(
    Position(points)
    for points in (
        # a back game
        (0, 0, 0, 0, 2, 2, 3, 0, 2, 0, 0, 0, -2, 2, 0, 0, -2, -3, -3, -3, -2, 0, 2, 0, 2, 0),
        # prime against prime
        (0, -2, 0, 0, 2, 2, 3, 2, 2, 0, 0, 0, -2, 2, 0, 0, 0, -2, -2, -3, -2, -2, 0, 0, 2, 0),
        # on the bar against five points
        (0, -1, 0, 0, 2, 2, 3, 0, 3, 0, 0, 0, -2, 4, 0, 0, 0, 0, 0, -3, -3, 0, -2, -2, -2, 1),
        # both on the bar
        (-1, -1, 0, 0, 0, 2, 3, 0, 3, 0, 0, 0, -4, 5, 0, 0, 0, -3, 0, -4, -2, 0, 0, 0, 1, 1),
        # a blitz
        (-2, 0, 0, 0, 2, 3, 3, 0, 2, 0, 0, 0, -5, 3, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0),
        # an ace-point game
        (0, 0, 0, 2, 3, 3, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -3, -2, -2, -1, 2, 0),
        # a late hit is wanted from the bar
        (0, 2, 3, 3, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, 0, 1),
        # a bear-in against an anchor
        (0, 0, -2, 2, 2, 3, 3, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, -1, 0, -4, -3, -3, -2, 0, 0, 0),
        # a holding game
        (0, 0, 0, 0, 0, 2, 4, 0, 3, 0, 0, 0, -3, 4, 0, 0, 0, -4, 0, -4, 2, -2, -2, 0, 0, 0),
        # a long race
        (0, 0, 0, 0, 1, 2, 3, 0, 3, 1, 2, 0, 0, 3, -2, 0, -3, -2, -2, -3, -2, -1, 0, 0, 0, 0),
        # a race of the middle, somewhat ahead
        (0, 0, 0, 0, 2, 3, 4, 2, 2, 2, 0, 0, 0, -1, 0, -2, -2, -2, -2, -3, -2, -1, 0, 0, 0, 0),
        # a short race, somewhat ahead
        (0, 1, 2, 2, 3, 3, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, -1, -4, -3, -2, -2, -2, 0, 0),
        # a bear-in
        (0, 0, 2, 2, 2, 3, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -4, -3, -3, -2, -1, 0, 0),
        # a bear-off of ten checkers each
        (0, 0, 1, 2, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, -3, -2, 0, -1, 0),
        # a bear-off of five checkers each
        (0, 1, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, 0, -2, 0),
        # a bear-off of two checkers each
        (0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0),
        # sure to lose
        (0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0),
        # sure to lose a gammon
        (0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 4, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0),
        # sure to lose a backgammon
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, -2, 0),
    )
)
"""Positions that games from the start seldom reach, each the start of one that is played on."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A number for the way engines play; slack: equity from the least margin to the nearest one."""

    number: int
    slack: float


def signature_engines(weights: str, tell: Callable[[str], None]) -> list[Engine]:
    """An engine for each of SEARCHES, as it plays at a board; see Level.engine."""
    return [Level(weights, search).engine(tell, candidates=1) for search in SEARCHES]


def signature(engines: Sequence[Decider]) -> Signature:
    """A number of seven digits that changes with the choices of any of the engines.

    engines: as signature_engines makes them.
    """
    digest = hashlib.sha256()
    slack = math.inf
    for choice, margin in choices(engines):
        digest.update(choice)
        slack = min(slack, abs(margin - LEAST_MARGIN), abs(margin - DOUBT))
    number = 1_000_000 + int.from_bytes(digest.digest()[:8], "big") % 9_000_000
    return Signature(number, slack)


def choices(engines: Sequence[Decider]) -> Iterator[tuple[bytes, float]]:
    """Yield each choice of the engines, as bytes, with its margin in points of equity.

    The first engine plays out the games in which all are asked what to play, whether to double, to
    take and to accept a resignation; its plays there are no bytes, for the positions follow from
    them.
    """
    *shallow, before, deepest = engines
    for place, (position, roll, played_margin) in enumerate(_played(engines[0])):
        yield b"", played_margin
        for engine, (every, times) in zip((*shallow, before), _SHARES, strict=True):
            if place % every:
                continue
            for request in _requests(position, roll, place // every, times):
                choice, margin = _choice(engine.decide(request))
                yield choice, margin
                if engine is before and LEAST_MARGIN <= margin < DOUBT:
                    yield _choice(deepest.decide(request))


def _played(engine: Decider) -> Iterator[tuple[Position, Roll, float]]:
    """Positions that the engine gets to, the roll there, and the margin of the play chosen."""
    starts = [(START, MAX_PLIES)] * GAMES + [(each, MAX_PLIES_OF_LAYOUT) for each in LAYOUTS]
    for game, (position, most_plies) in enumerate(starts):
        generator = new_generator(SEED, game)
        for ply in range(most_plies):
            roll = Roll(*next_dice(generator, position == START and ply == 0))
            decision = engine.decide(ChooseCheckerPlay(GameState(position), roll))
            assert isinstance(decision, PlayDecision)
            yield position, roll, decision.margin
            if decision.margin < LEAST_MARGIN:
                continue
            after = decision.play.after
            if after.checkers == 0:
                break
            position = turned(after)


def _requests(position: Position, roll: Roll, place: int, times: int) -> Iterator[Request]:
    """All that can be asked at a position, at so many stakes, others at the next place."""
    for number in range(place * times, (place + 1) * times):
        state = GameState(position, *STAKES[number % len(STAKES)])
        yield ChooseCheckerPlay(state, roll)
        yield ChooseCubeAction(state)
        if state.doubling_refusal is None:
            yield AnswerDouble(state)
        yield AnswerResignation(state, 1 + number % 3)


def _choice(decision: Decision) -> tuple[bytes, float]:
    """The choice, null if it is close, with the points the player resigns; and the margin."""
    resigns, margin = 0, math.inf
    choice: object
    match decision:
        case PlayDecision(play, _, resigns, margin):
            choice = play.after.points
        case CubeDecision(action, _, evaluation, resigns):
            choice = action.value
            margin = math.inf if evaluation is None else evaluation.action_margin
        case DoubleDecision(answer, _, evaluation):
            choice = answer.value
            margin = math.inf if evaluation is None else evaluation.answer_margin
        case ResignationDecision(accepted, _, margin):
            choice = accepted
    return json.dumps([choice if margin >= LEAST_MARGIN else None, resigns]).encode(), margin
