"""A stand-in for gnubg as a server, good or bad in one way: python gnubg_server.py WAY -t -q -r.

Ways: answers (one play, one action, one answer to doubles, whatever is asked), deaf (never
listens), dies (before it listens), silent (never answers), hangs-up, nonsense, babbles (without
end), slow (calibrates for ever), mute (calibrates without a result).
"""

import os
import signal
import socket
import sys

WAY = sys.argv[1]


def answer_to(line: str) -> str:
    if WAY == "nonsense":
        return "pass"
    fields = line.removeprefix("board:").split(":")
    if fields[39] == "1":
        return "take"
    return "8/5 6/5 " if fields[32] != "0" else "roll"


def serve(path: str) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    connection, _ = listener.accept()
    for line in connection.makefile("r"):
        if WAY == "silent" and line.strip():
            signal.pause()
        if WAY == "hangs-up" and line.strip():
            connection.sendall(b"8/5 ")
            return
        if WAY == "babbles" and line.strip():
            connection.sendall(b"8/5 " * 1000)
            signal.pause()
        connection.sendall(answer_to(line.strip()).encode() + b"\n")


def main() -> None:
    heard = []
    prompt = "(No game) "
    print(prompt, end="", flush=True)
    for line in sys.stdin:
        heard.append(line.strip())
        if line.startswith("external "):
            if WAY == "dies":
                sys.exit(3)
            if WAY == "deaf":
                signal.pause()
            assert os.environ["HOME"] == os.getcwd()
            assert "set threads 1" in heard
            assert "set evaluation chequerplay evaluation plies 2" in heard
            assert "set evaluation cubedecision evaluation plies 2" in heard
            assert "set evaluation chequerplay evaluation cubeful off" in heard
            serve(line.split()[1])
        elif line.startswith("calibrate "):
            if WAY == "slow":
                signal.pause()
            if WAY == "mute":
                print("Calibration?")
            else:
                rate = int(line.split()[1]) * 1000
                print(f"Calibrating: 1\rCalibration result: {rate} static evaluations/second.")
        elif line.startswith("set prompt "):
            prompt = line.split()[-1]
        print(prompt, end="", flush=True)


main()
