"""Recorder: writes a game down while it is played, nothing that the rules do not allow."""

from dataclasses import replace

from bot.backgammon.rules.game import Answer, Ending, Game, Result
from bot.backgammon.rules.record import (
    Annotations,
    Event,
    GameRecord,
    Points,
    Rules,
    game_after,
)


class Recorder:
    """One game as it goes on; whoever plays it, or reads of it, tells what was done.

    game: as it stands, or the result if it is over. comment, annotations: about the whole game.
    Raises ValueError if there is no such game.
    """

    def __init__(self, rules: Rules, points: Points = (0, 0), *, is_crawford: bool = False) -> None:
        self.game: Game | Result = rules.new_game(points, is_crawford=is_crawford)
        self.comment = ""
        self.annotations: Annotations = ()
        self._rules = rules
        self._points = points
        self._is_crawford = is_crawford
        self._events: list[Event] = []

    @property
    def record(self) -> GameRecord:
        """The game so far."""
        result = self.game if isinstance(self.game, Result) else None
        return GameRecord(
            self._points,
            self._is_crawford,
            tuple(self._events),
            result,
            self.comment,
            self.annotations,
        )

    @property
    def going_on(self) -> Game:
        """The game while it goes on; raises ValueError if it is over."""
        if isinstance(self.game, Result):
            raise ValueError("the game is over before it")
        return self.game

    def add(self, answer: Answer | Game, comment: str = "", annotations: Annotations = ()) -> None:
        """Go on by an answer or a position set up by hand; raises ValueError if it cannot be."""
        self.game = game_after(self.going_on, answer)
        self._events.append(Event(answer, comment, annotations))

    def check_over(self) -> None:
        """Raise ValueError unless the game is over."""
        if isinstance(self.game, Game):
            raise ValueError("the game is not over")

    def end(self, winner: int, points: int, *, may_exceed: bool = False) -> None:
        """End the game with these points for the winner: if it goes on, the other side resigned.

        Points may be cut off where the match ends. As GNU Backgammon has it, a resigned gammon may
        count under Jacoby's rule though nobody doubled, and one that was played may count once in
        money games without the cube. may_exceed: whether more points than a backgammon brings are
        one. Raises ValueError if the game ended otherwise, or no resignation brings so many points.
        """
        if isinstance(self.game, Result):
            result = self.game
            if self._rules.may_count_gammons_once and points == result.cube < result.points:
                result = replace(result, counts_gammons=False)
            if winner != result.winner or not self._brings(result, points):
                true, told = _won(self.game.winner, self.game.points), _won(winner, points)
                raise ValueError(f"{true}, while it is told that {told}")
            self.game = result
            return
        ends = [self.game.won(winner, kind, Ending.RESIGNED) for kind in (1, 2, 3)]
        ends += [replace(end, counts_gammons=True) for end in ends if not end.counts_gammons]
        exact = [end for end in ends if end.points == points]
        fitting = exact or [end for end in ends if self._brings(end, points)]
        most = max(ends, key=lambda end: end.points)
        if may_exceed and most.points < points:
            fitting = [most]
        if not fitting:
            cube = self.game.state.cube.value
            raise ValueError(f"with the cube at {cube} no resignation brings {points} points")
        self.game = fitting[0]

    def _brings(self, result: Result, points: int) -> bool:
        """Whether the result brings these points, or more, cut off at what the match needs.

        Some write what was needed then, some the length of the match.
        """
        if self._rules.length is None or result.points <= points:
            return points == result.points
        length = self._rules.length
        return points in (length, length - self._points[result.winner])


def _won(winner: int, points: int) -> str:
    """The winner and the points, in words."""
    player = ("first", "second")[winner]
    return f"the {player} player has won {points} point{'s' * (points != 1)}"
