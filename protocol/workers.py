"""Workers option: how many processes are to work at once."""

import argparse

MAX_WORKERS = 256


def worker_count(text: str) -> int:
    """A number of processes; raises ArgumentTypeError if there cannot be so many."""
    if text not in map(str, range(1, MAX_WORKERS + 1)):
        raise argparse.ArgumentTypeError(f"1 to {MAX_WORKERS} processes, not {text}")
    return int(text)
