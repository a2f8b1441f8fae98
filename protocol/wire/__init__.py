"""Wire: lines over TCP, Unix sockets, standard input and output, and programs started here.

The one place that opens and waits.
"""

from protocol.wire.client import ClientError, LineClient, checked_server, connected
from protocol.wire.lines import (
    MAX_LINE,
    Adapter,
    Goodbye,
    LineCutter,
    MakeAdapter,
    kept_for_answers,
    serve_stream,
)
from protocol.wire.log import keep_log
from protocol.wire.messages import MessageClient
from protocol.wire.program import Program, ProgramError, SilentError
from protocol.wire.server import LineServer, serving
from protocol.wire.sockets import (
    accepted,
    address_of,
    close_listener,
    listener,
    tcp_listener,
    unix_listener,
)
from protocol.wire.stream import LineStream, connected_stream, secured, trust

__all__ = [
    "MAX_LINE",
    "Adapter",
    "ClientError",
    "Goodbye",
    "LineClient",
    "LineCutter",
    "LineServer",
    "LineStream",
    "MakeAdapter",
    "MessageClient",
    "Program",
    "ProgramError",
    "SilentError",
    "accepted",
    "address_of",
    "checked_server",
    "close_listener",
    "connected",
    "connected_stream",
    "keep_log",
    "kept_for_answers",
    "listener",
    "secured",
    "serve_stream",
    "serving",
    "tcp_listener",
    "trust",
    "unix_listener",
]
