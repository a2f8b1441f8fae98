"""Fuzz the clients of FIBS and bgammon.org: damaged lines never raise, nor let memory grow.

`python -m tests.fuzz.fuzz_fibs --lines 1000000 --seed 1` damages lines of the transcripts and of
the fakes, and ends with the first exception that is no ServerError. It tells how many lines were
damaged and sent, how many logins ended in a ServerError, the longest a line took, and the memory.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from protocol.backgammon.adapters.bgammon_client import BgammonClient
from protocol.backgammon.adapters.fibs_client import FibsClient
from protocol.backgammon.servers.match_store import MatchStore
from protocol.backgammon.servers.player import Account, Player
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import ServerError
from tests.fakes.bgammon_server import PASSWORD, FakeBgammon
from tests.fakes.fibs_board import ME, Clock
from tests.fakes.restless_player import RestlessPlayer
from tests.fuzz.damage import damaged_text
from tests.fuzz.fuzz_ubgi import run

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
WAITING = 0.02
"""Share of the lines after which the client is let act."""


def fibs_lines():
    texts = [path.read_text(encoding="utf-8") for path in sorted(TRANSCRIPTS.glob("fibs_*.txt"))]
    return [line[2:] for text in texts for line in text.splitlines() if line.startswith("> ")]


def bgammon_lines(folder):
    """What a fake says in two matches."""
    fake, said = FakeBgammon(seed=4), []
    store = MatchStore(folder)
    player = Player(
        Account("fake", ME, PASSWORD), RestlessPlayer(), Policy(delay=0.1), store, fake.clock
    )
    client = BgammonClient(player, fake.connect().send)
    while len(fake.finished) < 2:
        line = fake.read(0.5)
        if line is not None:
            said.append(line)
            client.receive(line)
        client.act()
    return said


def fuzz(lines, seed):
    """What came of so many lines, half of them damaged, and the seconds that the longest took."""
    chance, clock, counts = random.Random(seed), Clock(), Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        store = MatchStore(Path(folder))
        policy = Policy(delay=0.1, patience=0.1, unlimited=True)
        account = Account("fake", "blot_b", "x")
        player = Player(account, RestlessPlayer(), policy, store, clock)
        kinds = ((FibsClient, fibs_lines()), (BgammonClient, bgammon_lines(Path(folder))))
        clients = [None, None]
        places = [0, 0]
        for number in range(lines):
            which = int(number % 10 == 9)
            kind, said = kinds[which]
            if clients[which] is None:
                places[which] = 0
                clients[which] = kind(player, lambda line, told=None: counts.update(["sent"]))
            client = clients[which]
            line = said[places[which] % len(said)]
            places[which] += 1 if chance.random() < 0.95 else chance.randrange(20)
            if chance.random() < 0.5:
                line = damaged_text(chance, line)
                counts["damaged"] += 1
            began = time.perf_counter()
            try:
                client.receive(line)
                if chance.random() < WAITING:
                    clock.sleep(max(min(client.agenda.seconds, 1.0), 0.0))
                client.act()
            except ServerError:
                counts["ended"] += 1
                client.lost()
                clients[which] = None
            if client.is_done:
                clients[which] = None
            slowest = max(slowest, time.perf_counter() - began)
        counts["matches"] = len(store.matches())
    return counts, slowest


if __name__ == "__main__":
    sys.exit(run(fuzz, __doc__))
