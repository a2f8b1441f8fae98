"""Forced play: a play that is made without asking."""

from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.table.turn import Turn


def forced_play(turn: Turn) -> CheckerPlay | None:
    """The play that nobody need be asked for; None if there is a choice, or no play at all.

    It is the only one, or takes off as many checkers as it can where nobody can be hit any more.
    """
    return turn.plays[0] if len(turn.plays) == 1 else _harmless_bear_off(turn)


def _harmless_bear_off(turn: Turn) -> CheckerPlay | None:
    """The play that takes a checker off by each die, or all, in a race, if there is one."""
    position = turn.position
    if not position.is_race:
        return None
    dice = 4 if turn.roll.is_double else 2
    most = min(dice, position.checkers)

    def off(play: CheckerPlay) -> int:
        return position.checkers - play.after.checkers

    return next((play for play in turn.plays if off(play) == most), None)
