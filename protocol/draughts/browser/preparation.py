"""Preparation: what thinking needs at a first start, made ready while a page tells of it."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from bot.draughts.engine.level import LEVELS, level
from bot.draughts.evaluation.endings import has_endings
from bot.draughts.jobs import ALPHA_BETA, COMPILATION, DEPTH_GAMES, ENDINGS, MOVES, SEARCH
from bot.draughts.rules.variant import Variant
from protocol.draughts.browser.thoughts import solve_endings
from protocol.thinker import StoppedError, Thinker

Tell = Callable[[dict[str, Any]], None]
"""Told what is under way, "compiling" or "endings", with the seconds left if known; "" for none."""


class Preparation:
    """Prepares one thing at a time, each once; whoever needs it waits."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._solver = Thinker()
        self._is_closed = False
        tell({"what": "", "left": None})

    def begin(self) -> None:
        """Compile all in a thread of its own."""
        threading.Thread(target=self._begin, daemon=True).start()

    def _begin(self) -> None:
        try:
            self.need_kernels(MOVES, SEARCH, ALPHA_BETA, DEPTH_GAMES)
        except (StoppedError, ChildProcessError):
            return  # whoever needs them tries again, and tells why it fails

    def need_players(self, names: Iterable[str], variant: Variant) -> None:
        """Have ready what the bots of these names think with; raises what Thinker.ask does."""
        self.need_kernels(MOVES, SEARCH, ALPHA_BETA)
        if any(name in LEVELS and level(name).has_endings for name in names):
            self._need_endings(variant)

    def need_kernels(self, *names: str) -> None:
        """Have kernels compiled; raises ChildProcessError if it fails, StoppedError by `close`."""
        with self._lock:
            missing = COMPILATION.missing(names)
            if not missing:
                return

            def report(done: float, left: float, jobs: list[str]) -> None:
                if self._is_closed:
                    raise StoppedError
                self._tell({"what": "compiling", "left": round(left)})

            try:
                COMPILATION.compile(missing, report)
            finally:
                self._tell({"what": "", "left": None})

    def _need_endings(self, variant: Variant) -> None:
        if has_endings(variant):
            return
        self.need_kernels(ENDINGS)
        with self._lock:
            if has_endings(variant):
                return
            self._tell({"what": "endings", "left": None})
            try:
                self._solver.ask(solve_endings, variant)
            finally:
                self._tell({"what": "", "left": None})
                self._solver.stop()

    def close(self) -> None:
        """Break off, and prepare nothing more; the end of the process would wait for it."""
        self._is_closed = True
        self._solver.close()
