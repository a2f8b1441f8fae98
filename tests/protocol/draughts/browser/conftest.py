"""A server for the tests of the page of draughts; each module has its own."""

import pytest

from tests.browsers import BoardServer


class DraughtsServer(BoardServer):
    """`blot draughts board` in a folder."""

    def __init__(self, folder):
        super().__init__(folder, "draughts", "board", "--variant", "czech")

    def start_game(self, white="human", black="human", *, variant="czech", fen=None, **more):
        """A new game, with bots that do not dawdle."""
        origin = {"origin": "start"} if fen is None else {"origin": "fen", "fen": fen}
        players = {"players": [white, black], "depths": [None, None]}
        status, told = self.post("new", {"variant": variant, **players, **origin, **more})
        assert status == 200, told
        self.act("settings", delay=0, auto=False, advice="easy")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = DraughtsServer(tmp_path_factory.mktemp("state"))
    running.start()
    yield running
    running.kill()
