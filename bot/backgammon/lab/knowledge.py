"""Knowledge: positions that theses show, put to a network, which plays them without lookahead.

The positions are set up after what the theses say of them, where they print no position.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.backgammon.evaluation.evaluator import Evaluator
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll

NBG = "NBG (Ljubljana 2010)"
PULVERGAMMON = "PulverGammon (Aarhus 2007)"
OPENINGS = (
    "Kit Woolsey in Mark Damish's backgammon FAQ (1995); Bill Robertie, Mastering Backgammon 2, "
    "bkgm.com; for 63, 54 and 64 Tom Keith, Rollouts of Opening Replies, bkgm.com (2006)"
)
_THEIR_HOME = 19
"""The first point of the other side's home, as the player on roll counts."""

Accepts = Callable[[Position, CheckerPlay], bool]


@dataclass(frozen=True, slots=True)
class Question:
    """A roll to play, and which plays are accepted, each seen with the position before it.

    topic: what it is about, in a few words.
    """

    topic: str
    source: str
    position: Position
    roll: Roll
    accepts: Accepts


@dataclass(frozen=True, slots=True)
class Answer:
    """A network's play beside the accepted one that a stronger evaluator likes best.

    is_accepted: whether the play is accepted, too. loss: equity that the play gives away against
    that one, by the stronger evaluator; own_loss: by the network itself, so never above 0, and 0
    for an accepted play.
    """

    question: Question
    play: CheckerPlay
    accepted: CheckerPlay
    is_accepted: bool
    own_loss: float
    loss: float


def answers(questions: Sequence[Question], network: Evaluator, stronger: Evaluator) -> list[Answer]:
    """The network's answers; raises ValueError for a question without an accepted play."""
    return [_answer(question, network, stronger) for question in questions]


def _answer(question: Question, network: Evaluator, stronger: Evaluator) -> Answer:
    plays = legal_plays(question.position, question.roll)
    good = [i for i, play in enumerate(plays) if question.accepts(question.position, play)]
    if not good:
        raise ValueError(f"{question.topic}: no legal play is accepted")
    boards = np.array([turned(play.after).board for play in plays])
    own, theirs = (
        -cubeless_equities(evaluator.outcomes(boards).astype(np.float64))
        for evaluator in (network, stronger)
    )
    played = int(own.argmax())
    best = max(good, key=lambda i: float(theirs[i]))
    accepted = played if played in good else best
    return Answer(
        question,
        plays[played],
        plays[best],
        played in good,
        float(own[accepted] - own[played]),
        float(theirs[best] - theirs[played]),
    )


def _is_one_of(afters: Sequence[Position], before: Position, play: CheckerPlay) -> bool:
    return play.after in afters


def _moved(*moves: tuple[int, int]) -> Position:
    """The starting position after moves of the player on roll, from and to, without a hit."""
    points = list(START.points)
    for source, target in moves:
        points[source] -= 1
        points[target] += 1
    return Position(tuple(points))


def _hits(before: Position, play: CheckerPlay) -> bool:
    return play.after.points[0] < before.points[0]


def _holds(points: Sequence[int], before: Position, play: CheckerPlay) -> bool:
    return all(play.after.points[point] >= 2 for point in points)


def _is_out_of_their_home(before: Position, play: CheckerPlay) -> bool:
    return all(count <= 0 for count in play.after.points[_THEIR_HOME:])


def _bears_off_most(roll: Roll, before: Position, play: CheckerPlay) -> bool:
    return play.after.off == max(other.after.off for other in legal_plays(before, roll))


def _opening(high: int, low: int, *plays: tuple[tuple[int, int], ...]) -> Question:
    accepts = partial(_is_one_of, [_moved(*play) for play in plays])
    return Question(f"opening {high}{low}", OPENINGS, START, Roll(high, low), accepts)


