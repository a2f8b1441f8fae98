"""Web: a page and its questions over HTTP, on this machine only unless asked; it knows no game.

The page's address has a token in it, and requests without it are refused; those of other pages are
by their Host and Origin. What a page asks and is answered is JSON.
"""

import asyncio
import contextlib
import json
import os
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.archive import whole_file
from bot.files import make_folder
from bot.signals import REQUESTS, handle

MAX_BODY = 1 << 16
"""Bytes of a question, unless a page needs longer ones."""

PAGE = Path(__file__).parent / "page"
"""The files that pages of all games share, found below `shared/`; its texts stand beside theirs."""

ALIVE_SECONDS = 15.0
"""Seconds after which a silent stream of events says that it is alive."""

LEAVING_SECONDS = 2
"""Seconds that answers under way have when the server ends."""

HTTP_PORT = 80
"""The port that browsers do not name."""

STALE = 409
"""Status of HTTP for an act that was meant for another state."""

_TOKEN = re.compile("[A-Za-z0-9_-]{24}")

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Values = dict[str, Any]
Answer = Callable[[Values], Any]
"""Answers a question, in a thread; raises RefusedError or ValueError with a sentence."""


class RefusedError(ValueError):
    """A question that is refused with another status of HTTP than 400."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Events:
    """Named events that pages hear of as they happen, the last of each kept for who comes later."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._last: dict[str, str] = {}
        self._listeners: set[_Listener] = set()

    def send(self, name: str, values: Any) -> None:
        """Tell everybody who listens, and who comes later, from any thread.

        A page that is slow hears of the last event of each name alone.
        """
        text = f"event: {name}\ndata: {json.dumps(values)}\n\n"
        self._last[name] = text
        self._call(lambda listener: listener.tell(name, text))

    def end(self) -> None:
        """Let all streams end."""
        self._call(_Listener.end)

    def _call(self, act: Callable[["_Listener"], None]) -> None:
        """Do it to all listeners, in their own thread."""

        def act_on_all() -> None:
            for listener in self._listeners:
                act(listener)

        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed, maybe just now
                self._loop.call_soon_threadsafe(act_on_all)

    async def stream(self) -> AsyncIterator[str]:
        """The events for one page, from now on."""
        self._loop = asyncio.get_running_loop()
        listener = _Listener(self._last)
        self._listeners.add(listener)
        try:
            while not listener.has_ended:
                try:
                    for text in await asyncio.wait_for(listener.heard(), ALIVE_SECONDS):
                        yield text
                except TimeoutError:
                    yield ": alive\n\n"
        finally:
            self._listeners.discard(listener)


class _Listener:
    """The events that one page has not been sent yet, at most one of each name."""

    def __init__(self, waiting: Mapping[str, str]) -> None:
        self.has_ended = False
        self._waiting = dict(waiting)
        self._wake = asyncio.Event()
        self._wake.set()

    def tell(self, name: str, text: str) -> None:
        """Have an event sent, in place of an earlier one of its name."""
        self._waiting.pop(name, None)
        self._waiting[name] = text
        self._wake.set()

    def end(self) -> None:
        """Have no more sent than waits now."""
        self.has_ended = True
        self._wake.set()

    async def heard(self) -> list[str]:
        """The texts to be sent, once there are any."""
        await self._wake.wait()
        self._wake.clear()
        texts = list(self._waiting.values())
        self._waiting.clear()
        return texts


