"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from protocol.backgammon.commands.bearoff import add_bearoff
from protocol.backgammon.commands.bench import add_bench
from protocol.backgammon.commands.hint import add_hint
from protocol.backgammon.commands.match import add_match
from protocol.backgammon.commands.play import add_play
from protocol.backgammon.commands.rollout import add_rollout
from protocol.backgammon.commands.serve import add_serve
from protocol.backgammon.commands.show import add_show
from protocol.backgammon.commands.signature import add_signature
from protocol.backgammon.commands.train import add_train
from protocol.backgammon.commands.warm import add_warm
from protocol.backgammon.commands.weights import add_weights
from protocol.backgammon.formats.pasted_id import without_dash

if TYPE_CHECKING:
    pass

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
        add_serve,
        add_match,
        add_bearoff,
        add_warm,
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


if __name__ == "__main__":
    sys.exit(main())
