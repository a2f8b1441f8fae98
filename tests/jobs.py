"""Jobs of a compilation that compile nothing."""

import time

from bot.compilation import Job


def _nothing() -> None:
    pass


JOBS = {
    "waiting": Job(_nothing, 3.0, "slow"),
    "slow": Job(lambda: time.sleep(0.5), 2.0),
    "quick": Job(_nothing, 1.0),
}
