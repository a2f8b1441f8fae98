"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from protocol.backgammon.bench_commands import add_bench
from protocol.backgammon.board_commands import add_hint, add_play, add_show
from protocol.backgammon.rollout_commands import add_rollout
from protocol.backgammon.strength import add_strength, level_of, level_text, quick_twin, tell
from protocol.backgammon.training_commands import add_signature, add_train, add_weights

if TYPE_CHECKING:
    from bot.backgammon.engine import Engine
    from bot.backgammon.level import Level
    from protocol.backgammon.duel import Terms
    from protocol.tally import Tally

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 done, 1 failed (one sentence on stderr), 2 wrong usage."""
    parser: argparse.ArgumentParser = _Parser(
        prog="blot", description="A backgammon bot that taught itself.", allow_abbrev=False
    )
    subcommands = parser.add_subparsers(title="what to do", metavar="COMMAND", required=True)
    for add in (
        add_train,
        _add_serve,
        _add_match,
        _add_bearoff,
        add_play,
        add_hint,
        add_rollout,
        add_show,
        add_weights,
        add_signature,
        add_bench,
    ):
        add(subcommands)
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        code = run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # who read our output wants no more, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, OSError) as error:
        print(f"blot: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _add_serve(subcommands: Parsers) -> None:
    parser = subcommands.add_parser(
        "serve",
        help="play in GNU Backgammon, as its external player",
        description="Listen for GNU Backgammon and play at its board, in any number of games.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    switch = argparse.BooleanOptionalAction
    parser.add_argument("--host", default="127.0.0.1", help="IPv4 address to listen on")
    parser.add_argument("--port", type=int, default=7100, help="port, 0 for any free one")
    parser.add_argument("--unix", metavar="PATH", help="listen on this Unix socket instead")
    parser.add_argument("--stdio", action="store_true", help="read and answer here instead")
    add_strength(parser)
    rules = parser.add_argument_group("rules that gnubg does not tell")
    rules.add_argument("--jacoby", action=switch, default=True, help="Jacoby rule in money games")
    rules.add_argument("--beavers", action=switch, default=False, help="beavers in money games")
    rules.add_argument("--cube", action=switch, default=True, help="cube in use")
    parser.add_argument("--log", metavar="FILE", help="keep every line with its time")
    parser.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    from bot.backgammon.match import MoneyRules
    from protocol import wire
    from protocol.backgammon.gnubg_external import GnubgAdapter

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    wire.keep_log(options.log)
    listener = None
    try:
        if not options.stdio:
            listener = wire.listener(options.host, options.port, options.unix)
        level = level_of(options)
        engine = ready_engine(level)
        money = MoneyRules(options.jacoby, options.beavers)

        def make_adapter(send: Callable[[str], None]) -> GnubgAdapter:
            return GnubgAdapter(engine, send, money=money)

        if listener is None:
            wire.serve_stream(sys.stdin.fileno(), sys.stdout.fileno(), make_adapter)
        else:
            server = wire.LineServer(listener, make_adapter)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: server.stop())
            print(_invitation(wire.address_of(listener), level, options), flush=True)
            server.run()
    except KeyboardInterrupt:
        return 0
    finally:
        if listener is not None:
            wire.close_listener(listener)
    return 0


def _invitation(address: str, level: "Level", options: argparse.Namespace) -> str:
    """What to type in gnubg, and the settings in force."""
    jacoby, beavers, cube = (
        f"{name} {'on' if getattr(options, name) else 'off'}"
        for name in ("jacoby", "beavers", "cube")
    )
    typed = f'"{address}"' if " " in address else address
    return (
        f"Type in GNU Backgammon:  set player 1 external {typed}\n"
        f"Weights {level_text(level)}; {jacoby}, {beavers}, {cube} "
        "(set gnubg alike). Ctrl-C ends."
    )


def ready_engine(level: "Level") -> "Engine":
    """An engine that answers at once: its kernels compiled and every kind of question asked."""
    from bot.backgammon.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
    from bot.backgammon.match import GameState
    from bot.backgammon.position import START, Position
    from bot.backgammon.roll import Roll
    from protocol.progress import compiling

    twin = quick_twin(level).engine(tell, candidates=1)
    last_checkers = Position((0, 1, *(0,) * 22, -1, 0))
    with compiling("engine"):
        for position in (START, last_checkers):
            state = GameState(position)
            for request in (
                ChooseCheckerPlay(state, Roll(3, 1)),
                ChooseCubeAction(state),
                AnswerDouble(state),
            ):
                twin.decide(request)
    return level.engine(tell, candidates=1)


def _add_match(subcommands: Parsers) -> None:
    parser = subcommands.add_parser(
        "match",
        help="play games against gnubg or another player and add up the results",
        description="Play money games or matches against gnubg, which is started for it, or "
        "another player; players here play every roll twice, with sides swapped.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    switch = argparse.BooleanOptionalAction
    unsaid = argparse.SUPPRESS  # defaults that --help shall not show as None
    parser.set_defaults(opponent=None, length=None, jacoby=None, mat=None)
    parser.add_argument(
        "--opponent",
        metavar="PLAYER",
        default=unsaid,
        help="gnubg, gnubg:PLIES, pubeval, random, blockers, or weights by name or file; "
        "if not given gnubg, without gnubg on this machine pubeval",
    )
    parser.add_argument("--games", type=int, default=100, help="games, or matches with --length")
    parser.add_argument("--length", type=int, default=unsaid, help="play matches to so many points")
    add_strength(parser)
    parser.add_argument("--cube", action=switch, default=False, help="with the doubling cube")
    parser.add_argument(
        "--jacoby",
        action=switch,
        default=unsaid,
        help="Jacoby rule in money games; if not given as --cube",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the dice")
    parser.add_argument(
        "--mat", metavar="FILE", type=Path, default=unsaid, help="keep the games, against gnubg"
    )
    parser.add_argument("--json", action="store_true", help="results for programs")
    parser.set_defaults(run=_match)


def _match(options: argparse.Namespace) -> int:
    """Play, and report what was played even if it ended early."""
    from protocol.backgammon.duel import Terms
    from protocol.backgammon.gnubg_program import GnubgError
    from protocol.tally import Tally

    for ending in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, ending):
            signal.signal(getattr(signal, ending), signal.default_int_handler)
    if options.jacoby and options.length is not None:
        raise ValueError("--jacoby is a rule of money games; leave it out with --length")
    if options.jacoby is None:
        options.jacoby = options.cube and options.length is None
    terms = Terms(options.games, options.length, options.cube, options.jacoby, options.seed)
    level = level_of(options)
    options.opponent = options.opponent or _default_opponent()
    tally = Tally(terms.length)
    status, failure = 0, None
    try:
        _play(options, level, terms, tally)
    except GnubgError as error:
        status, failure = 1, str(error)
        print(f"blot: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        status, failure = 130, "interrupted"
    if options.json:
        report = {"weights": level.weights, "opponent": options.opponent, "ply": level.search.ply}
        report |= {"terms": asdict(terms), **tally.table(), "failure": failure}
        print(json.dumps(report, indent=2))
    elif tally.games:
        print(f"{level.weights} {level.search.ply}-ply against {options.opponent}, {terms}")
        print(tally.text())
    return status


def _default_opponent() -> str:
    """gnubg where there is one, else pubeval, and what to do about it."""
    from protocol.backgammon.gnubg_program import GnubgMissingError, find_gnubg

    try:
        find_gnubg()
    except GnubgMissingError as error:
        print(f"{error}: playing pubeval instead", file=sys.stderr)
        return "pubeval"
    return "gnubg"


def _play(options: argparse.Namespace, level: "Level", terms: "Terms", tally: "Tally") -> None:
    """Seat the two players and let them play."""
    from bot.backgammon.decision import ChooseCheckerPlay
    from bot.backgammon.match import GameState
    from bot.backgammon.position import START
    from bot.backgammon.roll import Roll
    from protocol.backgammon.duel import Terms, duel, duel_with_gnubg
    from protocol.backgammon.gnubg_program import find_gnubg
    from protocol.backgammon.players import decider, duel_player, gnubg_plies
    from protocol.progress import match_progress
    from protocol.tally import Tally

    noun = "games" if terms.length is None else "matches"
    plies = gnubg_plies(options.opponent)
    if plies is None:
        if options.mat is not None:
            raise ValueError("gnubg writes the games: --mat needs gnubg as the opponent")
        ours = duel_player(level, seed=terms.seed)
        theirs = duel_player(options.opponent, seed=terms.seed + 1)
        with _compiling(level, options.opponent):
            duel(ours, theirs, Terms(2), Tally())
        with match_progress(noun, terms.games) as add:
            duel(ours, theirs, terms, tally, on_games=add)
        return
    find_gnubg()
    if options.mat is not None and not options.mat.absolute().parent.is_dir():
        raise ValueError(f"no folder for the file {options.mat}")
    engine = decider(level, seed=terms.seed)
    with _compiling(level):
        engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1)))
    with match_progress(noun, terms.games) as add:
        duel_with_gnubg(engine, terms, tally, plies=plies, mat=options.mat, on_games=add)


@contextmanager
def _compiling(level: "Level", *opponents: str) -> Iterator[None]:
    """Say so if what happens here compiles the players' kernels."""
    from bot.backgammon.baselines import BASELINES
    from protocol.progress import compiling

    players = (level.weights, *opponents)
    kinds = sorted({name if name in BASELINES else "network" for name in players})
    search = "search" if level.search.ply else "static"
    with compiling("-".join(["match", str(len(players)), search, *kinds])):
        yield


