"""Settings of a tournament: those of a new run by its options, those of a kept one by its file."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.backgammon.commands.options import met_of
from protocol.backgammon.commands.tournament_options import DEFAULTS, UNUSED_MET
from protocol.errors import UsageError, as_usage

if TYPE_CHECKING:
    from bot.backgammon.arena.tournament import Plan
    from bot.estimate import Bounds

Settings = Mapping[str, Any]
"""Settings of a run by name, as JSON values: players, engines, shape, games, rules, seed, ends."""

GROWING = ("games", "max_faults")
"""Settings of which a run that goes on may be given more."""

RULES = ("length", "cube", "jacoby", "beavers", "met")


def plan_of(settings: Settings) -> "Plan":
    """The tournament that settings make; raises ValueError if they make none."""
    from bot.backgammon.arena.luck import LuckMeter
    from bot.backgammon.arena.match_format import MatchFormat
    from bot.backgammon.arena.tournament import Plan
    from bot.backgammon.evaluation.met import blot_table
    from bot.weights import DEFAULT
    from protocol.backgammon.commands.entrants import entrant_of

    names, tables, met = settings["players"], settings["engines"], settings["met"]
    rules = [settings[name] for name in ("games", "length", "cube", "jacoby", "beavers", "seed")]
    match_format = MatchFormat(*rules)
    meter = None
    if settings["luck"]:
        table = None
        if match_format.length is not None:
            table = met_of(argparse.Namespace(met=met)) if met else blot_table()
        meter = LuckMeter(DEFAULT, table)
    count = len(names)
    rows = (0,) if settings["shape"] == "gauntlet" else range(count)
    return Plan(
        tuple(entrant_of(name, tables.get(name), met) for name in names),
        tuple((one, other) for one in rows for other in range(one + 1, count)),
        match_format,
        *_ends(settings),
        meter,
    )


def _ends(settings: Settings) -> "tuple[Bounds | None, int]":
    """The bounds of a test and the failures that end a run early; raises ValueError."""
    from bot.estimate import Bounds

    bounds, most = settings["sprt"], settings["max_faults"]
    if most < 1:
        raise ValueError(f"--max-faults is 1 or more, not {most}")
    return None if bounds is None else Bounds(*bounds), most


def resumed_settings(options: argparse.Namespace, settings: Settings, path: Path) -> Settings:
    """The settings of a run that goes on, with what the options add to those that are GROWING.

    path: of its file. Raises ValueError if the options contradict it.
    """
    longer = {**settings, **_more(options, settings)}
    _refuse_contradictions(options, longer, path)
    if "resume" in options:
        _refuse_changes(settings, path)
    return longer


def new_settings(options: argparse.Namespace) -> Settings:
    """The settings of a new run; raises ValueError if one is missing."""
    from protocol.backgammon.commands.match import match_format_of

    said = _said(options)
    settings = DEFAULTS | said
    count = len(options.players)
    if count < 2:
        raise UsageError("name two players or more: blot match PLAYER PLAYER")
    if count > 2 and settings["shape"] is None:
        raise UsageError(f"with {count} players say --round-robin or --gauntlet")
    with as_usage():
        _ends(settings)
    tables = said.get("engines", {})
    met = str(Path(options.met).absolute()) if "met" in options else None
    settings = settings | {"engines": tables, "met": met}
    digests = _digests(settings)
    if set(digests) == {met} and not settings["luck"]:
        raise UsageError(UNUSED_MET)
    match_format = match_format_of(options)
    rules = {name: getattr(match_format, name) for name in ("games", *RULES[:4], "seed")}
    return settings | rules | {"digests": digests}


def _digests(settings: Settings) -> dict[str, str]:
    """Digests of the networks that players think with, by player, and of the table of --met, by its
    file; raises ValueError if there is no such file.
    """
    from bot.weights import weights_digest
    from protocol.backgammon.commands.entrants import entrant_of

    tables, met = settings["engines"], settings["met"]
    weights = {name: entrant_of(name, tables.get(name)).weights for name in settings["players"]}
    digests = {name: weights_digest(each) for name, each in weights.items() if each}
    table = met_of(argparse.Namespace(met=met)) if met else None
    return digests if table is None else {**digests, met: table.digest}


def _refuse_changes(settings: Settings, path: Path) -> None:
    """Raise ValueError if a run's weights or match equities are others than it was begun with."""
    now, begun = _digests(settings), settings.get("digests", {})
    for name, digest in begun.items():
        if now.get(name) != digest:
            noun = "table" if name == settings["met"] else "network"
            raise ValueError(
                f"{name} is another {noun} now than {path} was begun with: bring that one back, or "
                "begin a new run with --record"
            )


def _said(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that options say something about."""
    from protocol.backgammon.commands.entrants import read_engines

    said = {name: getattr(options, name, None) for name in (*DEFAULTS, *RULES)}
    said = {name: value for name, value in said.items() if value is not None}
    if "met" in said:
        said["met"] = str(Path(options.met).absolute())
    if options.players:
        said["players"] = options.players
    if "engines" in options:
        tables = read_engines(options.engines)
        used = {name: dict(tables[name]) for name in options.players if name in tables}
        said["engines"] = used if options.players else tables
        if not said["engines"]:
            only = f", only of {', '.join(tables)}" if tables else ""
            raise ValueError(f"{options.engines} has no table of a player given{only}")
    return said


def _more(options: argparse.Namespace, settings: Settings) -> dict[str, int]:
    """The settings that are GROWING and of which the options give more to a run that goes on."""
    given = {name: getattr(options, name, None) or 0 for name in GROWING}
    given["games"] += given["games"] % 2
    more = {name: value for name, value in given.items() if value > settings[name]}
    return more if "resume" in options else {}


def _refuse_contradictions(options: argparse.Namespace, settings: Settings, path: Path) -> None:
    """Raise ValueError for an option that says something else than the run was begun with."""
    for name, value in _said(options).items():
        begun = settings[name]
        if name == "engines":
            known = [alias for alias in value if alias in begun]
            if not known:
                raise ValueError(f"{options.engines} has no player of {path}: leave out --engines")
            for alias in known:
                if value[alias] != begun[alias]:
                    raise ValueError(
                        f"[{alias}] of {options.engines} is another player than {path} was begun "
                        "with: leave out --engines, which a run remembers"
                    )
            continue
        if name == "games":
            if value + value % 2 != begun:
                than = "less" if value < begun else "more"
                raise ValueError(
                    f"--games {value} is {than} than the {begun} that {path} was told to play"
                )
            continue
        if value != begun:
            verb = "contradict" if name == "players" else "contradicts"
            raise ValueError(
                f"{_words(name, value)} {verb} {path}, which was begun "
                f"{_words(name, begun, before='with ')}"
            )


def _words(name: str, value: Any, *, before: str = "") -> str:
    """A setting as the option that would give it; before: a word for what was given."""
    option = f"--{name.replace('_', '-')}"
    if value is None or (name == "luck" and not value):
        return "without it"
    if name == "players":
        return f"{before}the players {' '.join(value)}"
    if name == "shape":
        return f"{before}--{value}"
    if isinstance(value, bool):
        return f"{before}{option if value else option.replace('--', '--no-')}"
    if isinstance(value, list):
        return f"{before}{option} {' '.join(f'{each:g}' for each in value)}"
    return f"{before}{option} {value}"
