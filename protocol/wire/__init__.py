"""Wire: lines over TCP, Unix sockets, standard input and output, and programs started here.

The one place that opens and waits.
"""

from protocol.wire.client import ClientError, LineClient, connected
from protocol.wire.lines import MAX_LINE, Adapter, Goodbye, LineCutter, MakeAdapter, serve_stream
from protocol.wire.log import keep_log
from protocol.wire.program import Program, ProgramError
from protocol.wire.server import LineServer, serving
from protocol.wire.sockets import (
    address_of,
    close_listener,
    listener,
    tcp_listener,
    unix_listener,
)

__all__ = [
    "MAX_LINE",
    "Adapter",
    "ClientError",
    "Goodbye",
    "LineClient",
    "LineCutter",
    "LineServer",
    "MakeAdapter",
    "Program",
    "ProgramError",
    "address_of",
    "close_listener",
    "connected",
    "keep_log",
    "listener",
    "serve_stream",
    "serving",
    "tcp_listener",
    "unix_listener",
]
