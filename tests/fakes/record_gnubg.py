"""Record what GNU Backgammon really says to external players: the files in tests/transcripts.

    python -m tests.fakes.record_gnubg FOLDER

One file per conversation and seat: `> ` to the player, `< ` from it, `# ` about the game.
"""

import sys
import threading
from collections.abc import Callable
from pathlib import Path

from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.wire import LineServer, address_of, tcp_listener
from tests.fakes.restless_player import RestlessPlayer

GNUBG = "/usr/games/gnubg"
SETUP = [
    "set confirm new off",
    "set confirm save off",
    "set display off",
    "set threads 1",
    "set rng mersenne",
    "set jacoby on",
]
SIT_DOWN = "set players external"
"""Not gnubg's: both seats connect to the recorder."""

MATCH = ["set beavers 0", "set automatic game on", SIT_DOWN]
SESSION = ["set beavers 3", "set automatic game off", SIT_DOWN]
GAMES = {
    "match_to_3": [*MATCH, "set seed 39", "new match 3"],
    "match_to_1": [*MATCH, "set seed 5", "new match 1"],
    "money": [*SESSION, "set seed 2", "new session", *["play", "play", "new game"] * 2],
    "money_cubeless": [*SESSION, "set cube use off", "set seed 3", "new session", "new game"],
    "money_cube_centred_at_2": [
        "set automatic game off",
        "set seed 4",
        "new session",
        "set cube value 2",
        SIT_DOWN,
        "play",
    ],
}
ILLEGAL = "24/14"
REJECTED = [*MATCH, "set seed 6", "new match 1"]


class Recorder:
    """An adapter that keeps the conversation; falsify may change an answer on its way."""

    def __init__(
        self, send: Callable[[str], None], falsify: Callable[[str], str] = lambda text: text
    ) -> None:
        self.lines: list[str] = []
        self._pass_on = send
        self._falsify = falsify
        self._adapter = GnubgAdapter(RestlessPlayer(), self._answer, money=MoneyRules(beavers=True))

    def receive(self, line: str) -> None:
        self.lines.append(f"> {line}")
        self._adapter.receive(line)

    def _answer(self, text: str) -> None:
        self.lines.append(f"< {text}")
        self._pass_on(self._falsify(text))


def converse(commands: list[str], falsify: Callable[[str], str] | None = None) -> list[Recorder]:
    """What both seats were asked and answered while gnubg obeyed the commands."""
    recorders: list[Recorder] = []

    def make_adapter(send: Callable[[str], None]) -> Recorder:
        recorders.append(Recorder(send, falsify) if falsify and recorders else Recorder(send))
        return recorders[-1]

    listener = tcp_listener("127.0.0.1", 0)
    server = LineServer(listener, make_adapter)
    seats = [f"set player {seat} external {address_of(listener)}" for seat in (0, 1)]
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with GnubgProgram() as gnubg:
            for command in [*SETUP, *commands]:
                for text in seats if command == SIT_DOWN else [command]:
                    said = gnubg.command(text, may_refuse=True)
    finally:
        server.stop()
        thread.join(5)
    print(said[-300:], file=sys.stderr)
    return recorders


def main() -> None:
    folder = Path(sys.argv[1])
    rejections = iter([ILLEGAL])
    conversations = {name: converse(commands) for name, commands in GAMES.items()}
    conversations["rejected_play"] = converse(
        REJECTED, lambda text: next(rejections, text) if text.startswith("13/") else text
    )
    for name, recorders in conversations.items():
        commands = GAMES.get(name, REJECTED)
        for seat, recorder in enumerate(recorders):
            about = f"# GNU Backgammon 1.07.001, seat {seat}: {'; '.join(commands)}"
            if name == "rejected_play" and seat == 1:
                about += f"\n# the first answer that begins with 13/ went out as {ILLEGAL}"
            text = "\n".join([about, *recorder.lines]) + "\n"
            (folder / f"gnubg_{name}_seat_{seat}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
