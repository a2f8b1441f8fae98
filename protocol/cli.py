"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

if TYPE_CHECKING:
    from bot.backgammon.engine import Engine

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
        _add_train,
        _add_serve,
    ):
        add(subcommands)
    options = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
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
    parser.add_argument("--weights", default="default", metavar="NAME", help="name or file")
    parser.add_argument("--ply", type=_ply, default=0, help="plies to look ahead, as gnubg counts")
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
        engine = ready_engine(options.weights)
        money = MoneyRules(options.jacoby, options.beavers)

        def make_adapter(send: Callable[[str], None]) -> GnubgAdapter:
            return GnubgAdapter(engine, send, money=money)

        if listener is None:
            wire.serve_stream(sys.stdin.fileno(), sys.stdout.fileno(), make_adapter)
        else:
            server = wire.LineServer(listener, make_adapter)
            print(_invitation(wire.address_of(listener), options), flush=True)
            server.run()
    except KeyboardInterrupt:
        return 0
    finally:
        if listener is not None:
            wire.close_listener(listener)
    return 0


def _invitation(address: str, options: argparse.Namespace) -> str:
    """What to type in gnubg, and the settings in force."""
    jacoby, beavers, cube = (
        f"{name} {'on' if getattr(options, name) else 'off'}"
        for name in ("jacoby", "beavers", "cube")
    )
    return (
        f"Type in GNU Backgammon:  set player 1 external {address}\n"
        f"Weights {options.weights}, {options.ply}-ply; {jacoby}, {beavers}, {cube} "
        "(set gnubg alike). Ctrl-C ends."
    )


def ready_engine(weights: str) -> "Engine":
    """An engine that answers at once: its kernels compiled and every kind of question asked."""
    from bot.backgammon.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
    from bot.backgammon.engine import Engine
    from bot.backgammon.evaluator import NetworkEvaluator
    from bot.backgammon.match import GameState
    from bot.backgammon.position import START, Position
    from bot.backgammon.roll import Roll
    from bot.kernels import is_compiled, mark_compiled
    from bot.weights import load_network

    engine = Engine(NetworkEvaluator(load_network(weights)), candidates=1)
    if not is_compiled("engine"):
        print("compiling kernels, once; this takes up to a minute", file=sys.stderr, flush=True)
    last_checkers = Position((0, 1, *(0,) * 22, -1, 0))
    for position in (START, last_checkers):
        state = GameState(position)
        for request in (
            ChooseCheckerPlay(state, Roll(3, 1)),
            ChooseCubeAction(state),
            AnswerDouble(state),
        ):
            engine.decide(request)
    mark_compiled("engine")
    return engine


def _ply(text: str) -> int:
    if text != "0":
        raise argparse.ArgumentTypeError(f"only 0 plies are there yet, not {text}")
    return 0


def _add_train(subcommands: Parsers) -> None:
    from bot.backgammon.training.settings import Schedule, Settings

    default = Settings()
    parser = subcommands.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a network from random weights by TD(lambda) self-play.",
        argument_default=argparse.SUPPRESS,
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--out", metavar="DIR", type=Path, help="folder of a new run")
    place.add_argument("--resume", metavar="DIR", type=Path, help="go on with the run in DIR")

    def setting(option: str, dest: str, text: str, **more: Any) -> None:
        shown = getattr(default, dest)
        if isinstance(shown, tuple):
            shown = " ".join(map(str, shown))
        parser.add_argument(option, dest=dest, help=f"{text} (default: {shown})", **more)

    setting("--games", "games", "games to play in all", type=int)
    setting("--hidden", "hidden_units", "hidden units", type=int)
    setting("--lambda", "trace", "the lambda of TD(lambda)", type=float)
    setting("--rates", "rates", "learning rates", type=float, nargs="+", metavar="RATE")
    setting(
        "--schedule", "schedule", "how rates follow each other", choices=list(map(str, Schedule))
    )
    setting("--seed", "seed", "of the first weights and the dice", type=int)
    setting("--max-plies", "most_plies", "a longer game is broken off, and counted", type=int)
    parser.set_defaults(run=_train)


def _train(options: argparse.Namespace) -> int:
    from bot.backgammon.training.run import Run
    from bot.backgammon.training.settings import Settings, settings_of
    from bot.kernels import is_compiled, mark_compiled
    from protocol.progress import training_detail, training_progress

    given = {key: value for key, value in vars(options).items() if hasattr(Settings, key)}
    if "resume" not in options:
        run = Run.start(options.out, settings_of(given))
    elif given:
        raise ValueError("a run goes on with its own settings: give none beside --resume")
    else:
        run = Run.resume(options.resume)
    if not is_compiled("train"):
        print("compiling kernels, once", file=sys.stderr)
    with training_progress() as report:
        network = run.go_on(report)
    mark_compiled("train")
    print(f"{network.shape} after {training_detail(run.progress)}: {run.folder / 'weights.npz'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
