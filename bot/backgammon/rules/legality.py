"""Legality: whether a checker play is one of those that the roll allows."""

from bot.backgammon.rules.play import CheckerPlay, Leg, RollWorkspace, boards_after
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll

_OFF = 0

Points = tuple[int, ...]


def illegality(play: CheckerPlay, position: Position, roll: Roll) -> str | None:
    """Why the play is not legal, as a clause; None if it is.

    The legs must be one checker and one die each, and lead to the position that the play tells,
    which must be that of a legal play.
    """
    boards, _ = boards_after(position.board, roll, RollWorkspace())
    if not len(boards):
        return "the roll allows no play" if play != CheckerPlay((), position) else None
    if not play.legs:
        return "the roll can be played"
    points = list(position.points)
    for leg in play.legs:
        if points[leg.source] < 1:
            return "a leg begins where the player has no checker"
        _make(points, leg)
    after = list(play.after.points)
    if points != after:
        return "the legs lead to another position"
    if not _is_by_dice(play.legs, roll):
        return "the legs are not those of the dice"
    return None if after in boards.tolist() else "the roll does not allow the play"


def points_after(points: Points, leg: Leg) -> Points:
    """The points after a leg, seen by the mover; a blot hit goes to the other side's bar."""
    after = list(points)
    _make(after, leg)
    return tuple(after)


def _make(points: list[int], leg: Leg) -> None:
    """Change the points as the leg does."""
    points[leg.source] -= 1
    if leg.target != _OFF:
        if points[leg.target] == -1:
            points[leg.target] = 0
            points[_OFF] -= 1
        points[leg.target] += 1


def _is_by_dice(legs: tuple[Leg, ...], roll: Roll) -> bool:
    """Whether each leg has a die of its own: just as long, or longer where a checker goes off."""
    left = [roll.low] * 4 if roll.is_double else [roll.low, roll.high]
    for leg in legs:
        pips = leg.source - leg.target
        die = next((die for die in left if die == pips or (die > pips and leg.target == _OFF)), 0)
        if not die:
            return False
        left.remove(die)
    return True
