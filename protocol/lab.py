"""Laboratory: the command that makes experiments again, as any game has it."""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.cluster import on_its_cluster
from protocol.errors import UsageError, as_usage
from protocol.progress import SECONDS_BETWEEN_LINES, tell

if TYPE_CHECKING:
    from bot.lab.experiment import Laboratory

DEFAULTS = {"scale": "small", "seed": 1}
"""Scale and seed of an experiment for which none are given."""

_GIVEN = {
    "show": "--show",
    "resume": "--resume",
    "out": "--out",
    "changes": "--set",
    "cluster": "--cluster",
    **{name: f"--{name}" for name in DEFAULTS},
}
"""The options of an experiment, by what they are kept as."""


def add_lab_options(parser: argparse.ArgumentParser, command: str, or_what: str = "") -> None:
    """Add the options of a laboratory's command.

    or_what: another name than an experiment's that may be given, in words.
    """
    folder = usual_folder(command)
    parser.add_argument("name", metavar="NAME", nargs="?", help=f"experiment to make{or_what}")
    parser.add_argument(
        "--scale",
        choices=("small", "full"),
        help="small shows that it works and says what it cannot show; full is as large as what was "
        f"published, or says how much of it (default: {DEFAULTS['scale']})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help=f"number that all chance comes from (default: {DEFAULTS['seed']})",
    )
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        nargs="+",
        dest="changes",
        help=f"settings of the experiment to change; {command} NAME --show lists them",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the attempt (default: {folder}/NAME-SCALE)",
    )
    parser.add_argument(
        "--resume", action="store_true", default=None, help="go on with the attempt in the folder"
    )
    parser.add_argument(
        "--show",
        action="store_true",
        default=None,
        help="say what it is and its settings, and make nothing",
    )
    parser.add_argument(
        "--bind",
        metavar="DIR",
        nargs="+",
        type=Path,
        help="copy the results of attempts into --out, with one page that tells them all",
    )


def experiment_options(options: argparse.Namespace) -> list[str]:
    """The options of an experiment that were given, as they are typed."""
    return [flag for name, flag in _GIVEN.items() if getattr(options, name, None) is not None]


def usual_folder(command: str) -> Path:
    """The folder of attempts if none is named: that of `blot lab` is runs/lab."""
    return Path("runs", *command.split()[1:])


def at_the_laboratory(
    options: argparse.Namespace,
    laboratory: "Laboratory",
    prepare: Callable[[], None],
    others: Sequence[tuple[str, str, str]] = (),
    players: Callable[..., Any] | None = None,
) -> int:
    """List, show, make or bind experiments, as the options want it.

    prepare: called before the first work of an experiment, when its settings are seen to make
    sense; others: what is listed with the experiments, each with name, time and title; players:
    makes those that an experiment cannot make itself.
    """
    given = experiment_options(options)
    if options.bind:
        if options.name or set(given) - {"--out"}:
            raise UsageError("--bind needs folders of attempts and --out, and nothing else")
        return _bind(options, laboratory)
    if options.name is None:
        if given:
            raise UsageError(
                f"{given[0]} is for an experiment: name one; {laboratory.command} lists them"
            )
        _list(laboratory, others)
        return 0
    idle = [option for option in given if option not in ("--show", "--scale", "--set")]
    if options.show and idle:
        raise UsageError(f"--show makes nothing: leave out {idle[0]}")
    for name, value in DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.name not in laboratory.modules:
        names = [*laboratory.modules, *(name for name, _, _ in others)]
        raise UsageError(f"no experiment {options.name!r}; there are {', '.join(names)}")
    if options.show:
        return _show(options, laboratory)
    return _make(options, laboratory, prepare, players)


def _list(laboratory: "Laboratory", others: Sequence[tuple[str, str, str]]) -> None:
    width = max(map(len, [*laboratory.modules, *(name for name, _, _ in others)]))
    print(f"{'scale':{width}}  {'small and full':>15}")
    for name in laboratory.modules:
        small, full = laboratory.experiment(name).minutes
        minutes = f"{small:3g} and {full:3g} min"
        print(f"{name:{width}}  {minutes}  {laboratory.experiment(name).title}")
    for name, duration, title in others:
        print(f"{name:{width}}  {duration:>15}  {title}")


def _bind(options: argparse.Namespace, laboratory: "Laboratory") -> int:
    from bot.lab.book import bind

    if options.out is None:
        raise UsageError("--bind needs --out, the folder for the results")
    print(f"{options.out}: {', '.join(bind(laboratory, options.bind, options.out))}")
    return 0


def _show(options: argparse.Namespace, laboratory: "Laboratory") -> int:
    from bot.lab.attempt import Scale

    found = laboratory.experiment(options.name)
    with as_usage():
        settings = found.settings_at(Scale(options.scale), _changes(options.changes or []))
    print(f"{found.title}\n{found.question}\nSource: {found.source}\nTheirs: {found.theirs}")
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


def _make(
    options: argparse.Namespace,
    laboratory: "Laboratory",
    prepare: Callable[[], None],
    players: Callable[..., Any] | None,
) -> int:
    from bot.lab.attempt import Scale, opened_attempt
    from bot.lab.page import write_page

    if not 0 <= options.seed < 2**63:
        raise UsageError(f"--seed is 0 to {2**63 - 1}, not {options.seed}")
    found = laboratory.experiment(options.name)
    scale = Scale(options.scale)
    with as_usage():
        settings = found.settings_at(scale, _changes(options.changes or []))
    folder = options.out or usual_folder(laboratory.command) / f"{found.name}-{scale}"
    if "cluster" in options and not found.is_parallel:
        raise UsageError(f"--cluster has nothing to do in {found.name}: it is done one by one")
    attempt_in = opened_attempt(
        found.name,
        folder,
        scale,
        options.seed,
        settings,
        is_resumed=bool(options.resume),
        note=_noting(),
        players=players,
        prepare=cache(prepare),
    )
    with attempt_in as attempt:
        try:
            with on_its_cluster(options):
                findings = found.run(attempt)
        except KeyboardInterrupt:
            tell(f"stopped; the same command with --out {folder} --resume goes on")
            raise
        page = write_page(laboratory.command, found, attempt, findings)
    print(findings.difference)
    print(page)
    return 0


def _noting() -> Callable[[str], None]:
    """Says a sentence on stderr, the first at once and no more than one every half minute."""
    due = 0.0

    def note(text: str) -> None:
        nonlocal due
        if time.monotonic() >= due:
            tell(text)
            due = time.monotonic() + SECONDS_BETWEEN_LINES

    return note
