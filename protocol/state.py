"""State: the folder in which what people have not finished waits for them."""

import os
from pathlib import Path

from bot.kernels import home_folder


def state_folder() -> Path:
    """This user's folder for games that go on: in the state folder of the XDG base directories."""
    given = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(given) if Path(given).is_absolute() else home_folder() / ".local" / "state"
    return folder / "blot"
