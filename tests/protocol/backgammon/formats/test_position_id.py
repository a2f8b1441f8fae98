import base64
import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.match import MAX_CUBE, GameState, Score
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import (
    MatchIdFields,
    Stage,
    gnubg_id,
    match_id,
    parse_gnubg_id,
    parse_match_id,
    parse_position_id,
    position_id,
)
from tests.strategies import game_states, positions, rolls

TABLE = json.loads((Path(__file__).parents[3] / "transcripts" / "gnubg_ids.json").read_text())
STATES = [dict(zip(TABLE["columns"], row, strict=True)) for row in TABLE["rows"]]
SEATS = st.sampled_from((0, 1))


def position_of(state):
    """The position of a captured state, from gnubg's two counts of 25 points."""
    own, other = (dict(enumerate(state[f"board_{side}"], 1)) for side in ("on_roll", "not_on_roll"))
    return Position.of(own, other)


def record_of(state):
    """The record of a captured state."""
    return MatchIdFields(
        roller=state["player_on_roll"],
        decider=state["decision_turn"],
        stage=Stage(state["gamestate"]),
        roll=Roll.of_dice(*state["dice"]) if any(state["dice"]) else None,
        cube=state["cube_value"],
        cube_owner=state["cube_owner"] if state["cube_owner"] >= 0 else None,
        doubled=state["doubled"],
        resignation=state["resigned"],
        length=state["match_length"],
        points=tuple(state["score"]),
        crawford=state["crawford"],
        jacoby=bool(state["jacoby"]),
    )


def raw_position_id(bits):
    """The ID of 80 bits, whatever they mean; the first bit comes first, zeros follow."""
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode()[:14]


def with_bits(low, width, value):
    """The ID of a record with some bits set otherwise than any record has them."""
    number = int.from_bytes(base64.b64decode(match_id(MatchIdFields(1, 1))), "little")
    number = number & ~(((1 << width) - 1) << low) | value << low
    return base64.b64encode(number.to_bytes(9, "little")).decode()


@st.composite
def records(draw):
    return MatchIdFields(
        roller=draw(SEATS),
        decider=draw(SEATS),
        stage=draw(st.sampled_from(Stage)),
        roll=draw(st.none() | rolls()),
        cube=2 ** draw(st.integers(0, MAX_CUBE.bit_length() - 1)),
        cube_owner=draw(st.none() | SEATS),
        doubled=draw(st.booleans()),
        resignation=draw(st.integers(0, 3)),
        length=draw(st.integers(0, 32767)),
        points=(draw(st.integers(0, 32767)), draw(st.integers(0, 32767))),
        crawford=draw(st.booleans()),
        jacoby=draw(st.booleans()),
    )


@st.composite
def requests(draw):
    state = draw(game_states())
    state = GameState(state.position, state.cube, state.score)
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return ChooseCheckerPlay(state, draw(rolls()))
    if kind == 1:
        return ChooseCubeAction(state)
    if kind == 3:
        return AnswerResignation(state, draw(st.integers(1, 3)))
    assume(state.doubling_illegality is None)
    return AnswerDouble(state)


def test_there_are_206_captured_states():
    assert len(STATES) == 206


@pytest.mark.parametrize("state", STATES, ids=lambda state: state["match_id"])
def test_position_id_is_gnubgs(state):
    assert position_id(position_of(state)) == state["position_id"]
    assert parse_position_id(state["position_id"]) == position_of(state)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state["match_id"])
def test_match_id_is_gnubgs(state):
    assert match_id(record_of(state)) == state["match_id"]
    assert parse_match_id(state["match_id"]) == record_of(state)


@pytest.mark.parametrize(
    "state", [s for s in STATES if s["gamestate"] == 1], ids=lambda state: state["match_id"]
)
def test_gnubg_id_of_a_game_being_played_is_read_and_written(state):
    text = f"{state['position_id']}:{state['match_id']}"
    request = parse_gnubg_id(text)
    assert request.state.position == position_of(state)
    points = tuple(state["score"])
    assert gnubg_id(request, roller=state["player_on_roll"], session_points=points) == text


def test_gnubg_id_tells_what_is_asked():
    asked = {"roll": 0, "play": 0, "double": 0, "resignation": 0}
    for state in STATES:
        if state["gamestate"] == 1:
            match parse_gnubg_id(f"{state['position_id']}:{state['match_id']}"):
                case ChooseCubeAction():
                    asked["roll"] += 1
                case ChooseCheckerPlay(_, roll):
                    asked["play"] += 1
                    assert (roll.high, roll.low) == tuple(sorted(state["dice"], reverse=True))
                case AnswerDouble():
                    asked["double"] += 1
                case AnswerResignation(_, points):
                    asked["resignation"] += 1
                    assert points == state["resigned"]
    assert asked == {"roll": 67, "play": 80, "double": 29, "resignation": 18}


