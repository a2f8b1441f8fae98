"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import difflib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from protocol.encoding import lose_nothing
from protocol.errors import UsageError, WireError, sentence_of

PACKAGES = Path(__file__).resolve().parents[1]
"""The folder in which Blot's packages stand side by side."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)

    def error(self, message: str) -> NoReturn:
        see = " See" if message.endswith("?") else "; see"
        self.exit(2, f"{self.prog}: {message}{see} {self.prog} --help\n")


class _Subparser(_Parser):
    """Names unknown options itself: left to the parser above, they would be that one's."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self._refuse_repeats(sys.argv[1:] if args is None else args)
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            near = _near(word, self._option_string_actions) if word.startswith("-") else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return options, unknown

    def _refuse_repeats(self, words: Sequence[str]) -> None:
        """End with an error if an option stands there twice and the last one alone would count."""
        seen: dict[argparse.Action, str] = {}
        for word in itertools.takewhile(lambda word: word != "--", words):
            name = word.partition("=")[0]
            action = self._option_string_actions.get(name)
            if action is None or isinstance(action, argparse._AppendAction):
                continue
            if action in seen:
                said = f"{name} twice" if seen[action] == name else f"{seen[action]} and {name}"
                self.error(f"{said}: give one of them")
            seen[action] = name


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is wanted, not {text!r}") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number is wanted, not {text!r}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 done, 1 failed (one sentence on stderr), 2 wrong usage."""
    try:
        _open_standard_streams()
        try:
            code = _run(sys.argv[1:] if arguments is None else arguments)
        except (OSError, SystemExit) as ended:
            if not (isinstance(ended, SystemExit) and ended.code):
                _finish_output()  # that it cannot be written says more
            raise
        _finish_output()
        return code
    except BrokenPipeError:  # who read our output wants no more, as `head` does
        _give_up_output()
        return 1
    except (ValueError, OSError, WireError) as error:
        print(f"blot: {sentence_of(error)}", file=sys.stderr)
        _finish_or_give_up_output()
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        _finish_or_give_up_output()
        return 130


def _run(words: Sequence[str]) -> int:
    """Run the command that the words are; its exit code."""
    from protocol.backgammon.commands.question import without_dash

    lose_nothing(sys.stdout, sys.stderr)
    stranger = _stranger()
    if stranger is not None:
        raise OSError(
            f"{stranger} stands where Blot's own package bot is looked for; rename it, "
            "start Blot in another folder, or take its folder out of PYTHONPATH"
        )
    from bot.signals import ended_as_by_ctrl_c

    words = [without_dash(word) for word in words]
    parser, commands = _parsers()
    if not words:
        parser.print_help()
        return 0
    if not words[0].startswith("-") and words[0] not in commands:
        parser.error(f"no command {words[0]!r}{_near(words[0], commands)}")
    options = parser.parse_args(words)
    run: Callable[[argparse.Namespace], int] = options.run
    with ended_as_by_ctrl_c():
        return run(options)


def _open_standard_streams() -> None:
    """Open what is closed as if nothing were there; raises OSError if results would be lost."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        raise OSError(f"standard output is closed; send it to {os.devnull} if nobody wants it")


def _finish_output() -> None:
    """Write what waits for standard output; raises OSError, in one sentence, if it cannot be."""
    try:
        sys.stdout.flush()
        if (
            sys.stdout is sys.__stdout__ is not None
        ):  # some devices, as /dev/full, refuse even nothing
            os.write(sys.__stdout__.fileno(), b"")
    except BrokenPipeError:
        raise
    except OSError as error:
        _give_up_output()
        raise OSError(f"cannot write standard output: {error.strerror or error}") from None


def _finish_or_give_up_output() -> None:
    """Write what waits for standard output, if it can be; something else was told already."""
    try:
        _finish_output()
    except OSError:
        _give_up_output()


def _give_up_output() -> None:
    """Send away what was not written, so that the end of the process does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parsers() -> tuple[argparse.ArgumentParser, Collection[str]]:
    """The parser of the command, and the names of its subcommands."""
    from bot import VERSION

    kind: type[argparse.ArgumentParser] = _Subparser
    parser = _Parser(
        prog="blot", description="A backgammon bot that taught itself.", allow_abbrev=False
    )
    parser.add_argument(
        "--version", action="version", version=f"blot {VERSION}", help="show the version and exit"
    )
    subcommands = parser.add_subparsers(
        title="what to do", metavar="COMMAND", required=True, parser_class=kind
    )
    for add in _subcommands():
        add(subcommands)
    return parser, subcommands.choices


def _subcommands() -> "Sequence[Callable[[argparse._SubParsersAction[Any]], None]]":
    """The subcommands, each by what adds it; importing them takes a while."""
    from protocol.backgammon.commands.analyse import add_analyse
    from protocol.backgammon.commands.bearoff import add_bearoff
    from protocol.backgammon.commands.bench import add_bench
    from protocol.backgammon.commands.board import add_board
    from protocol.backgammon.commands.check import add_check
    from protocol.backgammon.commands.convert import add_convert
    from protocol.backgammon.commands.fibs import add_fibs
    from protocol.backgammon.commands.hint import add_hint
    from protocol.backgammon.commands.lab import add_lab
    from protocol.backgammon.commands.match import add_match
    from protocol.backgammon.commands.play import add_play
    from protocol.backgammon.commands.rollout import add_rollout
    from protocol.backgammon.commands.serve import add_serve
    from protocol.backgammon.commands.show import add_show
    from protocol.backgammon.commands.signature import add_signature
    from protocol.backgammon.commands.train import add_train
    from protocol.backgammon.commands.ubgi import add_ubgi
    from protocol.backgammon.commands.warm import add_warm
    from protocol.backgammon.commands.weights import add_weights
    from protocol.draughts.commands.draughts import add_draughts

    return (
        add_train,
        add_lab,
        add_serve,
        add_fibs,
        add_ubgi,
        add_check,
        add_match,
        add_bearoff,
        add_warm,
        add_play,
        add_board,
        add_hint,
        add_rollout,
        add_analyse,
        add_show,
        add_convert,
        add_weights,
        add_signature,
        add_bench,
        add_draughts,
    )


def _near(word: str, known: Iterable[str]) -> str:
    """The word that was probably meant, behind a semicolon; empty if nothing is like it."""
    bare = {name.lstrip("-"): name for name in known}  # dashes make any two options alike
    near = difflib.get_close_matches(word.lstrip("-"), bare, n=1)
    return f"; did you mean {bare[near[0]]}?" if near else ""


def _stranger() -> Path | None:
    """Somebody else's bot.py, or package bot, that Python would import; it is not run for this."""
    spec = importlib.util.find_spec("bot")
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).resolve()
    return None if found == PACKAGES / "bot" / "__init__.py" else found


if __name__ == "__main__":
    sys.exit(main())
