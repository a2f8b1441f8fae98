"""Exported match: the match at a table as other programs are given it."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot.backgammon.rules.record import MatchRecord, Occasion
from protocol.backgammon.table.table import Table


def exported_match(table: Table) -> MatchRecord:
    """The match at a table, for other programs: with the date, and players without folders."""
    first, second = (Path(name).name or name for name in table.setting.players)
    occasion = Occasion(date=f"{datetime.now():%Y-%m-%d}")
    return replace(table.match, players=(first, second), occasion=occasion)
