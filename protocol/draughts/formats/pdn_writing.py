"""PDN writing: games of draughts as other programs read them.

A comment with a closing brace, for which braces have no room, stands behind a semicolon.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.archive import write_whole
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, Score
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side, Variant
from protocol.draughts.formats.fen import fen_text
from protocol.draughts.formats.notation import move_text
from protocol.draughts.formats.pdn import OWN_TAGS
from protocol.draughts.formats.pdn_grammar import GLYPHS

WIDTH = 79
"""Signs of a line of moves."""

RESULTS: dict[str, dict[Score | None, str]] = {
    INTERNATIONAL.name: {(2, 0): "2-0", (1, 1): "1-1", (0, 2): "0-2", (0, 0): "0-0", None: "*"},
    CZECH.name: {(2, 0): "1-0", (1, 1): "1/2-1/2", (0, 2): "0-1", (0, 0): "0-0", None: "*"},
}
"""The results as each variant's players write them."""

GAME_TYPES = {INTERNATIONAL.name: "20,W,10,10,N2,0", CZECH.name: "29,W,8,8,A0,0"}
"""The tag GameType: number, who begins, width, height, notation, whether the board is turned."""

_REMARKS = {number: sign for sign, number in GLYPHS.items() if sign != "*"}
_BREAK = "\n"


def write_pdn(games: Sequence[GameRecord], path: Path) -> None:
    """Write the games to a file, whole or not at all; raises OSError in one sentence."""
    write_whole(path, lambda file: file.write(pdn_text(games).encode()))


def pdn_text(games: Sequence[GameRecord]) -> str:
    """The games one after the other; raises ValueError for one whose moves are not legal."""
    return "\n".join(_game_text(game) for game in games)


def result_text(score: Score | None, variant: Variant) -> str:
    """The result in the variant's scale: 2-0 or 1-0; a star while there is none."""
    return RESULTS[variant.name][score]


def _game_text(game: GameRecord) -> str:
    result = result_text(game.score, game.variant)
    tags = [tag for tag in game.tags if tag[0] not in OWN_TAGS]
    tags += [("Result", result), ("GameType", GAME_TYPES[game.variant.name])]
    if game.start != Position.start(game.variant):
        tags += [("SetUp", "1"), ("FEN", fen_text(game.start))]
    head = "".join(f'[{name} "{_escaped(text)}"]\n' for name, text in tags)
    words = [*_line_words(game.line, game.start, 0), result]
    return f"{head}\n{_wrapped(words)}\n"


def _line_words(line: Line, position: Position, ply: int) -> Iterator[str]:
    """The words of a line from a position, so many plies after the start of the game."""
    for comment in line.comments:
        yield from _comment_words(comment)
    needs_number = True
    for move in line.moves:
        number = _number(position, ply)
        if needs_number or position.turn is Side.WHITE:
            yield number
        legal = legal_moves(position)
        if move.move not in legal:
            raise ValueError(f"a move from {move.move.start} to {move.move.end} is not legal")
        text = move_text(legal[legal.index(move.move)], legal, position.variant)
        yield text + "".join(_remarks(move))
        yield from (f"${glyph}" for glyph in move.glyphs[_first_number(move) :])
        for comment in move.comments:
            yield from _comment_words(comment)
        for variation in move.variations:
            yield from _bracketed(list(_line_words(variation, position, ply)))
        needs_number = bool(move.comments or move.variations)
        position, ply = position_after(position, move.move), ply + 1


def _bracketed(words: list[str]) -> list[str]:
    """The words with brackets around them; a line end stays behind its word."""
    words = words or [""]
    words[0] = f"({words[0]}"
    return [*words, ")"] if words[-1].endswith(_BREAK) else [*words[:-1], f"{words[-1]})"]


def _number(position: Position, ply: int) -> str:
    """The number before a move: 12. for White, 12... for Black."""
    begins = position.turn if ply % 2 == 0 else position.turn.other
    number = (ply + (begins is Side.BLACK)) // 2 + 1
    return f"{number}." if position.turn is Side.WHITE else f"{number}..."


def _first_number(move: RecordedMove) -> int:
    """Index of the first glyph that is written as a number; all behind it are too."""
    signs = [glyph in _REMARKS for glyph in move.glyphs]
    return 1 if signs[:1] == [True] else 0


def _remarks(move: RecordedMove) -> Iterator[str]:
    yield from (_REMARKS[glyph] for glyph in move.glyphs[: _first_number(move)])


def _comment_words(comment: str) -> Iterator[str]:
    """The words of a comment, which is read back with single blanks between them."""
    words = comment.split()
    if "}" in comment:
        yield "; " + " ".join(words) + _BREAK
    else:
        yield from ("{" + " ".join(words) + "}").split()


def _wrapped(words: Sequence[str]) -> str:
    """The words in lines of the right width; a break behind a word ends its line."""
    lines = [""]
    for word in words:
        ends = word.endswith(_BREAK)
        text = word.removesuffix(_BREAK)
        if lines[-1] and len(lines[-1]) + 1 + len(text) > WIDTH:
            lines.append("")
        lines[-1] += f" {text}" if lines[-1] else text
        if ends:
            lines.append("")
    return "\n".join(lines).rstrip("\n")


def _escaped(text: str) -> str:
    """The value of a tag without line ends, and with its quotes escaped."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