class _Guard:
    """Lets only requests in that name this server, from its own pages."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = set(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            headers = {key.decode("latin-1"): value for key, value in scope["headers"]}
            host = headers.get("host", b"").decode("latin-1")
            origin = headers.get("origin", f"http://{host}".encode()).decode("latin-1")
            if not self._is_named(host, scope.get("server")) or origin != f"http://{host}":
                refused = JSONResponse({"error": "this server is asked by its own page"}, 403)
                await refused(scope, receive, send)
                return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = [(key.lower().encode(), text.encode()) for key, text in _HEADERS.items()]
                message["headers"] = [*message["headers"], *known]
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _is_named(self, host: str, reached: tuple[str, int | None] | None) -> bool:
        """Whether a request names this server, or the address and port that it was reached at.

        A name that a stranger has led here is neither.
        """
        address, port = reached or ("", None)
        own = {f"{address}:{port}", *([address] if port == HTTP_PORT else [])}
        return host in self._hosts | own


def application(
    token: str,
    hosts: Iterable[str],
    folder: Path,
    events: Events,
    answers: Mapping[str, Answer],
    files: Mapping[str, Callable[[str], tuple[str, bytes]]],
    *,
    max_body: int = MAX_BODY,
) -> ASGIApp:
    """The application: everything stands below the token.

    hosts: the names, with ports, that the server goes by. folder: the page, index.html and what it
    needs, texts by language in `texts/`. answers: to POST, by address. files: to GET below an
    address, from the rest of it to a media type and the content; ValueError if there is none.
    max_body: bytes of a question.
    """
    languages = sorted(path.stem for path in (folder / "texts").glob("*.json"))

    def texts(name: str) -> tuple[str, bytes]:
        language = name.removesuffix(".json")
        if language not in languages:
            raise ValueError(f"no texts in {language[:20]!r}")
        return "application/json", json.dumps(texts_of(folder, language)).encode()

    async def stream(request: Request) -> Response:
        return StreamingResponse(events.stream(), media_type="text/event-stream")

    async def tell_languages(request: Request) -> Response:
        return JSONResponse(languages)

    routes: list[BaseRoute] = [
        Route("/events", stream),
        Route("/languages", tell_languages),
        *(
            Route(f"/{name}", _asked(answer, max_body), methods=["POST"])
            for name, answer in answers.items()
        ),
        *(
            Route(f"/{name}/{{rest}}", _fetched(get))
            for name, get in {**files, "texts": texts}.items()
        ),
        Mount("/shared", StaticFiles(directory=PAGE)),
        Mount("/", StaticFiles(directory=folder, html=True)),
    ]
    return _Guard(Starlette(routes=[Mount(f"/{token}", routes=routes)]), hosts)


def texts_of(folder: Path, language: str) -> Values:
    """The texts of a page in a language: those that all pages share, and its own."""
    found: Values = {}
    for place in (PAGE, folder):
        path = place / "texts" / f"{language}.json"
        if path.exists():
            found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def kept_token(path: Path) -> str:
    """The token in a file that its owner alone may read, made if there is none.

    With it a page that is open goes on when the server was started again. Raises OSError if the
    file cannot be made.
    """
    with contextlib.suppress(OSError):
        status = path.stat()
        token = path.read_text(encoding="ascii", errors="replace").strip()
        if _TOKEN.fullmatch(token) and not status.st_mode & 0o077:
            return token
    token = secrets.token_urlsafe(18)
    make_folder(path.parent)
    with whole_file(path) as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(token.encode())
    return token


def serve(
    app: ASGIApp,
    listener: socket.socket,
    on_begin: Callable[[], None],
    on_end: Callable[[], None],
) -> None:
    """Answer at the socket until a signal ends it; on_end is called when that has come.

    on_begin is called before, when signals are heard already.
    """

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: Any) -> None:
            on_end()
            super().handle_exit(sig, frame)

    settings = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=LEAVING_SECONDS,
        lifespan="off",
    )
    server = Server(settings)
    # uvicorn leaves SIGHUP alone, and raises the others once more when it has ended
    handle(server.handle_exit, "SIGINT", *REQUESTS)
    on_begin()
    server.run(sockets=[listener])


def _asked(answer: Answer, max_body: int) -> Callable[[Request], Any]:
    """The handler of questions in JSON."""

    async def handle(request: Request) -> Response:
        try:
            values = await _values(request, max_body)
            return JSONResponse(await run_in_threadpool(answer, values))
        except RefusedError as error:
            return JSONResponse({"error": str(error)}, error.status)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 400)
        except ClientDisconnect:  # a page that was closed while it sent a file
            return Response(status_code=400)

    return handle


async def _values(request: Request, max_body: int) -> Values:
    """The object that a question is; raises RefusedError or ValueError if it is none."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RefusedError("a question is application/json", 415)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > max_body:
            raise RefusedError(f"a question, or a file sent, has at most {max_body} bytes", 413)
    try:
        values = json.loads(body or b"{}")
        json.dumps(values, ensure_ascii=False).encode()  # half of a letter has no place in a file
    except (ValueError, RecursionError):
        raise ValueError("the question is no JSON") from None
    if not isinstance(values, dict):
        raise ValueError("a question is a JSON object")
    return values


def _fetched(get: Callable[[str], tuple[str, bytes]]) -> Callable[[Request], Any]:
    """The handler of files that are made when they are asked for."""

    async def handle(request: Request) -> Response:
        try:
            media_type, content = await run_in_threadpool(get, request.path_params["rest"])
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 404)
        return Response(content, media_type=media_type)

    return handle
