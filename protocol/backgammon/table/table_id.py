"""Table ID: the IDs by which the game at a table can be taken up or shown elsewhere."""

from dataclasses import replace

from bot.backgammon.rules.game import Ending
from protocol.backgammon.formats.position_id import (
    MatchIdFields,
    Stage,
    match_id,
    match_id_fields,
    position_id,
)
from protocol.backgammon.formats.xgid import Xgid, xgid_line
from protocol.backgammon.table.table import Table

STAGES = {
    Ending.PLAYED: Stage.OVER,
    Ending.DROPPED: Stage.DROPPED,
    Ending.RESIGNED: Stage.RESIGNED,
}


def table_ids(table: Table) -> str:
    """GNUbg ID and XGID, a line each; the first player is player 1, as `blot play --from` reads it.

    Where there is no XGID a sentence says why.
    """
    record = _record(table)
    if table.game.doubles > 1 and not table.result:
        second = "An XGID that Blot reads cannot tell of a beaver."
    else:
        second = xgid_line(Xgid(table.position, record, table.question.state.money.beavers))
    return f"GNUBG ID: {position_id(table.position)}:{match_id(record)}\n{second}"


def _record(table: Table) -> MatchIdFields:
    """The fields of the table's match ID: of a game that is over also how, as gnubg does."""
    first, second = table.score
    record = match_id_fields(table.question, roller=1 - table.mover, session_points=(second, first))
    result = table.result
    if result is None:
        return record
    record = replace(record, stage=STAGES[result.ending], points=(second, first))
    if result.ending is Ending.PLAYED:
        return record
    decider = 1 - record.roller
    if result.ending is Ending.DROPPED:
        return replace(record, decider=decider)
    return replace(record, decider=decider, roll=table.game.roll, resignation=result.kind)
