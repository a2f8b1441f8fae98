"""Training options: one for each setting of a run."""

import argparse
from collections.abc import Callable
from typing import Any


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of a run; one that is not given leaves no trace."""
    _add_common(_adder(parser, "settings of every run"))
    setting = _adder(parser, "settings of --learner td")
    setting("hidden_units", "hidden units", type=int, metavar="N")
    setting("most_plies", "break off longer games, and count them", type=int, metavar="N")
    _add_lookahead(_adder(parser, "settings of --learner lookahead"))


def settings_in(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given as options, by field."""
    from bot.backgammon.training.settings import Settings

    return {name: getattr(options, name) for name in Settings.__slots__ if name in options}


def _adder(parser: argparse.ArgumentParser, title: str) -> Callable[..., None]:
    """Adds options to a new group: each by the setting's field, a text and how it is read."""
    from bot.backgammon.training.settings import option_of

    group = parser.add_argument_group(title)

    def add(name: str, text: str, **more: Any) -> None:
        shown = f"{text} (default: {_default_of(name)})"
        group.add_argument(f"--{option_of(name)}", dest=name, help=shown, **more)

    return add


def _default_of(name: str) -> str:
    """The default of a setting, for people."""
    from bot.backgammon.training.presets import STANDARD

    usual, ahead = (_shown(getattr(standard, name)) for standard in STANDARD.values())
    if name in ("hidden_units", "inputs", "units", "phases"):
        return f"{usual}, with --start that of its network"
    if name == "teacher":
        return f"{usual}, with --start its network"
    if name == "learner" or usual == ahead:
        return usual
    return f"{usual}, with --learner lookahead {ahead}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value) or "none"


def _add_common(setting: Callable[..., None]) -> None:
    from bot.backgammon.training.settings import LearnerName, Schedule

    setting(
        "learner",
        "td learns from the positions that follow, lookahead from a search one ply deep",
        choices=list(map(str, LearnerName)),
    )
    setting("games", "games to play in all", type=int, metavar="N")
    setting("start", "network to go on from, a name or a file", metavar="NAME")
    setting(
        "trace",
        "share of a correction that is handed back to the position before: lambda of TD(lambda)",
        type=float,
        metavar="SHARE",
    )
    setting("rates", "learning rates, one after the other", type=float, nargs="+", metavar="RATE")
    setting(
        "schedule",
        "constant: one rate; linear: straight lines from rate to rate; steps: each rate for an "
        "equal share of the games",
        choices=list(map(str, Schedule)),
    )
    setting("seed", "number that the first weights and the dice come from", type=int, metavar="N")
    setting("workers", "processes that play at the same time", type=int, metavar="N")
    setting("test_every", "games between two tests", type=int, metavar="N")
    setting("test_games", "games of each test", type=int, metavar="N")


def _add_lookahead(setting: Callable[..., None]) -> None:
    setting("inputs", "what the network sees: players-1 or classic-1", metavar="SET")
    setting("units", "units of each hidden layer", type=int, nargs="+", metavar="N")
    setting(
        "phases",
        "8 gives each phase of the game layers of its own, 1 all phases the same",
        type=int,
        metavar="N",
    )
    setting("teacher", "network that looks ahead first", metavar="NAME")
    setting(
        "pruner", 'small network that chooses the replies to evaluate, "" for none', metavar="NAME"
    )
    setting("promote_every", "games until the network is the next teacher", type=int, metavar="N")
    setting("window", "latest positions to draw from", type=int, metavar="N")
    setting("batch", "positions that each step of learning draws", type=int, metavar="N")
    setting("passes", "how often a position is learnt, on average", type=float, metavar="N")
    setting(
        "layouts",
        "share of the games that begin with checkers laid out by chance, as games seldom leave "
        "them: back games, primes, checkers hit late",
        type=float,
        metavar="SHARE",
    )
    setting(
        "layout_ply",
        "how deep both sides look for their plays in these games, 0 or 1",
        type=int,
        metavar="N",
    )
    setting("layout_trace", "--lambda in these games", type=float, metavar="SHARE")
    setting(
        "averaging",
        "the network that plays is a running average of the one that learns; this is the share of "
        "the average so far that remains after each step",
        type=float,
        metavar="SHARE",
    )
