"""What every test shares: hypothesis without a deadline (a first call compiles), without chance."""

import os
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("blot", deadline=None, derandomize=True, database=None)
settings.load_profile("blot")

# Under `nohup pytest ... &` a script's shell has SIGINT ignored, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Without gnubg on the machine its tests are left out; CI, which installs it, runs them all."""
    missing = shutil.which("gnubg") is None and not Path("/usr/games/gnubg").exists()
    if missing and not os.environ.get("CI"):
        skip = pytest.mark.skip(reason="needs gnubg (Debian: apt-get install gnubg)")
        for item in items:
            if item.get_closest_marker("gnubg"):
                item.add_marker(skip)
