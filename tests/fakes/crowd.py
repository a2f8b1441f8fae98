"""A crowd at the door of `blot serve`: python -m tests.fakes.crowd SOCKET SECONDS.

Thirty peers are silent, thirty flood it with lines good and bad (half of them read the answers),
and others come and vanish in the middle of a line, again and again. At the end it tells what it
did.
"""

import select
import socket
import struct
import sys
import time
from contextlib import suppress

CROWD = 30
GOOD = (
    b"board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    b":1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1\n\0"
)
LINES = (GOOD, b"hello\n", b"version\n", b"board:" + b"9" * 3000 + b"\n", b"\n\n\n\xff\xfe\n")


def connected(address: str) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(address)
    peer.setblocking(False)
    return peer


def vanish(address: str) -> None:
    """Come, say half a line, and be gone without a goodbye."""
    with suppress(OSError), connected(address) as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.send(GOOD + GOOD[:40])


def flood(peer: socket.socket, number: int) -> int:
    """Bytes sent of as much as the peer's socket takes."""
    with suppress(BlockingIOError):
        return peer.send(LINES[number % len(LINES)] * 20)
    return 0


def main() -> None:
    address, seconds = sys.argv[1], float(sys.argv[2])
    silent = [connected(address) for _ in range(CROWD)]
    flooding = [connected(address) for _ in range(CROWD)]
    reading = set(flooding[::2])
    until, sent, read, vanished, number = time.monotonic() + seconds, 0, 0, 0, 0
    print("here", flush=True)
    while time.monotonic() < until:
        readable, writable, _ = select.select(list(reading), flooding, [], 0.05)
        for peer in readable:
            with suppress(OSError):
                read += len(peer.recv(65536))
        for peer in writable:
            number += 1
            try:
                sent += flood(peer, number)
            except OSError:  # dropped, as it read nothing
                flooding.remove(peer)
                reading.discard(peer)
        if vanished < CROWD * 10:
            vanish(address)
            vanished += 1
    print(f"{len(silent)} silent, {CROWD} flooded with {sent} bytes and read {read}", end=", ")
    print(f"{vanished} vanished")
    for peer in silent + flooding:
        peer.close()


if __name__ == "__main__":
    main()
