"""Our Hub engine with a player that knows the rules alone: python -m tests.fakes.hub_server WAY.

WAY is first (it plays the first legal move), random, or thinks (until it is stopped).
"""

import sys

from protocol.draughts.adapters.hub_parameter import HubParameter
from protocol.draughts.commands.hub import serve_hub
from tests.fakes.draughts_player import FirstMove, RandomMove, UntilStopped

PLAYERS = {"first": FirstMove, "random": lambda: RandomMove(1), "thinks": UntilStopped}

if __name__ == "__main__":
    make = PLAYERS[sys.argv[1]]
    print("this goes to standard error", file=sys.stderr)
    threads = HubParameter("threads", "1", "int", least=1, most=16)
    sys.exit(serve_hub(lambda values: make(), [threads]))
