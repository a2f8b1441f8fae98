"""Hypothesis strategies: positions of draughts, moves by the plain rules, and games with words."""

from hypothesis import strategies as st

from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.record import SCORES, GameRecord, Line, RecordedMove
from bot.draughts.rules.variant import VARIANTS, Side
from tests.plain.draughts import plain_ways


def variants():
    """Either game."""
    return st.sampled_from(list(VARIANTS.values()))


@st.composite
def positions(draw, of=None):
    """Any position that can be told: men and kings anywhere but men on their far row."""
    variant = of or draw(variants())
    signs = draw(
        st.lists(st.sampled_from("ewWbB"), min_size=variant.squares, max_size=variant.squares)
    )
    late = {"w": set(variant.far_row(Side.WHITE)), "b": set(variant.far_row(Side.BLACK))}
    sets = [
        set_of(
            square
            for square, sign in enumerate(signs, 1)
            if sign == each and square not in late.get(each, ())
        )
        for each in "wWbB"
    ]
    return Position(variant, draw(st.sampled_from(Side)), *sets)


@st.composite
def fights(draw, of=None):
    """Positions with few pieces, where captures of many pieces and kings' moves are usual."""
    variant = of or draw(variants())
    numbers = st.integers(1, variant.squares)
    squares = draw(st.lists(numbers, unique=True, min_size=2, max_size=14))
    counts = [draw(st.integers(0, most)) for most in (5, 2, 7, 2)]
    late = {0: variant.far_row(Side.WHITE), 2: variant.far_row(Side.BLACK)}
    sets = []
    for number, count in enumerate(counts):
        own, squares = squares[:count], squares[count:]
        sets.append(set_of(square for square in own if square not in late.get(number, ())))
    return Position(variant, draw(st.sampled_from(Side)), *sets)


def plain_legal(position):
    """The legal moves by the plain rules, each with one of its ways."""
    ways = {}
    for start, path, taken in plain_ways(position):
        move = Move(start, path[-1], tuple(sorted(taken)), path if taken else ())
        ways.setdefault(move, move)
    return tuple(ways)


def words():
    """Comments and values of tags, with the signs that PDN gives a meaning."""
    return st.text('ab1 {}()[];$!?*"\\%é', max_size=12).map(lambda text: " ".join(text.split()))


@st.composite
def lines(draw, position, depth=2):
    """A few legal moves from a position, with glyphs, comments and variations."""
    comments = draw(st.lists(words(), max_size=2))
    moves = []
    for _ in range(draw(st.integers(0, 4))):
        legal = legal_moves(position)
        if not legal:
            break
        variations = draw(st.lists(lines(position, depth - 1), max_size=2)) if depth else []
        moves.append(
            RecordedMove(
                draw(st.sampled_from(legal)),
                tuple(draw(st.lists(st.integers(0, 255), max_size=2))),
                tuple(draw(st.lists(words(), max_size=2))),
                tuple(variations),
            )
        )
        position = position_after(position, moves[-1].move)
    return Line(tuple(moves), tuple(comments))


@st.composite
def records(draw):
    """Short games with all that PDN tells of them."""
    variant = draw(variants())
    start = draw(st.just(Position.start(variant)) | fights(of=variant))
    names = st.sampled_from(["Event", "White", "Black", "Round", "Annotator"])
    tags = draw(st.dictionaries(names, words(), max_size=3))
    score = draw(st.sampled_from([None, *SCORES]))
    return GameRecord(start, draw(lines(start)), score, tuple(tags.items()))
