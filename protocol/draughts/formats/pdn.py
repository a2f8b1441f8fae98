"""PDN: games of draughts in a text file, read; several in a file, with all that is said in them.

What follows a fault is left out up to the next game. Source: PDN 3.0; Scan 3.1 for GameType.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, Score
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Variant
from bot.files import bytes_of
from protocol.draughts.formats.fen import parse_fen
from protocol.draughts.formats.notation import parse_move
from protocol.draughts.formats.pdn_grammar import GLYPHS, SCORES, Kind, Token, tokens
from protocol.encoding import decoded

GAME_TYPES = {"20": INTERNATIONAL, "29": CZECH}
"""The variants by the first number of the tag GameType."""

OWN_TAGS = ("Result", "GameType", "SetUp", "FEN")
"""Tags that tell what a record knows by itself."""

MAX_DEPTH = 50
"""Variations within variations."""

MAX_BYTES = 50_000_000
"""Bytes of a file."""

_NO_RESULT = ("", "?")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that cannot be in a file: the game, its line, both from 1, and why.

    place: of the game among those that were read, from 0; None if nothing of it could be.
    """

    game: int
    line: int
    reason: str
    place: int | None = None

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadGames:
    """The games of a text, each as far as it could be read, and the first fault of each."""

    games: tuple[GameRecord, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def whole(self) -> tuple[GameRecord, ...]:
        """The games; raises ValueError with the first fault if not all of them could be read."""
        if self.faults:
            raise ValueError(str(self.faults[0]))
        return self.games


def read_pdn(path: Path, variant: Variant = INTERNATIONAL) -> ReadGames:
    """The games in a file; see parse_pdn. Raises ValueError if it cannot be read or has none."""
    data = bytes_of(path, MAX_BYTES)
    try:
        return parse_pdn(decoded(data), variant)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def parse_pdn(text: str, variant: Variant = INTERNATIONAL) -> ReadGames:
    """The games in the text, of the given variant where no tag tells it.

    Raises ValueError if there is no game at all.
    """
    games: list[GameRecord] = []
    faults: list[Fault] = []
    for number, words in enumerate(_games(list(tokens(text))), 1):
        reader = _Reader(variant)
        for word in words:
            try:
                reader.take(word)
            except ValueError as error:
                reader.fault = reader.fault or Fault(number, word.line, str(error))
                if word.kind is not Kind.TAG:
                    break
        try:
            reader.end()
        except ValueError as error:
            reader.fault = reader.fault or Fault(number, words[-1].line, str(error))
        if reader.fault:
            place = None if reader.record is None else len(games)
            faults.append(replace(reader.fault, place=place))
        if reader.record is not None:
            games.append(reader.record)
    if not games and not faults:
        raise ValueError("there is no game of draughts in it")
    return ReadGames(tuple(games), tuple(faults))


def _games(words: Sequence[Token]) -> Iterator[list[Token]]:
    """The words of each game: its tags, then its moves up to a result or the next tag."""
    game: list[Token] = []
    has_moves = is_ended = False
    depth = 0
    for place, word in enumerate(words):
        begins = word.kind is Kind.TAG and has_moves
        if begins or (is_ended and word.kind is not Kind.COMMENT):
            yield game
            game, has_moves, is_ended, depth = [], False, False, 0
        has_moves |= word.kind not in (Kind.TAG, Kind.COMMENT)
        depth += (word.kind is Kind.OPEN) - (word.kind is Kind.CLOSE)
        if word.kind is Kind.STAR and depth <= 0 and _ends(words, place):
            word = Token(Kind.RESULT, word.text, word.line)
        is_ended = is_ended or (word.kind is Kind.RESULT and depth <= 0)
        game.append(word)
    if has_moves or any(word.kind is Kind.TAG for word in game):
        yield game


def _ends(words: Sequence[Token], place: int) -> bool:
    """Whether a star by itself is a result: no further move of the same game comes after it."""
    for later in range(place + 1, len(words)):
        word = words[later]
        if word.kind is Kind.TAG or (word.kind is Kind.NUMBER and word.text.rstrip(".") == "1"):
            return True
        if word.kind in (Kind.NUMBER, Kind.MOVE, Kind.RESULT, Kind.STAR):
            return False
    return True


@dataclass(slots=True)
class _DraftMove:
    """A move whose comments are still being read."""

    move: Move
    glyphs: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class _DraftLine:
    """A line that is being read: the positions before and after its last move."""

    before: Position
    position: Position
    moves: list[_DraftMove] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    def play(self, text: str) -> None:
        """Make the move that the text means."""
        legal = legal_moves(self.position)
        move = parse_move(text, legal, self.position.variant)
        self.before, self.position = self.position, position_after(self.position, move)
        self.moves.append(_DraftMove(move))

    def say(self, comment: str) -> None:
        """Keep a comment behind the last move, or before the first."""
        (self.moves[-1].comments if self.moves else self.comments).append(comment)

    @property
    def last(self) -> _DraftMove:
        """The last move; raises ValueError before the first."""
        if not self.moves:
            raise ValueError("a move is wanted first")
        return self.moves[-1]

    @property
    def line(self) -> Line:
        """The line as it stands."""
        moves = (
            RecordedMove(
                draft.move, tuple(draft.glyphs), tuple(draft.comments), tuple(draft.variations)
            )
            for draft in self.moves
        )
        return Line(tuple(moves), tuple(self.comments))


class _Reader:
    """Takes the words of one game."""

    def __init__(self, variant: Variant) -> None:
        self.fault: Fault | None = None
        self.record: GameRecord | None = None
        self._variant = variant
        self._tags: dict[str, str] = {}
        self._early: list[str] = []
        self._lines: list[_DraftLine] = []
        self._is_unknown = False
        self._score: Score | None = None
        self._start: Position | None = None

    def take(self, word: Token) -> None:
        """Take one word; raises ValueError, as a clause, if it cannot stand here."""
        if word.kind is Kind.TAG:
            self._take_tag(word)
            return
        if not self._lines and word.kind is Kind.COMMENT:
            self._early.append(word.text)
            return
        self._begin()
        line = self._lines[-1]
        match word.kind:
            case Kind.COMMENT:
                line.say(word.text)
            case Kind.MOVE:
                line.play(word.text)
            case Kind.GLYPH:
                line.last.glyphs.append(int(word.text))
            case Kind.REMARK | Kind.STAR:
                line.last.glyphs.append(GLYPHS[word.text])
            case Kind.OPEN:
                self._open(line)
            case Kind.CLOSE:
                self._close()
            case Kind.RESULT:
                self._finish(word.text)
            case Kind.STRANGE:
                raise ValueError(_strange(word.text))

    def end(self) -> None:
        """Make the record of what was taken; raises ValueError if something is open or unlike."""
        self._begin()
        is_open = len(self._lines) > 1
        while len(self._lines) > 1:
            self._close()
        assert self._start is not None
        tags = tuple((name, text) for name, text in self._tags.items() if name not in OWN_TAGS)
        told = self._tags.get("Result", "*")
        told_score = SCORES.get(told)
        score = self._score or told_score
        self.record = GameRecord(self._start, self._lines[0].line, score, tags)
        if is_open:
            raise ValueError("a bracket ) is missing")
        if told not in SCORES and told not in _NO_RESULT:
            raise ValueError(f"the tag Result is none: {told[:20]!r}")
        if self._score and told_score and self._score != told_score:
            raise ValueError("the tag Result and the end of the game tell different results")

    def _take_tag(self, word: Token) -> None:
        if word.name in self._tags:
            raise ValueError(f"the tag {word.name} stands there twice")
        self._tags[word.name] = word.text
        if word.name == "GameType":
            number = word.text.split(",")[0].strip()
            if number not in GAME_TYPES:
                self._is_unknown = True
                raise ValueError(
                    f"the game type {number[:20]!r} is neither 20, international, nor 29, Czech"
                )
            self._variant = GAME_TYPES[number]

    def _begin(self) -> None:
        """Set the board up, once; raises ValueError if the tags tell no position."""
        if self._lines:
            return
        if self._is_unknown:
            raise ValueError("the game is of another kind")
        fen = self._tags.get("FEN")
        start = Position.start(self._variant)
        if fen is not None and self._tags.get("SetUp", "1") != "0":
            start = parse_fen(fen, self._variant)
        self._start = start
        self._lines.append(_DraftLine(start, start, comments=self._early))

    def _open(self, line: _DraftLine) -> None:
        if len(self._lines) > MAX_DEPTH:
            raise ValueError(f"there are more than {MAX_DEPTH} variations within each other")
        if not line.moves:
            raise ValueError("a variation comes behind a move")
        self._lines.append(_DraftLine(line.before, line.before))

    def _close(self) -> None:
        if len(self._lines) == 1:
            raise ValueError("there is no variation to close")
        line = self._lines.pop().line
        self._lines[-1].last.variations.append(line)

    def _finish(self, text: str) -> None:
        if len(self._lines) > 1:
            raise ValueError("a variation has no result; a bracket ) may be missing")
        self._score = SCORES[text]


def _strange(sign: str) -> str:
    """A clause about a sign that begins no word."""
    if sign == "{":
        return "a comment has no end }"
    if sign == "[":
        return 'a tag is [Name "value"]'
    return f"{sign!r} stands outside of any word"
