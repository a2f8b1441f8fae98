"""`blot play`: a game in the terminal."""

import argparse
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    LEVEL_NAMES,
    add_rules,
    check_rules,
    check_rules_of_cube,
    met_alone,
    met_of,
    money_of,
)
from protocol.backgammon.table.loss import STANDARD, parse_loss
from protocol.errors import UsageError, as_argument, as_usage
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from protocol.backgammon.table.table import Setting, Table

MAX_SECONDS = 60.0
DELAY = 0.5
OPPONENT = "hard"
"""The level that people play against unless they choose another."""

OF_A_NEW_GAME = {
    "me": "--me",
    "opponent": "--opponent",
    "level": "--level",
    "length": "--length",
    "cube": "--cube",
    "jacoby": "--jacoby",
    "beavers": "--beavers",
    "dice": "--dice",
    "seed": "--seed",
    "position": "--from",
}
"""Options that a game which is kept cannot follow."""

OF_A_SITTING = ("met", "delay", "weights", "ascii", "mat", "sgf", "tutor")
"""Options that any game can follow, and none that is only listed."""


def add_play(subcommands: Parsers) -> None:
    """Add `blot play`."""
    parser = subcommands.add_parser(
        "play",
        help="play in the terminal",
        description="Play backgammon in the terminal. A player is human, a level (easy, medium, "
        "hard, expert, best), a weights name or file (see blot weights), random, simple-1, "
        "simple-2, blockers or pubeval, ubgi:COMMAND for a program that speaks UBGI, or "
        "external:HOST:PORT or external:PATH for one that listens as gnubg's external player. Who "
        "may double is asked before the roll, and an empty line rolls; without the cube gammons "
        "always count. A game left is kept, and offered at the next start; games between bots are "
        "kept only under a name (--game).",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    _add_players(parser)
    parser.add_argument(
        "--length",
        type=int,
        metavar="POINTS",
        help="play a match to so many points; without it, money games",
    )
    add_rules(parser)
    parser.add_argument(
        "--dice",
        choices=("auto", "manual"),
        help="auto: Blot rolls them; manual: you type them in (default: auto)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="number the dice come from; without it, another one every time",
    )
    parser.add_argument(
        "--delay",
        type=_seconds,
        metavar="SECONDS",
        help=f"pause between what bots do (default: {DELAY})",
    )
    parser.add_argument(
        "--weights",
        metavar="NAME",
        help="the network that gives hints, by name or file (default: default)",
    )
    _add_tutor(parser)
    parser.add_argument(
        "--ascii", action="store_true", default=False, help="draw the board with letters"
    )
    _add_folders(parser)
    _add_start(parser)
    parser.set_defaults(run=_play)


def _add_tutor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tutor",
        nargs="?",
        type=_loss,
        const=STANDARD,
        default=argparse.SUPPRESS,
        metavar="LOSS",
        help="tell, once it is done, what loses more equity than LOSS (EMG), show what was better "
        f"and offer to take it back, and sum the game up; {STANDARD} if LOSS is left out",
    )


def _add_folders(parser: argparse.ArgumentParser) -> None:
    for name, kind in (("mat", "as text"), ("sgf", "with cube and rules, as SGF")):
        parser.add_argument(
            f"--{name}",
            metavar="FOLDER",
            type=Path,
            default=argparse.SUPPRESS,
            help=f"keep finished games {kind} in this folder: a file by the date for each match or "
            "session",
        )


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--me", metavar="PLAYER", help="the first player (default: human)")
    second = parser.add_mutually_exclusive_group()
    second.add_argument(
        "--opponent",
        metavar="PLAYER",
        help=f"the second player; without it you are asked for a level, or {OPPONENT} plays",
    )
    second.add_argument(
        "--level",
        choices=LEVEL_NAMES,
        help="the second player is Blot at this level",
    )


