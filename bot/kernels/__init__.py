"""The part every `kernels` folder needs: how its functions are compiled and where they are kept."""

from bot.kernels.kernel import ByAddress, inlined, inner, kernel
from bot.kernels.state import (
    folder,
    home_folder,
    is_compiled,
    mark_compiled,
    user_cache,
    writing_problem,
)

__all__ = [
    "ByAddress",
    "folder",
    "home_folder",
    "inlined",
    "inner",
    "is_compiled",
    "kernel",
    "mark_compiled",
    "user_cache",
    "writing_problem",
]
