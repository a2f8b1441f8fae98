"""Log: warnings on standard error, and every line in a file if one is wanted."""

import logging
import sys


def keep_log(path: str | None = None) -> None:
    """Write warnings to standard error, and every line of every peer to the file if one is given.

    The file gets a time, the peer's number and the direction: > to us, < from us. Raises OSError,
    in one sentence, if it cannot be written.
    """
    blot = logging.getLogger("blot")
    warnings: logging.Handler = logging.StreamHandler(sys.stderr)
    warnings.setLevel(logging.WARNING)
    handlers = [warnings]
    if path is not None:
        try:
            handlers.append(logging.FileHandler(path, encoding="utf-8"))
        except OSError as error:
            raise OSError(f"cannot write log {path}: {error.strerror}") from error
        blot.setLevel(logging.DEBUG)
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        blot.addHandler(handler)
