"""Nonsense sent to every address of a board: refused in a sentence, and nothing is lost."""

import json
import time
import urllib.error
import urllib.request

import pytest

from tests.browsers import BODIES, LIMIT

pytestmark = pytest.mark.slow

POSTS = ("act", "new", "load", "games", "hint", "complete", "rollout", "rollout/stop")
ACTS = (
    "roll",
    "double",
    "take",
    "drop",
    "beaver",
    "accept",
    "decline",
    "next",
    "keep",
    "take-back",
    "stop",
    "confirm",
    "undo-turn",
    "move",
    "text",
    "dice",
    "resign",
    "set",
    "edit",
    "settings",
    "",
    "__init__",
)
VALUES = (None, -1, 10**400, 1.5, True, "", "x" * 5000, [], {}, [[]], "\u0000", "7/13")


def refuses(told):
    """Whether it is a refusal that says why."""
    status, body = told
    return 400 <= status < 500 and bool(json.loads(body)["error"])


@pytest.fixture(scope="module")
def board(server):
    server.begin("human", "easy", seed=4)
    end = time.monotonic() + LIMIT
    while server.state()["asks"] == "bot":  # it may have to begin
        assert time.monotonic() < end
        time.sleep(0.05)
    yield server
    assert server.state()["asks"]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_body_that_is_no_question_is_refused(board, path, body):
    status, told = board.post(path, body=body)
    assert status < 500
    assert status == 200 or json.loads(told)["error"]


@pytest.mark.parametrize("path", POSTS)
def test_body_of_another_kind_is_refused(board, path):
    assert refuses(board.post(path, {}, kind="text/plain"))


@pytest.mark.parametrize("path", POSTS)
def test_body_too_long_is_refused(board, path):
    assert board.post(path, body=b" " * 100_000)[0] == 413


@pytest.mark.parametrize("act", ACTS)
def test_act_with_values_of_wrong_types_changes_no_checker(board, act):
    before = board.state()
    version = before["version"]
    names = ("from", "to", "text", "points", "id", "dice", "on_roll", "cube", "tutor", "advice")
    for value in VALUES:
        values = {"version": version, "do": act, **dict.fromkeys(names, value)}
        status, told = board.post("act", values)
        assert status < 500, (act, value)
        version = told["version"] if status == 200 else version
        assert status == 200 or json.loads(told)["error"]
    assert board.state()["points"] == before["points"]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("path", ["new", "load", "hint", "complete", "rollout"])
def test_question_with_values_of_wrong_types_is_answered(board, path, value):
    names = ("players", "length", "dice", "seed", "cube", "name", "version", "text", "trials")
    status, told = board.post(path, dict.fromkeys(names, value))
    assert status < 500
    assert status == 200 or json.loads(told)["error"]


@pytest.mark.parametrize(
    "path",
    [
        "../../../etc/passwd",
        "%2e%2e/%2e%2e/app.py",
        "..%2f..%2fapi.py",
        "texts/../../api.py",
        "texts/xx.json",
        "export/",
        "export/a.exe",
        "export/..%2f..%2fgame.sgf",
        "nothing",
        "act",
    ],
)
def test_address_that_is_none_gives_nothing_away(board, path):
    try:
        with urllib.request.urlopen(board.address + path, timeout=20) as answer:
            content = answer.read()
            status = answer.status
    except urllib.error.HTTPError as error:
        with error:
            status, content = error.code, error.read()
    assert status in (404, 405) or content.startswith(b"(;")
    assert b"import" not in content


def test_another_host_or_origin_is_refused(board):
    for name, value in (("Host", "evil.example"), ("Origin", "http://evil.example")):
        request = urllib.request.Request(board.address, headers={name: value})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=20)
        with refused.value as error:
            assert error.code == 403


def test_address_without_the_token_is_nothing(board):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(
            board.address[: board.address.rstrip("/").rfind("/") + 1], timeout=20
        )
    with refused.value as error:
        assert error.code == 404
