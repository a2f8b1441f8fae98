"""Match command: `blot match`."""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.backgammon.commands.options import (
    DefaultsShown,
    add_met,
    add_strength,
    check_rules,
    level_of,
    level_text,
    met_alone,
    met_of,
)
from protocol.backgammon.commands.tournament import play_tournament
from protocol.backgammon.commands.tournament_options import (
    GAMES,
    SEED,
    UNUSED_MET,
    add_referee,
    is_tournament,
)
from protocol.errors import UsageError, WireError, as_usage, sentence_of
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.backgammon.arena.match_format import MatchFormat
    from bot.backgammon.arena.tally import Tally
    from bot.backgammon.engine.level import Level
    from bot.backgammon.rules.decision import Decider


def add_match(subcommands: Parsers) -> None:
    """Add `blot match`."""
    parser = subcommands.add_parser(
        "match",
        help="play games against gnubg or another player and add up the results",
        description="Play money games or matches against gnubg, which is started for it, or "
        "another player; players here play every roll twice, with sides swapped. With players by "
        "name, play any of them against each other: refereed here, in pairs, recorded, resumable.",
        formatter_class=DefaultsShown,
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS  # defaults that --help shall not show as None
    parser.set_defaults(opponent=None, length=None, cube=None, jacoby=None, beavers=None)
    parser.set_defaults(players=[], games=None, seed=None, mat=None, sgf=None)
    add_referee(parser)
    parser.add_argument(
        "--opponent",
        metavar="PLAYER",
        default=unsaid,
        help="gnubg, gnubg:PLIES, ubgi:COMMAND for a program that speaks UBGI, external:HOST:PORT "
        "or external:PATH for one that listens as gnubg's external player, a level, pubeval, "
        "random, simple-1, simple-2, blockers, or weights by name or file; without it, gnubg, or "
        "pubeval where there is no gnubg",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=unsaid,
        metavar="N",
        help=f"how many games, or with --length matches; odd numbers are rounded up, except "
        f"against gnubg (default: {GAMES})",
    )
    parser.add_argument(
        "--length",
        type=int,
        default=unsaid,
        metavar="POINTS",
        help="play matches to so many points; without it, money games",
    )
    add_strength(parser)
    _add_rules(parser)
    parser.add_argument(
        "--seed",
        type=int,
        default=unsaid,
        metavar="N",
        help=f"number the dice come from (default: {SEED})",
    )
    for name, kind in (("mat", "as text"), ("sgf", "with cube and rules, as SGF")):
        parser.add_argument(
            f"--{name}",
            metavar="PATH",
            type=Path,
            default=unsaid,
            help=f"keep the games {kind} in this new file, or in this folder in a file named by "
            "the date; matches after the first get a number",
        )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print JSON, for programs: one object, or with players by name one a line, for each "
        "pair, each failure and each result",
    )
    parser.set_defaults(run=_match)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the options of the cube, of money games and of match equities."""
    switch = argparse.BooleanOptionalAction
    unsaid = argparse.SUPPRESS
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--cube",
        action=switch,
        default=unsaid,
        help="whether the cube is in use; by default in matches only",
    )
    rules.add_argument(
        "--jacoby",
        action=switch,
        default=unsaid,
        help="Jacoby rule in money games with the cube; on by default where the cube is in use",
    )
    rules.add_argument(
        "--beavers",
        action=switch,
        default=unsaid,
        help="beavers in money games with the cube; off by default",
    )
    add_met(rules)


def _match(options: argparse.Namespace) -> int:
    """Play, and report what was played even if it ended early."""
    from bot.backgammon.arena.tally import Tally
    from protocol.backgammon.arena.named_players import gnubg_plies
    from protocol.backgammon.commands.entrants import NamedEntrant
    from protocol.backgammon.reports.match import tally_text, tally_values

    if is_tournament(options):
        return play_tournament(options)
    match_format = _match_format(options)
    level = level_of(options)
    if options.opponent is None:
        options.opponent = _default_opponent()
    plies = gnubg_plies(options.opponent)
    if plies is None:
        _jobs_of(level, options.opponent)
        match_format = _in_pairs(match_format)
    if "met" in options and not any(
        NamedEntrant("", each).weights for each in (level, options.opponent)
    ):
        raise UsageError(UNUSED_MET)
    tally = Tally(match_format.length)
    status, failure = 0, None
    try:
        if plies is None:
            _play_here(options, level, match_format, tally)
        else:
            _play_gnubg(options, level, match_format, tally, plies)
    except (WireError, OSError, ValueError) as error:
        if not tally.games and not isinstance(error, WireError):
            raise
        status, failure = 1, sentence_of(error)
        tell(f"blot: {failure}")
    except KeyboardInterrupt:
        status, failure = 130, "interrupted"
        noun = "games" if match_format.length is None else "matches"
        tell(f"blot: interrupted after {tally.contests} of {match_format.games} {noun}")
    if options.json:
        report = {"weights": level.weights, "opponent": options.opponent, "ply": level.search.ply}
        report |= {"trials": level.roller.trials if level.roller else 0}
        report |= {"match_format": asdict(match_format), **tally_values(tally), "failure": failure}
        print(json.dumps(report, indent=2))
    elif tally.games:
        print(f"{level_text(level)} against {options.opponent}, {match_format}")
        print(tally_text(tally))
    return status


@as_usage()
def _match_format(options: argparse.Namespace) -> "MatchFormat":
    """The match format of the options; money games cubeless and matches with the cube if unsaid.

    Raises UsageError if they make none.
    """
    from bot.backgammon.arena.match_format import MatchFormat

    cube = options.length is not None if options.cube is None else options.cube
    check_rules(met_alone(options), cube=cube, length=options.length)
    jacoby = cube and options.length is None if options.jacoby is None else options.jacoby
    games = GAMES if options.games is None else options.games
    seed = SEED if options.seed is None else options.seed
    return MatchFormat(games, options.length, cube, jacoby, bool(options.beavers), seed)


def match_format_of(options: argparse.Namespace) -> "MatchFormat":
    """The match format of players by name, always in pairs; raises UsageError if it is none."""
    return _in_pairs(_match_format(options))


def _in_pairs(match_format: "MatchFormat") -> "MatchFormat":
    """MatchFormat with an even number of games, one more if it was odd, which is said then."""
    if match_format.games % 2 == 0:
        return match_format
    games = match_format.games + 1
    name = "games" if match_format.length is None else "matches"
    tell(
        f"{name} come in pairs with the same dice: playing {games} instead of {match_format.games}"
    )
    return replace(match_format, games=games)


def _default_opponent() -> str:
    """gnubg where there is one, else pubeval, and what to do about it."""
    from protocol.backgammon.adapters.gnubg_program import GnubgMissingError, find_gnubg

    try:
        find_gnubg()
    except GnubgMissingError as error:
        tell(f"{error}: playing pubeval instead")
        return "pubeval"
    return "gnubg"


def _play_gnubg(
    options: argparse.Namespace,
    level: "Level",
    match_format: "MatchFormat",
    tally: "Tally",
    plies: int,
) -> None:
    """Against gnubg, which is started for it."""
    from bot.backgammon.arena.players import ask_everything, seated
    from protocol.backgammon.adapters.gnubg_program import find_gnubg
    from protocol.backgammon.arena.gnubg_duel import duel_with_gnubg
    from protocol.backgammon.arena.named_players import decider

    met = met_of(options)
    find_gnubg()
    files = _files(options, match_format, ("gnubg", "blot"))
    _compile(level)
    engine = decider(level, seed=match_format.seed, cube=match_format.cube, met=met)
    with seated(engine), _progress(match_format, tally) as show:
        ask_everything(engine)
        duel_with_gnubg(
            engine,
            match_format,
            tally,
            plies=plies,
            files=(files["mat"], files["sgf"]),
            on_progress=show,
        )


def _play_here(
    options: argparse.Namespace, level: "Level", match_format: "MatchFormat", tally: "Tally"
) -> None:
    """Against a player here."""
    from bot.backgammon.arena.duel import duel
    from bot.backgammon.arena.players import ask_everything, seated
    from protocol.backgammon.adapters.outside_player import OutsidePlayer
    from protocol.backgammon.arena.match_files import MatchFiles
    from protocol.backgammon.arena.named_players import (
        EXTERNAL,
        UBGI,
        assert_there,
        decider,
        is_outside,
    )

    if options.beavers and options.opponent.startswith(UBGI):
        raise UsageError("UBGI has no words for beavers: play without them")
    met = met_of(options)
    path = Path(options.opponent)
    their_name = path.name if options.opponent.startswith(EXTERNAL) else path.stem
    names = (Path(str(level.weights)).stem, their_name)
    paths = [path for path in _files(options, match_format, names).values() if path]
    files = MatchFiles(paths, names, match_format.rules)

    def player(name: "Level | str", seat: int) -> "Decider":
        return decider(name, seed=match_format.seed + seat, cube=match_format.cube, met=met)

    if options.opponent.startswith(UBGI):
        assert_there(options.opponent, _jobs_of(options.opponent))
        _compile(options.opponent)  # it is asked for a play as soon as it has started
    # a program that is not there is told before all else is compiled
    program = player(options.opponent, 1) if is_outside(options.opponent) else None
    _compile(level, options.opponent)
    ours, theirs = player(level, 0), program or player(options.opponent, 1)
    with seated(ours, theirs), _progress(match_format, tally) as show:
        for each in (ours, theirs) if match_format.cube else ():
            if not isinstance(each, OutsidePlayer):
                ask_everything(each)
        try:
            duel(
                ours,
                theirs,
                match_format,
                tally,
                on_progress=show,
                on_games=files.add if paths else None,
            )
        finally:
            files.finish()


def _files(
    options: argparse.Namespace, match_format: "MatchFormat", players: tuple[str, str]
) -> "dict[str, Path | None]":
    """The files asked for, by format; raises ValueError if one cannot be, or is there already."""
    from protocol.backgammon.arena.match_files import file_in, refuse_taken

    given = {name: getattr(options, name, None) for name in ("mat", "sgf")}
    files = {
        name: None if path is None else file_in(path, f".{name}", players)
        for name, path in given.items()
    }
    matches = 1 if match_format.length is None else match_format.games
    refuse_taken([path for path in files.values() if path is not None], matches)
    return files


@contextmanager
def _progress(match_format: "MatchFormat", tally: "Tally") -> Iterator[Callable[[], None]]:
    """Show how much of it is played, and how it stands."""
    from protocol.backgammon.reports.match import standing_text
    from protocol.progress import progress

    noun = "games" if match_format.length is None else "matches"
    with progress(noun, match_format.games, lambda: standing_text(tally)) as show:
        yield lambda: show(tally.contests)


def _compile(*players: "Level | str") -> None:
    """Compile what the players need; raises ValueError before that if there is no such player."""
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(_jobs_of(*players))


def _jobs_of(*players: "Level | str") -> list[str]:
    """The jobs that the players need; raises ValueError if there is no such player."""
    from protocol.backgammon.arena.named_players import jobs_of_player

    return [job for player in players for job in jobs_of_player(player)]
