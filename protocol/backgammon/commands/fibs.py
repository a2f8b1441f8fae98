"""Game servers: `blot fibs`."""

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bot.signals import stopping_gently
from protocol.backgammon.commands.options import (
    DefaultsShown,
    add_strength,
    level_of,
    level_text,
)
from protocol.errors import UsageError, as_argument
from protocol.log_file import add_log
from protocol.picture_file import picture_file
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.backgammon.engine.level import Level
    from protocol.backgammon.servers.player import Player

SERVERS = {"fibs": "fibs.com:4321", "bgammon": "bgammon.org:1337"}
"""The protocols, and where each is spoken if nothing else is said."""

JUDGES = ("none", "easy", "medium", "hard", "expert")
JUDGE = "medium"
"""The level that counts errors and luck if nothing else is said."""

OF_A_REPORT = {"run", "report", "record", "picture", "json", "judge"}
"""Names of the options that a report takes; all others are of a stay on a server."""

LAST_SECONDS = 60.0
"""Seconds that the analysis of the last match may take before we go; the rest is done later."""


def add_fibs(subcommands: Parsers) -> None:
    """Add `blot fibs`."""
    parser = subcommands.add_parser(
        "fibs",
        help="play on a game server, FIBS or one like it, day and night",
        description="Log in on FIBS, a server like it, or bgammon.org, wait for invitations, and "
        "play whole matches. A bot needs an account that the server's keeper has allowed: ask "
        "first. The first Ctrl-C, SIGTERM or a terminal that is closed ends it after the match, "
        "the second at once.",
        formatter_class=DefaultsShown,
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--protocol",
        choices=list(SERVERS),
        help="what the server speaks (default: fibs)",
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        type=_server,
        help="where it listens; without it, "
        + ", ".join(f"{address} for {name}" for name, address in SERVERS.items()),
    )
    parser.add_argument("--user", metavar="NAME", help="our name there")
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        type=Path,
        help="a file that its owner alone may read, with the password; without it, it is in the "
        "environment, as BLOT_PASSWORD",
    )
    parser.add_argument("--tls", action="store_true", help="speak TLS, where the server does")
    parser.add_argument(
        "--ca-file",
        metavar="FILE",
        type=Path,
        help="with --tls: certificates of authorities to believe instead of the system's",
    )
    parser.add_argument(
        "--policy",
        metavar="FILE",
        type=Path,
        help="whom to play, how fast and what to say, as TOML; without it, everybody up to 15 "
        "points, two seconds a move",
    )
    parser.add_argument(
        "--judge",
        choices=JUDGES,
        help="the level that counts our errors and luck in each match, beside the play; what was "
        "interrupted is counted by the next start, or by --report, unless this is none "
        f"(default: {JUDGE})",
    )
    _add_files(parser)
    add_strength(parser)
    parser.set_defaults(run=_fibs)


