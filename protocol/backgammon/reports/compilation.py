"""Compilation report: has what a command about backgammon needs compiled, and tells of it."""

from collections.abc import Iterable

from protocol import compilation


def compile_first(jobs: Iterable[str]) -> None:
    """Have these jobs of backgammon compiled, see protocol.compilation."""
    from bot.backgammon.compilation import COMPILATION

    compilation.compile_first(COMPILATION, jobs)
