"""Game files: a table's game saved, another one loaded, or a new one begun in its place."""

from pathlib import Path

from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.terminal.conversation import Conversation


class GameFiles:
    """The commands save, load and new of one company."""

    def __init__(self, company: Conversation) -> None:
        self._company = company

    def save(self, rest: str) -> None:
        """Write the game to the file named, after a question if there is one already."""
        path = _path("save", rest)

        def write() -> None:
            save(self._company.table, path)
            self._company.send(f"Saved: {path}")

        if path.exists():
            self._company.confirm(f"{path} is there already; write over it?", write)
        else:
            write()

    def load(self, rest: str) -> None:
        """Go on with the game in the file named; the one left stays kept, under its own name."""
        company = self._company
        table = load(_path("load", rest))

        def leave() -> None:
            company.sit_down(table, KeptGames(company.kept.path.parent).free())

        if company.is_kept:
            company.confirm("Leave this game, which is kept, for the one in the file?", leave)
        elif company.table.is_begun and not company.table.is_match_over:
            company.confirm("Give up this game for the one in the file?", leave)
        else:
            company.sit_down(table)

    def new(self) -> None:
        """Begin again, after a question if something is lost."""
        company = self._company

        def begin() -> None:
            company.forget()
            company.sit_at(company.table.new_match())

        if company.table.is_begun and not company.table.is_match_over:
            company.confirm("Give up this game and the score?", begin)
        else:
            begin()


def _path(command: str, rest: str) -> Path:
    if not rest:
        raise ValueError(f"{command} takes a file: {command} game.json")
    return Path(rest).expanduser()
