"""Workers: processes of this machine that compute beside each other."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor


def worker_pool(count: int) -> ProcessPoolExecutor:
    """A pool of so many processes, started as they are needed; use it in a `with`.

    Ctrl-C is left to the process that asked, and workers end with it even if it is killed.
    Raises ValueError for less than one worker.
    """
    if count < 1:
        raise ValueError(f"work needs at least one worker, not {count}")
    return ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare
    )


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
