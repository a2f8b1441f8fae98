"""Jobs of a compilation that compile nothing."""

import errno
import os
import time

from bot.compilation import Job


def _nothing() -> None:
    pass


def _fill_the_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


JOBS = {
    "waiting": Job(_nothing, 3.0, "slow"),
    "slow": Job(lambda: time.sleep(0.5), 2.0),
    "quick": Job(_nothing, 1.0),
    "full": Job(_fill_the_disk, 1.0),
}