def test_score_is_seen_by_the_player_on_roll():
    score = parse_gnubg_id("4HPwATDgc/ABMA:cInlAEAAEAAE").state.score
    assert (score.length, score.own, score.other) == (7, 2, 4)


@given(position=positions())
def test_position_survives_its_id(position):
    assert parse_position_id(position_id(position)) == position


@given(record=records())
def test_record_survives_its_id(record):
    assert parse_match_id(match_id(record)) == record


@given(request=requests(), roller=SEATS)
def test_request_survives_its_gnubg_id(request, roller):
    assert parse_gnubg_id(gnubg_id(request, roller=roller)) == request


@given(position=positions(), place=st.integers(0, 13), letter=st.sampled_from("ABCEIMQYgwz04+/"))
def test_position_id_that_is_read_is_written_the_same(position, place, letter):
    text = position_id(position)
    text = text[:place] + letter + text[place + 1 :]
    try:
        position = parse_position_id(text)
    except ValueError:
        return
    assert position_id(position) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4HPwATDgc/ABM", "has 14 characters"),
        ("4HPwATDgc/ABMA=", "has 14 characters"),
        ("4HPwATDgc/AB-A", "letters, digits"),
        ("4HPwATDgc/ABMé", "letters, digits"),
        ("4HPwATDgc/ABMB", "bits that mean nothing"),
        (raw_position_id("1" * 16), "gives the other side 16 checkers"),
        (raw_position_id("1".rjust(80, "0")), "goes on after the last point"),
        ("AAAAAAAAAAAAAA", "no checkers"),
        (raw_position_id("10" + "0" * 47 + "10"), "both sides on point 24"),
    ],
)
def test_bad_position_id_is_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_position_id(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("zzz", "has 12 characters"),
        ("cInlAAAAAAA=", "letters, digits"),
        (with_bits(0, 4, 13), "has cube 13"),
        (with_bits(4, 2, 2), "has cube owner 2"),
        (with_bits(8, 3, 5), "has stage 5"),
        (with_bits(15, 3, 7), "has die 1 7"),
        (with_bits(15, 3, 4), "has die 1 4"),
        (with_bits(15, 6, 0o71), "has die 2 7"),
        (with_bits(15, 6, 0o17), "has die 1 7"),
        (with_bits(67, 5, 1), "has padding 1"),
    ],
)
def test_bad_match_id_is_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_match_id(text)


def test_game_that_gnubgs_analysis_calls_none_is_read_as_one_that_is_played():
    # The first position of a match to 5 and of the Crawford game of a match to 9, as exported.
    score = Score(5, 0, 0)
    question = parse_gnubg_id("4HPwATDgc/ABMA:MICpAAAAAAAE")
    assert question == ChooseCheckerPlay(GameState(START, score=score), Roll(3, 2))
    score = Score(9, 8, 6, is_crawford=True)
    question = parse_gnubg_id("4HPwATDgc/ABMA:8IglAWAAQAAE")
    assert question == ChooseCheckerPlay(GameState(START, score=score), Roll(3, 1))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4HPwATDgc/ABMA", "POSITION:MATCH"),
        ("4HPwATDgc/ABMA:cInlAAAAAAAE:", "POSITION:MATCH"),
        ("4HPwATDgc/ABMA:MAwAABAAQAAA", "the game is over"),
        ("AAAAvj/EAAAAAA:MAEAAAAAAAAA", "the game is over"),
        ("AAAAbLcPAgAAAA:AQJgAAAAIAAE", "the match is over: X won it, 4 to 0 \\(GNUbg ID"),
        (f"4HPwATDgc/ABMA:{match_id(MatchIdFields(1, 1, length=3, points=(3, 0)))}", "no score"),
        (f"4HPwATDgc/ABMA:{match_id(MatchIdFields(1, 1, length=65))}", "1 to 64 points"),
        (f"4HPwATDgc/ABMA:{match_id(MatchIdFields(1, 1, length=3, crawford=True))}", "no Crawford"),
        ("4HPwATDgc/ABMA:cDmgAAAAAAAE", "a resignation in place of an answer to a double"),
        ("4HPwATDgc/ABMA:QRkAAAAAAAAA", "the other side's cube is a beaver"),
        ("4HPwATDgc/ABMA:8BGgAEAAEAAE", "nobody doubles in the Crawford game"),
        ("4HPwATDgc/ABMA:XBEAAAAAAAAA", "the cube goes no higher"),
    ],
)
def test_gnubg_id_without_a_game_to_play_is_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_gnubg_id(text)


def test_record_that_no_match_id_can_hold_is_refused():
    with pytest.raises(ValueError, match="power of two"):
        MatchIdFields(0, 0, cube=3)
    with pytest.raises(ValueError, match="seats"):
        MatchIdFields(0, 2)
    with pytest.raises(ValueError, match="no room for points of player 1"):
        match_id(MatchIdFields(0, 0, points=(0, 32768)))


def test_start_is_gnubgs_best_known_id():
    assert position_id(START) == "4HPwATDgc/ABMA"
