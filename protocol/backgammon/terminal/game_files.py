"""Game files: a table's game saved or exported, another one loaded, or a new one begun."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from protocol.backgammon.formats.match_file import WRITERS, dated_name, write_match, writer_of
from protocol.backgammon.table.exported_match import exported_match
from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.terminal.conversation import Conversation
from protocol.errors import WireError, typed_path


@contextmanager
def _told() -> Iterator[None]:
    """Turn files that one may not use, and players that do not come, into a ValueError."""
    try:
        yield
    except PermissionError as error:
        raise ValueError(f"cannot use {error.filename}: {error.strerror}") from None
    except WireError as error:
        raise ValueError(str(error)) from None


class GameFiles:
    """The commands save, export, load and new of one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    @_told()
    def save(self, rest: str) -> None:
        """Write the game to the file named, after a question if there is one already."""
        path = _path("save", rest)
        if path.suffix.lower() in WRITERS:
            self.export(rest)
            return

        def write() -> None:
            save(self._conversation.table, path)
            self._conversation.send(f"Saved: {path}")

        self._write(path, write)

    @_told()
    def export(self, rest: str) -> None:
        """Write the match so far as .mat or .sgf, into a folder under the date as .mat."""
        path = _path("export", rest, "game.mat or game.sgf")
        match = exported_match(self._conversation.table)
        if path.is_dir():
            path = path / dated_name(match.players, datetime.now(), ".mat")
        writer_of(path)
        if not match.games:
            raise ValueError("there is nothing to export: no game is begun")

        def write() -> None:
            write_match(match, path)
            self._conversation.send(f"Exported: {path}")

        self._write(path, write)

    def _write(self, path: Path, write: Callable[[], None]) -> None:
        """Write, after a question if the file is there already; ValueError if it is a folder."""
        if path.is_dir():
            raise ValueError(f"{path} is a folder: name a file in it")
        if path.exists():
            self._conversation.confirm(f"{path} is there already; write over it?", write)
        else:
            write()

    @_told()
    def load(self, rest: str) -> None:
        """Go on with the game in the file named; the one left stays kept, under its own name."""
        conversation = self._conversation
        table = load(_path("load", rest))

        @_told()  # here once more, as it may be done by an answer that comes later
        def leave() -> None:
            conversation.sit_down(table, KeptGames(conversation.kept.path.parent).free())

        if conversation.is_kept:
            conversation.confirm("Leave this game, which is kept, for the one in the file?", leave)
        elif conversation.table.is_under_way:
            conversation.confirm("Give up this game for the one in the file?", leave)
        else:
            conversation.sit_down(table)

    def new(self) -> None:
        """Begin again, after a question if something is lost."""
        conversation = self._conversation

        def begin() -> None:
            conversation.sit_at(conversation.table.new_match())

        if conversation.table.is_under_way:
            conversation.confirm("Give up this game and the score?", begin)
        else:
            begin()


def _path(command: str, rest: str, example: str = "game.json") -> Path:
    if not rest:
        raise ValueError(f"{command} takes a file: {command} {example}")
    return typed_path(rest)
