"""Finished games: written into a folder as match files whenever one is over."""

import itertools
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from bot.backgammon.rules.record import GameRecord
from protocol.backgammon.arena.match_files import numbered
from protocol.backgammon.formats.match_file import dated_name, write_match
from protocol.backgammon.table.exported_match import exported_match
from protocol.backgammon.table.table import Setting, Table


class FinishedGames:
    """Files by date and players, one for a match or session, written anew after each of its games.

    A session that an earlier save goes back in has another file from there on, so that the games
    played after it stay. folders: by the ending of the files' names. Raises ValueError if one is
    none.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        for folder in folders.values():
            if not folder.is_dir():
                raise ValueError(f"no folder {folder} to keep finished games in")
        self._folders = folders
        self._paths: dict[tuple[Setting, int, str], Path] = {}
        self._written: dict[tuple[Setting, int, str], tuple[GameRecord, ...]] = {}

    def add(self, table: Table) -> None:
        """Write the match so far; raises ValueError if that cannot be done."""
        match = exported_match(table)
        for ending, folder in self._folders.items():
            key = table.setting, match.first_game, ending
            if key not in self._paths or not _goes_on(self._written.get(key, ()), match.games):
                self._paths[key] = _free(folder / dated_name(match.players, datetime.now(), ending))
            write_match(match, self._paths[key])
            self._written[key] = match.games


def _goes_on(before: tuple[GameRecord, ...], games: tuple[GameRecord, ...]) -> bool:
    """Whether these games are those before and more, the last of them perhaps played again."""
    return len(games) >= len(before) and games[: len(before[:-1])] == before[:-1]


def _free(path: Path) -> Path:
    """The path, or one with a number behind its name if a file is there."""
    files = (numbered(path, number) for number in itertools.count())
    return next(file for file in files if not file.exists())
