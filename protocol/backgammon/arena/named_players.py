"""Named players: baselines, levels, networks and other programs, by the name a person gives."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.backgammon.arena.baselines import BASELINES, baseline
from bot.backgammon.compilation import COMPILATION, jobs_of_level
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.search import MAX_PLIES as DEEPEST
from bot.backgammon.rules.decision import Decider
from bot.weights import listed_weights, weights_aliases, weights_file
from protocol.backgammon.adapters.external_client import ExternalPlayer
from protocol.backgammon.adapters.gnubg_program import MAX_PLIES, find_gnubg
from protocol.backgammon.adapters.outside_player import OutsidePlayer
from protocol.backgammon.adapters.ubgi_client import (
    ANSWER_SECONDS,
    START_SECONDS,
    UbgiPlayer,
    started,
)
from protocol.progress import tell

UBGI = "ubgi:"
"""The text before the command of a UBGI program."""

EXTERNAL = "external:"
"""The text before the address at which a program listens as gnubg's external player would."""

OUTSIDE_NAMES = (f"{UBGI}COMMAND", f"{EXTERNAL}HOST:PORT", f"{EXTERNAL}PATH")
"""The names of players that are programs spoken to by lines."""

PROGRAM_NAMES = ("gnubg", "gnubg:PLIES", *OUTSIDE_NAMES)
"""The names of other programs as opponents."""


def gnubg_plies(name: str) -> int | None:
    """Plies of `gnubg` (0) or `gnubg:PLIES`, None for every other name.

    Raises ValueError if the plies are no number that gnubg plays well with.
    """
    program, colon, plies = name.partition(":")
    if program != "gnubg":
        return None
    if not colon:
        return 0
    if not (plies.isascii() and plies.isdigit() and int(plies) <= MAX_PLIES):
        raise ValueError(f"gnubg plays at 0 to {MAX_PLIES} plies, as gnubg:2, not at {plies!r}")
    return int(plies)


def is_outside(player: str | Level) -> bool:
    """True if the player is a program spoken to by lines: `ubgi:COMMAND` or `external:ADDRESS`."""
    return isinstance(player, str) and player.startswith((UBGI, EXTERNAL))


def outside_player(
    name: str,
    *,
    cube: bool,
    seconds: tuple[float, float] = (START_SECONDS, ANSWER_SECONDS),
    settings: Sequence[str] = (),
) -> OutsidePlayer:
    """The program of that name, which is_outside, met.

    seconds: how long it may take to start, and to answer; settings: lines a UBGI program is told.
    Raises WireError if it does not play.
    """
    if name.startswith(UBGI):
        command = name.removeprefix(UBGI)
        return UbgiPlayer(command, cube=cube, seconds=seconds, settings=settings)
    return ExternalPlayer(name.removeprefix(EXTERNAL), seconds=seconds)


def assert_there(player: str | Level, jobs: Iterable[str]) -> None:
    """Raise WireError if the player is a program that is not there, and jobs are to be compiled.

    Where they are compiled nobody waits for that sentence, and no program is met once more.
    """
    if not (isinstance(player, str) and COMPILATION.missing(jobs)):
        return
    if gnubg_plies(player) is not None:
        find_gnubg()
    elif player.startswith(UBGI):
        started(player.removeprefix(UBGI)).close()
    elif is_outside(player):
        outside_player(player, cube=False).close()


def jobs_of_player(player: str | Level, others: Sequence[str] = PROGRAM_NAMES) -> list[str]:
    """The jobs to compile before a player can decide; raises ValueError if there is none."""
    if is_outside(player):
        return ["boards", "plays"]
    return jobs_of_level(known_level(player, others))


def decider(
    player: str | Level,
    *,
    seed: int,
    cube: bool = True,
    met: MatchEquityTable | None = None,
    others: Sequence[str] = PROGRAM_NAMES,
) -> Decider:
    """The baseline, level or network of that name or file, or what plays at a level given.

    Only `random` uses the seed. Without the cube it plays cubeless; met: match equities, Blot's own
    if None; others: who else the error names. A UBGI program is started, and ends with us. Raises
    ValueError if there is no such player, and WireError if a program does not play.
    """
    if isinstance(player, str) and is_outside(player):
        return outside_player(player, cube=cube)
    level = level_of_player(player)
    if level.weights in BASELINES:
        return baseline(level.weights, seed)
    with _named(player, others):
        return level.engine(tell, candidates=1, cube=cube, met=met)


def known_level(player: str | Level, others: Sequence[str] = PROGRAM_NAMES) -> Level:
    """The level of that name, or the weights or baseline of it, as `td-256:1` at so many plies.

    Weights without plies do not look ahead. A level stays what it is. Raises ValueError if there
    are no such weights; others: see decider.
    """
    level = level_of_player(player)
    if level.weights not in BASELINES:
        with _named(player, others):
            weights_file(level.weights)
    return level


def level_of_player(player: str | Level) -> Level:
    """The level that a name means, whether or not there are such weights.

    Raises ValueError for plies behind the name of a player that has none, or not so many.
    """
    if isinstance(player, Level):
        return player
    name, colon, plies = player.rpartition(":")
    is_number = plies.isascii() and plies.isdigit()
    is_weights = name in {*weights_aliases(), *listed_weights()}
    if colon and name in BASELINES:
        raise ValueError(f"{name} does not look ahead: leave out {colon}{plies}")
    if colon and name in LEVELS and not is_weights:
        raise ValueError(
            f"{name} has its own depth: leave out {colon}{plies}, or name weights with plies, as "
            "default:1"
        )
    if colon and is_number and int(plies) <= DEEPEST:
        return Level(name, SearchSettings(int(plies)))
    if colon and (is_weights or (is_number and Path(name).is_file())):
        raise ValueError(
            f"{name} looks 0 to {DEEPEST} plies ahead, as {name}:1, not {plies or 'nothing'}"
        )
    return LEVELS.get(player, Level(player))


@contextmanager
def _named(player: str | Level, others: Sequence[str]) -> Iterator[None]:
    """Say which players there are if the weights of one who was named cannot be loaded."""
    try:
        yield
    except ValueError as error:
        if isinstance(player, Level):
            raise
        named = level_of_player(player).weights
        names = ", ".join((*others, *BASELINES, *LEVELS))
        raise ValueError(f"no player {named!r}: it is none of {names}, and {error}") from None
