"""A stand-in for a Hub engine, good or bad in one way: python hub_program.py WAY.

Ways: plays (legally), czech (too), mute (never says a word), unready (never says that it is ready),
refuses (to be initialized), deaf (to `quit` and the end of its input); and at the first search
crashes, killed, hangs, stubborn (even after a stop), babbles (without end), garbage, illegal, empty
(no move), errors.
"""

import itertools
import signal
import sys
import time

WAY = sys.argv[1]
INTERNATIONAL = "W" + "b" * 20 + "e" * 10 + "w" * 20
CZECH = "W" + "b" * 12 + "e" * 8 + "w" * 12
KNOWN = {INTERNATIONAL: "32-28", CZECH: "22-18"}
"""Moves known without numba, so that a fake starts at once."""


def say(line):
    print(line, flush=True)


def first_move(line):
    from bot.draughts.rules.legality import legal_moves, position_after
    from bot.draughts.rules.variant import VARIANTS
    from protocol.draughts.formats.hub_line import parse_hub_line
    from protocol.draughts.formats.hub_move import hub_move_text, parse_hub_move
    from protocol.draughts.formats.hub_position import parse_hub_position

    arguments = parse_hub_line(line).arguments
    variant = VARIANTS["international" if len(arguments["pos"]) == 51 else "czech"]
    position = parse_hub_position(arguments["pos"], variant)
    for text in arguments.get("moves", "").split():
        position = position_after(position, parse_hub_move(text, legal_moves(position)))
    return hub_move_text(legal_moves(position)[0])


def begin(place, searches):
    """What is done at `go`; whether an answer is owed until `stop`."""
    if searches == 1:
        if WAY == "crashes":
            print("Segmentation fault, nearly", file=sys.stderr, flush=True)
            sys.exit(3)
        if WAY == "killed":
            signal.raise_signal(signal.SIGKILL)
        if WAY in ("hangs", "stubborn"):
            return True
        if WAY == "babbles":
            for number in itertools.count():
                say(f"info nodes={number}")
        bad = {
            "garbage": 'done \x01move="',
            "illegal": "done move=32-22",
            "empty": "done",
            "errors": 'error message="no idea"',
        }
        if WAY in bad:
            say(bad[WAY])
            if WAY != "garbage":
                return WAY == "errors"
            return True
    position = place.removeprefix("pos pos=")
    move = KNOWN.get(position) or first_move(place)
    say('info depth=x score=nan pv="1-2"')
    say(f'info depth=5 score=-0.25 nodes=12345 time=0.5 nps=0.1 colour=red pv="{move} 1-99"')
    say(f"done move={move} ponder=19-23")
    return False


def main():
    place, searches, owes = "", 0, False
    if WAY == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        line = line.strip()
        word = line.split(" ")[0]
        if WAY == "mute":
            continue
        if word == "hub":
            say('id name=Fake version=2 author="A. B."')
            if WAY == "czech":
                say('param name=variant value=normal type=enum values="normal czech"')
            say("param name=threads value=1 type=int min=1 max=4")
            say("wait")
        elif word == "init" and WAY == "refuses":
            say('error message="no book"')
        elif word == "init" and WAY != "unready":
            say("loading")
            say("ready")
        elif word == "pos":
            place = line
        elif word == "go":
            searches += 1
            owes = begin(place, searches)
        elif word == "stop" and owes and WAY != "stubborn":
            say(f"done move={KNOWN.get(place.removeprefix('pos pos='), '31-26')}")
            owes = False
        elif word == "quit" and WAY != "deaf":
            return
    while WAY == "deaf":
        time.sleep(60)


if __name__ == "__main__":
    main()
