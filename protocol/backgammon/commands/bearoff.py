"""`blot bearoff`: the bear-off databases, built or checked."""

import argparse
import json

from protocol.progress import tell
from protocol.subcommands import Parsers


def add_bearoff(subcommands: Parsers) -> None:
    """Add `blot bearoff`."""
    parser = subcommands.add_parser(
        "bearoff",
        help="build the databases of exact endings",
        description="Build the bear-off databases in the user's cache folder, or check them if "
        "they are there. Whatever needs them builds them itself.",
        allow_abbrev=False,
    )
    parser.add_argument("--rebuild", action="store_true", help="build them even if they are there")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_bearoff)


def _bearoff(options: argparse.Namespace) -> int:
    """Build or check the databases, and say where they are."""
    import time

    from bot.backgammon.evaluation.bearoff import bearoff_path, load_databases
    from protocol.backgammon.reports.compilation import compile_first

    told: list[str] = []

    def note(text: str) -> None:
        told.append(text)
        tell(text)

    if options.rebuild or not bearoff_path().exists():
        compile_first(["bear-off databases"])
    began = time.monotonic()
    databases = load_databases(note, rebuild=options.rebuild)
    seconds = time.monotonic() - began
    path = bearoff_path()
    if not path.is_file():
        return 1  # told why
    one_sided, two_sided = len(databases.all_off.fewest), len(databases.wins)
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
