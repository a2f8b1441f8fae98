"""Password: read from where nobody else can read it, and shown nowhere."""

import os
import stat
from pathlib import Path

from bot.files import bytes_of

VARIABLE = "BLOT_PASSWORD"
MAX_BYTES = 1000


def password(path: Path | None) -> str:
    """The password in a file that its owner alone may read, or else in an environment variable.

    Raises ValueError, in one sentence, if there is none, others can read it, or no line could
    carry it.
    """
    if path is None:
        text = os.environ.get(VARIABLE, "")
        if not text:
            raise ValueError(
                f"no password: give --password-file FILE, or put it into the environment as "
                f"{VARIABLE}"
            )
        return _checked(text, f"the password in {VARIABLE}")
    try:
        status = path.stat()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if stat.S_ISDIR(status.st_mode):
        raise ValueError(f"{path} is a folder, no file with a password")
    if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
        way = f"chmod 600 {path}" if stat.S_ISREG(status.st_mode) else "give a file"
        raise ValueError(f"others than its owner can use {path}: {way}")
    text = bytes_of(path, MAX_BYTES).decode(errors="replace").rstrip("\r\n")
    return _checked(text, f"the password in {path}")


def _checked(text: str, name: str) -> str:
    """The password; raises ValueError, without showing it, if it is none."""
    if not text or not text.isprintable() or " " in text:
        raise ValueError(f"{name} is empty, or has blanks or other signs that no login carries")
    return text
