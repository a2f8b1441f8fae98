"""Settings: what decides which network a run of self-play brings out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any


class LearnerName(StrEnum):
    """A way for the network to learn.

    From the next position, from the outcome of the game, by chance and duels, or from one ply of
    lookahead.
    """

    TEMPORAL_DIFFERENCE = "td"
    BACKPROPAGATION = "backpropagation"
    MUTATION = "mutation"
    LOOKAHEAD = "lookahead"


class Update(StrEnum):
    """A way of TD(lambda) to go through a game: back from its end, or forwards by traces."""

    BACKWARD = "backward"
    TRACES = "traces"


class Activation(StrEnum):
    """A kind of hidden units."""

    RECTIFIED = "rectified"
    LOGISTIC = "logistic"


class Loss(StrEnum):
    """A measure of how far outputs are from their targets, which learning lowers."""

    CROSS_ENTROPY = "cross-entropy"
    SQUARES = "squares"


class Schedule(StrEnum):
    """A way for the learning rate to go from the first to the last."""

    CONSTANT = "constant"
    LINEAR = "linear"
    STEPS = "steps"
    TRIALS = "trials"
    RECURSIVE = "recursive"


BOUNDS = {
    "games": (1, 10**12),
    "hidden_units": (1, 4096),
    "trace": (0, 1),
    "seed": (0, 2**63 - 1),
    "most_plies": (1, 10**6),
    "workers": (1, 256),
    "test_every": (1, 10**12),
    "test_games": (2, 10**7),
    "promote_every": (1, 10**12),
    "window": (1_000, 10**8),
    "batch": (1, 10**6),
    "layouts": (0, 1),
    "candidates": (1, 8),
    "contrast": (0, 100),
    "layout_trace": (0, 1),
    "duel_games": (2, 10**6),
}
"""Bounds of each number: beyond is a slip, or more than any machine has room for."""

GAMES_BETWEEN_TRIALS = 1_000
"""Games between two trials of the rate, see rate_trials.py."""

_BY_GRADIENT = (LearnerName.TEMPORAL_DIFFERENCE, LearnerName.BACKPROPAGATION)
_BY_SELFPLAY = (*_BY_GRADIENT, LearnerName.MUTATION)
_BY_EXAMPLES = (LearnerName.LOOKAHEAD,)

ONLY_FOR = {
    **dict.fromkeys(("hidden_units", "outputs", "activation", "most_plies"), _BY_SELFPLAY),
    "loss": _BY_GRADIENT,
    "update": (LearnerName.TEMPORAL_DIFFERENCE,),
    "trace": (LearnerName.TEMPORAL_DIFFERENCE, LearnerName.LOOKAHEAD),
    **dict.fromkeys(("rates", "schedule"), (*_BY_GRADIENT, LearnerName.LOOKAHEAD)),
    "workers": (*_BY_GRADIENT, LearnerName.LOOKAHEAD),
    **dict.fromkeys(("noise", "duel_games", "step"), (LearnerName.MUTATION,)),
    **dict.fromkeys(("units", "phases", "teacher", "pruner"), _BY_EXAMPLES),
    **dict.fromkeys(("promote_every", "window", "batch", "passes", "averaging"), _BY_EXAMPLES),
    **dict.fromkeys(("layouts", "layout_trace", "candidates", "contrast"), _BY_EXAMPLES),
}
"""The learners that have a setting, if not all have it."""

_OPTIONS = {
    "hidden_units": "hidden",
    "trace": "lambda",
    "layout_trace": "layout-lambda",
    "most_plies": "max-plies",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides which network comes out.

    games: to play in all; trace: the lambda of TD(lambda), for the learner by lookahead how
    much of what the next position's target corrects is handed on to this one's; rates: of learning,
    in the order of their use; schedule: one rate throughout, straight lines between the rates, each
    for an equal share of the games, each until trials lower it, see rate_trials.py, or one that
    each game multiplies by the share of games left, formula 4.2 of the NBG thesis; most_plies:
    a longer game is broken off, which is counted; workers: processes that play at once; test_every:
    games between two tests; test_games: games of each; start: weights to go on from, none if empty;
    inputs: name of the set.

    hidden_units, outputs (1, 2, 4 or 5, see kernels/outputs.py), activation of the hidden units
    and most_plies are for the learners without lookahead; loss is for those of them that go
    down a gradient, update for TD(lambda) alone. By mutation alone: noise, the standard
    deviation of what is added to each weight; duel_games, of champion and mutant; step, the
    share of the way that the champion goes towards a mutant that won, in its place rates by
    trials. By lookahead alone: units: of each hidden layer; phases: of the game that have layers of
    their own above the first, 1 or 8; teacher: weights that look ahead first, if empty those of
    start, without them the default; pruner: weights that choose the replies worth evaluating, none
    if empty; promote_every: games after which the student becomes the teacher; window: positions to
    draw from; batch: positions of a step; passes: how often a position is learnt, on average;
    averaging: of the weights, the share of the old average that a step keeps; layouts: share of the
    games that begin with checkers laid out by chance; layout_trace: the trace in these; candidates:
    plays of a roll, the best ones, that are looked at one ply deep and learnt side by side;
    contrast: weight of the differences between their errors, beside the errors.
    """

    learner: LearnerName = LearnerName.TEMPORAL_DIFFERENCE
    games: int = 500_000
    hidden_units: int = 128
    trace: float = 0.0
    rates: tuple[float, ...] = (0.02, 0.01, 0.005, 0.002, 0.0005)
    schedule: Schedule = Schedule.LINEAR
    seed: int = 1
    most_plies: int = 2000
    workers: int = 1
    test_every: int = 100_000
    test_games: int = 10_000
    inputs: str = "classic-1"
    units: tuple[int, ...] = (256, 64)
    phases: int = 1
    teacher: str = ""
    start: str = ""
    pruner: str = "pruner-256"
    promote_every: int = 5_000
    window: int = 1_000_000
    batch: int = 256
    passes: float = 8.0
    averaging: float = 0.9995
    layouts: float = 0.25
    layout_trace: float = 0.95
    candidates: int = 4
    contrast: float = 4.0
    outputs: int = 5
    update: Update = Update.BACKWARD
    noise: float = 0.05
    duel_games: int = 10
    step: float = 0.1
    activation: Activation = Activation.RECTIFIED
    loss: Loss = Loss.CROSS_ENTROPY

    def __post_init__(self) -> None:
        for field in fields(self):
            check_value(field.name, getattr(self, field.name))
        if self.schedule in (Schedule.CONSTANT, Schedule.RECURSIVE) and len(self.rates) > 1:
            raise ValueError(f"a {self.schedule} schedule has one rate: give it with --rates")
        if self.schedule is Schedule.TRIALS and self.learner not in _BY_SELFPLAY:
            raise ValueError(
                f"the schedule trials is for the learner {_either(_BY_SELFPLAY)}, and this run's "
                f"is {self.learner}"
            )
        if self.learner is LearnerName.MUTATION:
            self._check_duels()
        if self.learner is LearnerName.LOOKAHEAD and self.phases > 1 and len(self.units) == 1:
            raise ValueError(
                f"--phases {self.phases} have a second layer each: give --units two numbers or more"
            )

    def _check_duels(self) -> None:
        for name in ("games", "test_every"):
            value = getattr(self, name)
            if value % self.duel_games:
                raise ValueError(
                    f"mutation plays whole duels, of {self.duel_games:,} games each, so "
                    f"--{option_of(name)} is a multiple of that, not {value:,}"
                )
        if self.schedule is Schedule.TRIALS and GAMES_BETWEEN_TRIALS % self.duel_games:
            raise ValueError(
                f"a trial comes every {GAMES_BETWEEN_TRIALS:,} games, in whole duels, so "
                f"--duel-games divides that, which {self.duel_games:,} does not"
            )

    def rate_at(self, games: int) -> float:
        """The learning rate once so many games have been played.

        The rates are spread over all games: prolonging a run stretches them, and where it had ended
        the rate is higher again, unless there is one rate. Raises ValueError for the schedule by
        trials, which depends on more than games.
        """
        if self.schedule is Schedule.TRIALS:
            raise ValueError("the rate of a schedule by trials is not known from the games")
        if self.schedule is Schedule.RECURSIVE:
            return self.rates[0] * _share_left(min(games, self.games), self.games)
        done = min(games / self.games, 1.0)
        if self.schedule is Schedule.LINEAR:
            place = done * (len(self.rates) - 1)
            before = min(int(place), len(self.rates) - 2)
            if before < 0:
                return self.rates[0]
            return self.rates[before] + (place - before) * (
                self.rates[before + 1] - self.rates[before]
            )
        return self.rates[min(int(done * len(self.rates)), len(self.rates) - 1)]

    def objection_to(self, name: str) -> str:
        """Why a setting changes nothing beside the others, in words; empty if it counts."""
        if self.learner is LearnerName.MUTATION and self.schedule is Schedule.TRIALS:
            if name == "step":
                return "changes nothing beside the schedule trials, whose steps are the rates"
            if name in ("rates", "schedule"):
                return ""
        learners = ONLY_FOR.get(name, tuple(LearnerName))
        if self.learner is LearnerName.MUTATION and name == "rates":
            return "counts for the learner mutation with the schedule trials alone"
        if self.learner not in learners:
            return f"is for the learner {_either(learners)}, and this run's is {self.learner}"
        if self.learner is LearnerName.LOOKAHEAD:
            return self._objection_ahead(name)
        return ""

    def _objection_ahead(self, name: str) -> str:
        """Why a setting of the learner by lookahead changes nothing, in words."""
        if name == "layout_trace" and self.layouts == 0:
            return "changes nothing with layouts 0, as no game begins with one"
        if name == "trace" and self.layouts == 1:
            return "changes nothing with layouts 1, whose games have a layout-lambda"
        if name == "contrast" and self.candidates == 1:
            return "changes nothing with candidates 1, which have none to differ from"
        return ""


