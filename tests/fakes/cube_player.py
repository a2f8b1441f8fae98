"""Players of simple ways with the cube: pubeval's plays, and one rule for everything else.

`python -m tests.fakes.cube_player OPTIONS` is `blot play OPTIONS` with these players to be seated.
"""

import sys
from contextlib import nullcontext
from dataclasses import replace

from bot.backgammon.arena.baselines import PubevalPlayer
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.rules.outcome import Chances

CHANCES = Chances(0.7, 0.2, 0.01, 0.1, 0.005)
MONEY_EVALUATION = CubeEvaluation(0.60, 0.72, 1.0)
LOSING_EVALUATION = CubeEvaluation(-0.2, -0.1, 1.0)
MATCH_EVALUATION = CubeEvaluation(0.60, 0.52, 1.0, mwc=(0.61, 0.59, 0.70))


class CubePlayer(PubevalPlayer):
    """Doubles whenever it may, answers every double alike, and takes note of what it was asked.

    resigns: 1 to 3 times the cube that it offers before each roll, and before each play.
    """

    def __init__(
        self,
        *,
        doubles=False,
        answer=DoubleAnswer.TAKE,
        accepts=True,
        resigns=(0, 0),
        money_evaluation=MONEY_EVALUATION,
    ):
        super().__init__()
        self._action = CubeAction.DOUBLE if doubles else CubeAction.ROLL
        self._answer = answer
        self._accepts = accepts
        self._resigns = resigns
        self._money_evaluation = money_evaluation
        self.asked = []

    def decide(self, request):
        self.asked.append(request)
        state = request.state
        evaluation = MATCH_EVALUATION if state.score else self._money_evaluation
        match request:
            case ChooseCubeAction():
                if state.doubling_refusal:
                    return CubeDecision(CubeAction.ROLL, CHANCES, resigns=self._resigns[0])
                return CubeDecision(self._action, CHANCES, evaluation, self._resigns[0])
            case AnswerDouble():
                return DoubleDecision(self._answer, CHANCES.turned(), evaluation)
            case AnswerResignation():
                return ResignationDecision(self._accepts, CHANCES.turned())
            case ChooseCheckerPlay():
                mwc = 0.612 if state.score else None
                chosen = super().decide(request).play
                candidates = (Candidate(chosen, CHANCES, 0.25, 0, mwc),) if chosen.legs else ()
                return replace(PlayDecision(chosen, candidates), resigns=self._resigns[1])


PLAYERS = {
    "doubler": {"doubles": True},
    "dropper": {"answer": DoubleAnswer.DROP},
    "taker": {},
    "beaverer": {"answer": DoubleAnswer.BEAVER},
    "mad": {"doubles": True, "answer": DoubleAnswer.BEAVER, "money_evaluation": LOSING_EVALUATION},
    "proud": {"accepts": False},
    "quitter": {"resigns": (1, 2)},
    "stubborn": {"resigns": (1, 1)},
    "surrendering": {"resigns": (0, 2)},
}


def cube_player(name):
    """The player of that name; ValueError if there is none."""
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}")
    return CubePlayer(**PLAYERS[name])


def _main():
    from bot.backgammon.engine.level import LEVELS
    from protocol import cli
    from protocol.backgammon.arena import named_players
    from protocol.backgammon.terminal import terminal

    named_players.known_level = lambda name, *_, **__: LEVELS["easy"]
    terminal.seated_bot = lambda name, seed, **_: cube_player(name)
    terminal.advisor = lambda level, **_: nullcontext(cube_player("taker"))
    return cli.main(["play", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(_main())
