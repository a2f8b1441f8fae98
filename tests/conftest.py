"""What every test shares: hypothesis without a deadline (a first call compiles), without chance.

Where kernels run uncompiled, a hundred times as slow, ten examples of a kind are enough.
"""

import gc
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from bot.kernels.kernel import COMPILES

settings.register_profile("blot", deadline=None, derandomize=True, database=None)
settings.register_profile("uncompiled", settings.get_profile("blot"), max_examples=10)
settings.load_profile("blot" if COMPILES else "uncompiled")

# Under `nohup pytest ... &` a script's shell has SIGINT ignored, and children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# readline tells its children the size of its window, which is not that of the windows of tests.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)

# Where no bytecode is written every child would translate the sources again, half a second of each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Python's own number of objects between collections, 700, costs a tenth of the time to compile.
gc.set_threshold(50_000)


def pytest_sessionstart(session):
    """Before all tests run in several processes kernels are compiled, or each would compile them
    for itself.
    """
    config = session.config
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not is_whole or config.option.collectonly or not config.getoption("numprocesses", 0):
        return
    from bot.compilation import Compilation, compile_missing

    for game in ("backgammon", "draughts"):
        compilation = Compilation(f"bot.{game}.jobs")
        compile_missing(compilation, list(compilation.jobs))


def pytest_collection_modifyitems(items):
    """Without gnubg or Chromium on the machine their tests are left out; CI, which installs both,
    runs them all.
    """
    if os.environ.get("CI"):
        return
    if shutil.which("gnubg") is None and not Path("/usr/games/gnubg").exists():
        skip = pytest.mark.skip(reason="needs gnubg (Debian: apt-get install gnubg)")
        for item in items:
            if item.get_closest_marker("gnubg"):
                item.add_marker(skip)
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        skip = pytest.mark.skip(reason="needs Chromium (Debian: apt-get install chromium-driver)")
        for item in items:
            if "driver" in getattr(item, "fixturenames", ()):
                item.add_marker(skip)
