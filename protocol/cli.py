"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from protocol.backgammon.commands.bench_commands import add_bench
from protocol.backgammon.commands.board_commands import add_hint, add_play, add_show
from protocol.backgammon.commands.match_commands import add_match
from protocol.backgammon.commands.rollout_commands import add_rollout
from protocol.backgammon.commands.rule_options import add_rules, met_of
from protocol.backgammon.commands.signature import add_signature
from protocol.backgammon.commands.strength_options import add_strength, level_of, level_text
from protocol.backgammon.commands.train import add_train
from protocol.backgammon.commands.weights import add_weights
from protocol.backgammon.formats.pasted_id import without_dash
from protocol.progress import tell
from protocol.signals import handle

if TYPE_CHECKING:
    from bot.backgammon.engine.engine import Engine
    from bot.backgammon.engine.level import Level
    from bot.backgammon.evaluation.met import MatchEquityTable

PACKAGES = Path(__file__).resolve().parents[1]
"""The folder in which Blot's packages stand side by side."""

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 done, 1 failed (one sentence on stderr), 2 wrong usage."""
    stranger = _stranger()
    if stranger is not None:
        print(
            f"blot: {stranger} stands where Blot's own package bot is looked for; rename it, "
            "start Blot in another folder, or take its folder out of PYTHONPATH",
            file=sys.stderr,
        )
        return 1
    parser: argparse.ArgumentParser = _Parser(
        prog="blot", description="A backgammon bot that taught itself.", allow_abbrev=False
    )
    subcommands = parser.add_subparsers(title="what to do", metavar="COMMAND", required=True)
    for add in (
        add_train,
        _add_serve,
        add_match,
        _add_bearoff,
        _add_warm,
        add_play,
        add_hint,
        add_rollout,
        add_show,
        add_weights,
        add_signature,
        add_bench,
    ):
        add(subcommands)
    words = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args([without_dash(word) for word in words])
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


def _stranger() -> Path | None:
    """Somebody else's bot.py, or package bot, that Python would import; it is not run for this."""
    spec = importlib.util.find_spec("bot")
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).resolve()
    return None if found == PACKAGES / "bot" / "__init__.py" else found


def _add_serve(subcommands: Parsers) -> None:
    parser = subcommands.add_parser(
        "serve",
        help="play in GNU Backgammon, as its external player",
        description="Listen for GNU Backgammon and play at its board, in any number of games.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--host", default="127.0.0.1", help="IPv4 address to listen on")
    parser.add_argument("--port", type=int, default=7100, help="port, 0 for any free one")
    parser.add_argument("--unix", metavar="PATH", help="listen on this Unix socket instead")
    parser.add_argument("--stdio", action="store_true", help="read and answer here instead")
    add_strength(parser)
    add_rules(parser, "rules that gnubg does not tell")
    parser.add_argument("--log", metavar="FILE", help="keep every line with its time")
    parser.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    """Serve until a signal ends it."""
    from bot.backgammon.rules.match import MoneyRules
    from protocol import wire
    from protocol.backgammon.adapters.gnubg_external import GnubgAdapter

    handle(signal.default_int_handler, "SIGTERM")
    wire.keep_log(options.log)
    listener = None
    try:
        if not options.stdio:
            listener = wire.listener(options.host, options.port, options.unix)
        level = level_of(options)
        met = met_of(options)
        engine = ready_engine(level, cube=options.cube, met=met)
        money = MoneyRules(options.jacoby, options.beavers)

        def make_adapter(send: Callable[[str], None]) -> GnubgAdapter:
            return GnubgAdapter(engine, send, money=money)

        if listener is None:
            wire.serve_stream(sys.stdin.fileno(), sys.stdout.fileno(), make_adapter)
        else:
            server = wire.LineServer(listener, make_adapter)
            handle(lambda *_: server.stop(), "SIGINT", "SIGTERM")
            address = wire.address_of(listener)
            print(_invitation(address, level, met, options), flush=True)
            server.run()
    except KeyboardInterrupt:
        return 0
    finally:
        if listener is not None:
            wire.close_listener(listener)
    return 0


def _invitation(
    address: str, level: "Level", met: "MatchEquityTable | None", options: argparse.Namespace
) -> str:
    """What to type in gnubg, and the settings in force."""
    jacoby, beavers, cube = (
        f"{name} {'on' if getattr(options, name) else 'off'}"
        for name in ("jacoby", "beavers", "cube")
    )
    table = f", match equities of {met.name}" if met else ""
    typed = f'"{address}"' if " " in address else address
    return (
        f"Type in GNU Backgammon:  set player 1 external {typed}\n"
        f"Weights {level_text(level)}; {jacoby}, {beavers}, {cube}{table} "
        "(set gnubg alike). Ctrl-C ends."
    )


def ready_engine(
    level: "Level", *, cube: bool = True, met: "MatchEquityTable | None" = None
) -> "Engine":
    """An engine that answers at once: its kernels compiled and every kind of question asked."""
    from bot.backgammon.arena.players import ask_everything
    from bot.backgammon.compilation import jobs_of_level
    from bot.backgammon.engine.level import quick_twin
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(jobs_of_level(level))
    ask_everything(quick_twin(level).engine(tell, candidates=1, cube=cube, met=met))
    return level.engine(tell, candidates=1, cube=cube, met=met)


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

    from bot.backgammon.evaluation.bearoff import bearoff_path, load_tables
    from protocol.backgammon.reports.compilation import compile_first

    told: list[str] = []

    def note(text: str) -> None:
        told.append(text)
        tell(text)

    if options.rebuild or not bearoff_path().exists():
        compile_first(["bear-off tables"])
    began = time.monotonic()
    tables = load_tables(note, rebuild=options.rebuild)
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


def _add_warm(subcommands: Parsers) -> None:
    parser = subcommands.add_parser(
        "warm",
        help="compile everything, so that no command has to",
        description="Compile all kernels and build the bear-off tables, as far as that was not "
        "done before. Whatever needs them does so itself.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_warm)


def _warm(options: argparse.Namespace) -> int:
    """Compile and build all there is."""
    from bot.backgammon.evaluation.bearoff import load_tables
    from bot.backgammon.jobs import JOBS
    from bot.kernels import folder
    from protocol.backgammon.reports.compilation import compile_first

    compile_first(JOBS)
    load_tables(tell)
    if folder() is None:
        raise OSError("nothing can be kept: the user's cache folder cannot be written")
    print("Everything is compiled.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
