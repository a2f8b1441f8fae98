"""The web server, asked as a browser and as others would ask it; it knows no game."""

import asyncio
import json
import signal
import stat
import threading
from argparse import Namespace
from functools import partial
from http.client import HTTPConnection

import pytest
import uvicorn

from bot.signals import REQUESTS, handled
from protocol import page_server, web, wire
from protocol.page_server import Page, serve_page
from tests.processes import hang_ups_heard

TOKEN = "t" * 24
LIMIT = 30


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The port of a server whose page doubles numbers."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "texts").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "texts" / "en.json").write_text('{"title": "Žofka"}', "utf-8")
    (folder / "texts" / "cs.json").write_text("{}")
    events = web.Events()
    events.send("state", {"first": True})
    listener = wire.listener("127.0.0.1", 0)
    listener.listen()
    number = listener.getsockname()[1]

    def doubled(values):
        if "n" not in values:
            raise ValueError("n is missing")
        if values["n"] < 0:
            raise web.RefusedError("n is too late", 409)
        return {"n": 2 * values["n"]}

    def file(name):
        if name != "a.txt":
            raise ValueError(f"no file {name}")
        return "text/plain", b"content"

    app = web.application(
        TOKEN, [f"127.0.0.1:{number}"], folder, events, {"double": doubled}, {"files": file}
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield number
    server.should_exit = True
    events.end()
    thread.join(LIMIT)
    assert not thread.is_alive()
    listener.close()


def asked(port, method, path, body=None, **headers):
    """Status, headers and text of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    given = {"Content-Type": "application/json"} if method == "POST" else {}
    connection.request(method, path, body, given | headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_a_page_that_reads_late_hears_of_the_last_event_of_each_name():
    events = web.Events()
    events.send("state", 0)

    async def heard():
        stream = events.stream()
        texts = [await anext(stream)]
        for number in range(1, 1000):
            events.send("state", number)
            events.send("rollout", -number)
        events.send("state", 1000)
        await asyncio.sleep(0)
        texts += [await anext(stream), await anext(stream)]
        events.end()
        return [*texts, *[text async for text in stream]]

    assert asyncio.run(heard()) == [
        "event: state\ndata: 0\n\n",
        "event: rollout\ndata: -999\n\n",
        "event: state\ndata: 1000\n\n",
    ]


def test_a_stream_that_is_silent_says_that_it_is_alive(monkeypatch):
    monkeypatch.setattr(web, "ALIVE_SECONDS", 0.01)
    events = web.Events()

    async def heard():
        stream = events.stream()
        texts = [await anext(stream), await anext(stream)]
        events.send("state", 1)
        while texts[-1] == ": alive\n\n":
            texts.append(await anext(stream))
        events.end()
        return [*texts, *[text async for text in stream]]

    first, *texts = asyncio.run(heard())
    assert first == ": alive\n\n"
    assert [text for text in texts if text != first] == ["event: state\ndata: 1\n\n"]


def test_the_page_is_below_the_token_and_nowhere_else(port):
    status, headers, text = asked(port, "GET", f"/{TOKEN}/")
    assert (status, "<title>page" in text) == (200, True)
    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert headers["Referrer-Policy"] == "no-referrer"
    for path in ("/", "/index.html", f"/{'u' * 24}/", f"/{TOKEN}/../secret", f"/{TOKEN}/none"):
        assert asked(port, "GET", path)[0] == 404


def test_languages_are_the_texts_that_there_are(port):
    assert json.loads(asked(port, "GET", f"/{TOKEN}/languages")[2]) == ["cs", "en"]


def test_a_page_has_its_own_texts_and_those_of_all_pages_in_the_languages_it_has(port):
    shared = json.loads((web.PAGE / "texts" / "en.json").read_text(encoding="utf-8"))
    status, headers, text = asked(port, "GET", f"/{TOKEN}/texts/en.json")
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert shared
    assert json.loads(text) == {**shared, "title": "Žofka"}
    status, _, text = asked(port, "GET", f"/{TOKEN}/texts/sl.json")
    assert (status, json.loads(text)) == (404, {"error": "no texts in 'sl'"})
    assert asked(port, "GET", f"/{TOKEN}/shared/texts/en.json")[0] == 200


def test_a_question_is_answered(port):
    status, _, text = asked(port, "POST", f"/{TOKEN}/double", '{"n": 21}')
    assert (status, json.loads(text)) == (200, {"n": 42})
    _, headers, text = asked(port, "GET", f"/{TOKEN}/files/a.txt")
    assert (headers["Content-Type"], text) == ("text/plain; charset=utf-8", "content")
    assert asked(port, "GET", f"/{TOKEN}/files/b.txt")[0] == 404


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ("", 400, "n is missing"),
        ("[1]", 400, "a question is a JSON object"),
        ("{", 400, "the question is no JSON"),
        ("[" * 60000, 400, "the question is no JSON"),
        ('{"n": "\\ud800"}', 400, "the question is no JSON"),
        ('{"n": -1}', 409, "n is too late"),
        (" " * 65537, 413, "at most 65536 bytes"),
        (" " * 65536, 400, "the question is no JSON"),
    ],
)
def test_a_bad_question_is_refused_in_a_sentence(port, body, status, sentence):
    found, _, text = asked(port, "POST", f"/{TOKEN}/double", body)
    assert found == status
    assert sentence in json.loads(text)["error"]


def test_a_page_that_is_closed_while_it_asks_is_no_fault(tmp_path):
    app = web.application(TOKEN, ["host"], tmp_path, web.Events(), {"same": dict}, {})
    headers = [(b"host", b"host"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": f"/{TOKEN}/same", "headers": headers}

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        pass

    asyncio.run(app(scope, receive, send))


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
)
def test_other_pages_are_refused(port, headers):
    assert asked(port, "POST", f"/{TOKEN}/double", '{"n": 1}', **headers)[0] == 403


def status_of(folder, host, *reached):
    """The status of an answer to who names that host and was led to an address and port."""
    app = web.application(TOKEN, ["localhost:7300"], folder, web.Events(), {}, {})
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": f"/{TOKEN}/languages", "root_path": ""}
    scope |= {"headers": [(b"host", host.encode())], "query_string": b"", "server": reached}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"]


def test_page_is_found_at_every_address_of_the_machine_and_by_no_other_name(tmp_path):
    (tmp_path / "texts").mkdir()
    for host, port in (("192.0.2.7:7300", 7300), ("192.0.2.7", 80), ("localhost:7300", 7300)):
        assert status_of(tmp_path, host, "192.0.2.7", port) == 200
    for host in ("192.0.2.8:7300", "192.0.2.7", "192.0.2.7:80", "evil.example:7300", ""):
        assert status_of(tmp_path, host, "192.0.2.7", 7300) == 403


def test_a_form_of_another_page_is_refused(port):
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert asked(port, "POST", f"/{TOKEN}/double", "n=1", **kind)[0] == 415


def test_who_comes_late_hears_the_last_event_of_each_name(port):
    connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.request("GET", f"/{TOKEN}/events")
    answer = connection.getresponse()
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.readline() == b"event: state\n"
    assert json.loads(answer.readline().partition(b": ")[2]) == {"first": True}
    connection.close()


def test_the_token_stays_and_only_its_owner_may_read_it(tmp_path):
    path = tmp_path / "state" / "board.token"
    token = web.kept_token(path)
    assert len(token) == 24
    assert web.kept_token(path) == token
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for damaged in (b"../x", 24 * b"\xff", b""):
        path.write_bytes(damaged)
        assert len(web.kept_token(path)) == 24
    with pytest.raises(OSError, match=r"^cannot make the folder .*board\.token: "):
        web.kept_token(path / "board.token")


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_token_that_others_might_have_read_is_replaced(tmp_path, mode):
    path = tmp_path / "board.token"
    token = web.kept_token(path)
    path.chmod(mode)
    assert web.kept_token(path) != token


@pytest.mark.parametrize(("host", "is_local"), [("127.0.0.2", True), ("192.0.2.7", False)])
def test_an_address_that_others_reach_is_not_called_localhost(host, is_local):
    assert ("localhost" in page_server._names_of(host)) == is_local


def test_an_event_that_comes_as_the_server_ends_is_heard_by_nobody():
    class Ending:
        """A loop that is closed just after somebody has asked whether it is."""

        def is_closed(self):
            return False

        def call_soon_threadsafe(self, act):
            raise RuntimeError("Event loop is closed")

    events = web.Events()
    events._loop = Ending()
    events.send("state", {"version": 1})


def test_who_serves_is_told_when_the_end_is_asked_for(tmp_path):
    told = []
    app = web.application(TOKEN, [], tmp_path, web.Events(), {}, {})
    listener = wire.listener("127.0.0.1", 0)
    listener.listen()
    end = partial(signal.raise_signal, signal.SIGHUP)
    with hang_ups_heard(), handled(signal.default_int_handler, "SIGINT", *REQUESTS):
        web.serve(app, listener, end, lambda: told.append("the end"))
    listener.close()
    assert told == ["the end"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_server_ends_in_order_by_a_signal_that_comes_as_soon_as_its_address_is_told(
    number, tmp_path, monkeypatch
):
    monkeypatch.setattr("webbrowser.open", lambda address: signal.raise_signal(number))
    options = Namespace(host="127.0.0.1", port=0, open=True)
    page = Page(tmp_path, web.Events(), {}, {})
    with hang_ups_heard(), handled(signal.default_int_handler, "SIGINT", *REQUESTS):
        serve_page(options, wire.listener("127.0.0.1", 0), page, tmp_path / "token")
