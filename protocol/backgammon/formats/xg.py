"""XG: matches and analyses in the files of eXtreme Gammon, read and checked on the rules.

Player 1 of the file sits on seat 0. Rollouts are left in the file, but for what came of them.
Source: eXtreme Gammon, "XG file format" (2013); compared with nine files of the program.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, CubeEvaluation, DoubleAnswer
from bot.backgammon.rules.game import Answer, OpeningRoll
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.record import GameRecord, MatchRecord, Occasion, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.match_reading import Games
from protocol.backgammon.formats.xg_archive import unpacked
from protocol.backgammon.formats.xg_comments import comments
from protocol.backgammon.formats.xg_records import (
    CandidateRecord,
    Counts,
    CubeRecord,
    Evaluation,
    GameFooter,
    GameHeader,
    MatchHeader,
    PlayRecord,
    Record,
    records,
)

MATCH, COMMENTS = "temp.xg", "temp.xgc"
SEATS = {1: 0, -1: 1}
"""The seats of player 1 and of player 2."""

RESIGNED, SETTLED = 100, 1000
ANSWERS = {0: DoubleAnswer.DROP, 1: DoubleAnswer.TAKE, 2: DoubleAnswer.BEAVER}
MAX_EQUITY = 1000.0
"""No analysis gives more points for one game."""

TOLERANCE = 0.001
"""Distance that chances may leave 0 to 1 by: those of rollouts do."""


@dataclass(frozen=True, slots=True)
class AnalysedPlay:
    """A play and what it is worth for the mover, cubeful points at the present cube.

    level: how eXtreme Gammon counts it: 0 is 1-ply, and so on to 6; 12 is 3-ply reduced, 100 a
    rollout, 998 and 999 its books, 1000 to 1002 its rollers.
    """

    play: CheckerPlay
    chances: Chances
    equity: float
    level: int


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """A position and a roll with the plays analysed; played is None if nobody played it.

    game, event: where it stands in the match, both from 0; event may be one behind the last.
    """

    game: int
    event: int
    position: Position
    roll: Roll
    plays: tuple[AnalysedPlay, ...]
    played: CheckerPlay | None


@dataclass(frozen=True, slots=True)
class CubeAnalysis:
    """A decision to double or to roll, for the player on roll; see PlayAnalysis."""

    game: int
    event: int
    position: Position
    chances: Chances
    evaluation: CubeEvaluation
    level: int


Analysis = PlayAnalysis | CubeAnalysis


@dataclass(frozen=True, slots=True)
class XgMatch:
    """A match as far as it could be read; fault: what comes then, None if all was read."""

    match: MatchRecord
    analyses: tuple[Analysis, ...] = ()
    fault: str | None = None


def parse_xg(data: bytes) -> XgMatch:
    """The match in the bytes of a file, as far as the rules allow it.

    Raises ValueError with one sentence if it is no such file, or tells of another game.
    """
    files = unpacked(data, MATCH, COMMENTS)
    told = records(files.get(MATCH, b""))
    header = next(told, None)
    if not isinstance(header, MatchHeader):
        raise ValueError("there is no match in the .xg file")
    if header.variation:
        raise ValueError("the .xg file is of another game than backgammon")
    rules = Rules(
        header.length or None,
        has_cube=header.cube_limit > 0,
        crawford=header.crawford or not header.length,
        jacoby=header.jacoby or header.length > 0,
        beavers=header.beavers and not header.length,
    )
    reader = _Reader(rules, comments(files.get(COMMENTS, b"")))
    fault = reader.read(told)
    ratings = [f"{each:.0f}" if 0 < each < 10_000 else "" for each in header.ratings]
    occasion = Occasion(
        event=header.event,
        round=header.round,
        place=header.place,
        date=header.date,
        annotator=header.transcriber,
        ratings=(ratings[0], ratings[1]),
    )
    comment = reader.comment(*header.comments)
    match = MatchRecord(header.players, rules, reader.games, occasion, comment)
    return XgMatch(match, tuple(reader.analyses), fault)


class _Reader:
    """Plays the records again, and writes down what the rules allow."""

    def __init__(self, rules: Rules, comments: tuple[str, ...]) -> None:
        self._games = Games(rules)
        self._comments = comments
        self._waiting = ""
        self._move = 0
        self.analyses: list[Analysis] = []

    @property
    def games(self) -> tuple[GameRecord, ...]:
        """The games so far, the one being read too."""
        return self._games.records

    def comment(self, *numbers: int) -> str:
        """The comments of these numbers; raises ValueError for one that is not there."""
        for number in numbers:
            if number >= len(self._comments):
                raise ValueError(f"there is no comment {number}")
        return _joined(*(self._comments[number] for number in numbers if number >= 0))

    def read(self, told: Iterator[Record]) -> str | None:
        """Read to the end, or to the first record that cannot be; why, None if all could."""
        try:
            for record in told:
                self._take(record)
            if self.games:
                self._keep_comment()
        except ValueError as error:
            if not self.games:
                return f"before the first game: {error}"
            return f"game {len(self.games)}, move {max(self._move, 1)}: {error}"
        return None

    def _take(self, record: Record) -> None:
        match record:
            case GameHeader():
                self._begin(record)
            case CubeRecord():
                self._take_cube(record)
            case PlayRecord():
                self._take_play(record)
            case GameFooter():
                self._end(record)
            case MatchHeader():
                raise ValueError("a second match begins")

    @property
    def _recorder(self) -> Recorder:
        """The game being read; raises ValueError if there is none."""
        if self._games.recorder is None:
            raise ValueError("no game has begun")
        return self._games.recorder

    def _begin(self, header: GameHeader) -> None:
        if header.automatic_doubles:
            raise ValueError("automatic doubles in an .xg file are not read")
        comment, position = self.comment(*header.comments), Position(header.position)
        if self.games and self.games[-1].result is None:
            raise ValueError("another game begins before this one is over")
        try:
            recorder = self._games.begin(header.points, is_crawford=header.is_crawford)
        except ValueError as error:
            raise ValueError(f"the next game cannot be: {error}") from None
        recorder.comment = comment
        self._move = 0
        if any(header.position) and position != START:  # none: the usual start
            self._set_up(position)

    def _take_cube(self, record: CubeRecord) -> None:
        position = self._meet(record)
        if record.equities:
            no_double, take, drop = map(_equity, record.equities)
            self.analyses.append(
                CubeAnalysis(
                    *self._place,
                    position,
                    _chances(record.evaluation),
                    CubeEvaluation(no_double, take, drop),
                    record.level,
                )
            )
        self._note(record)
        if record.double > 0:
            self._add(CubeAction.DOUBLE)
            self._take_answers(record)
        elif record.double == 0 and isinstance(self._recorder.going_on.request, ChooseCubeAction):
            self._add(CubeAction.ROLL)

    def _take_answers(self, record: CubeRecord) -> None:
        """The answers to a double, to its beaver and to the raccoon; none if it still waits."""
        for told in (record.take, record.beaver_answer, record.raccoon_answer):
            if told < 0:
                break
            if told not in ANSWERS:
                raise ValueError(f"there is no answer {told} to a double")
            self._add(ANSWERS[told])
            if ANSWERS[told] is not DoubleAnswer.BEAVER:
                break

    def _take_play(self, record: PlayRecord) -> None:
        self._move += 1
        position, roll = self._meet(record), Roll.of_dice(*record.dice)
        if not record.is_played:
            self._note(record)
        if self._recorder.going_on.turn is None:
            dice = (roll.high, roll.low)
            self._add(OpeningRoll(*(dice if SEATS[record.player] == 0 else dice[::-1])))
        else:
            self._add(roll)
        plays = {play.after.points: play for play in legal_plays(position, roll)}
        plays = plays or {position.points: CheckerPlay((), position)}
        played = plays.get(record.after) if record.is_played else None
        if record.is_played and not played:
            raise ValueError(f"{roll.high}-{roll.low} cannot be played to where the checkers stand")
        if record.candidates:
            analysed = tuple(_analysed(candidate, plays) for candidate in record.candidates)
            self.analyses.append(PlayAnalysis(*self._place, position, roll, analysed, played))
        if played:
            self._note(record)
            self._add(played)

    def _end(self, footer: GameFooter) -> None:
        if footer.winner not in SEATS:
            raise ValueError(f"there is no player {footer.winner}")
        if not RESIGNED <= footer.termination < SETTLED:
            self._recorder.check_over()
        self._recorder.end(SEATS[footer.winner], footer.points)
        self._keep_comment()

    def _keep_comment(self) -> None:
        """Write a comment that nothing has come behind beside the game."""
        self._recorder.comment = _joined(self._recorder.comment, self._waiting)
        self._waiting = ""

    def _add(self, answer: Answer) -> None:
        self._recorder.add(answer, self._waiting)
        self._waiting = ""

    @property
    def _place(self) -> tuple[int, int]:
        """The game and the event that come next, both from 0."""
        return len(self.games) - 1, len(self.games[-1].events)

    def _note(self, record: CubeRecord | PlayRecord) -> None:
        """Have the comment of a record written beside what is done next."""
        self._waiting = _joined(self._waiting, self.comment(record.comment))

    def _meet(self, record: CubeRecord | PlayRecord) -> Position:
        """The position that the player of a record sees, who must be on roll.

        The checkers must stand where the game has led, or have been set up there by hand.
        """
        game = self._recorder.going_on
        if record.player not in SEATS:
            raise ValueError(f"there is no player {record.player}")
        seat = SEATS[record.player]
        if game.turn not in (None, seat):
            raise ValueError("the other player is on roll")
        told = Position(record.position)
        state_seat = game.turn or 0
        if game.state.position != _seen(told, state_seat):
            if not record.is_edited:
                raise ValueError("the checkers stand elsewhere than the plays have led")
            self._set_up(_seen(told, state_seat))
        return _seen(told, seat)

    def _set_up(self, position: Position) -> None:
        """Go on from a position set up by hand, seen by the player on roll."""
        game = self._recorder.going_on
        if game.roll or game.doubles:
            raise ValueError("checkers are set up while the game waits for an answer")
        self._recorder.add(replace(game, state=replace(game.state, position=position)))


def _joined(*texts: str) -> str:
    """The texts that say something, a line each."""
    return "\n".join(text for text in texts if text)


def _seen(position: Position, seat: int) -> Position:
    """A position of player 1's as a seat sees it."""
    return position if seat == 0 else turned(position)


def _analysed(candidate: CandidateRecord, plays: dict[Counts, CheckerPlay]) -> AnalysedPlay:
    play = plays.get(candidate.after)
    if play is None:
        raise ValueError("a play is analysed that the roll does not allow")
    evaluation = candidate.evaluation
    return AnalysedPlay(play, _chances(evaluation), _equity(evaluation[-1]), candidate.level)


def _chances(evaluation: Evaluation) -> Chances:
    """The five chances of the player on roll; raises ValueError for what is none."""
    if not all(-TOLERANCE <= chance <= 1 + TOLERANCE for chance in evaluation[:-1]):
        raise ValueError("an analysis has chances that cannot be")
    lose_backgammon, lose_gammon, _, win, win_gammon, win_backgammon = evaluation[:-1]
    return Chances(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)


def _equity(equity: float) -> float:
    if not abs(equity) <= MAX_EQUITY:  # which is also false for what is no number
        raise ValueError("an analysis has an equity that cannot be")
    return equity
