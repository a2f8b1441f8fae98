"""A talk between the client of FIBS and a test, which says what a server says."""

from protocol.backgammon.adapters.fibs_client import FibsClient
from protocol.backgammon.servers.match_store import MatchStore
from protocol.backgammon.servers.player import Account, Player
from protocol.backgammon.servers.policy import Policy
from tests.fakes.fibs_board import ME, Clock
from tests.fakes.restless_player import RestlessPlayer

QUICK = Policy(delay=0.5, patience=1.0, unlimited=True, most_dropped=0)

BEGUN = (
    "** You are now playing a 3 point match with bob",
    "Starting a new game with bob.",
    "You rolled 6, bob rolled 1",
    "It's your turn to move.",
    "board:You:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:1:0:0:1:1:1:0"
    ":1:-1:0:25:0:0:0:0:2:0:0:0",
)


class Talk:
    """A client, what it has sent, and a clock that goes on by itself where it waits."""

    def __init__(self, folder, policy=QUICK, decider=None, name=ME):
        self.clock = Clock()
        self.sent = []
        self.store = MatchStore(folder)
        account = Account("fake", name, "secret99")
        player = Player(account, decider or RestlessPlayer(), policy, self.store, self.clock)
        self.client = FibsClient(player, self._send)

    def _send(self, line, told=None):
        assert told is None or "secret99" not in told
        self.sent.append(line if told is None else told)

    def hear(self, *lines):
        """What is sent to these lines, at once."""
        self.sent.clear()
        for line in lines:
            self.client.receive(line)
        return list(self.sent)

    def wait(self, seconds=10.0):
        """What is sent within so many seconds."""
        self.sent.clear()
        until = self.clock.now + seconds
        while self.clock.now < until:
            self.clock.sleep(min(max(self.client.agenda.seconds, 0.01), until - self.clock.now))
            self.client.act()
        return list(self.sent)

    def log_in(self):
        name = self.client.player.account.name
        self.hear("login: ", f"1 {name} 1041253132 here")
        self.hear(f"5 {name} - - 1 0 1500.00 1 0 1 h Blot -", "6")

    def lose_connection(self):
        """The connection is lost, and made anew."""
        self.client.lost()
        self.client = FibsClient(self.client.player, self._send)
        self.log_in()
