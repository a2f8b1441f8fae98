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
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.fibs_board import FIELDS, BoardRequest, board_line, parse_board
from protocol.backgammon.formats.notation import parse_play
from protocol.errors import MalformedLineError
from tests.strategies import game_states, rolls

TABLE = Path(__file__).parents[3] / "transcripts" / "gnubg_boards.tsv"
SAMPLES = [row.split("\t") for row in TABLE.read_text().splitlines()]
NUMBERED = [(f"{number}-{row[1]}", *row) for number, row in enumerate(SAMPLES)]

START_POINTS = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
OPENING = f"board:gnubg:root:3:0:0:{START_POINTS}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1"
QUESTIONS = {"move": ChooseCheckerPlay, "roll": ChooseCubeAction, "take": AnswerDouble}


def start_line(match, rest):
    """A line with the starting position: names, length and scores; turn and what follows."""
    return f"board:{match}:{START_POINTS}:{rest}"


def changed(line=OPENING, **values):
    """The line with fields replaced: point_0="x" sets the field `point 0`."""
    texts = dict(zip(FIELDS, line.removeprefix("board:").split(":"), strict=True))
    for field, value in values.items():
        field = field.replace("_", " ").replace("post Crawford", "post-Crawford")
        assert field in texts
        texts[field] = str(value)
    return "board:" + ":".join(texts.values())


def test_there_are_52_fields_and_162_samples():
    assert len(FIELDS) == len(set(FIELDS)) == 52
    assert len(SAMPLES) == 162


@pytest.mark.parametrize(("name", "seat", "kind", "line", "reply"), NUMBERED)
def test_gnubgs_line_is_read_and_written_byte_for_byte(name, seat, kind, line, reply):
    board = parse_board(line)
    assert type(board.request) is QUESTIONS[kind]
    assert board.decider == int(seat)
    assert (board.decider != board.roller) == (kind == "take")
    assert board.names == ("gnubg", "root")
    assert board_line(board) == line


@pytest.mark.parametrize(
    ("name", "seat", "kind", "line", "reply"),
    [row for row in NUMBERED if row[2] == "move" and not row[4].startswith("resign")],
)
def test_play_that_gnubg_took_is_legal_in_the_position_read(name, seat, kind, line, reply):
    request = parse_board(line).request
    parse_play(reply, request.state.position, request.roll)


def test_opening_of_player_1():
    board = parse_board(OPENING + "\n\0")
    assert board.roller == board.decider == 1
    assert board.request == ChooseCheckerPlay(
        GameState(START, Cube(), Score(3, 0, 0), MoneyRules(jacoby=True, beavers=False)),
        Roll(3, 1),
    )


def test_board_of_player_0_is_turned():
    line = changed(turn=-1, point_1=-1, point_2=-1, point_6=4, point_5=1)
    seen = parse_board(line).request.state.position
    by_player_1 = parse_board(changed(line, turn=1)).request.state.position
    assert seen == turned(by_player_1)
    assert (seen.points[24], seen.points[23], seen.points[19], seen.points[20]) == (1, 1, -4, -1)


@pytest.mark.parametrize(
    ("line", "roller", "score"),
    [
        ("gnubg:ext:7:2:5|1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1", 1, Score(7, 5, 2)),
        ("ext:gnubg:7:5:2|-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1", 0, Score(7, 2, 5)),
        ("ext:gnubg:7:5:2|1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1", 1, Score(7, 5, 2)),
        ("gnubg:ext:7:2:6|1:5:2:5:2:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0", 1, Score(7, 6, 2, True)),
        ("gnubg:ext:7:2:6|-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1", 0, Score(7, 2, 6)),
        ("gnubg:ext:1:0:0|-1:6:2:6:2:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1", 0, Score(1, 0, 0)),
    ],
)
def test_score_is_seen_by_the_player_on_roll(line, roller, score):
    line = start_line(*line.split("|"))
    board = parse_board(line)
    assert board.roller == roller
    assert board.names == ("gnubg", "ext")
    assert board.request.state.score == score
    assert board_line(board) == line


@pytest.mark.parametrize(
    ("flags", "turn", "owner"),
    [
        ("0:1", -1, CubeOwner.ON_ROLL),
        ("0:1", 1, CubeOwner.OTHER),
        ("1:0", 1, CubeOwner.ON_ROLL),
        ("1:0", -1, CubeOwner.OTHER),
        ("1:1", 1, CubeOwner.CENTRED),
    ],
)
def test_cube_is_owned_by_the_side_that_may_double(flags, turn, owner):
    first, second = flags.split(":")
    line = changed(turn=turn, cube=4, may_double_1=first, may_double_2=second)
    assert parse_board(line).request.state.cube == Cube(4, owner)


def test_cube_of_automatic_doubles_is_centred_above_1():
    board = parse_board(changed(match_length=0, cube=4))
    assert board.request.state.cube == Cube(4, CubeOwner.CENTRED)
    assert board.request.state.score is None


