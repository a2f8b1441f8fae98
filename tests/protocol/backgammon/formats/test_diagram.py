from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import ChooseCubeAction
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from protocol.backgammon.formats.diagram import diagram, final_diagram
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import (
    match_id_fields,
    parse_finished,
    parse_gnubg_id,
    parse_match_id,
)
from tests.strategies import game_states

CAPTURED = Path(__file__).parents[3] / "transcripts" / "gnubg_diagrams.txt"
BLOCKS = CAPTURED.read_text().strip("\n").split("\n\n")


def id_of(block):
    """The GNUbg ID in the two header lines."""
    return ":".join(line.split(": ")[1] for line in block.splitlines()[:2])


@pytest.mark.parametrize("block", BLOCKS, ids=id_of)
def test_board_is_drawn_as_gnubg_draws_it(block):
    roller = parse_match_id(id_of(block).split(":")[1]).roller
    drawn = diagram(parse_gnubg_id(id_of(block)), roller=roller, names=("gnubg", "root"))
    assert drawn.splitlines() == [line.rstrip() for line in block.splitlines()]


def test_captured_boards_show_every_sign():
    text = "\n".join(BLOCKS)
    signs = (
        "(Cube: 1)",
        "(Cube: 4)",
        "X: root (Cube: 2)",
        "O: gnubg (Cube: 64)",
        "(Crawford game)",
        "1 point match",
        "Rolled 64",
        "Cube offered at 2",
        "resigns single game",
        "resigns gammon",
        "resigns backgammon",
        "| XXX 1 point",
        " F |",
        "| 7 |",
    )
    assert len(BLOCKS) == 23
    assert [sign for sign in signs if sign not in text] == []


def test_points_of_a_money_session_stand_beside_the_names():
    request = ChooseCubeAction(GameState(START))
    record = match_id_fields(request, session_points=(12, 1))
    lines = diagram(request, record=record).splitlines()
    assert lines[3].endswith("12 points")
    assert lines[13].endswith("1 point")
    assert lines[2].endswith("O: gnubg")
    assert lines[14].endswith("X: blot")
    assert parse_match_id(lines[1].split(": ")[1]).points == (12, 1)


@given(state=game_states(), roller=st.sampled_from((0, 1)))
def test_every_board_has_sixteen_lines_and_as_many_signs_as_checkers(state, roller):
    lines = diagram(ChooseCubeAction(state), roller=roller, names=("", "")).splitlines()
    assert len(lines) == 16
    heights = {"X": 0, "O": 0}
    for depth_first in (lines[3:8], lines[13:8:-1]):
        for column in zip(*(line[2:43].ljust(41) for line in depth_first), strict=True):
            signs = [sign for sign in column if sign not in " |"]
            if signs:
                heights[signs[0]] += int(signs[-1], 16) if signs[-1] not in "XO" else len(signs)
    position = state.position
    expected = (position.checkers, position.other_checkers)
    assert (heights["X"], heights["O"]) == (expected if roller == 1 else expected[::-1])


WON_BY_GNUBG_ITSELF = """\
 GNU Backgammon  Position ID: AAAAbLcPAgAAAA
                 Match ID   : AQJgAAAAIAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: gnubg (Cube: 2)
 |    O             |   | O  O  O  O  O    |     0 points
 |                  |   | O  O  O  O  O    |
 |                  |   | O     O          |
 |                  |   | O                |
 |                  |   | O                |
^|                  |BAR|                  |     3 points match
 |                  |   |                  | XXX
 |                  |   |                  | XXX
 |                  |   |                  | XXX
 |                  |   |                  | XXX
 |                  |   |                  | XXX 4 points
 +13-14-15-16-17-18------19-20-21-22-23-24-+     X: root
"""
"""As GNU Backgammon drew it after a match to 3 points, without blanks at the ends of lines."""


def test_finished_match_is_drawn_as_gnubg_draws_it_and_says_who_won():
    game = parse_finished("AAAAbLcPAgAAAA:AQJgAAAAIAAE")
    drawn = final_diagram(game, names=("gnubg", "root"))
    assert drawn.startswith(WON_BY_GNUBG_ITSELF)
    assert drawn.splitlines()[15:] == [
        "Pip counts: O 73, X 0",
        "The match is over: X won it, 4 to 0.",
    ]


@pytest.mark.parametrize(
    ("identity", "stakes"),
    [
        ("4HPwATDgc/ABMA:MCslAAAACAAE", "     1 point match"),
        ("4HPwATDgc/ABMA:cARgAAAACAAE", "     3 points match (Cube: 1)"),
        ("4HPwATDgc/ABMA:cGMAADAAAAAA", "     (Cube: 1)"),
        ("AAAA4HMAAAAAAA", "     (Cube: 1)"),
    ],
    ids=["resigned", "dropped", "session", "position alone"],
)
def test_game_that_is_over_is_drawn_with_what_was_at_stake(identity, stakes):
    lines = final_diagram(parse_finished(identity)).splitlines()
    assert lines[8].endswith("|" + " " * 18 + "|" + stakes)
    assert lines[-1].endswith(("is over.", "X won it, 1 to 0."))
    assert pasted_id("\n".join(lines)).text.startswith(identity)


def test_cube_of_a_game_that_is_over_stands_beside_its_owner_and_crawfords_game_has_none():
    game = parse_finished("4HPwATDgc/ABMA:cARgAAAACAAE")
    for changes, stakes, above, below in (
        ({"crawford": True}, "3 points match (Crawford game)", "gnubg", "blot"),
        ({"cube_owner": 0, "cube": 2}, "3 points match", "gnubg (Cube: 2)", "blot"),
        ({"cube_owner": 1, "cube": 4}, "3 points match", "gnubg", "blot (Cube: 4)"),
    ):
        lines = final_diagram(replace(game, record=replace(game.record, **changes))).splitlines()
        assert lines[8].endswith(f"|     {stakes}")
        assert lines[2].endswith(f"     O: {above}")
        assert lines[14].endswith(f"     X: {below}")


def test_a_roll_before_a_resignation_is_drawn_as_the_match_id_has_it():
    """As GNU Backgammon 1.07 draws it after `set dice 3 1` and `resign gammon`."""
    identity = "4HPwATDgc/ABMA:cMEFAAAAAAAA"
    pasted = pasted_id(identity)
    drawn = diagram(pasted.request, roller=pasted.record.roller, record=pasted.record)
    assert "Match ID   : cMEFAAAAAAAA\n" in drawn
    assert "Rolled 31, resigns gammon\n" in drawn
    assert "On roll, resigns gammon\n" in diagram(pasted.request)
