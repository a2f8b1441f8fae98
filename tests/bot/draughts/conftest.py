import signal
from contextlib import contextmanager

import pytest


class BrokenOffError(Exception):
    pass


def _break_off(*_):
    raise BrokenOffError


@pytest.fixture
def broken_off_soon():
    """A block that a signal is to end once this process has worked in it for a little."""

    @contextmanager
    def block():
        before = signal.signal(signal.SIGVTALRM, _break_off)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
        try:
            with pytest.raises(BrokenOffError):
                yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    return block