def _add_bearoff(subcommands: Parsers) -> None:
    parser = subcommands.add_parser(
        "bearoff",
        help="build the tables of exact endings",
        description="Build the bear-off tables in the user's cache folder, or check them if they "
        "are there. Whatever needs them builds them itself.",
        allow_abbrev=False,
    )
    parser.add_argument("--rebuild", action="store_true", help="build them in any case")
    parser.add_argument("--json", action="store_true", help="results for programs")
    parser.set_defaults(run=_bearoff)


def _bearoff(options: argparse.Namespace) -> int:
    """Build or check the tables, and say where they are."""
    import time

    from bot.backgammon.bearoff import bearoff_path, load_tables

    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        print(text, file=sys.stderr, flush=True)

    began = time.monotonic()
    tables = load_tables(tell, rebuild=options.rebuild)
    seconds = time.monotonic() - began
    path = bearoff_path()
    if not path.is_file():
        return 1  # told why
    one_sided, two_sided = len(tables.all_off.fewest), len(tables.wins)
    report = {"file": str(path), "bytes": path.stat().st_size, "built": bool(told)}
    report |= {"seconds": round(seconds, 3), "one_sided": one_sided, "two_sided": two_sided}
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    done = "built" if told else "checked"
    print(
        f"{path}: {report['bytes']:,} bytes, {done} in {seconds:.2f} s; {one_sided:,} positions "
        f"of one side, {two_sided} x {two_sided} of both"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
