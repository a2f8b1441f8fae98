"""PulverGammon: the three learners of the report, with its rates, which several experiments use."""

from typing import Any

from bot.backgammon.lab.trained_run import Trained, shared_run
from bot.backgammon.training.settings import (
    Activation,
    LearnerName,
    Loss,
    Schedule,
    Settings,
    Update,
)
from bot.lab.attempt import Attempt, Value

SOURCE = (
    "PulverGammon, project report (Aarhus 2007): four outputs, λ = 0.7, every rate until trials "
    "against younger copies say that nothing is gained any more."
)

RATES = (0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001)

NAMES = {
    LearnerName.TEMPORAL_DIFFERENCE: "TD",
    LearnerName.BACKPROPAGATION: "backpropagation",
    LearnerName.MUTATION: "mutation",
}

SETTINGS: dict[str, Value] = {
    "td-games": 400_000,
    "backpropagation-games": 800_000,
    "mutation-games": 800_000,
    "every": 1_000,
    "hidden": 40,
    "lambda": 0.7,
    "rates": RATES,
    "duel-games": 10,
    "noise": 0.05,
}
"""Settings of the learners; those of the same values share their runs."""

SMALL: dict[str, Value] = {
    "td-games": 20_000,
    "backpropagation-games": 20_000,
    "mutation-games": 20_000,
}

_OF_OTHERS = ("backpropagation-games", "mutation-games", "duel-games", "noise")
TD_SETTINGS, TD_SMALL = (
    {name: value for name, value in settings.items() if name not in _OF_OTHERS}
    for settings in (SETTINGS, SMALL)
)
"""Settings of experiments in which TD alone learns, at full scale and small."""

REMARK = (
    "Not in the report as we know it, so ours: the hidden units (40), games per duel (10), how the "
    "12 inputs for blocks are coded, and how the simple players break ties. Units are logistic and "
    "the error is squared, so that its rates mean what they meant. The board is always that of the "
    "player on roll. Games are cubeless and played in pairs with the same dice, either side "
    "beginning once; no opening roll is a double."
)


def learnt(attempt: Attempt, learner: LearnerName, inputs: str = "tesauro-1") -> Trained:
    """The run of one of the learners, shared by the experiments that ask for the same one."""
    return shared_run(attempt, *_planned(attempt, learner, inputs))


def all_learnt(attempt: Attempt) -> dict[LearnerName, Trained]:
    """The runs of all learners; wrong settings of any are told before one begins."""
    planned = {learner: _planned(attempt, learner, "tesauro-1") for learner in NAMES}
    return {learner: shared_run(attempt, *plan) for learner, plan in planned.items()}


def _planned(attempt: Attempt, learner: LearnerName, inputs: str) -> tuple[str, Settings]:
    """The name and the settings of a learner's run."""
    games, every = attempt.settings[f"{learner}-games"], attempt.settings["every"]
    settings = pulver_settings(attempt, learner, inputs, games, every)
    return f"pulver-{learner}-{inputs}", settings


def pulver_settings(
    attempt: Attempt, learner: LearnerName, inputs: str, games: int, every: int, seed: int = 0
) -> Settings:
    """Settings of a learner; seed: added to the attempt's."""
    chosen = attempt.settings
    of_duels: dict[str, Any] = {}
    if learner is LearnerName.MUTATION:
        of_duels = {"noise": chosen["noise"], "duel_games": chosen["duel-games"]}
    return Settings(
        learner=learner,
        games=games,
        hidden_units=chosen["hidden"],
        inputs=inputs,
        outputs=4,
        activation=Activation.LOGISTIC,
        loss=Loss.SQUARES,
        update=Update.TRACES,
        trace=chosen["lambda"],
        rates=tuple(chosen["rates"]),
        schedule=Schedule.TRIALS,
        seed=attempt.seed + seed,
        test_every=every,
        test_games=2,
        **of_duels,
    )
