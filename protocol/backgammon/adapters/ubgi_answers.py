"""UBGI answers: what an engine's decision is in the words of the Universal Backgammon Interface."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.backgammon.rules.decision import (
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decider,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
)
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.ubgi_settings import UbgiSettings
from protocol.backgammon.formats.ubgi import PASS, ubgi_play_text


@dataclass(frozen=True, slots=True)
class Question:
    """A question that `go` asks: the game, the dice, and the settings it is to be answered by."""

    game: Game
    roll: Roll | None
    settings: UbgiSettings
    has_cube: bool


def _best_move(engine: Decider, question: Question) -> Sequence[str]:
    """The lines that answer `go chequer`."""
    assert question.roll is not None
    began = time.perf_counter()
    decision = engine.decide(ChooseCheckerPlay(question.game.state, question.roll))
    assert isinstance(decision, PlayDecision)
    milliseconds = round(1000 * (time.perf_counter() - began))
    text = ubgi_play_text(decision.play)
    info = f"info role chequer time_ms {milliseconds}"
    for best in decision.candidates[:1]:
        info += f" depth {best.ply + 1} eq {best.equity:.4f}"
        if best.mwc is not None:
            info += f" mwc {best.mwc:.4f}"
        info += _chances_text(best.chances) + f" pv {text}"
    return info, f"bestmove {text}"


def _best_cube(engine: Decider, question: Question) -> Sequence[str]:
    """The lines that answer `go cube`; a double on the table is taken or dropped."""
    request = question.game.request
    if request is None:
        return ("bestcube nodouble",)
    decision = engine.decide(request)
    assert isinstance(decision, CubeDecision | DoubleDecision)
    answer = _cube_word(decision)
    info = "info role cube" + _chances_text(decision.chances)
    return info, f"bestcube {'nodouble' if answer == 'roll' else answer}"


def _best_turn(engine: Decider, question: Question) -> Sequence[str]:
    """The line that answers `go turn`: the play is that after a take, if there is a double."""
    game, doubles = question.game, False
    if isinstance(game.request, ChooseCubeAction):
        decision = engine.decide(game.request)
        assert isinstance(decision, CubeDecision)
        if decision.action is CubeAction.DOUBLE:
            taken = game.after(CubeAction.DOUBLE)
            assert isinstance(taken, Game)
            taken = taken.after(DoubleAnswer.TAKE)
            assert isinstance(taken, Game)
            game, doubles = taken, True
    _, play = _best_move(engine, replace(question, game=game))
    cube = "double" if doubles else "nodouble"
    return (f"bestturn cube={cube} move={play.removeprefix('bestmove ')}",)


def bare_answer(engine: Decider, request: Request) -> str:
    """The answer to a bare line: a play, nothing if there is none, or a word about the cube."""
    decision = engine.decide(request)
    if isinstance(decision, PlayDecision):
        text = ubgi_play_text(decision.play)
        return "" if text == PASS else text
    assert isinstance(decision, CubeDecision | DoubleDecision)
    return _cube_word(decision)


def _cube_word(decision: CubeDecision | DoubleDecision) -> str:
    """Roll, double, take or drop; UBGI has no beavers."""
    answer = decision.action if isinstance(decision, CubeDecision) else decision.answer
    return "take" if answer is DoubleAnswer.BEAVER else answer.value


def _chances_text(chances: Chances) -> str:
    return (
        f" pwin {chances.win:.4f} pgammon {chances.win_gammon:.4f} pbg {chances.win_backgammon:.4f}"
    )


ANSWERS: dict[str, Callable[[Decider, Question], Sequence[str]]] = {
    "chequer": _best_move,
    "cube": _best_cube,
    "turn": _best_turn,
}
"""The functions that answer each role of `go`."""
