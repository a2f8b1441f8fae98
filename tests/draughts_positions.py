"""Hypothesis strategies of draughts: variants and positions with pieces anywhere."""

from hypothesis import strategies as st

from bot.draughts.rules.position import Position, set_of
from bot.draughts.rules.variant import Side
from tests.draughts_strategies import variants

KINDS = 4
MOST_PIECES = 14


@st.composite
def positions(draw, most=MOST_PIECES):
    """Any position of up to so many pieces; more would take the plain twin long.

    Half of the squares are drawn from the middle, where pieces capture each other.
    """
    variant = draw(variants())
    middle = st.integers(variant.row_length + 1, variant.squares - variant.row_length)
    squares = draw(
        st.lists(middle | st.integers(1, variant.squares), min_size=1, max_size=most, unique=True)
    )
    sets = [set[int]() for _ in range(KINDS)]
    for square in squares:
        kind = draw(st.integers(0, KINDS - 1))
        far = variant.far_row(Side.WHITE if kind < 2 else Side.BLACK)
        sets[kind | 1 if square in far else kind].add(square)
    return Position(variant, draw(st.sampled_from(Side)), *map(set_of, sets))
