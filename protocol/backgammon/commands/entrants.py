"""Entrants: the players of a tournament, by name or from a TOML file of engines.

Each table of such a file is a player by its alias: `player`, as named on the command line, or the
options of strength, as `weights` and `ply`; for programs `answer-seconds`, for all but gnubg
`start-seconds`, and for those that speak UBGI `settings`, lines to be told.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.rules.decision import GAMES_AT_ONCE, Decider, Decision, Request
from bot.weights import listed_weights, weights_aliases
from protocol.backgammon.adapters.outside_player import OutsidePlayer
from protocol.backgammon.adapters.ubgi_client import ANSWER_SECONDS, START_SECONDS
from protocol.backgammon.arena.gnubg_player import GnubgPlayer
from protocol.backgammon.arena.named_players import (
    EXTERNAL,
    UBGI,
    decider,
    gnubg_plies,
    is_outside,
    jobs_of_player,
    known_level,
    level_of_player,
    outside_player,
)
from protocol.backgammon.commands.options import level_of, met_of
from protocol.backgammon.formats.toml_file import toml_in
from protocol.errors import WireError

_STRENGTH = {
    "level": str,
    "weights": str,
    "ply": int,
    "filter": str,
    "threads": int,
    "workers": int,
    "seconds": float,
}
_TAKEN = {"gnubg", UBGI.rstrip(":"), EXTERNAL.rstrip(":"), *BASELINES, *LEVELS}
"""Names of players that are no weights, up to their colon."""

LONGEST = 86_400
"""Seconds that a program may take at most, however it is set: a day."""

_LIMITS = {"start-seconds": float, "answer-seconds": float}
_KEYS: dict[str, type] = {"player": str, "settings": list, **_STRENGTH, **_LIMITS}
_IN_WORDS = {str: "a text", int: "a whole number", float: "a number", list: "a list of lines"}


@dataclass(frozen=True, slots=True)
class NamedEntrant:
    """A player by the name on the command line, or what an alias stands for; see Entrant.

    seconds: limits of a program, to start and to answer; settings: lines a UBGI program is told;
    met: the file of match equities of players here, Blot's own if None.
    """

    name: str
    player: str | Level
    seconds: tuple[float, float] | None = None
    settings: tuple[str, ...] = ()
    met: str | None = None

    @property
    def is_program(self) -> bool:
        """True if the player is another program than this one."""
        is_gnubg = isinstance(self.player, str) and self.player.partition(":")[0] == "gnubg"
        return is_gnubg or is_outside(self.player)

    @property
    def weights(self) -> str:
        """The weights it plays with, by name or file; "" for a program and for a baseline."""
        level = None if self.is_program else known_level(self.player)
        return "" if level is None or level.weights in BASELINES else level.weights

    @property
    def plays_by_chance(self) -> bool:
        """True if the player has dice of its own."""
        return self.player == "random"

    @property
    def games_at_once(self) -> int:
        """Number of games to play at once; one pair's if each decision takes long."""
        if self.is_program:
            return 2
        level = known_level(self.player)
        if level.roller is not None or level.search.seconds is not None:
            return 2
        return max(2, GAMES_AT_ONCE >> 3 * level.search.ply)

    @property
    def jobs(self) -> list[str]:
        """The jobs to compile before it can decide; raises ValueError if there is no such player.

        A program needs what checks its plays.
        """
        if self.is_program:
            return ["boards", "plays"]
        return jobs_of_player(self.player)

    def sit_down(self, match_format: MatchFormat, seed: int) -> Decider:
        """A player for such games; raises ValueError or WireError if it does not play."""
        plies = gnubg_plies(self.player) if isinstance(self.player, str) else None
        if plies is not None:
            return GnubgPlayer(plies, match_format, (self.seconds or (0.0, ANSWER_SECONDS))[1])
        if isinstance(self.player, str) and is_outside(self.player):
            if match_format.beavers and self.player.startswith(UBGI):
                raise ValueError("UBGI has no words for beavers: play without them")
            start = partial(
                outside_player,
                self.player,
                cube=match_format.cube,
                seconds=self.seconds or (START_SECONDS, ANSWER_SECONDS),
                settings=self.settings,
            )
            return _LastingProgram(start)
        met = None if self.met is None else met_of(argparse.Namespace(met=self.met))
        return decider(self.player, seed=seed, cube=match_format.cube, met=met)