def _add_files(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("record")
    group.add_argument(
        "--record",
        metavar="FOLDER",
        type=Path,
        help="where matches are kept, as .mat and in matches.db; without it, the folder servers "
        "beside the games of blot play",
    )
    add_log(group, ", but for the password")
    group.add_argument(
        "--report",
        action="store_true",
        default=False,
        help="tell what was played there, and play nothing",
    )
    group.add_argument(
        "--picture",
        metavar="FILE",
        type=picture_file,
        help="with --report: draw the rating over time into this file (.png, .svg, .pdf)",
    )
    group.add_argument("--json", action="store_true", default=False, help="with --report: as JSON")


@as_argument()
def _server(text: str) -> str:
    """The address, for argparse."""
    from protocol.wire import checked_server

    return checked_server(text)


def _fibs(options: argparse.Namespace) -> int:
    """Play on the server, or tell what was played."""
    from protocol.state import state_folder

    _refuse_what_has_no_use(options)
    folder = getattr(options, "record", state_folder() / "servers")
    return _report(options, folder) if options.report else _play(options, folder)


def _refuse_what_has_no_use(options: argparse.Namespace) -> None:
    """Raise UsageError for options that say nothing to each other, and where one is missing."""
    if options.report:
        others = [name for name in vars(options) if name not in OF_A_REPORT]
        if others:
            option = others[0].replace("_", "-")
            raise UsageError(f"--{option} is for playing, and --report plays nothing: leave it out")
        if getattr(options, "judge", "none") != "none":
            raise UsageError(
                "--report counts errors and luck at the level that was given when a match was "
                f"played: leave out --judge {options.judge}, or give --judge none"
            )
        return
    for name in ("picture", "json"):
        if getattr(options, name, False):
            raise UsageError(f"--{name} goes with --report")
    if "ca_file" in options and "tls" not in options:
        raise UsageError("--ca-file goes with --tls")
    if "user" not in options:
        raise UsageError("who plays? give --user NAME, and the password as --help says")
    if not re.fullmatch(r"\w{1,32}", options.user):
        raise UsageError(
            f"no name on a server: {options.user[:40]!r}; a name has letters, digits and _ only"
        )


def _report(options: argparse.Namespace, folder: Path) -> int:
    """Tell what was played; nothing is made where nothing was."""
    from protocol.backgammon.reports.server_matches import (
        report_text,
        report_values,
        write_rating_picture,
    )
    from protocol.backgammon.servers.judging import judge_waiting
    from protocol.backgammon.servers.match_store import FILE, MatchStore

    if "record" in options and not folder.is_dir():
        raise ValueError(f"no folder {folder}: --record names the one where matches were kept")
    matches, unfinished = [], 0
    if (folder / FILE).exists():
        store = MatchStore(folder)
        if "judge" not in options and (waiting := len(store.awaiting())):
            tell(f"counting errors and luck, matches left: {waiting}; Ctrl-C leaves them for later")
            judge_waiting(store, tell)
        matches, unfinished = store.matches(), store.count_unfinished()
    if "picture" in options:
        write_rating_picture(matches, options.picture)
    if options.json:
        print(json.dumps(report_values(matches), indent=2))
    else:
        print(report_text(matches, unfinished))
    return 0


def _play(options: argparse.Namespace, folder: Path) -> int:
    """Stay on the server until a signal ends it."""
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import level as named_level
    from protocol import wire
    from protocol.backgammon.adapters.bgammon_client import BgammonClient
    from protocol.backgammon.adapters.fibs_client import FibsClient
    from protocol.backgammon.commands.serve import ready_engine
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.servers.judging import Judging
    from protocol.backgammon.servers.match_store import MatchStore
    from protocol.backgammon.servers.password import password
    from protocol.backgammon.servers.player import Account, Player
    from protocol.backgammon.servers.policy import Policy, read_policy
    from protocol.backgammon.servers.staying import stay

    spoken, judge = getattr(options, "protocol", "fibs"), getattr(options, "judge", JUDGE)
    address = getattr(options, "server", SERVERS[spoken])
    tls = wire.trust(getattr(options, "ca_file", None)) if "tls" in options else None
    secret = password(getattr(options, "password_file", None))
    policy = read_policy(options.policy) if "policy" in options else Policy()
    level = level_of(options)
    wire.keep_log(getattr(options, "log", None))
    store = MatchStore(folder, None if judge == "none" else judge)
    engine = ready_engine(level)
    if judge != "none":
        compile_first(jobs_of_level(named_level(judge)))
    judging = Judging(store)
    finished = judging.wake if judge != "none" else lambda: None
    player = Player(
        Account(address, options.user, secret), engine, policy, store, finished=finished
    )
    kind = FibsClient if spoken == "fibs" else BgammonClient
    try:
        finished()  # within, as what is being counted is left alone at the end
        tell(_opening(options, player, level))
        with stopping_gently() as is_stopping:
            stay(
                lambda: wire.connected_stream(
                    address,
                    tls=tls,
                    prompts=kind.prompts,
                    longest=kind.longest,
                ),
                lambda send: kind(player, send),
                is_stopping,
            )
            if not judging.wait(0.0):
                tell("counting errors and luck of the last matches; Ctrl-C leaves them for later")
                judging.wait(LAST_SECONDS)
    except KeyboardInterrupt:
        return 130
    finally:
        judging.close()
        engine.close()
    return 0


def _opening(options: argparse.Namespace, player: "Player", level: "Level") -> str:
    """The first words: who plays where, and where it is written down."""
    address, folder = player.account.server, player.store.folder
    safe = "with TLS" if "tls" in options else "the password crosses the line in the clear"
    return (
        f"{player.account.name} plays on {address} ({safe}) as {level_text(level)}; matches are "
        f"kept in {folder}. Ctrl-C ends after the match, a second one at once."
    )