@pytest.mark.parametrize(
    ("turn", "dice", "roll"),
    [
        (1, (3, 1, 0, 0), Roll(3, 1)),
        (-1, (0, 0, 3, 1), Roll(3, 1)),
        (1, (3, 1, 6, 5), Roll(3, 1)),
        (-1, (6, 5, 1, 3), Roll(3, 1)),
        (1, (0, 0, 3, 1), Roll(3, 1)),
        (-1, (3, 1, 0, 0), Roll(3, 1)),
    ],
)
def test_each_side_may_have_its_own_dice_as_on_fibs(turn, dice, roll):
    """GNU Backgammon's server plays dice that only the side has that is not on turn."""
    line = changed(turn=turn, **{f"die_{number}": die for number, die in enumerate(dice, 1)})
    board = parse_board(line)
    assert board.request.roll == roll
    assert board.low_die_first == (1 in dice and dice.index(1) < dice.index(3))


@pytest.mark.parametrize(
    ("colour", "direction", "sign", "step"), [(-1, -1, -1, 1), (1, 1, 1, -1), (-1, 1, -1, -1)]
)
@pytest.mark.parametrize("turn", [1, -1])
def test_the_first_player_may_have_the_other_checkers_or_move_up_as_on_fibs(
    turn, colour, direction, sign, step
):
    """Each says the same to GNU Backgammon's server, which answers all of them alike."""
    ours = changed(turn=turn, point_6=4, point_25=1, point_19=-4, point_0=-1)
    points = [sign * int(point) for point in ours.split(":")[6:32]][::step]
    fields = {f"point_{number}": point for number, point in enumerate(points)}
    way = {"colour": colour, "direction": direction, "home": 25, "bar": 0}
    assert parse_board(changed(ours, **fields, **way, turn=sign * turn)) == parse_board(ours)


@pytest.mark.parametrize(
    ("length", "points", "is_crawford"),
    [(1, (0, 0), False), (3, (0, 1), False), (3, (0, 2), True), (3, (2, 2), False)],
)
def test_a_last_field_of_0_is_the_crawford_game_only_where_it_can_be(length, points, is_crawford):
    """FIBS tells something else there; GNU Backgammon's server reads its lines so."""
    line = changed(match_length=length, score_1=points[0], score_2=points[1], Crawford=0)
    assert parse_board(line).request.state.score.is_crawford is is_crawford


def test_money_rules_come_from_the_caller():
    state = parse_board(changed(match_length=0), jacoby=False, beavers=True).request.state
    assert state.money == MoneyRules(jacoby=False, beavers=True)


def test_points_of_a_money_session_are_kept_by_seat():
    line = changed(match_length=0, score_1=14, score_2=70)
    assert parse_board(line).session_points == (14, 70)
    doubled = changed(line, die_1=0, die_2=0, die_3=0, die_4=0, doubled=1)
    assert parse_board(doubled).session_points == (70, 14)


def test_a_match_without_end_is_a_money_session_by_fibss_length_too():
    without_end = changed(match_length=9999, score_1=14, score_2=70)
    board = parse_board(without_end)
    assert board.request.state.score is None
    assert board.session_points == (14, 70)


def test_beaver_is_answered_by_the_player_on_roll():
    line = start_line("gnubg:root:0:3:0", "-1:0:0:0:0:2:1:0:1:1:-1:0:25:0:0:0:0:0:0:0:1")
    for board in (parse_board(line), parse_board(line, seat=0)):
        assert board.is_beaver
        assert board.roller == board.decider == 0
        assert board.names == ("gnubg", "root")
        assert board.session_points == (3, 0)
        assert board.request.state.cube == Cube(2, CubeOwner.OTHER)
        assert board_line(board) == line


def test_raccoon_is_answered_by_the_side_that_beavered():
    line = start_line("root:gnubg:0:0:3", "1:0:0:0:0:4:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1")
    board = parse_board(line, seat=0)
    assert board.is_beaver
    assert (board.roller, board.decider) == (1, 0)
    assert board.names == ("gnubg", "root")
    assert board_line(board) == line


def test_first_double_is_no_beaver_and_answered_by_the_other_side_whatever_the_seat():
    line = changed(die_1=0, die_2=0, die_3=0, die_4=0, doubled=1)
    board = parse_board(line, seat=1)
    assert not board.is_beaver
    assert (board.roller, board.decider) == (1, 0)


@st.composite
def board_requests(draw):
    state = draw(game_states())
    roller = draw(st.sampled_from((0, 1)))
    points = (0, 0) if state.score else (draw(st.integers(0, 999)), draw(st.integers(0, 999)))
    request = draw(
        st.sampled_from((ChooseCheckerPlay(state, draw(rolls())), ChooseCubeAction(state)))
    )
    decider = roller
    may_double = state.cube.owner is not CubeOwner.OTHER
    if may_double and not (state.score and state.score.is_crawford) and draw(st.booleans()):
        request, decider = AnswerDouble(state), 1 - roller
    low_first = isinstance(request, ChooseCheckerPlay) and not request.roll.is_double
    names = draw(st.sampled_from((("gnubg", "blot"), ("A B", '"x"'), ("", "board"))))
    return BoardRequest(request, roller, decider, names, points, low_first and draw(st.booleans()))


