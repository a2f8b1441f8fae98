"""`blot lab`: published experiments remade, ours beside theirs."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from protocol.backgammon.commands.knowledge import (
    KNOWLEDGE,
    TITLE,
    add_knowledge_options,
    print_knowledge,
    refuse_knowledge_options,
)
from protocol.progress import SECONDS_BETWEEN_LINES, tell

if TYPE_CHECKING:
    from collections.abc import Callable

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_lab(subcommands: Parsers) -> None:
    """Add `blot lab`."""
    parser = subcommands.add_parser(
        "lab",
        help="make published experiments again",
        description="Make an experiment of a thesis again: a table, a picture (which needs "
        "matplotlib) and a page with theirs beside ours. Without a name the experiments are "
        f"listed. After Ctrl-C or a crash --resume goes on. {KNOWLEDGE} is no experiment: it shows "
        "what a network plays in positions of the theses and in the opening.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help=f"experiment to make, or {KNOWLEDGE}"
    )
    parser.add_argument(
        "--scale",
        choices=("small", "full"),
        default="small",
        help="small shows that it works and says what it cannot show; full is as large as what was "
        "published, or says how much of it (default: small)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="number that all weights and dice come from (default: 1)",
    )
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        nargs="+",
        default=[],
        dest="changes",
        help="settings of the experiment to change; blot lab NAME --show lists them",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder of the attempt (default: runs/lab/NAME-SCALE)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the attempt in the folder"
    )
    parser.add_argument(
        "--show", action="store_true", help="say what it is and its settings, and make nothing"
    )
    parser.add_argument(
        "--bind",
        metavar="DIR",
        nargs="+",
        type=Path,
        help="copy the results of attempts into --out, with one page that tells them all",
    )
    add_knowledge_options(parser)
    parser.set_defaults(run=_lab)


def _lab(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.experiment import EXPERIMENTS, experiment

    if options.bind:
        return _bind(options)
    if options.name == KNOWLEDGE:
        if options.show or options.resume or options.out or options.changes:
            raise ValueError(f"blot lab {KNOWLEDGE} has only --weights and --json")
        return print_knowledge(options)
    refuse_knowledge_options(options)
    if options.name is None:
        if options.show or options.resume or options.out or options.changes:
            raise ValueError("name the experiment: blot lab lists them")
        width = max(map(len, [*EXPERIMENTS, KNOWLEDGE]))
        for name in EXPERIMENTS:
            small, full = experiment(name).minutes
            minutes = f"{small:3g} and {full:3g} min"
            print(f"{name:{width}}  {minutes}  {experiment(name).title}")
        print(f"{KNOWLEDGE:{width}}  {'a second':>16}  {TITLE}")
        return 0
    if options.show:
        return _show(options)
    return _make(options)


def _bind(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.book import bind

    if options.name or options.show or options.resume or options.changes:
        raise ValueError("--bind needs folders of attempts and --out, and nothing else")
    if options.out is None:
        raise ValueError("--bind needs --out, the folder for the results")
    print(f"{options.out}: {', '.join(bind(options.bind, options.out))}")
    return 0


def _show(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.attempt import Scale
    from bot.backgammon.lab.experiment import experiment

    found = experiment(options.name)
    print(f"{found.title}\n{found.question}\nSource: {found.source}\nTheirs: {found.theirs}")
    settings = found.settings_at(Scale(options.scale), _changes(options.changes))
    print(f"Settings at scale {options.scale}, --set changes them:")
    for name, value in settings.items():
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
        print(f"  {name}={shown}")
    return 0


def _changes(texts: list[str]) -> dict[str, str]:
    changes: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise ValueError(f"a setting is changed by NAME=VALUE, not by {text!r}")
        if name in changes:
            raise ValueError(f"--set {name} twice: give one of them")
        changes[name] = value
    return changes


def _make(options: argparse.Namespace) -> int:
    from bot.backgammon.lab.attempt import Scale, opened_attempt
    from bot.backgammon.lab.experiment import experiment
    from bot.backgammon.lab.page import write_page
    from protocol.backgammon.reports.compilation import compile_first

    if not 0 <= options.seed < 2**63:
        raise ValueError(f"--seed is 0 to {2**63 - 1}, not {options.seed}")
    found = experiment(options.name)
    scale = Scale(options.scale)
    settings = found.settings_at(scale, _changes(options.changes))
    folder = options.out or Path("runs", "lab", f"{found.name}-{scale}")
    compile_first(["self-play", "tests"])
    attempt_in = opened_attempt(
        found.name,
        folder,
        scale,
        options.seed,
        settings,
        is_resumed=options.resume,
        note=_noting(),
    )
    with attempt_in as attempt:
        try:
            findings = found.run(attempt)
        except KeyboardInterrupt:
            tell(f"stopped; the same command with --out {folder} --resume goes on")
            raise
        page = write_page(found, attempt, findings)
    print(findings.difference)
    print(page)
    return 0


def _noting() -> "Callable[[str], None]":
    """Says a sentence on stderr, the first at once and no more than one every half minute."""
    due = 0.0

    def note(text: str) -> None:
        nonlocal due
        if time.monotonic() >= due:
            tell(text)
            due = time.monotonic() + SECONDS_BETWEEN_LINES

    return note
