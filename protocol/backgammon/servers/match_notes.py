"""Match notes: a match on a server as it is written down, game by game.

A game whose end nobody told, or that the server counts otherwise than it was played, stays in the
notes without its end, and is a gap; the game that follows may have any score.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from bot.backgammon.rules.game import Answer, Game
from bot.backgammon.rules.record import (
    Event,
    GameRecord,
    MatchRecord,
    Occasion,
    Points,
    Rules,
    break_before,
)
from bot.backgammon.rules.recorder import Recorder

MAX_GAMES = 1000
"""Games of a match that are kept; an unlimited one may go on for ever."""


class MatchNotes:
    """The games that are over, and the recorder of the one that goes on; seat 0 is ours.

    length: None for an unlimited match. kept: notes of it from an earlier time. rules: of the
    match. gaps: how often the notes lost their way.
    """

    def __init__(self, length: int | None, kept: MatchRecord | None = None) -> None:
        self.rules = Rules(length, jacoby=False)
        self.gaps = 0
        self.recorder: Recorder | None = None
        self._first_game = 1
        self._games: list[GameRecord] = []
        self._told: Points | None = None
        self._had_crawford = False  # among the games that were forgotten
        if kept is not None and kept.rules.length == length:
            self._go_on(kept)

    @property
    def game(self) -> Game | None:
        """The game that goes on; None between games, and while nobody has told how it stands."""
        game = self.recorder.game if self.recorder is not None else None
        return game if isinstance(game, Game) else None

    @property
    def points(self) -> Points:
        """Our points and the opponent's, those of finished games."""
        if self._told is not None:
            return self._told
        return self._last.points_after if self._last is not None else (0, 0)

    @property
    def is_between(self) -> bool:
        """Whether the last game is over, and how is known."""
        return self._last is not None and self._last.result is not None

    @property
    def _has_crawford(self) -> bool:
        """Whether a game before the one that goes on was Crawford's."""
        return self._had_crawford or any(game.is_crawford for game in self._games)

    @property
    def _last(self) -> GameRecord | None:
        """The last game that is known of, over or not."""
        if self.recorder is not None:
            return self.recorder.record
        return self._games[-1] if self._games else None

    def following(self) -> tuple[Points, bool]:
        """The points before the next game, and whether it is Crawford's, as far as is known."""
        last = self._last
        if last is None or self.rules.is_over(self.points):
            return (0, 0), False
        if last.result is None:
            return self.points, self.is_first_at_one_away(self.points)
        is_due = self.rules.is_crawford_next(last.points, last.result)
        return self.points, is_due and not self._has_crawford

    def is_first_at_one_away(self, points: Points) -> bool:
        """Whether a game at these points is Crawford's, if it is not known that there was one."""
        length = self.rules.length
        if length is None or not self.rules.crawford or self._has_crawford:
            return False
        return (points[0] == length - 1) != (points[1] == length - 1)

    def begin(self, points: Points, *, is_crawford: bool) -> None:
        """Begin a game at these points; raises ValueError if there is no such game.

        If it does not follow from the one before it, that one has had another end than is known.
        """
        recorder = Recorder(self.rules, points, is_crawford=is_crawford)
        self.close()
        last = self._games[-1] if self._games else None
        if last and break_before(self.rules, last, points, is_crawford=is_crawford):
            self._games[-1] = self._opened(last).record
            self.gaps += 1
        self._told = None
        self.recorder = recorder

    def drop_crawford(self) -> None:
        """Go on without the Crawford rule; no game before has been Crawford's."""
        self.rules = replace(self.rules, crawford=False)

    def change_length(self, length: int | None) -> None:
        """Take another length than was known, and forget what was noted, which is of no use."""
        if length == self.rules.length:
            return
        rules = replace(self.rules, length=length)
        if self._last is not None:
            self.recorder = None
            self._forget_games()
        self.rules, self._told, self._had_crawford = rules, None, False

    def end(self, winner: int, points: int, answers: Iterable[Answer]) -> None:
        """The game ends so, by these answers; its end is left out if it cannot be."""
        assert self.recorder is not None
        try:
            for answer in answers:
                self.recorder.add(answer)
            self.recorder.end(winner, points)
        except ValueError:
            self._lose_end(winner, points)

    def reopen(self) -> None:
        """The server goes on with a match that is over by its points: the last end is left out."""
        if self.rules.is_over(self.points):
            self.close()
            if self._told is None:
                self._games[-1] = self._opened(self._games[-1]).record
                self.gaps += 1
            self._told = None

    def play_again(self, events: Iterable[Event], *, is_crawford: bool) -> None:
        """Note the game that goes on anew, with these events; ValueError if it cannot be."""
        assert self.recorder is not None
        record = replace(self.recorder.record, is_crawford=is_crawford)
        known = [replace(each, answer=_at_score(each.answer, is_crawford)) for each in events]
        self.recorder = self._replayed(record, known)

    def record(self, players: tuple[str, str], occasion: Occasion) -> MatchRecord:
        """The match so far, without a game in which nothing was done yet."""
        games = [*self._games]
        record = self.recorder.record if self.recorder is not None else None
        if record is not None and (record.events or record.result is not None):
            games.append(record)
        return MatchRecord(players, self.rules, tuple(games), occasion, first_game=self._first_game)

    def _lose_end(self, winner: int, points: int) -> None:
        """Keep a game that did not end as was told without its end, and the points if they can be.

        A server may tell of fewer points than the cube shows.
        """
        assert self.recorder is not None
        record, self.recorder = self.recorder.record, None
        ended = Recorder(self.rules, record.points)
        with suppress(ValueError):
            ended.end(winner, points)
            self._told = ended.record.points_after
        self._games.append(self._opened(record).record)
        self.gaps += 1

    def close(self) -> None:
        """Put the game that goes on away; one whose end nobody knows is a gap."""
        if self.recorder is None:
            return
        record, self.recorder = self.recorder.record, None
        if record.result is None:
            self.gaps += bool(record.events or self._games)
        if record.result is not None or record.events:
            self._games.append(record)
        if len(self._games) > MAX_GAMES:
            self._forget_games()

    def _forget_games(self) -> None:
        """Begin the notes anew behind all that is known."""
        self._first_game += len(self._games)
        self._had_crawford = self._has_crawford
        self._games.clear()
        self.gaps += 1

    def _opened(self, record: GameRecord) -> Recorder:
        """The game without its end."""
        recorder = self._replayed(record, record.events)
        if not isinstance(recorder.game, Game):
            recorder = self._replayed(record, record.events[:-1])
        return recorder

    def _replayed(self, record: GameRecord, events: Iterable[Event]) -> Recorder:
        recorder = Recorder(self.rules, record.points, is_crawford=record.is_crawford)
        for event in events:
            recorder.add(event.answer)
        return recorder

    def _go_on(self, kept: MatchRecord) -> None:
        """Go on with what was written down of the match."""
        games = list(kept.games)
        self._first_game = kept.first_game
        last = games.pop() if games and games[-1].result is None else None
        self._games = games
        if last is not None:
            self.recorder = self._replayed(last, last.events)


def _at_score(answer: Answer | Game, is_crawford: bool) -> Answer | Game:
    """The answer; a position set up by hand as it is in the Crawford game, or in another."""
    if not isinstance(answer, Game) or answer.state.score is None:
        return answer
    score = replace(answer.state.score, is_crawford=is_crawford)
    return replace(answer, state=replace(answer.state, score=score))
