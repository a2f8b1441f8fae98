"""Game actions: all that was done in a game as plain values, for JSON and for other processes.

A game is a list of such actions: ["opening", 3, 1] with the die of each seat, ["roll", 6, 4],
["play", 24, 18, 13, 9] with both ends of each leg, ["roll"], ["double"], ["take"], ["drop"],
["beaver"], ["resign", 2], ["accept"] and ["decline"]. Points are the mover's, 25 the bar, 0 off.
"""

from collections.abc import Sequence

import numpy as np

from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import CubeAction, Dice, DoubleAnswer
from bot.backgammon.rules.game import (
    Answer,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.legality import points_after
from bot.backgammon.rules.play import CheckerPlay, Leg, RollWorkspace, boards_after
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.record import GameRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll

Action = list[str | int]

_WORDS: dict[str, Answer] = {
    each.value: each for kind in (CubeAction, DoubleAnswer, ResignationAnswer) for each in kind
}


def action_of(answer: Answer) -> Action:
    """The action that an answer is."""
    match answer:
        case OpeningRoll(first, second):
            return ["opening", first, second]
        case Roll(high, low):
            return ["roll", high, low]
        case CheckerPlay(legs):
            return ["play", *(end for leg in legs for end in (leg.source, leg.target))]
        case Resignation(offered):
            return ["resign", offered]
    return [answer.value]


def answer_of_action(action: Action, game: Game) -> Answer:
    """The answer that an action is to a game; raises ValueError if it is none."""
    match action:
        case ["opening", int(first), int(second)]:
            return OpeningRoll(first, second)
        case ["roll", int(high), int(low)]:
            return Roll(high, low)
        case ["resign", int(offered)]:
            return Resignation(offered)
        case ["play", *ends] if len(ends) % 2 == 0 and all(isinstance(end, int) for end in ends):
            points: tuple[int, ...] = game.state.position.points
            legs = [Leg(int(a), int(b)) for a, b in zip(ends[::2], ends[1::2], strict=True)]
            for leg in legs:
                points = points_after(points, leg)
            return CheckerPlay(tuple(legs), Position(points))
        case [str(word)] if word in _WORDS:
            return _WORDS[word]
    raise ValueError(f"no action of a game: {action!r:.80}")


def seen_from_other_seat(actions: Sequence[Action]) -> list[Action]:
    """The actions of a game with the seats exchanged: only the opening roll names any."""
    opening, *others = actions
    return [["opening", opening[2], opening[1]], *others]


def actions_of_boards(boards: Sequence[Boards], dice: Dice, *, is_first: bool) -> list[Action]:
    """The actions of a game without the cube, from what each player made of its board.

    boards: int8[26] before each play, seen by the mover, and in the end as the loser sees it; dice:
    int8[n, 2]; is_first: whether seat 0 begins. Raises ValueError for a play that is not legal.
    """
    workspace = RollWorkspace()
    high, low = (int(die) for die in dice[0])
    actions: list[Action] = [["opening", high, low] if is_first else ["opening", low, high]]
    befores_and_afters = zip(
        boards, turned_boards(np.array(boards[1:], np.int8)), dice, strict=False
    )
    for ply, (before, after, (high, low)) in enumerate(befores_and_afters):
        if ply > 0:
            actions.append(["roll", int(high), int(low)])
        legal, steps = boards_after(before, Roll(int(high), int(low)), workspace)
        chosen = (legal == after).all(axis=1)
        if not chosen.any() and (len(legal) or (before != after).any()):
            raise ValueError(f"no play of {high}-{low} at {before.tolist()}: {after.tolist()}")
        ends = steps[chosen.argmax()].tolist() if len(legal) else []
        actions.append(["play", *(end for end in ends if end >= 0)])
    return actions


def game_records(games: Sequence[tuple[int, Sequence[Action]]], rules: Rules) -> list[GameRecord]:
    """The money game, or the games of a match, with their events.

    games: points won by seat 0, negative if lost, and the actions of each. One that was lost by a
    player who failed ends with his resignation. Raises ValueError if the rules do not allow what
    was done.
    """
    records: list[GameRecord] = []
    for won, actions in games:
        before = records[-1] if records else None
        points, is_crawford = (0, 0), False
        if before is not None and before.result is not None:
            points = before.points_after
            is_crawford = rules.is_crawford_next(before.points, before.result)
        recorder = Recorder(rules, points, is_crawford=is_crawford)
        for action in actions:
            recorder.add(answer_of_action(action, recorder.going_on))
        if not isinstance(recorder.game, Result):
            recorder.end(int(won < 0), abs(won))
        records.append(recorder.record)
    return records