def _add_start(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where to begin")
    group.add_argument(
        "--game",
        metavar="NAME",
        help="go on with the game that is kept as NAME, or begin a game and keep it as that",
    )
    start = group.add_mutually_exclusive_group()
    start.add_argument(
        "--new", action="store_true", default=False, help="begin a new game; those kept stay"
    )
    start.add_argument(
        "--games", action="store_true", default=False, help="list the games that are kept"
    )
    start.add_argument("--load", type=Path, metavar="FILE", help="go on with the game in a file")
    start.add_argument(
        "--from",
        dest="position",
        nargs="+",
        metavar="ID",
        help="begin at a position ID, POSITION:MATCH or XGID, whose player 1 (X, below) is the "
        "first player",
    )


def _play(options: argparse.Namespace) -> int:
    from bot.backgammon.engine.level import LEVELS, Level
    from bot.backgammon.evaluation.network import load_network
    from bot.weights import DEFAULT
    from protocol.backgammon.reports.compilation import compile_first
    from protocol.backgammon.table.kept_games import KeptGames
    from protocol.backgammon.table.saved_game import table_of, values_in
    from protocol.backgammon.table.table import HUMAN
    from protocol.backgammon.terminal.arrival import Arrival, games_text
    from protocol.backgammon.terminal.finished_games import FinishedGames
    from protocol.backgammon.terminal.terminal import sit
    from protocol.line_reader import LineReader
    from protocol.state import state_folder

    given = _given(options)
    games = KeptGames(state_folder())
    if options.games:
        others = [
            f"--{name}"
            for name in ("game", *OF_A_SITTING)
            if getattr(options, name, False) is not False
        ]
        if given or others:
            raise UsageError(f"--games lists games; leave out {(*given, *others)[0]}")
        print(games_text(games))
        return 0
    if given and "load" in options:
        raise UsageError(f"{given[0]} is for a new game, and --load goes on with one: leave it out")
    finished = FinishedGames(
        {f".{name}": getattr(options, name) for name in ("mat", "sgf") if name in options}
    )
    setting, begin = _new_game(options)
    _check_idle(options, setting.players)
    if "weights" in options:
        load_network(options.weights)
    met = met_of(options)
    _check_players(options, setting.players)
    saved = values_in(options.load) if "load" in options else None
    compile_first(["boards", "plays"])
    reader = LineReader()
    arrival = Arrival(
        games,
        setting,
        begin,
        given,
        getattr(options, "game", None),
        options.new,
        None if saved is None else table_of(options.load, saved),
        reader.is_terminal and setting.players[0] == HUMAN and not _names(options),
        lambda chosen: _check_chosen(options, chosen),
    )
    sit(
        lambda: arrival.seated(reader.ask, print),
        reader,
        hints=Level(getattr(options, "weights", DEFAULT), LEVELS[DEFAULT_LEVEL].search),
        met=met,
        delay=getattr(options, "delay", DELAY),
        ascii_only=options.ascii,
        on_result=finished.add,
        tutor=getattr(options, "tutor", None),
    )
    return 0


def _given(options: argparse.Namespace) -> tuple[str, ...]:
    """The options given that only a new game can follow, as they were typed."""
    return tuple(
        f"--no-{name}" if getattr(options, name) is False else option
        for name, option in OF_A_NEW_GAME.items()
        if name in options
    )


def _check_idle(options: argparse.Namespace, players: tuple[str, str]) -> None:
    """Raise UsageError for what was given and changes nothing when these sit there."""
    from protocol.backgammon.table.table import HUMAN

    if "delay" in options and set(players) == {HUMAN}:
        raise UsageError("--delay is between what bots do, and none plays: leave it out")
    if "tutor" in options and HUMAN not in players:
        raise UsageError("--tutor is for people, and none plays: leave it out")
    if "weights" in options and HUMAN not in players:
        raise UsageError("--weights is for hints, and nobody is there to ask for one: leave it out")


def _check_players(options: argparse.Namespace, players: tuple[str, str]) -> None:
    """Raise ValueError if a player who was named is none, WireError if a program is not there."""
    from protocol.backgammon.arena.named_players import (
        OUTSIDE_NAMES,
        assert_there,
        jobs_of_player,
    )
    from protocol.backgammon.table.table import HUMAN

    for option, name in zip(("me", "opponent"), players, strict=True):
        if option in options and name != HUMAN:
            assert_there(name, jobs_of_player(name, (HUMAN, *OUTSIDE_NAMES)))


def _check_chosen(options: argparse.Namespace, setting: "Setting") -> None:
    """Raise UsageError for what was given and does not count in the game that is played."""
    _check_idle(options, setting.players)
    check_rules(met_alone(options), cube=setting.cube, length=setting.length)


def _names(options: argparse.Namespace) -> bool:
    """Whether the opponent is named."""
    return "opponent" in options or "level" in options


def _new_game(options: argparse.Namespace) -> "tuple[Setting, Callable[[Setting], Table]]":
    """The setting of a new game, and how it is begun; UsageError for what cannot be together."""
    from dataclasses import replace

    from protocol.backgammon.table.table import SEEDS, Dice, Setting, Table

    length = getattr(options, "length", None)
    cube = getattr(options, "cube", True)
    _check_rules(options, length, cube=cube)
    players = (
        getattr(options, "me", "human"),
        getattr(options, "opponent", getattr(options, "level", OPPONENT)),
    )
    dice = Dice(getattr(options, "dice", "auto"))
    if dice is Dice.MANUAL and "seed" in options and "random" not in players:
        raise UsageError("--seed is of dice that Blot rolls; leave it out with --dice manual")
    with as_usage():
        setting = Setting(
            players,
            length,
            dice,
            getattr(options, "seed", secrets.randbelow(SEEDS)),
            cube,
            money_of(options),
        )
    if "position" not in options:
        return setting, Table
    table = _table_from(options, setting)
    return table.setting, lambda asked: _table_from(
        options, replace(table.setting, players=asked.players)
    )


def _check_rules(options: argparse.Namespace, length: int | None, *, cube: bool) -> None:
    """Raise UsageError for a rule of a new game that was given and would not count."""
    given = {name: value for name, value in vars(options).items() if name != "met"}
    check_rules(argparse.Namespace(**given), cube=cube, length=length)
    check_rules_of_cube(options, cube=cube)


def _table_from(options: argparse.Namespace, setting: "Setting") -> "Table":
    """The table at the position that --from tells; the first player is player 1 of the ID."""
    from protocol.backgammon.commands.question import identified, question_about, table_about
    from protocol.backgammon.reports.compilation import compile_first

    pasted = identified(" ".join(options.position), has_cube=setting.cube)
    request = question_about(
        pasted, jacoby=getattr(options, "jacoby", None), beavers=getattr(options, "beavers", None)
    )
    if pasted.record is not None:
        score = request.state.score
        if "length" in options:
            what = f"a match to {score.length}" if score else "a money session"
            raise UsageError(f"--length is told by the ID, {what}: leave it out")
        _check_rules(options, score.length if score else None, cube=setting.cube)
    compile_first(["boards", "plays"])
    return table_about(pasted, request, setting)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"a delay is 0 to {MAX_SECONDS:g} seconds, not {text!r}")
    return seconds


@as_argument()
def _loss(text: str) -> float:
    return parse_loss(text)