@given(board=board_requests())
def test_request_survives_its_line(board):
    state = board.request.state
    line = board_line(board)
    rules = state.money
    assert parse_board(line, jacoby=rules.jacoby, beavers=rules.beavers) == board
    assert len(line) < 255


def test_colon_in_a_name_becomes_an_underscore():
    board = parse_board(OPENING)
    named = BoardRequest(board.request, 1, 1, ("a:b", "c"))
    assert board_line(named).startswith("board:a_b:c:3:")


def test_resignation_has_no_line():
    request = AnswerResignation(GameState(START), 1)
    with pytest.raises(ValueError, match="resignation"):
        board_line(BoardRequest(request, 1, 0))


BAD_LINES = [
    ("hello", "the word 'board:'"),
    ("", "the word 'board:'"),
    ("board:a", r"the 52 fields \(there are 1\)"),
    ("board:a:b", r"the 52 fields \(there are 2\)"),
    (OPENING + ":0", r"the 52 fields \(there are 53\)"),
    (OPENING.removesuffix(":1"), r"the 52 fields \(there are 51\)"),
    (changed(match_length="x"), "match length 'x'"),
    (changed(point_7="1.5"), "point 7 '1.5'"),
    (changed(cube=""), "cube ''"),
    (changed(cube="9" * 3000), "cube '99999999999999999999'"),
    (changed(forced_move="٣"), "forced move"),
    (changed(die_2=" 1"), "die 2 ' 1'"),
    (changed(match_length=65), "match length 65"),
    (changed(match_length=9998), "match length 9998"),
    (changed(match_length=-1), "match length -1"),
    (changed(score_1=3), "score 1 3"),
    (changed(score_2=-1), "score 2 -1"),
    (changed(match_length=0, score_1=-1), "score 1 -1"),
    (changed(Crawford=2), "Crawford 2"),
    (changed(post_Crawford=7), "post-Crawford 7"),
    (changed(point_0=1, point_1=-3), "point 0 1"),
    (changed(point_25=-1), "point 25 -1"),
    (changed(point_5=1), "the 16 checkers of player 1"),
    (changed(point_2=-1), "the 16 checkers of player 0"),
    (changed(point_5=128), "the 143 checkers of player 1"),
    (changed(point_6=4), "checkers off of player 1 0"),
    (changed(checkers_off_of_player_0=1), "checkers off of player 0 1"),
    (
        changed(point_6=0, point_8=0, point_13=0, point_24=0, checkers_off_of_player_1=15),
        "the 0 checkers of player 1",
    ),
    (changed(turn=0), "turn 0"),
    (changed(turn=2), "turn 2"),
    (changed(die_1=7, die_3=7), "the dice 7 and 1"),
    (changed(die_2=0, die_4=0), "the dice 3 and 0"),
    (changed(die_1=-3, die_3=-3), "the dice -3 and 1"),
    (changed(cube=3), "cube 3"),
    (changed(cube=0), "cube 0"),
    (changed(cube=8192), "cube 8192"),
    (changed(may_double_1=0), "cube 1"),
    (changed(may_double_1=2), "may double 1 2"),
    (changed(may_double_1=0, may_double_2=0), "may double 1 and 2, both 0"),
    (changed(doubled=2), "doubled 2"),
    (changed(doubled=1), "doubled 1 with the dice rolled"),
    (
        changed(die_1=0, die_2=0, die_3=0, die_4=0, doubled=1, cube=2, may_double_1=0),
        "doubled 1 where nobody may double",
    ),
    (
        changed(die_1=0, die_2=0, die_3=0, die_4=0, doubled=1, score_1=2, Crawford=0),
        "doubled 1 where nobody may double",
    ),
    (changed(colour=0), "colour 0"),
    (changed(direction=2), "direction 2"),
    (changed(home=24), "home 24"),
    (changed(bar=1), "bar 1"),
]


@pytest.mark.parametrize(("line", "complaint"), BAD_LINES, ids=[c for _, c in BAD_LINES])
def test_malformed_line_is_refused_by_the_name_of_its_field(line, complaint):
    with pytest.raises(MalformedLineError, match=f"^cannot read {complaint}") as caught:
        parse_board(line)
    assert len(str(caught.value)) < 250


@given(line=st.text(max_size=300) | st.text(":0123-", max_size=300).map("board:a:b:".__add__))
def test_no_text_makes_it_fail_otherwise(line):
    with pytest.raises(MalformedLineError):
        parse_board(line)
