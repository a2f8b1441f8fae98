"""A host for a soak: invites a Blot on a FIBS-like server to match after match, and plays them.

The guest is `blot fibs`, whose policy lets the host play; the host is the same client, which also
invites. Both must be on a server of one's own, in a network namespace that reaches nobody else.

    python tests/bench/check_server.py 127.0.0.1:4321 blot_a blot_b --matches 200

Prints a line a match, and at the end those finished, with gaps in their record, and the memory.
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from bot.backgammon.engine.level import level
from bot.lab.command_line import told_in_a_sentence, whole_number
from protocol.backgammon.adapters.fibs_client import FibsClient
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.match_store import MatchStore
from protocol.backgammon.servers.password import password
from protocol.backgammon.servers.player import Account, Player
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.staying import stay
from protocol.wire import connected_stream, keep_log

QUICK = Policy(delay=0.0, patience=0.2, greeting="", answer="I do not talk.")
LENGTHS = (1, 2, 1, 3, 1, 1)
INVITING_SECONDS = 5.0


class Host(FibsClient):
    """A client that invites somebody whenever it plays no match."""

    guest = ""
    left = 0
    invited = 0

    def receive(self, line):
        super().receive(line)
        if self.is_in and self.seat is None and Task.CREATE not in self.agenda:
            self.agenda.put(Task.CREATE, 0.3)

    def act(self):
        if Task.CREATE in self.agenda and self.seat is None and self.is_in:
            if self.agenda.seconds <= 0 and self.agenda.first is Task.CREATE:
                self.agenda.take()
                if Host.left <= 0:
                    self.stop()
                    return
                Host.invited += 1
                self._send(f"invite {self.guest} {LENGTHS[Host.invited % len(LENGTHS)]}")
                self.agenda.put(Task.CREATE, INVITING_SECONDS)
        elif self.seat is not None:
            self.agenda.drop(Task.CREATE)
        super().act()


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@told_in_a_sentence()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("host")
    parser.add_argument("guest")
    parser.add_argument("--matches", type=whole_number(1), default=200)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    if options.log:
        keep_log(str(options.log))
    folder = options.record or Path(tempfile.mkdtemp())
    store = MatchStore(folder)
    Host.guest, Host.left = options.guest, options.matches
    engine = level("easy").engine(lambda text: print(text, file=sys.stderr), candidates=1)
    account = Account(options.server, options.host, password(None))
    player = Player(account, engine, QUICK, store)
    began = time.monotonic()
    finish = player.finish

    def counted(match, points, ratings):
        finish(match, points, ratings)
        Host.left -= 1
        done = options.matches - Host.left
        print(
            f"{done} {points[0]}-{points[1]} gaps {match.gaps} {megabytes():.1f} MB "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )

    player.finish = counted
    stay(
        lambda: connected_stream(options.server, prompts=FibsClient.prompts),
        lambda send: Host(player, send),
        lambda: False,
        first_pause=1.0,
    )
    played = store.matches()
    print(
        f"{len(played)} matches, {sum(each.gaps for each in played)} gaps, "
        f"{sum(not each.file for each in played)} without a file, {folder}"
    )


if __name__ == "__main__":
    main()
