"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import difflib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from protocol.encoding import lose_nothing, shown_lines
from protocol.errors import UsageError, WireError, sentence_of

COMMANDS = (
    "train",
    "lab",
    "serve",
    "fibs",
    "ubgi",
    "check",
    "match",
    "bearoff",
    "warm",
    "play",
    "board",
    "hint",
    "rollout",
    "analyse",
    "show",
    "convert",
    "weights",
    "signature",
    "bench",
    "draughts",
)
"""The subcommands, each added by a module of its name."""

PACKAGES = Path(__file__).resolve().parents[1]
"""The folder in which Blot's packages stand side by side."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)
        self.register("type", Path, _path)

    def error(self, message: str) -> NoReturn:
        see = " See" if message.endswith("?") else "; see"
        self.exit(2, f"{self.prog}: {message}{see} {self.prog} --help\n")


class _Subparser(_Parser):
    """Names unknown options itself: left to the parser above, they would be that one's."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self._refuse_repeats(args or ())
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


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("a file or a folder has a name, and this is none: ''")
    return Path(text)


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
        print(shown_lines(f"blot: {sentence_of(error)}"), file=sys.stderr)
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
    from bot.garbage import collect_seldom
    from bot.signals import ended_as_by_ctrl_c

    collect_seldom()
    words = [without_dash(word) for word in words]
    parser = parser_of(words[:1] if words and words[0] in COMMANDS else COMMANDS)
    if not words:
        parser.print_help()
        return 0
    if not words[0].startswith("-") and words[0] not in COMMANDS:
        parser.error(f"no command {words[0]!r}{_near(words[0], COMMANDS)}")
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
        if sys.stdout is sys.__stdout__ is not None:
            os.write(sys.__stdout__.fileno(), b"")  # some devices, as /dev/full, refuse even that
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


def parser_of(commands: Iterable[str]) -> argparse.ArgumentParser:
    """The parser of `blot` with these subcommands alone, as importing all takes a while."""
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
    for name in commands:
        _subcommand(name)(subcommands)
    return parser


def _subcommand(name: str) -> "Callable[[argparse._SubParsersAction[Any]], None]":
    """The function that adds the subcommand of that name; its module is imported only now."""
    game = "draughts" if name == "draughts" else "backgammon"
    module = import_module(f"protocol.{game}.commands.{name}")
    add: Callable[[argparse._SubParsersAction[Any]], None] = getattr(module, f"add_{name}")
    return add


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