def _share_left(games: int, of: int) -> float:
    """The product of (of - n) / of for every n from 1 to games."""
    if games == of:
        return 0.0
    return math.exp(math.lgamma(of) - math.lgamma(of - games) - games * math.log(of))


def _either(names: Sequence[str]) -> str:
    """The names in words: one, one or other, one, another or a third."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def option_of(name: str) -> str:
    """The name of a setting's option, and of its key in a file: `lambda` of trace."""
    return _OPTIONS.get(name, name.replace("_", "-"))


def _told(numbers: Sequence[float]) -> str:
    """The numbers as they are typed."""
    return " ".join(f"{number:g}" for number in numbers) or "none"


def check_value(name: str, value: Any) -> None:
    """Raise ValueError, in a sentence with the option, if a setting can never have the value."""
    option = f"--{option_of(name)}"
    least, most = BOUNDS.get(name, (value, value))
    if name in BOUNDS and not least <= value <= most:
        raise ValueError(f"{option} is {least:,} to {most:,}, not {value:,}")
    if name == "test_games" and value % 2:
        raise ValueError(f"a test has pairs of games, so {option} is even, not {value}")
    if name == "outputs" and value not in (1, 2, 4, 5):
        raise ValueError(f"{option} are 1, 2, 4 or 5, not {value}")
    if name == "duel_games" and value % 2:
        raise ValueError(f"a duel has pairs of games, so {option} is even, not {value}")
    if name in ("noise", "step") and not 0 < value <= 1:
        raise ValueError(f"{option} is above 0 and at most 1, not {value}")
    if name == "phases" and value not in (1, 8):
        raise ValueError(f"{option} is 1 or 8, not {value}")
    if name == "passes" and not 0 < value <= 1000:
        raise ValueError(f"{option} is above 0 and at most 1,000, not {value}")
    if name == "averaging" and not 0 <= value < 1:
        raise ValueError(f"{option} is at least 0 and below 1, not {value}")
    if name == "rates" and not (
        value and all(0 < rate < 10 for rate in (value[0], *value[:-1])) and 0 <= value[-1] < 10
    ):
        raise ValueError(
            f"{option} are learning rates above 0 and below 10, the last of several perhaps 0, "
            f"not {_told(value)}"
        )
    if name == "units" and not (1 <= len(value) <= 3 and all(1 <= each <= 4096 for each in value)):
        raise ValueError(
            f"{option} are one to three layers of 1 to 4,096 units, not {_told(value)}"
        )
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{option} is kept in files as UTF-8, which {value!r} is not")
