import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.position import START, Position
from protocol.backgammon.terminal.board_view import (
    HEIGHT,
    WIDTH,
    BoardPicture,
    CubePicture,
    Look,
    board_lines,
    described_lines,
)
from tests.strategies import positions

PLAIN = Look()
LETTERS = Look(unicode=False)
COLOURED = Look(colour=True)
NAMES = ("You", "hard")

START_DRAWN = """\
  13  14  15  16  17  18         19  20  21  22  23  24
┌────────────────────────┬─────┬────────────────────────┐
│ ●   ·   :   ·   ○   ·  │     │ ○   ·   :   ·   :   ●  │  ○ hard
│ ●   ·   :   ·   ○   ·  │     │ ○   ·   :   ·   :   ●  │  167 pips
│ ●   ·   :   ·   ○   ·  │     │ ○   ·   :   ·   :   ·  │  1 of 5
│ ●   ·   :   ·   :   ·  │     │ ○   ·   :   ·   :   ·  │  off none
│ ●   ·   :   ·   :   ·  │     │ ○   ·   :   ·   :   ·  │  ╭───╮╭───╮
│                        │ bar │                        │  │ 3 ││ 1 │
│ ○   :   ·   :   ·   :  │     │ ●   :   ·   :   ·   :  │  ╰───╯╰───╯
│ ○   :   ·   :   ·   :  │     │ ●   :   ·   :   ·   :  │  off none
│ ○   :   ·   :   ●   :  │     │ ●   :   ·   :   ·   :  │  0 of 5
│ ○   :   ·   :   ●   :  │     │ ●   :   ·   :   ·   ○  │  167 pips
│ ○   :   ·   :   ●   :  │     │ ●   :   ·   :   ·   ○  │  ● You
└────────────────────────┴─────┴────────────────────────┘
  12  11  10  9   8   7          6   5   4   3   2   1"""


def uncoloured(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def picture(position, **more):
    return BoardPicture(position, 0, NAMES, (0, 1), **more)


def test_start_is_drawn_so():
    drawn = board_lines(picture(START, length=5, dice=(3, 1)), PLAIN)
    assert "\n".join(drawn) == START_DRAWN


@given(position=positions())
def test_board_fits_and_shows_every_checker(position):
    for dice in ((), (6, 6, 6, 6)):
        lines = board_lines(picture(position, dice=dice), PLAIN)
        assert len(lines) == HEIGHT
        assert max(map(len, lines)) <= WIDTH
    board = "\n".join(line[:57] for line in lines)
    piled = [abs(count) for count in position.points if abs(count) > 5]
    shown = board.count("●") + board.count("○")
    assert shown == position.checkers + position.other_checkers - sum(n - 4 for n in piled)
    panel = "".join(line[57:] for line in lines)
    assert panel.count("●") == position.off + 1
    assert panel.count("○") == position.other_off + 1


@given(position=positions())
def test_colours_change_nothing_but_the_empty_places(position):
    shown = picture(position, dice=(4, 2), moved={6: 1}, left=frozenset({8}))
    coloured = [uncoloured(line).rstrip() for line in board_lines(shown, COLOURED)]
    plain = [
        line[:57].replace("·", " ").replace(":", " ") + line[57:]
        for line in board_lines(shown, PLAIN)
    ]
    assert coloured == [line.rstrip() for line in plain]


@given(position=positions())
def test_letters_are_ascii_and_lie_as_the_signs_do(position):
    shown = picture(position, dice=(4, 2), targets=frozenset({3}))
    letters = board_lines(shown, LETTERS)
    assert "".join(letters).isascii()
    signs = "\n".join(board_lines(shown, PLAIN)).translate(str.maketrans("●○▼", "XOv"))
    pattern = re.compile("[XOv0-9]")
    assert [(m.start(), m[0]) for m in pattern.finditer("\n".join(letters))] == [
        (m.start(), m[0]) for m in pattern.finditer(signs)
    ]


def test_without_colour_there_is_no_escape():
    assert "\x1b" not in "\n".join(board_lines(picture(START, dice=(3, 1)), PLAIN))
    assert "\x1b[" in "\n".join(board_lines(picture(START), COLOURED))


def test_checkers_on_the_bar_and_high_piles_are_counted():
    position = Position.of({25: 2, 6: 6}, {25: 7, 1: 1})
    lines = board_lines(picture(position), PLAIN)
    bar = "".join(line[28] for line in lines[2:13])
    assert bar == "7○○○○a●●   "
    assert [line[33] for line in lines[8:13]] == ["6", "●", "●", "●", "●"]


def test_last_play_is_marked_with_signs_of_its_own():
    shown = picture(START, left=frozenset({7}), moved={6: 2, 24: 1})
    lines = board_lines(shown, PLAIN)
    assert lines[13][22] == "◌"
    assert lines[13][33] == "◆"
    assert [line[33] for line in lines[8:13]] == ["◉", "◉", "●", "●", "●"]
    assert [line[53] for line in lines[1:5]] == ["◆", "●", "◉", "·"]


def test_targets_are_marked_above_the_checkers_and_on_the_frame():
    lines = board_lines(picture(START, targets=frozenset({6, 5, 1})), PLAIN)
    assert [lines[13][column] for column in (33, 37, 53)] == ["▼"] * 3
    assert lines[12][37] == "▼"
    assert lines[8][33] == "▼"
    assert lines[10][53] == "▼"


def test_points_may_be_numbered_for_the_upper_player():
    lines = board_lines(picture(START, is_numbered_for_upper=True), PLAIN)
    assert lines[0].split() == [str(point) for point in range(12, 0, -1)]
    assert lines[-1].split() == [str(point) for point in range(13, 25)]


def test_board_with_all_checkers_off_fits():
    for position in (Position.of({25: 1}, {}), Position.of({}, {25: 1})):
        assert max(map(len, board_lines(picture(position), PLAIN))) <= WIDTH


def test_long_name_is_cut():
    shown = BoardPicture(START, 0, ("x" * 50, "hard"), (0, 0))
    assert max(map(len, board_lines(shown, PLAIN))) <= WIDTH


@given(position=positions())
def test_description_names_every_point_in_the_players_own_numbers(position):
    text = " ".join(described_lines(picture(position, dice=(3, 1)), LETTERS, 500))
    upper, lower = re.findall(r"[OX] \w+: ([^,]*),", text)
    named = {int(p): int(n) for p, n in re.findall(r"(\d+)\((\d+)\)", lower)}
    assert named == {p: n for p, n in enumerate(position.points[:25]) if n > 0}
    named = {int(p): int(n) for p, n in re.findall(r"(\d+)\((\d+)\)", upper)}
    assert named == {p: -n for p, n in enumerate(position.points) if n < 0 and p > 0}
    assert text.endswith("dice 3 1")


def test_description_of_a_side_without_a_checker_on_a_point_begins_with_what_there_is():
    points = [0] * 26
    points[0], points[5] = -1, 1
    lines = described_lines(picture(Position(tuple(points))), PLAIN, 80)
    assert lines[0] == "○ hard: bar 1, off 14, 25 pips, 1 point"
    points[0], points[5], points[20] = 0, 0, -1
    lines = described_lines(picture(Position(tuple(points))), PLAIN, 80)
    assert lines[1] == "● You: off 15, 0 pips, 0 points"


@pytest.mark.parametrize("width", [20, 30, 45])
def test_description_fits_the_window(width):
    lines = described_lines(picture(START, length=5), PLAIN, width)
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("cube", "row", "text"),
    [
        (CubePicture(1), 7, "│                   cube │ [1] │                        │"),
        (CubePicture(64), 7, "│                   cube │ [64]│                        │"),
        (CubePicture(2, is_offered=True), 7, "│             doubled to │ [2] │"),
        (CubePicture(8, 0, is_offered=True), 7, "│             doubled to │ [8] │"),
        (CubePicture(2, 1), 1, "┌────────────────────────┬─[2]─┬────────────────────────┐"),
        (CubePicture(4, 0), 13, "└────────────────────────┴─[4]─┴────────────────────────┘"),
        (CubePicture(512, 0), 13, "└────────────────────────┴[512]┴────────────────────────┘"),
        (CubePicture(4096, 1), 1, "┌────────────────────────┬─4096┬────────────────────────┐"),
    ],
)
def test_cube_lies_in_the_middle_or_at_its_owners_edge(cube, row, text):
    for look in (PLAIN, COLOURED):
        lines = board_lines(picture(START, cube=cube), look)
        assert uncoloured(lines[row]).startswith(text)
    letters = board_lines(picture(START, cube=cube), LETTERS)
    assert "".join(letters).isascii()
    assert f"{cube.value}" in letters[row]


