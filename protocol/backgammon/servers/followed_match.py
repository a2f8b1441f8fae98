"""Followed match: a match on a server, followed by its words and boards, and written down.

Seat 0 is ours, seat 1 the opponent's. The boards decide: what they show is looked for among what
the rules allow, so that a play nobody announced is found as well. Where nothing fits, as after a
connection was lost, the position is taken over as it stands, and the record has a gap.
"""

from collections.abc import Iterator
from dataclasses import replace

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import (
    Answer,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.match import Cube, GameState
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.record import GameRecord, MatchRecord, Occasion, Points, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.server_board import ServerBoard

MAX_GAMES = 1000
"""Games of a match that are kept; an unlimited one may go on for ever."""


class FollowedMatch:
    """One match with an opponent, as far as the server has told of it.

    players: ours and the opponent's name. length: None for an unlimited match. kept: what was
    written down of it before. gaps: how often the record lost its way.
    """

    def __init__(
        self, players: tuple[str, str], length: int | None, kept: MatchRecord | None = None
    ) -> None:
        self.players = players
        self.rules = Rules(length, jacoby=False)
        self.gaps = 0
        self._first_game = 1
        self._games: list[GameRecord] = []
        self._recorder: Recorder | None = None
        self._resigned = 0
        self._steps = 0
        self._is_resumed = False
        if kept is not None and kept.rules.length == length:
            self._go_on(kept)

    @property
    def game(self) -> Game | None:
        """The game that goes on; None between games, and while nobody has told how it stands."""
        game = self._recorder.game if self._recorder is not None else None
        return game if isinstance(game, Game) else None

    @property
    def resigned(self) -> int:
        """The times the cube that the opponent offers to lose, 0 for none."""
        return self._resigned

    @property
    def points(self) -> tuple[int, int]:
        """Our points and the opponent's, those of finished games."""
        return self._last.points_after if self._last is not None else (0, 0)

    @property
    def _is_between(self) -> bool:
        """Whether the last game is over, and how is known."""
        return self._last is not None and self._last.result is not None

    @property
    def _last(self) -> GameRecord | None:
        """The last game that is known of, over or not."""
        if self._recorder is not None:
            return self._recorder.record
        return self._games[-1] if self._games else None

    @property
    def is_over(self) -> bool:
        """Whether somebody has the points of the match."""
        return self.game is None and self.rules.is_over(self.points)

    @property
    def moment(self) -> tuple[object, ...]:
        """A value that changes whenever the match goes on."""
        return self._steps, self.game, self._resigned

    def record(self, date: str = "") -> MatchRecord:
        """The match so far."""
        games = [*self._games]
        if self._recorder is not None:
            games.append(self._recorder.record)
        return MatchRecord(
            self.players,
            self.rules,
            tuple(games),
            Occasion(date=date),
            first_game=self._first_game,
        )

    def begin_game(self) -> None:
        """A new game begins, if it has not yet; what the one before it lacks is a gap."""
        events = self._recorder.record.events if self._recorder is not None else ()
        if self.game is not None and all(isinstance(each.answer, OpeningRoll) for each in events):
            return  # Jibs shows its board before it says so
        points, is_crawford = self._next_game()
        self._resigned = 0
        self._close()
        self._recorder = Recorder(self.rules, points, is_crawford=is_crawford)

    def _next_game(self) -> tuple[Points, bool]:
        """The points before the next game, and whether it is Crawford's, as far as is known."""
        last = self._last
        if last is None or self.rules.is_over(last.points_after):
            return (0, 0), False
        if last.result is None:
            return last.points_after, False
        return last.points_after, self.rules.is_crawford_next(
            last.points, last.is_crawford, last.result
        )

    def resume(self) -> None:
        """The match goes on after it was saved: a roll may have been forgotten by the server."""
        self._is_resumed = True
        self._resigned = 0

    def told(self, seat: int, *answers: Answer) -> None:
        """Take what a seat is told to have done, if it fits; the next board decides if not."""
        for answer in answers:
            game = self.game
            if game is None or (game.asked not in (None, seat)):
                return
            if game.refusal(answer) is None:
                self._add(answer)

    def opened(self, own: int, other: int) -> None:
        """The opening roll, ours and the opponent's."""
        if self.game is not None and self.game.turn is None:
            self._add(OpeningRoll(own, other))

    def stuck(self, seat: int) -> None:
        """A seat cannot move."""
        game = self.game
        if game is not None and game.roll is not None:
            self.told(seat, CheckerPlay((), game.state.position))

    def resigns(self, seat: int, points: int) -> None:
        """A seat offers to lose so many points, at any moment."""
        game = self.game
        times = points // game.state.cube.value if game is not None else 1
        times = min(max(times, 1), 3)
        if seat == 1:
            self._resigned = times
        elif game is not None and game.turn == 0 and not game.doubles:
            self.told(0, Resignation(times))

    def declined(self, seat: int) -> None:
        """A seat declines the other's resignation."""
        if seat == 0:
            self._resigned = 0
        elif self.game is not None and self.game.resigned:
            self._add(ResignationAnswer.DECLINE)

    def won(self, winner: int, points: int) -> None:
        """The game is over: borne off, dropped or resigned, as it stood."""
        game = self.game
        self._resigned = 0
        if game is None or self._recorder is None:
            return
        try:
            for answer in self._last_answers(game, winner):
                self._recorder.add(answer)
            self._recorder.end(winner, points)
        except ValueError:
            self._lose_game(winner, points)

    def _last_answers(self, game: Game, winner: int) -> Iterator[Answer]:
        """The answers that ended the game, which no board has shown."""
        if game.doubles == 1 and game.turn == winner:
            yield DoubleAnswer.DROP
        elif game.resigned and game.turn != winner:
            yield ResignationAnswer.ACCEPT
        elif game.roll is not None and game.turn == winner:
            ends = [
                play
                for play in legal_plays(game.state.position, game.roll)
                if play.after.checkers == 0
            ]
            yield from ends[:1]

    def show(self, board: ServerBoard) -> None:
        """Follow a board; what led to it is found, or else it is taken over as it stands."""
        if board.turn is None or not (board.position.checkers and board.position.other_checkers):
            self._show_end(board)
            return
        begins = self._recorder is None or not isinstance(self._recorder.game, Game)
        if begins or (self.points, self.rules.length) != (board.points, board.length):
            self._begin_at(board)
        game = self.game
        if game is None:
            return
        found = self._way(game, board)
        if found is None and self._is_resumed and game.roll is not None:
            self._forget_roll()
            found = self._way(self.game, board) if self.game is not None else None
        self._is_resumed = False
        if found is None:
            self._set_up(board)
            return
        for answer in found:
            self._add(answer)

    def _way(self, game: Game, board: ServerBoard) -> list[Answer] | None:
        """The answers that lead from the game to the board, None if there are none."""
        if game.resigned and game.turn == 0:
            return []  # the board tells nothing of an offer
        way: list[Answer] = []
        try:
            game = self._to_roller(game, board, way)
            if board.cube == 2 * game.state.cube.value and not board.is_doubled:
                step: list[Answer] = [] if game.doubles else [CubeAction.DOUBLE]
                game = _along(game, [*step, DoubleAnswer.TAKE], way)
            if board.is_doubled and not game.doubles:
                game = _along(game, [CubeAction.DOUBLE], way)
            if board.roll is not None and game.roll is None:
                game = _along(game, [board.roll], way)
        except ValueError:
            return None
        return way if _fits(game, board) else None

    def _to_roller(self, game: Game, board: ServerBoard, way: list[Answer]) -> Game:
        """The game with the board's seat on roll; raises ValueError if no play leads there."""
        assert board.turn is not None
        if game.turn is None:
            if board.roll is None:
                raise ValueError("nobody told of the opening")
            high, low = board.roll.high, board.roll.low
            dice = (high, low) if board.turn == 0 else (low, high)
            return _along(game, [OpeningRoll(*dice)], way)
        if game.turn == board.turn:
            return game
        return _along(game, [_play_to(game, board.position)], way)

    def _show_end(self, board: ServerBoard) -> None:
        """Follow the board of a finished game: the play that ended it is found."""
        game = self.game
        self._resigned = 0
        if game is None or game.roll is None:
            return
        try:
            self._add(_play_to(game, board.position))
        except ValueError:
            return

    def _add(self, answer: Answer) -> None:
        assert self._recorder is not None
        self._recorder.add(answer)
        self._steps += 1
        if not isinstance(answer, Resignation):
            self._is_resumed = False

    def _close(self) -> None:
        """Put the game away, or forget it with all before it if nobody knows how it ended."""
        if self._recorder is None:
            return
        record = self._recorder.record
        self._recorder = None
        if record.result is None and (record.events or self._games):
            self._forget_games()
        elif record.result is not None:
            self._games.append(record)
            if len(self._games) > MAX_GAMES:
                self._forget_games()

    def _forget_games(self) -> None:
        """Begin the record anew behind all that is known."""
        self._first_game += len(self._games) + 1
        self._games.clear()
        self.gaps += 1

    def _lose_game(self, winner: int, points: int) -> None:
        """Keep the result alone of a game that did not go as it was told."""
        assert self._recorder is not None
        record, self._recorder = self._recorder.record, None
        self._forget_games()
        try:
            ended = Recorder(self.rules, record.points, is_crawford=record.is_crawford)
            ended.end(winner, points)
            self._recorder = ended
        except ValueError:
            self._recorder = None

    def _begin_at(self, board: ServerBoard) -> None:
        """A game at the board's score, of which nothing is known yet."""
        self._end_by(board.points)
        points, follows = self._next_game()
        is_known = points == board.points and self.rules.length == board.length
        self.rules = replace(self.rules, length=board.length)
        is_known &= self._is_between
        self._close()
        is_crawford = follows if is_known else board.is_crawford
        if is_crawford is None and self.rules.length is not None:
            away = [self.rules.length - points for points in board.points]
            is_crawford = (away[0] == 1) != (away[1] == 1)
        self._recorder = Recorder(self.rules, board.points, is_crawford=bool(is_crawford))

    def _end_by(self, points: Points) -> None:
        """End a game whose result nobody told by the points that came of it."""
        self._resigned = 0
        if self._recorder is None or self.game is None:
            return
        before = self._recorder.record.points
        won = points[0] - before[0], points[1] - before[1]
        if min(won) == 0 < max(won):
            self.won(int(won[1] > 0), max(won))

    def _set_up(self, board: ServerBoard) -> None:
        """Take the position over as it stands; ValueError if no game has it."""
        assert self._recorder is not None
        game = self._recorder.going_on
        assert board.turn is not None
        state = game.state if not game.turn else game.state.turned()
        if board.turn:
            state = state.turned()
        position = board.position if board.turn == 0 else turned(board.position)
        cube = board.rollers_cube
        if board.is_doubled:
            cube = state.cube if state.cube.value == board.cube else Cube(board.cube)
        at = GameState(position, cube, state.score, state.money)
        self._recorder.add(Game(at, board.turn, board.roll, doubles=int(board.is_doubled)))
        self._steps += 1
        self.gaps += 1

    def forbid_double(self) -> None:
        """The server refuses a double: it is the Crawford game, or we roll all the same."""
        if self.game is not None and self.game.may_double:
            self._add(CubeAction.ROLL)

    def _forget_roll(self) -> None:
        """Take back the last roll: the server rolls again for a match that was saved."""
        record = self.record().games[-1]
        events = record.events
        if events and isinstance(events[-1].answer, Roll):
            self._replay(record, len(events) - 1)

    def _replay(self, record: GameRecord, events: int) -> None:
        self._recorder = Recorder(self.rules, record.points, is_crawford=record.is_crawford)
        for event in record.events[:events]:
            self._recorder.add(event.answer)

    def _go_on(self, kept: MatchRecord) -> None:
        """Go on with what was written down of the match."""
        games = list(kept.games)
        self._first_game = kept.first_game
        last = games.pop() if games and games[-1].result is None else None
        self._games = games
        if last is not None:
            self._replay(last, len(last.events))


def _along(game: Game, answers: list[Answer], way: list[Answer]) -> Game:
    """The game after the answers, which are added to the way; ValueError if it ends or refuses."""
    for answer in answers:
        after = game.after(answer)
        if isinstance(after, Result):
            raise ValueError("the game is over")
        way.append(answer)
        game = after
    return game


def _play_to(game: Game, position: Position) -> CheckerPlay:
    """The play that leads to the position as seat 0 sees it; ValueError if the roll has none."""
    if game.roll is None:
        raise ValueError("there is no roll to play")
    seen = position if game.turn == 0 else turned(position)
    plays = legal_plays(game.state.position, game.roll)
    if not plays and seen == game.state.position:
        return CheckerPlay((), seen)
    for play in plays:
        if play.after == seen:
            return play
    raise ValueError("the roll does not lead there")


def _fits(game: Game, board: ServerBoard) -> bool:
    """Whether the board shows the game."""
    position = board.position if board.turn == 0 else turned(board.position)
    is_same = game.turn == board.turn and game.state.position == position
    if not is_same or game.roll != board.roll or bool(game.doubles) != board.is_doubled:
        return False
    return game.state.cube.value == board.cube  # whose it is follows; Jibs mistakes it
