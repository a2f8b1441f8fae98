"""One folder of compiled code per state of the kernel sources.

numba's cache notices a change in a file, but not in a callee that lives in another file. Every
`kernels` package imports this module first, so that code compiled from one state of all kernel
sources is never mixed with code from another.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import njit
from numba.core import config
from numba.core.cpu import CPUTargetOptions

Compiled = TypeVar("Compiled", bound=Callable[..., Any])

_STATES_KEPT = 8
_MARK = "complete"
_NUMBA_SETTINGS = vars(config)  # made when numba is imported, so type checkers do not know them


def user_cache() -> Path:
    """Folder for this user's caches (XDG_CACHE_HOME, LOCALAPPDATA or ~/.cache)."""
    for variable in ("BLOT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "blot"
    return Path.home() / ".cache" / "blot"


def _state_of_sources() -> str:
    """Digest of all kernel sources and of the compiler that reads them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    bot = Path(__file__).parent.parent
    for source in sorted(bot.glob("**/kernels/*.py")):
        digest.update(source.relative_to(bot).as_posix().encode() + b"\0")
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _forget_old_states(folder: Path) -> None:
    """Remove all but the most recently used folders of compiled code."""
    states = sorted((path for path in folder.iterdir() if path.is_dir()), key=_last_use)
    for state in states[:-_STATES_KEPT]:
        shutil.rmtree(state, ignore_errors=True)


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _prepare() -> Path | None:
    """The folder for this state, made and marked as used; None where nothing can be written."""
    kernels = user_cache() / "kernels"
    folder = kernels / _state_of_sources()
    try:
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder, (time.time(), time.time()))
        if new:
            _forget_old_states(kernels)
    except OSError:
        return None
    _NUMBA_SETTINGS["CACHE_DIR"] = str(folder)
    return folder


FOLDER = _prepare()


def is_compiled(name: str) -> bool:
    """Whether the kernels of the given job were compiled before, from these very sources."""
    if _NUMBA_SETTINGS["DISABLE_JIT"]:
        return True
    return FOLDER is not None and (FOLDER / f"{name}.{_MARK}").exists()


def mark_compiled(name: str) -> None:
    """Remember that the kernels of the given job are compiled and cached."""
    if FOLDER is not None and not _NUMBA_SETTINGS["DISABLE_JIT"]:
        with suppress(OSError):  # the folder may be full, or gone with the old states
            (FOLDER / f"{name}.{_MARK}").touch()


_INNER: dict[str, Any] = {"cache": True, "fastmath": True, "error_model": "numpy"}
if hasattr(CPUTargetOptions, "_nrt"):
    _INNER["_nrt"] = False


def inner(function: Compiled) -> Compiled:
    """Compile an innermost function of a kernel, one that allocates nothing and keeps no array.

    numba then need not count references to arrays, which takes longer than the arithmetic: without
    the counting a 196-128-5 network rates 2.3 instead of 0.9 million boards a second.
    """
    compiled: Compiled = njit(**_INNER)(function)
    return compiled


def inlined(function: Compiled) -> Compiled:
    """Compile an inner function into every place that calls it.

    For what is called for every board: handing over arrays takes 5 to 20 ns each time. Rating the
    plays of a roll is faster by a half for it.
    """
    compiled: Compiled = njit(**_INNER, inline="always")(function)
    return compiled
