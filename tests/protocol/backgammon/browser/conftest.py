"""A server for the tests of the page; each module has its own."""

import pytest

from tests.browsers import BoardServer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = BoardServer(tmp_path_factory.mktemp("state"))
    running.start()
    yield running
    running.kill()