def _bear_off(high: int, low: int, own: dict[int, int]) -> Question:
    roll, position = Roll(high, low), Position.of(own, {6: 2, 4: 2, 2: 2})
    accepts = partial(_bears_off_most, roll)
    return Question("takes checkers off when it can", PULVERGAMMON, position, roll, accepts)


THESES = (
    Question(
        "65 from the start is 24/13",
        NBG,
        START,
        Roll(6, 5),
        partial(_is_one_of, [_moved((24, 18), (18, 13))]),
    ),
    Question(
        "54 from the start is 13/8 24/20",
        NBG,
        START,
        Roll(5, 4),
        partial(_is_one_of, [_moved((13, 8), (24, 20))]),
    ),
    Question(
        "hits with 11",
        NBG,
        Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {24: 1, 20: 1, 13: 4, 10: 1, 8: 3, 6: 5}),
        Roll(1, 1),
        _hits,
    ),
    Question(
        "makes its 4-point",
        NBG,
        Position.of({24: 2, 13: 3, 10: 1, 9: 1, 8: 3, 6: 5}, {24: 1, 13: 6, 8: 3, 6: 5}),
        Roll(6, 5),
        partial(_holds, [4]),
    ),
    Question(
        "makes a block of five points before two checkers on its ace point",
        NBG,
        Position.of({24: 2, 13: 3, 10: 1, 8: 3, 7: 2, 6: 2, 4: 2}, {24: 2, 13: 5, 8: 3, 6: 5}),
        Roll(5, 3),
        partial(_holds, [4, 5, 6, 7, 8]),
    ),
    Question(
        "takes its last checker out of the home of a side that bears off",
        NBG,
        Position.of({20: 1, 6: 5, 5: 4, 4: 3, 3: 2}, {1: 2}),
        Roll(2, 1),
        _is_out_of_their_home,
    ),
    _bear_off(6, 5, {6: 2, 5: 2, 4: 2, 3: 1, 1: 1}),
    _bear_off(4, 1, {6: 1, 4: 2, 3: 2, 1: 2}),
    Question(
        "saves a backgammon",
        PULVERGAMMON,
        Position.of({24: 1, 6: 5, 5: 4, 4: 3, 3: 2}, {3: 2}),
        Roll(6, 1),
        _is_out_of_their_home,
    ),
    Question(
        "saves a backgammon with its last two checkers back",
        PULVERGAMMON,
        Position.of({22: 1, 21: 1, 6: 5, 5: 4, 4: 2, 3: 2}, {2: 1, 1: 1}),
        Roll(4, 4),
        _is_out_of_their_home,
    ),
)
"""The positions in which networks of the theses had learnt something, or had not."""

OPENING_ROLLS = (
    _opening(2, 1, ((13, 11), (6, 5)), ((24, 23), (13, 11))),
    _opening(3, 1, ((8, 5), (6, 5))),
    _opening(3, 2, ((24, 21), (13, 11)), ((13, 11), (13, 10))),
    _opening(4, 1, ((24, 23), (13, 9))),
    _opening(4, 2, ((8, 4), (6, 4))),
    _opening(4, 3, ((13, 10), (13, 9)), ((24, 20), (13, 10)), ((24, 21), (13, 9))),
    _opening(5, 1, ((24, 23), (13, 8)), ((13, 8), (6, 5))),
    _opening(5, 2, ((24, 22), (13, 8)), ((13, 11), (13, 8))),
    _opening(5, 3, ((8, 3), (6, 3))),
    _opening(5, 4, ((24, 20), (13, 8)), ((13, 9), (13, 8))),
    _opening(6, 1, ((13, 7), (8, 7))),
    _opening(6, 2, ((24, 18), (13, 11))),
    _opening(6, 3, ((24, 18), (13, 10)), ((24, 18), (18, 15))),
    _opening(6, 4, ((24, 18), (18, 14)), ((24, 18), (13, 9)), ((8, 2), (6, 2))),
    _opening(6, 5, ((24, 18), (18, 13))),
)
"""The 15 opening rolls with the plays that are called best or about as good."""
