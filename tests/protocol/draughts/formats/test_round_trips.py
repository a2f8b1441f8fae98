"""Every format of draughts reads what it writes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.draughts.formats.fen import fen_text, parse_fen
from protocol.draughts.formats.hub_line import HubLine, hub_line_text, parse_hub_line
from protocol.draughts.formats.hub_move import hub_move_text, parse_hub_move
from protocol.draughts.formats.hub_position import hub_position_text, parse_hub_position
from protocol.draughts.formats.notation import move_text, parse_move
from protocol.draughts.formats.pdn import ReadGames, parse_pdn
from protocol.draughts.formats.pdn_writing import pdn_text
from protocol.draughts.formats.square import parse_square, square_name
from tests.draughts_strategies import fights, plain_legal, positions, records, variants


@given(variants(), st.data())
def test_squares(variant, data):
    square = data.draw(st.integers(1, variant.squares))
    assert parse_square(variant, square_name(variant, square)) == square
    assert parse_square(variant, str(square)) == square


@given(positions())
def test_fen(position):
    assert parse_fen(fen_text(position), position.variant) == position


@given(positions())
def test_hub_positions(position):
    assert parse_hub_position(hub_position_text(position), position.variant) == position


@given(fights())
def test_moves(position):
    moves = plain_legal(position)
    texts = [move_text(move, moves, position.variant) for move in moves]
    assert [parse_move(text, moves, position.variant) for text in texts] == list(moves)


@given(fights())
def test_hub_moves(position):
    moves = plain_legal(position)
    assert [parse_hub_move(hub_move_text(move), moves) for move in moves] == list(moves)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z-]{0,8}", fullmatch=True),
        st.text(st.characters(codec="ascii", exclude_characters='"'), max_size=12).map(
            lambda text: " ".join(text.split())
        ),
        max_size=4,
    )
)
def test_hub_lines(arguments):
    text = hub_line_text("info", **{name.replace("-", "_"): v for name, v in arguments.items()})
    assert parse_hub_line(text) == HubLine("info", arguments)


@settings(max_examples=30)
@given(st.lists(records(), min_size=1, max_size=2))
def test_pdn(games):
    assert parse_pdn(pdn_text(games)) == ReadGames(tuple(games))
