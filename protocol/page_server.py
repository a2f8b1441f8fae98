"""Page server: a game's page at an address of this machine, as commands serve it.

It imports the web server only when it is used: Starlette and uvicorn are an extra.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.lab.command_line import whole_number

if TYPE_CHECKING:
    import socket

    from protocol.web import Answer, Events

HOST = "127.0.0.1"
ANY_HOST = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Page:
    """A game's page; see protocol.web.application. max_body: of questions, None for the usual."""

    folder: Path
    events: "Events"
    answers: "Mapping[str, Answer]"
    files: Mapping[str, Callable[[str], tuple[str, bytes]]]
    max_body: int | None = None


def add_page_options(parser: argparse.ArgumentParser, port: int) -> None:
    """Add --host, --port and --open."""
    parser.add_argument(
        "--host", default=HOST, help=f"address of this machine to listen at (default: {HOST})"
    )
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=port,
        metavar="N",
        help=f"port to listen at, 0 for any free one (default: {port})",
    )
    parser.add_argument(
        "--open", action="store_true", help="open the page in this machine's browser"
    )


def listener_for(options: argparse.Namespace, command: str) -> "socket.socket":
    """The socket that the options ask for, bound; raises ValueError without the web server."""
    try:
        from protocol import web  # noqa: F401
    except ImportError:
        raise ValueError(
            f"{command} needs Starlette and uvicorn: install them with pip install "
            "'blot-gammon[board]', or --editable '.[board]' in a clone"
        ) from None
    from protocol import wire

    return wire.listener(options.host, options.port)


def serve_page(
    options: argparse.Namespace, listener: "socket.socket", page: Page, token_file: Path
) -> None:
    """Print the page's address and answer there until Ctrl-C.

    token_file: where the token of the address is kept. The socket is closed in the end.
    """
    from protocol import web, wire

    host, port = listener.getsockname()
    names = {host, options.host, *_names_of(host)}
    ports = [f":{port}", *([""] if port == web.HTTP_PORT else [])]
    token = web.kept_token(token_file)
    app = web.application(
        token,
        [f"{name}{ending}" for name in names for ending in ports],
        page.folder,
        page.events,
        page.answers,
        page.files,
        max_body=web.MAX_BODY if page.max_body is None else page.max_body,
    )
    address = f"http://{wire.address_of(listener)}/{token}/"

    def announce() -> None:
        print(f"The board is at {address}\nCtrl-C ends; the game is kept.", flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(address)

    try:
        listener.listen()
        web.serve(app, listener, announce, page.events.end)
    finally:
        wire.close_listener(listener)


def _names_of(host: str) -> set[str]:
    """Other names by which browsers know an address of this machine."""
    import socket

    if host != ANY_HOST:
        return {"localhost"} if host.startswith("127.") else set()
    return {HOST, "localhost", socket.gethostname()}
