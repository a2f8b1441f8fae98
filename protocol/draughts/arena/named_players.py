"""Named players: levels, the thesis's player and Hub programs, by the name a person gives."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from bot.draughts.arena.duel import Entrant
from bot.draughts.arena.random_player import RandomPlayer
from bot.draughts.engine.alpha_beta import MAX_DEPTH, AlphaBeta, AlphaBetaSettings
from bot.draughts.engine.engine import Engine
from bot.draughts.engine.level import LEVELS, level
from bot.draughts.evaluation.endings import has_endings
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.jobs import ALPHA_BETA as ALPHA_BETA_KERNELS
from bot.draughts.jobs import COMPILATION, ENDINGS, MOVES, SEARCH
from bot.draughts.rules.decision import Player
from bot.draughts.rules.variant import Variant
from protocol.compilation import compile_first
from protocol.draughts.adapters.hub_client import HubPlayer
from protocol.progress import tell

RANDOM = "random"
"""The player that takes any legal move."""

ALPHA_BETA, MINIMAX = "alpha-beta", "minimax"
"""The thesis's player: it looks so many plies deep, and at fewer positions or at all."""

HUB = "hub:"
"""The text before the command of a Hub program."""

NAMES = (
    *LEVELS,
    RANDOM,
    *(f"{kind}:DEPTH{table}" for kind in (ALPHA_BETA, MINIMAX) for table in ("", ":TABLE")),
    f"{HUB}COMMAND",
)
"""The names of players, for people."""


def entrant(name: str, variant: Variant, *, beside: Sequence[str] = ()) -> Entrant:
    """Makes the player of that name anew for each game.

    beside: other names that the asker knows. Raises ValueError, in a sentence that lists them with
    the others, if there is no such player; a program is not started yet.
    """
    _maker(name, variant, beside)
    return partial(_entered, name, variant)


def compile_for(names: Iterable[str], variant: Variant) -> None:
    """Have compiled, and tell of it if it takes long, what these players need, people left out.

    Raises ProgramError before that if one is a program that cannot be started. Where all is there
    nobody waits for that sentence, and no program is started once more.
    """
    jobs, programs = [MOVES], []
    for name in names:
        if name.startswith(HUB):
            programs.append(name.removeprefix(HUB))
        elif name in LEVELS:
            jobs.append(SEARCH)
            if level(name).has_endings and not has_endings(variant):
                jobs.append(ENDINGS)
        elif name.startswith((ALPHA_BETA, MINIMAX)):
            jobs.append(ALPHA_BETA_KERNELS)
    if ENDINGS in jobs or COMPILATION.missing(jobs):
        for command in programs:
            HubPlayer(command, variant).close()
    compile_first(COMPILATION, jobs)


@contextmanager
def _entered(name: str, variant: Variant, seed: int) -> Iterator[Player]:
    player = _maker(name, variant)(seed)
    if isinstance(player, Engine):
        player.forget()
    try:
        yield player
    finally:
        if isinstance(player, HubPlayer):
            player.close()


def _maker(name: str, variant: Variant, beside: Sequence[str] = ()) -> Callable[[int], Player]:
    """Makes the player of that name from a seed; raises ValueError if there is none."""
    if name in LEVELS:
        return lambda _: _engine(name, variant)
    if name == RANDOM:
        return RandomPlayer
    if name.startswith(HUB):
        return lambda _: HubPlayer(name.removeprefix(HUB), variant)
    kind, _, rest = name.partition(":")
    if kind in (ALPHA_BETA, MINIMAX):
        depth, _, file = rest.partition(":")
        if not (depth.isascii() and depth.isdecimal() and int(depth) <= MAX_DEPTH):
            raise ValueError(f"{kind} looks 0 to {MAX_DEPTH} plies deep, as {kind}:4, not {rest!r}")
        settings = AlphaBetaSettings(int(depth), is_pruned=kind == ALPHA_BETA)
        if file and settings.depth == 0:
            raise ValueError(
                f"{kind}:0 moves by chance and asks no table of states: leave out {file}"
            )
        table = _table(file) if file else None
        if table is not None and table.variant is not variant:
            raise ValueError(f"{file} is of {table.variant.name} draughts, not {variant.name}")
        return lambda seed: AlphaBeta(settings, table=table, seed=seed)
    raise ValueError(f"no player {name!r}: it is one of {', '.join((*beside, *NAMES))}")


def table_of(name: str) -> Path | None:
    """The file of states that a player of that name asks, None if none."""
    kind, _, rest = name.partition(":")
    file = rest.partition(":")[2] if kind in (ALPHA_BETA, MINIMAX) else ""
    return Path(file) if file else None


@cache
def _engine(name: str, variant: Variant) -> Engine:
    """The engine of a level, one in a process: its table takes a while to make."""
    return level(name).engine(variant, tell)


@cache
def _table(file: str) -> StateTable:
    return StateTable.load(Path(file))
