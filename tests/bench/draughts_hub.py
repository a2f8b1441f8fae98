"""py-draughts' engine as a Hub program, in an environment of its own; international draughts only.

It imports nothing of this project, as py-draughts does not belong to our environment. Each move is
searched afresh to the depth, so that games depend on nothing before them.

    python3 -m venv judge && judge/bin/pip install py-draughts
    judge/bin/python tests/bench/draughts_hub.py DEPTH
"""

import sys

try:
    from draughts import StandardBoard
    from draughts.engines.hub import (
        hub_position_to_board,
        move_to_hub_notation,
        parse_hub_line,
        parse_hub_move,
    )
    from draughts.engines.turbo import TurboEngine
except ImportError:
    sys.exit(
        "py-draughts is not there: python3 -m venv judge && judge/bin/pip install py-draughts, "
        "and PATH=$PWD/judge/bin:$PATH before the command"
    )


def main() -> None:
    """Answer every line."""
    depth = int(sys.argv[1])
    board = StandardBoard()
    for line in sys.stdin:
        command, values = parse_hub_line(line.strip())
        if command == "hub":
            print('id name="py-draughts" version="" author="" country=""\nwait')
        elif command == "init":
            print("ready")
        elif command == "ping":
            print("pong")
        elif command == "pos":
            board = hub_position_to_board(values["pos"], StandardBoard)
            for move in values.get("moves", "").split():
                board.push(parse_hub_move(move, board.legal_moves))
        elif command == "go":
            found = TurboEngine(depth_limit=depth).get_best_move(board)
            print(f"done move={move_to_hub_notation(found)}")
        elif command == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