def test_owner_has_the_cube_in_his_row_too():
    lines = board_lines(picture(START, cube=CubePicture(2, 1)), PLAIN)
    assert lines[3].endswith("  167 pips, cube 2")
    assert lines[11].endswith("  167 pips")
    lines = board_lines(picture(START, cube=CubePicture(2, 0)), PLAIN)
    assert lines[3].endswith("  167 pips")
    assert lines[11].endswith("  167 pips, cube 2")


def test_crawford_game_is_named_on_the_board():
    shown = picture(START, cube=CubePicture(1), is_crawford=True)
    row = "│                   cube │ [1] │ Crawford game          │"
    assert board_lines(shown, PLAIN)[7] == row
    assert "Crawford game" in described_lines(shown, PLAIN, 40)
    assert "Crawford game" not in "".join(board_lines(picture(START), PLAIN))


@given(
    position=positions(),
    exponent=st.integers(0, 12),
    owner=st.sampled_from([None, 0, 1]),
    is_offered=st.booleans(),
)
def test_board_with_the_cube_fits_however_high_it_is(position, exponent, owner, is_offered):
    cube = CubePicture(2**exponent, owner, is_offered)
    shown = picture(position, cube=cube, dice=(6, 6, 6, 6), is_crawford=True)
    lines = board_lines(shown, PLAIN)
    assert len(lines) == HEIGHT
    assert max(map(len, lines)) <= WIDTH
    assert {len(line[:57]) for line in lines[1:14]} == {57}


@pytest.mark.parametrize(
    ("cube", "text"),
    [
        (CubePicture(1), "cube 1, in the middle"),
        (CubePicture(2, 1), "cube 2, owned by ○ hard"),
        (CubePicture(4, 0, is_offered=True), "cube 4, offered"),
    ],
)
def test_small_window_tells_of_the_cube_in_words(cube, text):
    assert text in described_lines(picture(START, cube=cube), PLAIN, 40)
