"""Judgement: the choices of people at a table, for a tutor to judge and to add up."""

from collections.abc import Callable

from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.engine.match_statistics import Fortune, PlayerStatistics
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import MatchRecord
from protocol.backgammon.table.table import HUMAN, Table

REQUESTS = {
    CheckerPlay: ChooseCheckerPlay,
    CubeAction: ChooseCubeAction,
    DoubleAnswer: AnswerDouble,
}


def choice_at(table: Table, answer: CheckerPlay | CubeAction | DoubleAnswer) -> Choice | None:
    """The choice that a person asked makes by this answer; None if it is none that is judged."""
    request, seat = table.game.request, table.game.asked
    if table.result or seat is None or table.setting.players[seat] != HUMAN:
        return None
    if table.game.refusal(answer) or table.game.doubles > 1:
        return None
    if not isinstance(request, ChooseCheckerPlay | ChooseCubeAction | AnswerDouble):
        return None
    if not isinstance(request, REQUESTS[type(answer)]):
        return None
    return Choice(table.number, len(table.turns) + 1, 0, seat, request, answer)


def statistics_of(
    table: Table,
    verdict: Callable[[Choice], Verdict],
    luck: Callable[[ChooseCheckerPlay, bool], float],
) -> tuple[PlayerStatistics, PlayerStatistics]:
    """The statistics of the table's game by seat: of people all, of bots the luck of their rolls.

    verdict judges a choice; luck tells that of a roll, the second argument whether it is the first
    of the game.
    """
    setting = table.setting
    players = PlayerStatistics(), PlayerStatistics()
    for choice in choices_of(MatchRecord(setting.players, setting.rules, (table.record,))):
        player = players[choice.seat]
        if setting.players[choice.seat] == HUMAN:
            player.add(verdict(choice))
        elif isinstance(choice.request, ChooseCheckerPlay):
            found = luck(choice.request, choice.is_opening)
            player.rolls.add(found, 1.0)
            player.fortunes[Fortune.of(found)] += 1
    return players
