"""Followed match: a match on a server, followed by its words and boards, and written down.

Seat 0 is ours, seat 1 the opponent's. The boards decide: what they show is looked for among what
the rules allow, so that a play nobody announced is found as well. Where nothing fits, as after a
connection was lost, the position is taken over as it stands, and the record has a gap.

Whether a game is the Crawford game follows from the games before it. Where they are not known, as
in a match that was begun by somebody else, the server may say that it is not, see server_board;
otherwise the first game in which one player needs one point is taken for it, until somebody uses
the cube.
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
from bot.backgammon.rules.match import Cube, CubeOwner, GameState
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import Position, turned
from bot.backgammon.rules.record import MatchRecord, Occasion, Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.server_board import ServerBoard
from protocol.backgammon.servers.board_drops import points_of_drop
from protocol.backgammon.servers.match_notes import MatchNotes


class FollowedMatch:
    """One match with an opponent, as far as the server has told of it.

    players: ours and the opponent's name. length: None for an unlimited match. kept: what was
    written down of it before, with so many gaps. place: where it is played, if that is not known
    from what was kept.
    """

    def __init__(
        self,
        players: tuple[str, str],
        length: int | None,
        kept: MatchRecord | None = None,
        gaps: int = 0,
        place: str = "",
    ) -> None:
        self.players = players
        self._place = kept.occasion.place if kept is not None else place
        self._notes = MatchNotes(length, kept)
        self._notes.gaps = gaps
        self._resigned = 0
        self._steps = 0
        self._is_resumed = False  # from a match that was saved, until its first board
        self._is_guess = False  # nobody has told whether it is the Crawford game
        self._is_new = False  # a game has been announced, and no board of it was seen yet

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self._notes.rules

    @property
    def gaps(self) -> int:
        """How often the record lost its way."""
        return self._notes.gaps

    @property
    def game(self) -> Game | None:
        """The game that goes on; None between games, and while nobody has told how it stands."""
        return None if self._is_new else self._notes.game

    @property
    def has_begun(self) -> bool:
        """Whether anything of it is known."""
        return bool(self.record().games)

    @property
    def resigned(self) -> int:
        """The times the cube that the opponent offers to lose, 0 for none."""
        return self._resigned

    @property
    def points(self) -> tuple[int, int]:
        """Our points and the opponent's, those of finished games."""
        return self._notes.points

    @property
    def is_over(self) -> bool:
        """Whether somebody has the points of the match."""
        return self.game is None and self.rules.is_over(self.points)

    @property
    def moment(self) -> tuple[object, ...]:
        """A value that changes whenever the match goes on."""
        return self._steps, self.game, self._resigned

    def record(self) -> MatchRecord:
        """The match so far."""
        return self._notes.record(self.players, Occasion(place=self._place))

    def begin_game(self) -> None:
        """Begin a new game, unless it has begun; its board will tell how the one before ended."""
        recorder = self._notes.recorder
        events = recorder.record.events if recorder is not None else ()
        if self.game is not None and all(isinstance(each.answer, OpeningRoll) for each in events):
            return  # Jibs shows its board before it says so
        self._resigned = 0
        self._is_new |= self.game is not None
        if self._is_new:
            return
        self._is_guess = not self._notes.is_between
        points, is_crawford = self._notes.following()
        self._notes.begin(points, is_crawford=is_crawford)

    def begins(self, board: ServerBoard) -> None:
        """Begin the new game of a board; one that goes on has ended with the board's points."""
        if self.game is None:
            self.begin_game()
        elif self.game.turn is not None:
            self._begin_at(board)

    def resume(self) -> None:
        """Go on with a match that was saved; the server may have forgotten a roll."""
        self._is_resumed = True
        self._resigned = 0

    def told(self, seat: int, answer: Answer) -> None:
        """Take what a seat is told to have done, if it fits; the next board decides if not."""
        game = self.game
        if answer is CubeAction.DOUBLE and game and game.turn == seat and game.roll is None:
            self._see_cube_used()
            self._see_cube_owned()
            game = self.game
        if game is not None and game.asked in (None, seat) and game.refusal(answer) is None:
            self._add(answer)

    def opened(self, own: int, other: int) -> None:
        """Take the opening roll: our die and the opponent's."""
        if self.game is not None and self.game.turn is None:
            self._add(OpeningRoll(own, other))

    def stuck(self, seat: int) -> None:
        """Take it that a seat cannot move."""
        game = self.game
        if game is not None and game.roll is not None:
            self.told(seat, CheckerPlay((), game.state.position))

    def resigns(self, seat: int, points: int) -> None:
        """Take a seat's offer to lose so many points; the opponent's may come at any moment."""
        game = self.game
        times = points // game.state.cube.value if game is not None else 1
        times = min(max(times, 1), 3)
        if seat == 1:
            self._resigned = times
        elif game is not None and game.turn == 0 and not game.doubles:
            self.told(0, Resignation(times))

    def declined(self, seat: int) -> None:
        """Take it that a seat declines the other's resignation."""
        if seat == 0:
            self._resigned = 0
        elif self.game is not None and self.game.resigned:
            self._add(ResignationAnswer.DECLINE)

    def goes_on(self) -> None:
        """Go on with a match that is over by its points."""
        self._notes.reopen()

    def won(self, winner: int, points: int) -> None:
        """End the game: borne off, dropped or resigned, by how it stood."""
        game = self.game
        self._resigned = 0
        if game is not None:
            self._notes.end(winner, points, self._last_answers(game, winner, points))

    def _last_answers(self, game: Game, winner: int, points: int) -> Iterator[Answer]:
        """The answers that ended the game, which no board has shown.

        Who drops a double on bgammon.org may lose a gammon or backgammon, and has resigned then; so
        has who loses a backgammon there with a checker off; the last play is left out.
        """
        if game.doubles == 1 and game.turn == winner and points <= game.state.cube.value:
            yield DoubleAnswer.DROP
        elif game.resigned and game.turn != winner:
            yield ResignationAnswer.ACCEPT
        elif game.roll is not None and game.turn == winner:
            ends = [
                play
                for play in legal_plays(game.state.position, game.roll)
                if play.after.checkers == 0
            ]
            yield from (end for end in ends[:1] if not _is_dearer_there(game, end, points))

    def show(self, board: ServerBoard) -> None:
        """Follow a board; what led to it is found, or else it is taken over as it stands."""
        if board.turn is None or not (board.position.checkers and board.position.other_checkers):
            self._show_end(board)
            return
        score = self.points, self.rules.length
        if self.game is None or score != (board.points, board.length):
            self._begin_at(board)
        if board.is_doubled or board.cube > 1:
            self._see_cube_used()
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
        assert self._notes.recorder is not None
        self._notes.recorder.add(answer)
        self._steps += 1
        if not isinstance(answer, Resignation):
            self._is_resumed = False

    def _begin_at(self, board: ServerBoard) -> None:
        """A game at the board's score, of which nothing is known yet."""
        self._end_by(board.points)
        notes = self._notes
        points, follows = notes.following()
        is_known = points == board.points and self.rules.length == board.length
        is_known &= notes.is_between
        notes.change_length(board.length)
        is_crawford = follows if is_known else board.is_crawford
        if is_known and follows and board.is_crawford is False:
            notes.drop_crawford()
            is_crawford = False
        self._is_guess = is_crawford is None
        notes.close()
        if is_crawford is None:
            is_crawford = notes.is_first_at_one_away(board.points)
        notes.begin(board.points, is_crawford=is_crawford)

    def _see_cube_used(self) -> None:
        """Take the game for another than Crawford's, as the cube is used, or drop that rule.

        BaldLies forgets the rule in a game that was saved.
        """
        recorder = self._notes.recorder
        if self.game is None or recorder is None or not recorder.record.is_crawford:
            return
        if not self._is_guess:
            self._notes.drop_crawford()
        self._notes.play_again(recorder.record.events, is_crawford=False)

    def _see_cube_owned(self) -> None:
        """Give the cube to who is on roll and doubles, whatever a board that we took over said.

        Jibs shows both players that it is the same one's.
        """
        game, recorder = self.game, self._notes.recorder
        if game is None or recorder is None or game.doubles or game.resigned:
            return
        if game.has_cube and game.state.cube.owner is CubeOwner.OTHER:
            cube = Cube(game.state.cube.value, CubeOwner.ON_ROLL)
            recorder.add(replace(game, state=replace(game.state, cube=cube)))
            self._notes.gaps += 1

    def _end_by(self, points: tuple[int, int]) -> None:
        """End a game whose result nobody told by the points that came of it."""
        self._resigned = 0
        self._is_new = False
        if self.game is None:
            return
        before = self.points
        won = points[0] - before[0], points[1] - before[1]
        if min(won) == 0 < max(won):
            self.won(int(won[1] > 0), max(won))

    def _set_up(self, board: ServerBoard) -> None:
        """Take the position over as it stands; ValueError if no game has it."""
        recorder = self._notes.recorder
        assert recorder is not None
        game = recorder.going_on
        assert board.turn is not None
        state = game.state if not game.turn else game.state.turned()
        if board.turn:
            state = state.turned()
        position = board.position if board.turn == 0 else turned(board.position)
        cube = board.rollers_cube
        if board.is_doubled and board.cube > 1:  # the board does not tell whose, who doubles does
            cube = Cube(board.cube, CubeOwner.ON_ROLL)
        at = GameState(position, cube, state.score, state.money)
        recorder.add(Game(at, board.turn, board.roll, doubles=int(board.is_doubled)))
        self._steps += 1
        self._notes.gaps += 1

    def forbid_double(self) -> None:
        """Roll where we could double: the server has refused the double."""
        if self.game is not None and self.game.may_double:
            self._add(CubeAction.ROLL)

    def _forget_roll(self) -> None:
        """Take back the last roll: the server rolls again for a match that was saved."""
        assert self._notes.recorder is not None
        record = self._notes.recorder.record
        if record.events and isinstance(record.events[-1].answer, Roll):
            self._notes.play_again(record.events[:-1], is_crawford=record.is_crawford)


def _is_dearer_there(game: Game, end: CheckerPlay, points: int) -> bool:
    """Whether bgammon.org counts so many points for this last play, and the rules fewer.

    Source: tslocum/bgammon, pkg/server/game.go, winPoints.
    """
    result = game.after(end)
    assert isinstance(result, Result)
    return result.points < points == points_of_drop(end.after) * game.state.cube.value


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
