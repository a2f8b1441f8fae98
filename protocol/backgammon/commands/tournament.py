"""Tournaments of `blot match`: any two players or more, recorded, resumed and exported."""

import argparse
import itertools
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.backgammon.commands.options import LEVEL_OPTIONS
from protocol.backgammon.commands.tournament_settings import (
    GROWING,
    Settings,
    new_settings,
    plan_of,
    resumed_settings,
)
from protocol.cluster import on_its_cluster, refuse_idle_count
from protocol.errors import UsageError, WireError
from protocol.progress import progress, tell
from protocol.values import print_values

if TYPE_CHECKING:
    from bot.backgammon.arena.played_pair import PlayedPair
    from bot.backgammon.arena.run_file import RunFile
    from bot.backgammon.arena.tournament import Plan, Tournament
    from protocol.backgammon.commands.entrants import NamedEntrant

STRENGTH = (*LEVEL_OPTIONS, "threads", "workers", "seconds")

_EXPORTS_AT_ONCE = 1_000_000
_FAULTS_TOLD = 3


def play_tournament(options: argparse.Namespace) -> int:
    """Play, go on or export; 0 if it came to its end."""
    from bot.backgammon.arena.tournament import TooManyFaultsError, Tournament
    from bot.weights import bring_weights
    from protocol.backgammon.arena.named_players import assert_there
    from protocol.backgammon.reports.compilation import compile_first

    _refuse_strength(options)
    _refuse_useless(options)
    parallel = getattr(options, "parallel", 1)
    file, settings = _opened(options)
    with closing(file):
        plan = plan_of(settings)
        own = _own(settings) if "resume" in options else set()
        targets = _targets(options, plan, own)
        if "export" in options:
            if not file.pieces():
                raise ValueError(f"there are no finished games in {options.export}")
            _export(file, plan, targets)
            return 0
        is_kept = "record" in options or "resume" in options
        if is_kept:
            file.extend({name: settings[name] for name in GROWING})
        tournament = Tournament(plan, file, _on_pair(plan, as_json=options.json))
        if tournament.replayed:
            noun = "games" if plan.match_format.length is None else "matches"
            count = f"{2 * tournament.replayed:,} {noun}"
            tell(f"the last {count} are played anew, as there are more to play now")
        status, failure = 0, None
        try:
            with on_its_cluster(options, getattr(options, "parallel", None)):
                jobs = _jobs(plan)
                for entrant in _named(plan) if "cluster" not in options else ():
                    assert_there(entrant.player, jobs)
                compile_first(jobs)
                bring_weights(entrant.weights for entrant in _named(plan))
                _play(tournament, parallel)
        except KeyboardInterrupt:
            status, failure = 130, "interrupted"
            tell("blot: interrupted" + "; --resume goes on with it" * is_kept)
        except TooManyFaultsError as error:
            status, failure = 1, str(error)
            tell(f"blot: {failure}" + "; --resume with more --max-faults goes on" * is_kept)
        except (WireError, ChildProcessError) as error:
            status, failure = 1, str(error)
            tell(f"blot: {failure}")
        _tell_results(tournament, failure, as_json=options.json)
        written = _export(file, plan, targets, own)
        if is_kept:
            file.keep_files({**settings.get("files", {}), **written})
        if "record" in options and status == 1 and not file.pieces():
            file.delete()  # somebody could not sit down: there is nothing to go on with
    return status


def _refuse_strength(options: argparse.Namespace) -> None:
    """Raise UsageError for options that say who plays in another way."""
    if options.opponent is not None:
        raise UsageError("--opponent and players by name are two ways to say who plays: give one")
    for name in STRENGTH:
        if name in options:
            raise UsageError(
                f"--{name} is for --opponent; players by name are NAME:PLIES or from --engines"
            )


def _refuse_useless(options: argparse.Namespace) -> None:
    """Raise UsageError for options that say nothing where work or games are done elsewhere."""
    refuse_idle_count(options, "parallel")
    for name in ("json", "parallel", "cluster") if "export" in options else ():
        if getattr(options, name, False):
            raise UsageError(f"--export plays nothing and tells no results: leave out --{name}")


def _opened(options: argparse.Namespace) -> "tuple[RunFile, Settings]":
    """The file of the run and its settings; raises ValueError if options contradict it."""
    from bot.backgammon.arena.run_file import RunFile

    given = [name for name in ("record", "resume", "export") if name in options]
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} cannot be had at once")
    if "resume" in options or "export" in options:
        path = getattr(options, given[0])
        file = RunFile(path)
        try:
            return file, resumed_settings(options, file.settings(), path)
        except ValueError:
            file.close()
            raise
    settings = new_settings(options)
    plan = plan_of(settings)
    _jobs(plan)  # refuses players that there are not, before there is a file
    _targets(options, plan, set())
    if "record" not in options:
        return RunFile(), settings
    return RunFile.create(options.record, settings), settings


def _jobs(plan: "Plan") -> list[str]:
    """The jobs to compile before the first piece."""
    from bot.backgammon.compilation import player_jobs

    jobs = [job for entrant in _named(plan) for job in entrant.jobs]
    return jobs + [*player_jobs(searches=False), "luck"] * (plan.meter is not None)


