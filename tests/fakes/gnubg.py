"""A stand-in for gnubg's text mode, good or bad in one way: python gnubg.py WAY -t -q -r.

Ways: plays, silent (never a prompt), refuses (a setting), offspring (starts a child that ignores
hang-ups); and in the second game dies, killed, stalls, error, stops (before its end), gone (hangs
up on its player), pauses (until told to play on), rejects (asks as if nothing had been played),
match (wins it).
"""

import os
import signal
import socket
import subprocess
import sys
import time

BOARD = (
    "board:gnubg:blot:0:0:{points}:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1\n\0"
)


class Fake:
    def __init__(self, way: str) -> None:
        self.way = way
        self.prompt = "(No game) "
        self.player: socket.socket | None = None
        self.games = 0
        self.has_paused = False

    def run(self) -> None:
        if self.way == "silent":
            signal.pause()
        if self.way == "offspring":
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the child has it so from its beginning
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        print(self.prompt, end="", flush=True)
        for line in sys.stdin:
            self.obey(line.strip())
            print(self.prompt, end="", flush=True)

    def obey(self, command: str) -> None:
        if command.startswith("set prompt "):
            self.prompt = command.removeprefix("set prompt ")
        elif command.startswith("set player 1 external "):
            self.player = socket.socket(socket.AF_UNIX)
            self.player.connect(command.split()[-1])
        elif command.startswith("set seed ") and self.way == "refuses":
            print(f"Unknown keyword `{command}'.")
        elif command.startswith("new ") or (command == "play" and self.way == "pauses"):
            self.play()
        elif command.startswith(("export match mat ", "save match ")):
            with open(command.split()[-1], "w", encoding="ascii") as file:
                file.write(f"{self.games} games\n")

    def play(self) -> None:
        if self.games == 1 and self.has_failed():
            return
        self.ask()
        if self.games == 1:
            if self.way == "stops":
                return
            if self.way == "pauses" and not self.has_paused:
                self.has_paused = True
                return
            if self.way == "error":
                print("Error (no such play)")
            if self.way == "rejects":
                self.ask()
        self.games += 1
        print(
            "blot wins a gammon and 2 points.\nThe score (after 1 game) is: gnubg 0, blot 2", end=""
        )
        print("blot has won the match." if self.games == 2 and self.way == "match" else "")

    def ask(self) -> None:
        assert self.player is not None
        self.player.sendall(BOARD.format(points=2 * self.games).encode())
        answer = self.player.makefile().readline().strip()
        print("Considering move...\r                   \rmoves " + answer)

    def has_failed(self) -> bool:
        """Fail, or not; true if it is over with the game but not with the fake."""
        if self.way == "dies":
            print("Segmentation fault, nearly")
            sys.exit(3)
        if self.way == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.way == "stalls":
            print("thinking")
            sys.stdout.flush()
            try:
                time.sleep(60)
            except KeyboardInterrupt:
                print("(Interrupted)")
        if self.way == "gone":
            assert self.player is not None
            self.player.close()
            print("External connection closed.")
        return self.way in ("stalls", "gone")


Fake(sys.argv[1]).run()
