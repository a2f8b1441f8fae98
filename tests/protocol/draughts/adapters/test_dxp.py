import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from protocol.draughts.adapters.dxp import (
    Accept,
    BackAccept,
    BackRequest,
    Chat,
    GameEnd,
    GameRequest,
    MoveMade,
    message_text,
    parse_message,
)
from protocol.errors import WireError
from tests.draughts_strategies import positions

NAME = "Tornado voor Windows 4.0"

EXAMPLES = {
    f"R01{NAME:32}W060065A": GameRequest(NAME, Side.WHITE, 60.0, 65),
    f"R01{'x':32}Z005000BW{'z' * 20}{'e' * 10}{'w' * 20}": GameRequest(
        "x", Side.BLACK, 5.0, 0, Position.start(INTERNATIONAL)
    ),
    f"R01{'x':32}Z.25000A": GameRequest("x", Side.BLACK, 0.25),
    f"A{NAME:32}0": Accept(NAME),
    f"A{NAME:32}1": Accept(NAME, 1),
    "M001205250422122320".replace("22122320", "12202223"): MoveMade(
        Move(5, 25, (12, 20, 22, 23)), 12
    ),
    "M0000322800": MoveMade(Move(32, 28)),
    "E00": GameEnd(),
    "E21": GameEnd(2, True),
    "CWhat do you think about move 35?": Chat("What do you think about move 35?"),
    "B005Z": BackRequest(5, Side.BLACK),
    "K1": BackAccept(1),
}
"""Messages as pydraughts and mesander.nl give them."""


@pytest.mark.parametrize("text", EXAMPLES)
def test_messages_are_read_and_written(text):
    assert parse_message(text) == EXAMPLES[text]
    assert message_text(EXAMPLES[text]) == text


def test_a_number_that_is_left_blank_is_0():
    assert parse_message("M    322800") == MoveMade(Move(32, 28))
    assert parse_message(f"R01{'x':32}W060   A") == GameRequest("x", Side.WHITE, 60.0)


def test_a_message_has_room_for_126_signs_and_a_name_for_32_of_ascii():
    assert parse_message(message_text(Chat("x" * 126))) == Chat("x" * 126)
    assert message_text(Accept("Žofka\n" + "x" * 40)) == "A?ofka?" + "x" * 26 + "0"


def test_squares_of_captured_pieces_are_read_in_any_order():
    assert parse_message("M001205250422122320") == MoveMade(Move(5, 25, (12, 20, 22, 23)), 12)


moves = st.builds(
    Move,
    st.integers(1, 50),
    st.integers(1, 50),
    st.sets(st.integers(1, 50), max_size=20).map(lambda squares: tuple(sorted(squares))),
)
names = st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=32)


@given(
    st.builds(MoveMade, moves, st.integers(0, 9999))
    | st.builds(Accept, names, st.integers(0, 9))
    | st.builds(GameEnd, st.integers(0, 9), st.booleans())
    | st.builds(BackRequest, st.integers(0, 999), st.sampled_from(Side))
    | st.builds(
        GameRequest,
        names,
        st.sampled_from(Side),
        st.integers(1, 999).map(float),
        st.integers(0, 999),
        st.none() | positions(of=INTERNATIONAL),
    )
)
def test_every_message_comes_back(message):
    assert parse_message(message_text(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "R",
        f"R01{'x':32}W060065",
        f"R01{'x':32}Q060065A",
        f"R01{'x':32}W060065BW{'e' * 49}",
        f"R01{'x':32}W060065BWw{'e' * 49}",
        f"R01{'x':32}W1 1065A",
        "A",
        "M",
        "M0000322801",
        "M00003228011",
        "M000032280123" + "23" * 60,
        "M0000322802" + "2323",
        "M00-1322800",
        "E",
        "E2",
        "B05Z",
        "K",
        "C" + "x" * 127,
        "M\u0661000322800",
    ],
)
def test_what_is_no_message_is_one_sentence(text):
    with pytest.raises(WireError, match=r"^cannot read the (message of )?type [^\n]*$"):
        parse_message(text)


def test_chat_of_several_lines_is_read():
    assert parse_message("Cgood game\r\n") == Chat("good game\r\n")


@pytest.mark.parametrize(
    "message",
    [
        Chat("x" * 127),
        Chat("two\nlines"),
        Chat("č"),
        Accept("x", 12),
        BackRequest(1000, Side.WHITE),
        GameRequest("x", Side.WHITE, 1000.0),
        GameRequest("x", Side.WHITE, 1e-9),
        GameRequest("x", Side.WHITE, 12.5),
        GameRequest("x", Side.WHITE, 100.5),
        GameRequest("x", Side.WHITE, -0.5),
        GameRequest("x", Side.WHITE, 1.25),
        GameRequest("x", Side.WHITE, 5.0, 0, Position.start(CZECH)),
    ],
)
def test_what_has_no_room_in_a_message_cannot_be_written(message):
    with pytest.raises(ValueError, match=r"fit|ASCII|international"):
        message_text(message)
