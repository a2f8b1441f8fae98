"""Mistakes: of who typed a command, and of the other side of a line."""


class UsageError(ValueError):
    """Options that no command can follow, whatever files hold: one sentence, and exit code 2."""


class WireError(Exception):
    """The other side of a line broke the protocol; one sentence for it and for the log."""


class MalformedLineError(WireError):
    """A line, and the field of it that could not be read."""

    def __init__(self, field: str, line: str) -> None:
        super().__init__(f"cannot read {field} in {line[:80]!r}")
