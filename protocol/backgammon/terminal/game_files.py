"""Game files: a table's game saved, another one loaded, or a new one begun in its place."""

from pathlib import Path

from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.terminal.conversation import Conversation


class GameFiles:
    """The commands save, load and new of one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def save(self, rest: str) -> None:
        """Write the game to the file named, after a question if there is one already."""
        path = _path("save", rest)

        def write() -> None:
            save(self._conversation.table, path)
            self._conversation.send(f"Saved: {path}")

        if path.exists():
            self._conversation.confirm(f"{path} is there already; write over it?", write)
        else:
            write()

    def load(self, rest: str) -> None:
        """Go on with the game in the file named; the one left stays kept, under its own name."""
        conversation = self._conversation
        table = load(_path("load", rest))

        def leave() -> None:
            conversation.sit_down(table, KeptGames(conversation.kept.path.parent).free())

        if conversation.is_kept:
            conversation.confirm("Leave this game, which is kept, for the one in the file?", leave)
        elif conversation.table.is_begun and not conversation.table.is_match_over:
            conversation.confirm("Give up this game for the one in the file?", leave)
        else:
            conversation.sit_down(table)

    def new(self) -> None:
        """Begin again, after a question if something is lost."""
        conversation = self._conversation

        def begin() -> None:
            conversation.forget()
            conversation.sit_at(conversation.table.new_match())

        if conversation.table.is_begun and not conversation.table.is_match_over:
            conversation.confirm("Give up this game and the score?", begin)
        else:
            begin()


def _path(command: str, rest: str) -> Path:
    if not rest:
        raise ValueError(f"{command} takes a file: {command} game.json")
    return Path(rest).expanduser()
