"""The folder of compiled code, one for each state of the kernel sources, and what is in it.

numba's cache notices a change in a file, but not in a callee that lives in another file. So code
compiled from one state of all kernel sources is never mixed with code from another.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from bot.kernels.kernel import COMPILES

_STATES_KEPT = 8
_MARK = "complete"


def home_folder() -> Path:
    """This user's home folder; where the system knows none, one that is not there."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")  # the home that Debian gives to users who have none


def user_cache() -> Path:
    """Blot's folder in that for this user's caches, BLOT_CACHE if it is set, or as systems have it.

    That is XDG_CACHE_HOME, LOCALAPPDATA, or ~/.cache.
    """
    for variable in ("BLOT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "blot"
    return home_folder() / ".cache" / "blot"


def digest_of_state(bot: Path) -> str:
    """Digest of all that numba asks before it takes code from its cache, and of what it does not.

    It asks where a source lies, when it was written and for which processor the code is; it does
    not ask for the other sources. Of numba itself it knows the version, and this where it lies and
    when it was written, as versions are a long way to look up. bot: the folder of the package.
    """
    from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

    numba = find_spec("numba")
    assert numba is not None
    assert numba.origin is not None
    compiler = numba.origin, Path(numba.origin).stat().st_mtime_ns
    processor = get_host_cpu_name(), get_host_cpu_features().flatten()
    digest = hashlib.sha256(f"{compiler} {sys.version} {processor} {bot}".encode())
    for source in sorted(bot.glob("**/kernels/*.py")):
        written = source.stat().st_mtime_ns
        digest.update(f"{source.relative_to(bot).as_posix()} {written}\0".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def forget_old_states(folder: Path) -> None:
    """Remove all but the most recently used folders of compiled code."""
    states = sorted((path for path in folder.iterdir() if path.is_dir()), key=_last_use)
    for state in states[:-_STATES_KEPT]:
        shutil.rmtree(state, ignore_errors=True)


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def folder() -> Path | None:
    """The folder for this state, made and marked as used; None where nothing can be written."""
    place, problem = _made_folder()
    return place if problem is None else None


def folder_to_read() -> Path | None:
    """The folder for this state if it is there, even where nothing can be written."""
    place, _ = _made_folder()
    return place if os.access(place, os.R_OK | os.X_OK) else None


def writing_problem() -> str | None:
    """Why nothing can be kept in the user's cache folder; None if it can."""
    _, problem = _made_folder()
    return None if problem is None else problem.strerror or str(problem)


@cache
def _made_folder() -> tuple[Path, OSError | None]:
    """The folder for this state, and why nothing can be written there, if so."""
    kernels = user_cache() / "kernels"
    state = kernels / digest_of_state(Path(__file__).parent.parent)
    try:
        is_new = not state.exists()
        state.mkdir(parents=True, exist_ok=True)
        os.utime(state, (time.time(), time.time()))
        tempfile.TemporaryFile(dir=state).close()  # an owner may mark what he cannot write in
        if is_new:
            forget_old_states(kernels)
    except OSError as error:
        return state, error
    return state, None


def is_compiled(job: str) -> bool:
    """Whether the kernels of the given job were compiled before, from this very state."""
    if not COMPILES:
        return True
    place = folder_to_read()
    return place is not None and (place / f"{job}.{_MARK}").exists()


def mark_compiled(job: str) -> None:
    """Remember that the kernels of the given job are compiled and cached."""
    place = folder()
    if place is not None and COMPILES:
        with suppress(OSError):  # the folder may be full, or gone with the old states
            (place / f"{job}.{_MARK}").touch()