def _named(plan: "Plan") -> "list[NamedEntrant]":
    from protocol.backgammon.commands.entrants import NamedEntrant

    return [entrant for entrant in plan.entrants if isinstance(entrant, NamedEntrant)]


def _play(tournament: "Tournament", parallel: int) -> None:
    """Play, and show how much of it is played."""
    from protocol.backgammon.reports.tournament import progress_text

    done = sum(standing.pairs for standing in tournament.standings)
    total = done + tournament.pairs_left
    with progress("pairs", total, lambda: progress_text(tournament), done) as show:
        tournament.play(parallel, lambda: show(sum(each.pairs for each in tournament.standings)))


def _on_pair(plan: "Plan", *, as_json: bool) -> "Callable[[int, PlayedPair], None]":
    """Tells of each pair: an event a line on stdout for programs, failures on stderr for people."""
    from protocol.backgammon.reports.tournament import pair_values

    faults = itertools.count(1)

    def tell_pair(duel: int, pair: "PlayedPair") -> None:
        for event in pair_values(plan, duel, pair):
            if as_json:
                print_values(event)
            elif event["event"] == "fault" and next(faults) <= _FAULTS_TOLD:
                lines = "".join(f"\n  {line}" for line in event["transcript"])
                tell(f"pair {pair.number}: {event['player']} failed: {event['reason']}{lines}")

    return tell_pair


def _tell_results(tournament: "Tournament", failure: str | None, *, as_json: bool) -> None:
    """Tell the results on stdout; failure: why it did not come to its end, for programs."""
    from protocol.backgammon.reports.tournament import cross_table, duel_text, duel_values

    duels = range(len(tournament.plan.duels))
    if as_json:
        for duel in duels:
            values = duel_values(tournament, duel) | {"failure": failure}
            print_values({"event": "result", **values})
        return
    played = [duel for duel in duels if tournament.standings[duel].pairs]
    if played:
        print("\n\n".join(duel_text(tournament, duel) for duel in played))
    if len(duels) > 1:
        from rich.console import Console

        Console().print(cross_table(tournament))


def _targets(options: argparse.Namespace, plan: "Plan", own: Collection[Path]) -> list[list[Path]]:
    """The files asked for, of each duel; raises ValueError if there is no room for them.

    own: files that this run may write over.
    """
    from protocol.backgammon.arena.match_files import file_in, refuse_taken

    given = [(f".{name}", getattr(options, name, None)) for name in ("mat", "sgf")]
    paths = [(ending, path) for ending, path in given if path is not None]
    if "export" in options and not paths:
        raise UsageError("--export writes games: say where with --mat or --sgf")
    duels = [_names(plan, duel) for duel in range(len(plan.duels))]
    if len(duels) == 1:
        targets = [[file_in(path, ending, duels[0]) for ending, path in paths]]
    else:
        for ending, path in paths:
            if not path.is_dir():
                raise ValueError(
                    f"{path} is no folder: there is a {ending} file for every two players"
                )
        targets = [
            [path / f"{'-'.join(names)}{ending}" for ending, path in paths] for names in duels
        ]
    refuse_taken([path for paths in targets for path in paths], _matches(plan), own)
    return targets


def _matches(plan: "Plan") -> int:
    """How many files of one name a duel may need."""
    return 1 if plan.match_format.length is None else plan.match_format.games


def _own(settings: Settings) -> set[Path]:
    """The files that a run wrote and that nobody has changed since."""
    from bot.weights import digest_of

    files = {Path(place): digest for place, digest in settings.get("files", {}).items()}
    return {path for path, digest in files.items() if path.is_file() and digest_of(path) == digest}


def _export(
    file: "RunFile",
    plan: "Plan",
    targets: Sequence[Sequence[Path]],
    own: Collection[Path] = (),
) -> dict[str, str]:
    """Write all games of the run that were finished to the files of each duel.

    own: files that may be written over. Returns the files written, each with its sha256.
    """
    from bot.backgammon.arena.played_pair import contest_records
    from bot.weights import digest_of
    from protocol.backgammon.arena.match_files import MatchFiles

    rules = plan.match_format.rules
    pieces = file.pieces() if any(targets) else []
    written: list[Path] = []
    for duel, paths in enumerate(targets):
        names = _names(plan, duel)
        files = MatchFiles(paths, names, rules, own=own, games_per_writing=_EXPORTS_AT_ONCE)
        for piece in pieces:
            for pair in file.played(piece, with_actions=True).pairs if piece.duel == duel else ():
                for contest in pair.contests if not pair.unfinished else ():
                    files.add(contest_records(contest, rules))
        files.finish()
        written += files.written
    return {str(place): digest_of(place) for place in written}


def _names(plan: "Plan", duel: int) -> tuple[str, str]:
    """The players' names as files have them."""
    one, other = (Path(entrant.name).stem.replace(":", "-") for entrant in plan.seats(duel))
    return one, other
