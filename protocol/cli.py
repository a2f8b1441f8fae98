"""The command `blot`: one thin function per subcommand, imports inside."""

import argparse
import sys
from collections.abc import Callable, Sequence

Parsers = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 done, 1 failed (one sentence on stderr), 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="blot", description="A backgammon bot that taught itself.", allow_abbrev=False
    )
    subcommands = parser.add_subparsers(title="what to do", metavar="COMMAND", required=True)
    for add in ():  # (_add_serve, _add_match, _add_train)
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
