"""Sockets: bound to an address of this machine or to a path, for peers to come to."""

import errno
import os
import socket
import stat
import sys
from contextlib import suppress


def listener(host: str, port: int, unix: str | None = None) -> socket.socket:
    """A socket bound to a Unix path if one is given, else to host and port."""
    return tcp_listener(host, port) if unix is None else unix_listener(unix)


def tcp_listener(host: str, port: int) -> socket.socket:
    """A socket bound to an IPv4 address and port (0: any free one), not yet listening.

    Raises OSError, in one sentence, if the address is unknown, in use or forbidden.
    """
    if not host:  # to the system that is every address of this machine
        raise OSError("cannot listen on a host without a name; 0.0.0.0 is every address")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs listen at once
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError, TypeError) as error:
        listener.close()
        raise OSError(f"cannot listen on {host}:{port}: {reason_of(error)}") from error
    return listener


def unix_listener(path: str) -> socket.socket:
    """A Unix socket that listens at a path; one that nobody serves is replaced.

    It listens at once, as one that does not is taken for one that nobody serves. Raises OSError, in
    one sentence, if the path is too long, in use or cannot be written.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise OSError("this system has no Unix sockets; listen on a host and port instead")
    if not path:
        raise OSError("cannot listen on a socket without a name")
    _remove_if_stale(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(os.path.abspath(path))
        listener.listen()
    except OSError as error:
        listener.close()
        raise OSError(f"cannot listen on socket {path}: {reason_of(error)}") from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The address for a peer on this machine: `127.0.0.1:7100`, or the path of a Unix socket."""
    name = listener.getsockname()
    if isinstance(name, str):
        return name
    host, port = name
    return f"{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"


def accepted(listener: socket.socket, seconds: float) -> socket.socket:
    """The connection of the first peer that comes to a bound socket within so many seconds.

    Raises TimeoutError, in one sentence, if nobody comes.
    """
    listener.settimeout(seconds)
    listener.listen(1)
    try:
        connection, _ = listener.accept()
    except TimeoutError:
        where = address_of(listener)
        raise TimeoutError(f"nobody came to {where} within {seconds:g} s") from None
    if connection.family == socket.AF_INET:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def close_listener(listener: socket.socket) -> None:
    """Close it; the file of a Unix socket goes too."""
    if listener.fileno() < 0:
        return
    name = listener.getsockname()
    if isinstance(name, str):  # while it listens: later the file may be another server's
        with suppress(FileNotFoundError):
            os.unlink(name)
    listener.close()


def _remove_if_stale(path: str) -> None:
    try:
        kind = os.stat(path).st_mode
    except OSError:  # nobody is there, or to bind it tells why not
        return
    if not stat.S_ISSOCK(kind):
        raise OSError(f"cannot listen on socket {path}: a file with that name exists")
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        if probe.connect_ex(path) == errno.ECONNREFUSED:
            os.unlink(path)


def reason_of(error: Exception) -> str:
    """Why a socket could not be bound or connected, in words."""
    if isinstance(error, TypeError):  # Python's own, of one that cannot be encoded
        return "no host has such a name"
    if isinstance(error, OverflowError):
        return "a port is 0 to 65535"
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return "another program listens there"
    return getattr(error, "strerror", None) or str(error)
