import pytest

from bot.backgammon.rules.match import Cube, CubeOwner
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.server_board import parse_server_board
from protocol.errors import MalformedLineError

BEGIN = (
    "board:You:bob:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)
ASCENDING = (  # from BaldLies, the fields of a game where a double waits for us
    "board:You:blot_a:2:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":-1:0:0:0:0:1:0:0:1:-1:1:25:0:0:0:0:0:0:0:0:0"
)
ON_BAR = (  # from Jibs
    "board:You:blot_a:2:0:0:1:-1:0:0:0:2:5:-1:3:0:0:0:-4:3:0:1:0:-3:0:-5:0:0:0:0:1:0"
    ":-1:1:6:0:0:2:0:1:0:-1:1:25:0:0:0:1:0:2:0:0:0"
)


def test_the_first_board_of_a_game():
    board = parse_server_board(BEGIN)
    assert (board.opponent, board.length, board.points) == ("bob", 3, (0, 1))
    assert (board.position, board.turn, board.roll) == (START, 0, Roll(6, 2))
    assert (board.cube, board.cube_owner, board.is_doubled) == (1, None, False)
    assert not board.is_ascending


def test_dice_are_those_of_who_is_on_turn():
    board = parse_server_board(BEGIN.replace(":1:6:2:0:0:", ":-1:0:0:6:2:"))
    assert (board.turn, board.roll) == (1, Roll(6, 2))


def test_an_unlimited_match_has_no_length():
    assert parse_server_board(BEGIN.replace("bob:3:", "bob:9999:")).length is None


def test_a_double_waits_for_us_where_nobody_may_double():
    board = parse_server_board(ASCENDING)
    assert (board.turn, board.is_doubled, board.is_ascending) == (1, True, True)


@pytest.mark.parametrize(
    ("may_double_and_doubled", "turn"), [("0:0:0", 0), ("1:1:1", 1)], ids=["ours", "theirs"]
)
def test_a_double_is_told_by_either_field(may_double_and_doubled, turn):
    board = parse_server_board(ASCENDING.replace("0:0:1:-1:1:", f"{may_double_and_doubled}:-1:1:"))
    assert (board.turn, board.is_doubled) == (turn, True)


def test_points_that_count_up_are_turned_and_the_bar_is_told_apart():
    board = parse_server_board(ON_BAR)
    assert board.position.points[25] == 1
    assert board.position == Position(
        (0, -1, 0, 0, 0, 0, 5, 0, 3, 0, -1, 0, -3, 4, 0, 0, 0, -3, 1, -5, -2, 0, 0, 0, 1, 1)
    )
    assert (board.turn, board.roll) == (0, Roll(6, 1))
    assert board.rollers_cube == Cube(2, CubeOwner.OTHER)


def test_between_games_nobody_is_on_turn():
    assert parse_server_board(BEGIN.replace(":2:0:1:6:2:", ":2:0:0:6:2:")).turn is None


@pytest.mark.parametrize(
    ("fields", "is_crawford"),
    [("0:0:0", None), ("0:1:0", False), ("3:0:0", False), ("1:0:0", None)],
)
def test_a_game_is_told_not_to_be_crawfords_and_never_to_be_it(fields, is_crawford):
    line = BEGIN.removesuffix("0:0:0") + fields
    assert parse_server_board(line).is_crawford is is_crawford


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "the word 'board:'"),
        ("board:You:bob:3", r"the 52 fields \(there are 3\)"),
        (BEGIN.replace("You", "eve"), "a board of our own game"),
        (BEGIN.replace("0:25:0:0", "0:25:1:0"), "1 and 0 checkers off, beside the others"),
        (BEGIN.replace(":1:-1:0:25", ":2:-1:0:25"), "colour 2 and direction -1"),
        (BEGIN.replace(":1:6:2:", ":4:6:2:"), "turn 4"),
        (BEGIN.replace(":1:6:2:", ":1:7:2:"), "no roll of two dice: 7-2"),
        (BEGIN.replace(":5:0:3", ":15:0:3"), "the player on roll has 25 checkers"),
        (BEGIN.replace(":5:0:3", ":x:0:3"), "point 6 'x'"),
    ],
)
def test_a_board_that_cannot_be_is_refused(line, reason):
    with pytest.raises(MalformedLineError, match=rf"^cannot read (a board \()?{reason}"):
        parse_server_board(line)
