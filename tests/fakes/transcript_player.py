"""A player for tests who decides as a transcript of FIBS commands says it did."""

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    ResignationDecision,
)
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import legal_plays
from protocol.backgammon.formats.notation import parse_legs

EVEN = Chances(0.5, 0, 0, 0, 0)
RESIGNATIONS = {"resign n": 1, "resign g": 2, "resign b": 3}


class TranscriptPlayer:
    """Answers each request by the next command; is_ascending: how the server counts our points."""

    def __init__(self):
        self.next = ""
        self.is_ascending = False

    def decide(self, request):
        words = self.next
        resigns = RESIGNATIONS.get(words, 0)
        match request:
            case ChooseCheckerPlay(state, roll):
                if resigns:
                    play = legal_plays(state.position, roll)[0]
                else:
                    play = parse_legs(self._legs(words), state.position, roll)
                return PlayDecision(play, (), resigns)
            case ChooseCubeAction():
                action = CubeAction.DOUBLE if words == "double" else CubeAction.ROLL
                return CubeDecision(action, EVEN, resigns=resigns)
            case AnswerDouble():
                answer = DoubleAnswer.TAKE if words == "accept" else DoubleAnswer.DROP
                return DoubleDecision(answer, EVEN)
            case AnswerResignation():
                return ResignationDecision(words == "accept", EVEN)

    def _legs(self, words):
        assert words.startswith("move "), f"asked for a play, where it was {words!r}"
        legs = []
        for part in words.removeprefix("move ").split():
            ends = [
                str(25 - int(end)) if self.is_ascending and end.isdigit() else end
                for end in part.split("-")
            ]
            legs.append("/".join(ends))
        return " ".join(legs)
