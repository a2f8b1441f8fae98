"""Training options: one for each setting of a run."""

import argparse
from collections.abc import Callable
from typing import Any


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting of a run; one that is not given leaves no trace."""
    _add_common(_adder(parser, "settings of every run"))
    _add_selfplay(_adder(parser, "settings of --learner td, backpropagation and mutation"))
    _add_mutation(_adder(parser, "settings of --learner mutation"))
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
    from bot.backgammon.training.settings import ONLY_FOR

    # mutation has no rates but by the schedule trials, where they count
    having = STANDARD if name == "rates" else ONLY_FOR.get(name, STANDARD)
    learners = [learner for learner in STANDARD if learner in having]
    shown = {learner: _shown(getattr(STANDARD[learner], name)) for learner in learners}
    usual = shown[learners[0]]
    if name == "teacher":
        return "that of --start, without it default"
    if name == "learner":
        return usual
    others = [f"{learner} {text}" for learner, text in shown.items() if text != usual]
    defaults = ", ".join([usual, *others])
    is_of_network = name in ("hidden_units", "outputs", "inputs", "units", "phases", "activation")
    return f"{defaults}; with --start that of its network" if is_of_network else defaults


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value) or "none"


def _add_common(setting: Callable[..., None]) -> None:
    from bot.backgammon.training.settings import LearnerName, Schedule

    setting(
        "learner",
        "td learns from the positions that follow, backpropagation from the outcome of the game, "
        "mutation from duels with copies changed by chance, lookahead from a search one ply deep",
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
        "equal share of the games; trials: each until 25 trials in a row, one every 1,000 games, "
        "say that the network does not beat its copies of 25,000 games before; recursive: one that "
        "each game multiplies by the share of games left, so that it is soon gone",
        choices=list(map(str, Schedule)),
    )
    setting(
        "inputs",
        "what the network sees: classic-1, 196 inputs; tesauro-1, these and who is on roll; nbg-1, "
        "those with each number of checkers coded by itself; "
        "blocks-1, tesauro-1 and races and blocks; players-1, the first and 48 things that players "
        "look at",
        metavar="SET",
    )
    setting("seed", "number that the first weights and the dice come from", type=int, metavar="N")
    setting("workers", "processes that play at the same time", type=int, metavar="N")
    setting("test_every", "games between two tests", type=int, metavar="N")
    setting("test_games", "games of each test", type=int, metavar="N")


def _add_selfplay(setting: Callable[..., None]) -> None:
    from bot.backgammon.training.settings import Activation, Loss, Update

    setting("hidden_units", "hidden units", type=int, metavar="N")
    setting(
        "outputs",
        "1: a win; 2: a win of either side; 4: a gammon of either side as well; 5: a win, and "
        "gammons and backgammons of either side",
        type=int,
        metavar="N",
    )
    setting("most_plies", "break off longer games, and count them", type=int, metavar="N")
    setting(
        "update",
        "of td: through each game back from its end, or forwards by eligibility traces",
        choices=list(map(str, Update)),
    )

    setting("activation", "kind of hidden units", choices=list(map(str, Activation)))
    setting(
        "loss",
        "of td and backpropagation: the measure of error that learning makes smaller",
        choices=list(map(str, Loss)),
    )


def _add_mutation(setting: Callable[..., None]) -> None:
    setting("noise", "standard deviation of what changes each weight", type=float, metavar="SIZE")
    setting("duel_games", "games of champion and mutant", type=int, metavar="N")
    setting(
        "step",
        "share of the way that the champion goes towards a mutant that won",
        type=float,
        metavar="SHARE",
    )


def _add_lookahead(setting: Callable[..., None]) -> None:
    setting("units", "units of each hidden layer", type=int, nargs="+", metavar="N")
    setting(
        "phases",
        "8 gives each phase of the game layers of its own, 1 all phases the same",
        type=int,
        metavar="N",
    )
    setting("teacher", "network that looks ahead first", metavar="NAME")
    setting(
        "pruner",
        'small network that chooses the replies to evaluate, "" for none; its file has to stay',
        metavar="NAME",
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
    setting("layout_trace", "--lambda in these games", type=float, metavar="SHARE")
    setting(
        "candidates",
        "plays of a roll, the best ones, that are looked at one ply deep and learnt side by side",
        type=int,
        metavar="N",
    )
    setting(
        "contrast",
        "weight that the differences between the errors of such plays have beside the errors",
        type=float,
        metavar="WEIGHT",
    )
    setting(
        "averaging",
        "the network that plays is a running average of the one that learns; this is the share of "
        "the average so far that remains after each step",
        type=float,
        metavar="SHARE",
    )
