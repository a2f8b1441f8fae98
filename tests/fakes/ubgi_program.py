"""A stand-in for a UBGI engine, good or bad in one way: python ubgi_program.py WAY.

Ways: plays (legally, in dialect 0.1), doubles (whenever asked, and takes), new (in dialect 0.2),
old (in dialect 0.01), chess (another interface with the same handshake), late-start, noisy (on
standard error), deaf (to `quit` and the end of its input), starting (a child that outlives it);
and, from the second question on, crashes, killed, hangs, babbles (without end), garbage, illegal,
empty, errors, cube (an answer to another question).
"""

import itertools
import signal
import subprocess
import sys
import time

WAY = sys.argv[1]
KNOWN = {
    ("4HPwATDgc/ABMA", (6, 1)): "13/7 8/7",
    ("4HPwATDgc/ABMA", (3, 1)): "8/5 6/5",
    ("27YBAAAAACAAAA", (6, 6)): "pass",
}
"""Plays known without numba, so that a fake starts at once."""

BAD_ANSWERS = {
    "garbage": "bestmove \x00\xff%%%",
    "illegal": "bestmove 24/1 13/1",
    "empty": "bestmove",
    "errors": "error internal no idea",
    "cube": "bestcube double",
}


def say(line):
    print(line, flush=True)


def answer(position, dice, questions):
    if questions > 1:
        if WAY == "crashes":
            print("Segmentation fault, nearly", file=sys.stderr, flush=True)
            sys.exit(3)
        if WAY == "killed":
            signal.raise_signal(signal.SIGKILL)
        if WAY == "hangs":
            time.sleep(60)
        if WAY == "babbles":
            for number in itertools.count():
                say(f"info nodes {number}")
        if WAY in BAD_ANSWERS:
            say(BAD_ANSWERS[WAY])
            return
    say("info time_ms 0")
    say(f"bestmove {KNOWN.get((position, dice)) or first_play(position, dice)}")


def first_play(position, dice):
    from bot.backgammon.rules.play import legal_plays
    from bot.backgammon.rules.roll import Roll
    from protocol.backgammon.formats.position_id import parse_position_id
    from protocol.backgammon.formats.ubgi import ubgi_play_text

    plays = legal_plays(parse_position_id(position), Roll.of_dice(*dice))
    return ubgi_play_text(plays[0]) if plays else "pass"


def position_id_of(xgid):
    from protocol.backgammon.formats.position_id import position_id
    from protocol.backgammon.formats.xgid import parse_xgid

    return position_id(parse_xgid(xgid).position)


def main():
    position, dice, questions = "", (), 0
    if WAY == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if WAY == "starting":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    if WAY == "noisy":
        sys.stderr.write("x" * 5_000_000 + "\nmore of it\n")
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ubgi":
            if WAY == "late-start":
                time.sleep(60)
            say("id name Fake")
            if WAY == "new":
                say("proto 0.2")
            say("readyok" if WAY == "old" else "ubgiok")
        elif word == "isready":
            say("readyok")
        elif word == "position" and WAY not in ("chess", "old"):
            position = rest[1] if rest[0] == "gnubgid" else position_id_of(rest[1])
        elif word == "dice":
            dice = tuple(map(int, rest))
        elif WAY == "doubles" and word.startswith("XGID="):
            say("take")
        elif WAY == "doubles" and rest == ["role", "cube"]:
            say("eval eq 0.1 pbg 0.01 pg 0.1 pw 0.6")
            say("bestcube double")
        elif word == "go":
            wanted = ["chequer"] if WAY == "new" else ["role", "chequer"]
            if WAY in ("chess", "old") or rest != wanted:
                say("error unknown_command go")
            else:
                questions += 1
                answer(position, dice, questions)
        elif word == "quit" and WAY != "deaf":
            return
        elif word not in ("newgame", "set", "quit"):
            say(f"error unknown_command {word}")
    while WAY == "deaf":
        time.sleep(60)


if __name__ == "__main__":
    main()
