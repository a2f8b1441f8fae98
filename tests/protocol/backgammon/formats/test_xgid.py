"""XGID: the published examples, what is refused, and what GNU Backgammon reads in them."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.position import START, Position
from protocol.backgammon.adapters.gnubg_program import find_gnubg
from protocol.backgammon.formats.position_id import (
    MatchIdFields,
    Stage,
    match_id,
    match_id_fields,
    position_id,
    request_of,
)
from protocol.backgammon.formats.xgid import PREFIX, Xgid, parse_xgid, xgid_line, xgid_text
from tests.strategies import game_states, rolls

TRANSCRIPTS = Path(__file__).parents[3] / "transcripts"
EXAMPLES = [
    line.split("\t")
    for line in (TRANSCRIPTS / "xgids.tsv").read_text().splitlines()
    if not line.startswith("#")
]
TABLE = json.loads((TRANSCRIPTS / "gnubg_ids.json").read_text())
STATES = [dict(zip(TABLE["columns"], row, strict=True)) for row in TABLE["rows"]]
WITH_XGID = [state for state in STATES if state["xgid"]]

LIMIT = 100.0
START_BOARD = "-b----E-C---eE---c-e----B-"
PLAIN = f"{START_BOARD}:0:0:1:31:0:0:0:5:10"


def with_field(place, value):
    """The plain XGID with another value in one of its ten fields."""
    fields = PLAIN.split(":")
    fields[place] = value
    return ":".join(fields)


@pytest.mark.parametrize(("text", "position", "match"), EXAMPLES)
def test_published_example_means_these_ids_and_is_written_again(text, position, match):
    xgid = parse_xgid(text)
    assert (position_id(xgid.position), match_id(xgid.record)) == (position, match)
    assert xgid_text(xgid) == PREFIX + text
    assert parse_xgid(PREFIX + text) == xgid


def test_all_25_examples_are_there_and_ask_what_they_say():
    read = [parse_xgid(text) for text, _, _ in EXAMPLES]
    asked = [type(request_of(xgid.position, xgid.record)) for xgid in read]
    assert (len(asked), asked.count(ChooseCheckerPlay), asked.count(AnswerDouble)) == (25, 14, 2)


def test_example_5_is_seen_by_player_2_who_is_on_roll():
    xgid = parse_xgid(EXAMPLES[4][0])
    state = request_of(xgid.position, xgid.record).state
    assert state.position == START
    assert state.cube.value == 2
    assert state.cube.owner.value == "player on roll"
    assert (state.score.away, state.score.other_away) == (3, 2)


def test_example_14_is_seen_by_player_2_with_a_checker_of_player_1_on_the_bar():
    places = {0: -1, 1: 2, 2: 2, 3: -1, 6: 4, 8: 3, 12: -4, 13: 2, 17: -3, 19: -4, 21: -2, 23: 1}
    points = [places.get(point, 0) for point in range(26)]
    points[24] = 1
    assert parse_xgid(EXAMPLES[13][0]).position == Position(tuple(points))


@pytest.mark.parametrize("state", WITH_XGID, ids=lambda state: state["xgid"])
def test_gnubg_maps_these_to_the_same_ids(state):
    xgid = parse_xgid(state["xgid"])
    assert position_id(xgid.position) == state["position_id"]
    assert match_id(xgid.record) == state["match_id"]


def test_there_are_77_of_gnubgs():
    assert len(WITH_XGID) == 77


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{START_BOARD}:0:0:1:31:0:0:2:5:10", "has rule 2 in a match"),
        (f"{START_BOARD}:0:0:1:00:7:0:0:7:10", "cannot be: no score of a match to 7: 7-0"),
        (f"{START_BOARD}:0:0:1:17:0:0:0:7:10", "has dice '17', neither two from 1 to 6"),
        (f"{START_BOARD}:0:0:1:10:0:0:0:7:10", "has dice '10', neither two"),
        ("-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "gives player 1 16 checkers"),
        ("-b----E-C---fE---c-e----B-:0:0:1:31:0:0:0:5:10", "gives player 2 16 checkers"),
        ("-BCBBCB------------------b-:0:0:1:00:0:0:0:0:10", "has a board of 27 characters"),
        ("A-----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "on the other player's bar"),
        ("-b----E-C---eE---c-e-----a:0:0:1:31:0:0:0:5:10", "on the other player's bar"),
        (PLAIN.replace("-b-", "-q-"), "has 'q' on the board"),
        (PLAIN.replace("-b-", "-\u0131-"), "has '\u0131' on the board"),
        (f"{'-' * 26}:0:0:1:31:0:0:0:5:10", "has no checkers on the board"),
        (f"{PLAIN}:0", "is not 10 fields with colons between them but 11"),
        (":".join(PLAIN.split(":")[:8]), "is not 10 fields with colons between them but 8"),
        ("", "is not 10 fields with colons between them but 1"),
        (with_field(1, "13"), "has a cube of 2 to the power of '13'"),
        (with_field(1, "-1"), "has a cube of 2 to the power of '-1'"),
        (with_field(2, "1"), "gives a cube at 1 an owner"),
        (with_field(2, "2"), "has owner '2'"),
        (with_field(3, "0"), "has turn '0'"),
        (with_field(4, "B"), "waits for the answer to a beaver, which Blot cannot set up"),
        (with_field(4, "R"), "waits for the answer to a raccoon, which Blot cannot set up"),
        (with_field(4, "٣١"), "has dice '٣١'"),
        (with_field(5, "-1"), "has score '-1'"),
        (with_field(5, "1e3"), "has score '1e3'"),
        (with_field(7, "4"), "has rule '4'"),
        (with_field(7, "1"), "cannot be: no Crawford game at 0-0 to 5"),
        (with_field(8, "65"), "cannot be: a match has 1 to 64 points, not 65"),
        (with_field(9, ""), "has a highest cube of 2 to the power of ''"),
    ],
)
def test_what_no_game_can_be_is_refused_in_one_sentence(text, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        parse_xgid(text)
    assert str(refusal.value).startswith("XGID ")
    assert "\n" not in str(refusal.value)


def test_nine_fields_have_the_usual_limit():
    assert parse_xgid(PLAIN.removesuffix(":10")) == parse_xgid(PLAIN)


def test_dice_may_come_in_either_order():
    assert parse_xgid(with_field(4, "13")) == parse_xgid(PLAIN)


def test_a_cube_that_automatic_doubles_turned_is_read():
    record = parse_xgid(f"{START_BOARD}:1:0:1:31:0:0:1:0:10").record
    assert (record.cube, record.cube_owner) == (2, None)


def test_rule_tells_of_jacoby_and_beavers_in_money_games():
    read = [parse_xgid(f"{START_BOARD}:0:0:1:31:0:0:{rule}:0:10") for rule in range(4)]
    assert [xgid.record.jacoby for xgid in read] == [False, True, False, True]
    assert [xgid.beavers for xgid in read] == [False, False, True, True]


def test_what_blot_does_not_keep_is_told_in_a_sentence():
    assert parse_xgid(PLAIN).note == parse_xgid(with_field(9, "12")).note == ""
    assert parse_xgid(with_field(9, "2")).note == (
        "This XGID lets the cube go up to 4; Blot's goes to 4096."
    )
    assert "without the cube; --no-cube" in parse_xgid(with_field(9, "0")).note


def test_what_an_xgid_cannot_tell_is_said_in_a_sentence():
    over = Xgid(START, MatchIdFields(1, 1, Stage.DROPPED))
    resigned = Xgid(START, MatchIdFields(1, 0, resignation=2))
    assert xgid_line(over) == "An XGID cannot tell that a game is over."
    assert xgid_line(resigned) == "An XGID cannot tell of a resignation."
    with pytest.raises(ValueError, match="of a resignation"):
        xgid_text(resigned)


@given(
    state=game_states(),
    roller=st.sampled_from((0, 1)),
    roll=st.none() | rolls(),
    doubled=st.booleans(),
    session=st.tuples(st.integers(0, 32767), st.integers(0, 32767)),
)
def test_whatever_is_asked_survives_its_xgid(state, roller, roll, doubled, session):
    request = ChooseCheckerPlay(state, roll) if roll else ChooseCubeAction(state)
    request = AnswerDouble(state) if doubled else request
    record = match_id_fields(request, roller=roller, session_points=session)
    xgid = Xgid(state.position, record, state.money.beavers)
    assert parse_xgid(xgid_text(xgid)) == xgid


@given(state=game_states())
def test_no_resignation_is_written(state):
    record = match_id_fields(AnswerResignation(state, 1))
    with pytest.raises(ValueError, match="resignation"):
        xgid_text(Xgid(state.position, record))


@pytest.mark.gnubg
def test_gnubg_reads_the_examples_as_they_are_read_here(tmp_path):
    # From a pipe gnubg swaps the players where player 2 is on roll; its IDs are shown before.
    commands = ["set player 0 human", "set player 1 human", "set automatic roll off", "new match 3"]
    commands += [f"set xgid {PREFIX}{text}" for text, _, _ in EXAMPLES]
    said = subprocess.run(
        [find_gnubg(), "-t", "-q", "-r"],
        input="\n".join([*commands, ""]),
        env={"HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    ).stdout
    for text, position, match in EXAMPLES:
        if ":D:" not in text:  # gnubg forgets that the double waits
            assert match in said, text
            assert position in said, text
