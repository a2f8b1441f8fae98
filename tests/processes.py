"""Processes that tests start, and look for after their end."""

import os
import subprocess
import threading
from contextlib import contextmanager


@contextmanager
def child(command, limit, **more):
    """A running process, killed when the block ends or after so many seconds.

    more: for Popen; its streams are text. Nobody who reads its lines waits longer than the limit.
    """
    with subprocess.Popen(command, text=True, **more) as process:
        ending = threading.Timer(limit, process.kill)
        ending.start()
        try:
            yield process
        finally:
            ending.cancel()
            process.kill()


def group_is_gone(process):
    """Whether no process of the group is left."""
    try:
        os.killpg(process, 0)
    except ProcessLookupError:
        return True
    return False
