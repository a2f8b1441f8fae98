"""Nonsense sent to every address of a board: refused in a sentence, and nothing is lost."""

import json
import urllib.error
import urllib.request

import pytest

from protocol.draughts.browser.api import MAX_BODY, Api
from tests.browsers import BODIES

pytestmark = pytest.mark.slow

ACTS = (
    "move",
    "text",
    "pause",
    "go",
    "step",
    "stop",
    "again",
    "set",
    "settings",
    "",
    "_do",
)
VALUES = (None, -1, 10**400, 1.5, True, "", "x" * 5000, [], {}, [[]], "\u0000", "32-28", [1, 2])
NAMES = (
    *("n", "text", "fen", "delay", "advice", "auto", "variant", "players", "depths", "origin"),
    *("ballot", "version", "games", "depth", "is_shared", "name", "digest"),
)


@pytest.fixture(scope="module")
def board(server):
    server.start_game()
    server.act("text", text="c3-d4")
    yield server
    assert server.state()["asks"]


@pytest.fixture(scope="module")
def paths():
    return sorted(Api.answers.fget(_NoApi()))


class _NoApi(Api):
    """The addresses of an API that has not been opened."""

    def __init__(self):
        pass


def test_body_that_is_no_question_is_refused(board, paths):
    assert len(paths) > 9
    for path in paths:
        for body in BODIES:
            status, told = board.post(path, body=body)
            assert status < 500, (path, body)
            assert status == 200 or json.loads(told)["error"]
        assert board.post(path, {}, kind="text/plain")[0] == 415
    status, told = board.post("act", body=b" " * (MAX_BODY + 1))
    assert (status, "or a file sent" in told) == (413, True)


def test_values_of_wrong_types_are_answered_and_move_nothing(board, paths):
    before = board.state()
    for value in VALUES:
        for path in paths:
            status, told = board.post(path, dict.fromkeys(NAMES, value))
            assert status < 500, (path, value)
            assert status == 200 or json.loads(told)["error"]
        for act in ACTS:
            values = {**dict.fromkeys(NAMES, value), "version": board.state()["version"]}
            status, told = board.post("act", {**values, "do": act})
            assert status < 500, (act, value)
            assert status == 200 or json.loads(told)["error"]
    assert board.state()["fen"] == before["fen"]


@pytest.mark.parametrize(
    "path",
    [
        *("../../../etc/passwd", "%2e%2e/%2e%2e/app.py", "..%2f..%2fapi.py", "shared/../web.py"),
        *("shared/%2e%2e/web.py", "texts/../../api.py", "texts/xx.json", "texts/..%2fen.json"),
        *("export/", "export/a.exe", "nothing", "act"),
    ],
)
def test_address_that_is_none_gives_nothing_away(board, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(board.address + path, timeout=20)
    with refused.value as error:
        assert error.code in (404, 405)
        assert b"import" not in error.read()
