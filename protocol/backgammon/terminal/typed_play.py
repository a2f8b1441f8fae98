"""Typed play: the roll of a person, played whole, leg by leg or point by point."""

from collections.abc import Callable

from bot.backgammon.rules.play import CheckerPlay
from protocol.backgammon.formats.notation import POINT_OF_WORD, point_text
from protocol.backgammon.table.turn import Turn
from protocol.backgammon.terminal.conversation import Conversation


class TypedPlay:
    """The play that is typed leg by leg; finish ends the turn with the whole of it."""

    def __init__(self, conversation: Conversation, finish: Callable[[CheckerPlay], None]) -> None:
        self._conversation = conversation
        self._finish = finish

    def receive(self, text: str) -> None:
        """Take a play, legs or a point; nothing, Enter, plays what is plain or draws the board."""
        turn = self._turn
        if text.lower() in POINT_OF_WORD:
            self._name_point(turn, POINT_OF_WORD[text.lower()])
        elif text:
            self._play(turn, text)
        elif play := _plain_play(turn):
            self._finish(play)
        else:
            self._conversation.source = None
            self._conversation.draw()

    def move(self, text: str) -> None:
        """Take gnubg's command: `move 8 5 6 5`, or `move` alone where one play is left."""
        turn = self._turn
        if text:
            self._play(turn, text)
        elif play := _plain_play(turn):
            self._finish(play)
        else:
            raise ValueError("move takes a play: move 8/5 6/5")

    @property
    def _turn(self) -> Turn:
        """The roll to be played; raises ValueError if there is none."""
        table = self._conversation.table
        if table.result:
            raise ValueError("the game is over: Enter begins the next one")
        if table.turn is None:
            raise ValueError("the dice are not rolled yet")
        return table.turn

    def _play(self, turn: Turn, text: str) -> None:
        after = turn.with_text(text)
        if after.is_complete and not turn.legs:
            self._finish(after.play)
        else:
            self._conversation.table.turn = after
            self._conversation.change()

    def _name_point(self, turn: Turn, point: int) -> None:
        """Take a point as where a checker comes from, or then as where it goes."""
        legs = [leg for leg in turn.next_legs if leg.source == self._conversation.source]
        for leg in legs:
            if leg.target == point:
                self._conversation.table.turn = turn.with_leg(leg)
                self._conversation.change()
                return
        targets = [leg.target for leg in turn.next_legs if leg.source == point]
        if not targets:
            sources = dict.fromkeys(point_text(leg.source) for leg in turn.next_legs)
            raise ValueError(
                f"no checker can go from {point_text(point)}"
                + (f", only from {' '.join(sources)}" if sources else ": the roll is played")
            )
        self._conversation.source = point
        self._conversation.draw()
        self._conversation.send(
            f"{point_text(point)} may go to {' or '.join(map(point_text, targets))}."
        )


def _plain_play(turn: Turn) -> CheckerPlay | None:
    """The play that needs no words: the legs, if the roll is played, or the only legal one."""
    if turn.legs:
        return turn.play if turn.is_complete else None
    return turn.plays[0] if len(turn.plays) == 1 else None
