"""A server for the tests of the page of draughts; each module has its own."""

import pytest

from tests.browsers import BoardServer


class DraughtsServer(BoardServer):
    """`blot draughts board` in a folder."""

    def __init__(self, folder):
        super().__init__(folder, "draughts", "board", "--variant", "czech")

    def start_game(self, white="human", black="human", *, variant="czech", fen=None, delay=0):
        """A new game, with bots that do not dawdle unless they should."""
        status, told = self.post(
            "act", {"version": 0, "do": "settings", "delay": delay, "auto": False, "advice": "easy"}
        )
        assert status == 200, told
        origin = {"origin": "start"} if fen is None else {"origin": "fen", "fen": fen}
        players = {"players": [white, black], "depths": [None, None]}
        status, told = self.post("new", {"variant": variant, **players, **origin})
        assert status == 200, told


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = DraughtsServer(tmp_path_factory.mktemp("state"))
    running.start()
    yield running
    running.kill()