class _LastingProgram:
    """A program that is started again however often it fails, and tells its last lines then.

    How many failures are too many is for the tournament to say.
    """

    def __init__(self, start: Callable[[], OutsidePlayer]) -> None:
        self._start = start
        self._player = start()

    def close(self) -> None:
        """End the program."""
        self._player.close()

    def decide(self, request: Request) -> Decision:
        """Answer the request; raises ForfeitError with the transcript if the program fails."""
        player = self._player
        transcript = player.transcript  # of this program: one that fails is followed by another
        try:
            return player.decide(request)
        except ForfeitError as forfeit:
            raise ForfeitError(str(forfeit), tuple(transcript), forfeit.resigns) from None
        except WireError as error:  # it would not be started again
            self._player = self._start()
            raise ForfeitError(str(error), tuple(transcript)) from None


def entrant_of(
    name: str, table: Mapping[str, Any] | None = None, met: str | None = None
) -> NamedEntrant:
    """The player of a name, or of an alias and its table; raises ValueError if there is none."""
    entrant = NamedEntrant(name, name, met=met) if table is None else _of_table(name, table, met)
    player = entrant.player
    if isinstance(player, str) and gnubg_plies(player) is None and not is_outside(player):
        level_of_player(player)
    return entrant


def read_engines(path: Path) -> dict[str, Mapping[str, Any]]:
    """The tables of an engines file by their aliases; raises ValueError if it cannot be read."""
    tables = toml_in(path)
    for alias, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"{path}: {alias} is no table [{alias}] of an engine")
        if alias.partition(":")[0] in _TAKEN | {*weights_aliases(), *listed_weights()}:
            raise ValueError(f"{path}, [{alias}]: there is a player {alias}; give another alias")
        try:
            entrant_of(alias, table)
            if "start-seconds" in table and gnubg_plies(table["player"]) is not None:
                raise ValueError("start-seconds is not for gnubg: leave it out")
        except ValueError as error:
            raise ValueError(f"{path}, [{alias}]: {error}") from None
    return tables


def _of_table(alias: str, table: Mapping[str, Any], met: str | None) -> NamedEntrant:
    for key, value in table.items():
        if key not in _KEYS:
            raise ValueError(f"no key {key!r}; there are {', '.join(_KEYS)}")
        if not _is_of_kind(value, _KEYS[key]):
            raise ValueError(f"{key} is {_IN_WORDS[_KEYS[key]]}, not {value!r}")
    strength = {key: value for key, value in table.items() if key in _STRENGTH}
    if "player" in table and strength:
        raise ValueError(f"player says how strong it is: leave out {', '.join(strength)}")
    if {"level", "ply"} <= strength.keys():
        raise ValueError("level says how deep it looks: leave out ply")
    if "player" not in table:
        if not strength:
            raise ValueError("give player, or a level, weights or ply")
        programs_only = [key for key in table if key not in _STRENGTH]
        if programs_only:
            raise ValueError(f"{programs_only[0]} is for other programs")
        return NamedEntrant(alias, level_of(argparse.Namespace(**strength)), met=met)
    entrant = NamedEntrant(alias, table["player"], met=met)
    limits = [key for key in _LIMITS if key in table]
    if "settings" in table and not table["player"].startswith(UBGI):
        raise ValueError("settings are lines for a program that speaks UBGI")
    if limits and not entrant.is_program:
        raise ValueError(f"{limits[0]} is for other programs")
    seconds = (
        float(table.get("start-seconds", START_SECONDS)),
        float(table.get("answer-seconds", ANSWER_SECONDS)),
    )
    if not all(0 < each <= LONGEST for each in seconds):
        raise ValueError(f"a limit is more than 0 and at most {LONGEST:,} seconds")
    settings = tuple(table.get("settings", ()))
    return NamedEntrant(alias, table["player"], seconds if limits else None, settings, met)


def _is_of_kind(value: Any, kind: type) -> bool:
    """Whether a value of a table is of the kind of its key."""
    if kind is list:
        return isinstance(value, list) and all(
            isinstance(line, str) and line.isprintable() for line in value
        )
    return isinstance(value, (int, float) if kind is float else kind) and type(value) is not bool
