import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, DoubleAnswer
from bot.backgammon.rules.match import Cube, CubeOwner, Score
from protocol.backgammon.adapters.ubgi_engine import UbgiEngine
from protocol.backgammon.adapters.ubgi_settings import UbgiSettings
from protocol.wire import Goodbye
from tests.fakes.cube_player import CubePlayer

START = "position gnubgid 4HPwATDgc/ABMA"
CRAWFORD = "newsession type match length 5"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:2:0:0:7:10"
BOARD = (
    "board:gnubg:root:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:{dice}:{dice}:1:1:1:{doubled}:1:-1:0:25:0:0:0:0:0:0:0:1"
)


class Talk:
    """A conversation with an engine that plays like pubeval."""

    def __init__(self, **more):
        self.made = []
        self.player = CubePlayer(**more)
        self.answers = []
        self.engine = UbgiEngine(
            self.make_engine, self.answers.append, identity=("Blot", "nobody", "")
        )

    def make_engine(self, settings, *, cube, stop):
        self.made.append((settings, cube))
        return self.player

    def __call__(self, *lines):
        """What is answered to the lines, but for the info."""
        self.answers.clear()
        for line in lines:
            self.engine.receive(line)
        return [line for line in self.answers if not line.startswith("info ")]

    @property
    def state(self):
        """What was at stake in the last question."""
        return self.player.asked[-1].state


@pytest.fixture
def talk():
    return Talk()


def test_the_handshake_names_the_dialect_and_ends(talk):
    lines = talk("ubgi")
    assert lines[:3] == ["id name Blot", "id author nobody", "proto 0.2"]
    assert lines[-1] == "ubgiok"
    assert "key engine.ply int 1..4 4 plies looked ahead, the root included" in lines
    assert "key engine.threads int 1..256 1 ! threads that look ahead at once" in lines
    assert "option name Ply type spin default 4 min 1 max 4" in lines
    assert "option name EvalMode type combo default auto var auto var cubeless var cubeful" in lines
    assert talk.made == []


def test_keys_are_told_again_without_an_end(talk):
    assert talk("keys") == [line for line in talk("ubgi") if line.startswith("key ")]


def test_the_engine_is_made_before_the_first_readyok(talk):
    assert talk("isready", "isready") == ["readyok"] * 2
    assert talk.made == [(UbgiSettings(), False)]


@pytest.mark.parametrize("go", ["go", "go chequer", "go role chequer", " go   chequer\t"])
def test_a_play_is_asked_for_in_every_dialect(talk, go):
    assert talk(START, "dice 1 3", go) == ["bestmove 8/5 6/5"]
    assert re.fullmatch(
        r"info role chequer time_ms \d+ depth 1 eq 0\.2500 pwin 0\.7000 pgammon 0\.2000 "
        r"pbg 0\.0100 pv 8/5 6/5",
        talk.answers[0],
    )
    assert talk.made == [(UbgiSettings(), False)]


@pytest.mark.parametrize(
    ("position", "dice", "answer"),
    [
        ("Np7BQSCYZ/AAWA", "5 3", r"bar/20 .*"),
        ("/z0AADDeaxsAAA", "5 5", r".*5/off.*"),
        ("27YBAAAAACAAAA", "6 6", "pass"),
        ("ugAAAAEAAAAAAA", "6 2", "3/(1 1/)?off"),
        ("4HPwATDgc/ABMA", "1 1", r"\d+/\d+ \d+/\d+ \d+/\d+ \d+/\d+"),
    ],
)
def test_every_leg_is_written_by_itself(talk, position, dice, answer):
    (line,) = talk(f"position gnubgid {position}", f"dice {dice}", "go")
    assert re.fullmatch(f"bestmove {answer}", line)


def test_a_hit_has_no_star(talk):
    (line,) = talk("position gnubgid 4HPkQSCwZ/ABMA", "dice 6 4", "go")
    assert "*" not in line


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["hello"], "bad_command hello"),
        (["go"], "bad_state position"),
        ([START, "go"], "bad_state dice"),
        ([START, "dice 6 1", "newgame", "dice 6 1", "go"], "bad_state position"),
        (["position gnubgid 4HPw"], "bad_value position: a position ID has 14 characters"),
        (["position gnubgid AAAAAAAAAAAAAA"], "bad_value position: .* no checkers"),
        (["position fen x"], "unsupported position fen"),
        (["dice 7 1"], "bad_value dice: two numbers from 1 to 6 are wanted"),
        (["dice 6"], "bad_value dice"),
        (["dice six one"], "bad_value dice"),
        (["go pass"], "bad_value go: 'pass' is none of chequer, cube, turn"),
        (["go chequer nodes 5"], "unsupported go nodes"),
        (["go chequer depth 9"], "bad_value go: depth is 1 to 4"),
        (["go chequer depth"], "bad_value go: a limit is a word and a number"),
        (["set engine.ply 9"], "bad_value engine.ply: '9' is not 1 to 4"),
        (["set engine.ply"], "bad_command set KEY VALUE"),
        (["set engine.colour red"], "unsupported key"),
        (["set engine.weights nonesuch"], "bad_value engine.weights: "),
        (["set engine.level best"], "bad_value engine.level: 'best' is none of easy"),
        (["position xgid XGID=4HP"], "bad_value position: XGID 'XGID=4HP' is not 10 fields"),
        (["set engine.seconds soon"], "bad_value engine.seconds: 'soon' is neither"),
        (["get engine.colour"], "unsupported key"),
        ([START, "go cube"], "bad_state newsession"),
        (["x" * 3000], "bad_command a line has at most"),
        (["setoption name Colour value red"], "unsupported_feature no option Colour"),
        (["setoption Ply 3"], "bad_argument setoption name NAME value VALUE"),
        (["go role chequer"], "missing_context position"),
        (["setscore 1 2"], "missing_context newsession comes first"),
        (["newsession type match"], "bad_argument newsession: a match has a length"),
        (["newsession type match length 99"], "bad_argument newsession: a match has 1 to 64"),
        (["newsession type chouette"], "bad_argument newsession: type money or type match"),
        ([CRAWFORD, "setscore 5 0"], "bad_argument setscore: no score of a match to 5"),
        ([CRAWFORD, "setcube value 3 owner p0"], "bad_argument setcube: a cube shows"),
        ([CRAWFORD, "setturn p2"], "bad_argument setturn: 'p2' is none of p0, p1"),
    ],
)
def test_a_wrong_line_gets_one_error_and_the_session_goes_on(talk, lines, answer):
    (line,) = talk(*lines)
    assert re.match(f"error {answer}", line)
    assert talk(START, "dice 3 1", "go") == ["bestmove 8/5 6/5"]


def test_an_error_is_one_line_of_signs_that_can_be_printed(talk):
    (line,) = talk("\x00\x1b[2J\x7fx")
    assert line == "error bad_command ??[2J?x"


def test_empty_lines_and_an_idle_stop_are_passed_over(talk):
    assert talk("", "   ", "stop") == []


@pytest.mark.parametrize("word", ["quit", "quit now"])
def test_quit_ends_the_conversation(talk, word):
    with pytest.raises(Goodbye):
        talk(word)


@pytest.mark.parametrize(
    ("lines", "key", "value"),
    [
        ([], "engine.level", "expert"),
        (["set engine.ply 2"], "engine.ply", "2"),
        (["set engine.ply 2", "set engine.level easy"], "engine.ply", "1"),
        (["set engine.level easy"], "engine.weights", LEVELS["easy"].weights),
        (["set engine.threads 2", "set engine.level hard"], "engine.threads", "2"),
        (["set engine.seconds 3", "set engine.level hard"], "engine.seconds", "3"),
        (["set engine.filter huge"], "engine.filter", "huge"),
        (["set engine.seconds 1.5"], "engine.seconds", "1.5"),
        (["set engine.seconds 1.5", "set engine.seconds off"], "engine.seconds", "off"),
        (["set engine.weights td-128"], "engine.weights", "td-128"),
        (["setoption name ply value 3"], "engine.ply", "3"),
        (["setoption name EvalMode value cubeful"], "engine.eval_mode", "cubeful"),
        (["setoption name Variant value backgammon"], "game.variant", "backgammon"),
    ],
)
def test_what_is_set_is_told(talk, lines, key, value):
    assert talk(*lines) == []
    assert talk(f"get {key}") == [f"value {key} {value}"]


def test_the_engine_is_made_anew_when_something_was_set(talk):
    talk(START, "dice 3 1", "go", "set engine.ply 2", "go", "set engine.ply 4", "go")
    assert [settings.search.ply for settings, _ in talk.made] == [3, 1]


def test_limits_hold_for_one_question(talk):
    talk(START, "dice 3 1", "go role chequer movetime 250 depth 2", "go")
    assert [(made.search.seconds, made.search.ply) for made, _ in talk.made] == [
        (0.25, 1),
        (None, 3),
    ]


@pytest.mark.parametrize(
    ("mode", "session", "cube"),
    [
        ("auto", "", False),
        ("auto", "newsession type money", True),
        ("cubeful", "", True),
        ("cubeless", "newsession type money", False),
    ],
)
def test_the_cube_counts_where_there_is_one(talk, mode, session, cube):
    talk(f"set engine.eval_mode {mode}", session, START, "dice 3 1", "go")
    assert [has_cube for _, has_cube in talk.made] == [cube]


def test_the_session_tells_score_cube_and_turn(talk):
    talk("newsession type match length 7", "setscore 2 4", "setcube value 2 owner p0", "setturn p1")
    talk(START, "dice 3 1", "go")
    assert talk.state.score == Score(7, 4, 2)
    assert talk.state.cube == Cube(2, CubeOwner.OTHER)
    talk("newgame", START, "dice 3 1", "go")
    assert talk.state.cube == Cube()


@pytest.mark.parametrize(
    ("rule", "score", "is_crawford"),
    [("on", "4 2", True), ("off", "4 2", False), ("on", "4 4", False), ("on", "3 2", False)],
)
def test_a_side_one_point_away_plays_the_crawford_game(talk, rule, score, is_crawford):
    talk(f"{CRAWFORD} crawford {rule}", f"setscore {score}", START, "dice 3 1", "go")
    assert talk.state.score.is_crawford == is_crawford


def test_money_rules_are_those_of_the_session(talk):
    talk("newsession type money jacoby off", START, "dice 3 1", "go")
    assert (talk.state.score, talk.state.money.jacoby) == (None, False)


@pytest.mark.parametrize(("doubles", "answer"), [(True, "double"), (False, "nodouble")])
def test_the_cube_is_asked_for_in_a_session(doubles, answer):
    talk = Talk(doubles=doubles)
    talk("newsession type money", START)
    assert talk("go cube") == [f"bestcube {answer}"]
    assert talk("go role cube") == [f"bestcube {answer}"]
    assert talk("dice 3 1", "go turn") == [f"bestturn cube={answer} move=8/5 6/5"]
    owner = CubeOwner.OTHER if doubles else CubeOwner.CENTRED
    assert talk.state.cube == Cube(1 + doubles, owner)


def test_a_cube_that_is_the_other_sides_is_not_doubled():
    talk = Talk(doubles=True)
    talk("newsession type money", "setcube value 2 owner p1", START)
    assert talk("go cube") == ["bestcube nodouble"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [(DoubleAnswer.TAKE, "take"), (DoubleAnswer.DROP, "drop"), (DoubleAnswer.BEAVER, "take")],
)
def test_a_double_on_the_table_is_answered(answer, text):
    talk = Talk(answer=answer)
    assert talk("position gnubgid 4HPwATDgc/ABMA:cInlAAAAAAAE") == []
    position = "position gnubgid 4HPwATDgc/ABMA:cBkAAAAAAAAA"
    assert talk(position, "go cube") == [f"bestcube {text}"]


@pytest.mark.parametrize(
    ("dice", "answer"), [("31", "8/5 6/5"), ("00", "double"), ("D", "take"), ("77", "sorry")]
)
def test_a_bare_xgid_is_answered_with_the_answer_alone(dice, answer):
    talk = Talk(doubles=True)
    assert talk(XGID.format(dice)) == [answer]


def test_an_xgid_tells_the_match_the_dice_and_the_double():
    talk = Talk(doubles=True)
    assert talk(f"position xgid {XGID.format(31)}", "go") == ["bestmove 8/5 6/5"]
    assert talk.state.score == Score(7, 2, 0)
    assert talk(f"position xgid {XGID.format('00')}", "go cube") == ["bestcube double"]
    assert talk(f"position xgid {XGID.format('D')}", "go cube") == ["bestcube take"]


def test_dice_of_an_xgid_are_not_those_of_the_next_position(talk):
    assert talk(f"position xgid {XGID.format(31)}", START, "go") == ["error bad_state dice"]
    assert talk("dice 3 1", START, "go") == ["bestmove 8/5 6/5"]


def test_an_xgid_tells_beavers_and_a_game_without_the_cube(talk):
    board = XGID.partition(":")[0]
    for dice, rule, limit, beavers, cube in ((31, 3, 10, True, True), (31, 1, 0, False, False)):
        xgid = f"{board}:0:0:1:{dice}:0:0:{rule}:0:{limit}"
        for lines in ([f"position xgid {xgid}", "go"], [xgid]):
            assert talk(*lines)[0].endswith("8/5 6/5")
            assert talk.state.money.beavers is beavers
            assert talk.made[-1][1] is cube
    talk(f"position xgid {xgid}", "go cube")
    assert talk.made[-1][1] is False


def test_what_is_told_of_the_match_after_an_xgid_holds(talk):
    talk(f"position xgid {XGID.format('D')}", "newsession type match length 9", "go cube")
    assert talk.state.score == Score(9, 0, 0)
    assert not isinstance(talk.player.asked[-1], AnswerDouble)
    talk(f"position xgid {XGID.format('00')}", "setscore 3 1", "go cube")
    assert talk.state.score == Score(9, 3, 1)


def test_a_match_id_tells_the_dice_too(talk):
    assert talk("position gnubgid 4HPkQSCwZ/ABMA:cAkTAAAAAAAA", "go")[0].startswith("bestmove ")
    assert isinstance(talk.player.asked[-1], ChooseCheckerPlay)
    assert talk.player.asked[-1].roll.high == 6


@pytest.mark.parametrize(
    ("dice", "doubled", "answer"),
    [("3:1", 0, "8/5 6/5"), ("0:0", 0, "roll"), ("0:0", 1, "take")],
)
def test_a_bare_board_is_answered_with_the_answer_alone(talk, dice, doubled, answer):
    assert talk(BOARD.format(dice=dice, doubled=doubled)) == [answer]


def test_an_id_that_waits_for_the_answer_to_a_resignation_is_refused(talk):
    (answer,) = talk("position gnubgid 4HPwATDgc/ABMA:QUGgACAACAAE")
    assert answer.startswith("error bad_value position: it waits for the answer to a resignation")
    assert talk("go") == ["error bad_state position"]


def test_a_bare_board_that_is_none_gets_a_sorry(talk):
    assert talk("board:You:They:1") == ["sorry"]


def test_an_engine_that_cannot_be_made_is_told_of_before_the_ready_that_is_waited_for():
    def make_engine(settings, *, cube, stop):
        raise ValueError("x.npz is no weights file")

    answers = []
    engine = UbgiEngine(make_engine, answers.append)
    engine.receive("isready")
    assert answers == ["error bad_value isready: x.npz is no weights file", "readyok"]


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (RuntimeError("a mistake"), "error internal see standard error"),
        (ValueError("no\nbestmove 8/5 6/5"), "error bad_value no?bestmove 8/5 6/5"),
    ],
)
def test_an_error_of_a_search_is_answered_in_one_line(error, answer, caplog):
    class Broken:
        def decide(self, request):
            raise error

    answers = []
    engine = UbgiEngine(lambda settings, *, cube, stop: Broken(), answers.append)
    for line in (START, "dice 3 1", "go"):
        engine.receive(line)
    assert answers == [answer]
    assert ("a mistake" in caplog.text) == ("internal" in answer)


@pytest.mark.slow
def test_a_search_ends_when_it_is_stopped_and_else_finds_what_it_finds_alone():
    state = Talk()
    state(START, "dice 3 1", "go")
    request = state.player.asked[-1]
    level = Level("td-128", LEVELS["expert"].search)
    stop = threading.Event()
    stoppable = level.engine(print, candidates=1, cube=False, stop=stop)
    alone = level.engine(print, candidates=1, cube=False).decide(request)
    assert stoppable.decide(request).play == alone.play
    assert stoppable.decide(request).candidates[0].ply == alone.candidates[0].ply > 0
    stop.set()
    assert stoppable.decide(request).candidates[0].ply == 0


WORDS = (
    "ubgi isready newgame position gnubgid 4HPwATDgc/ABMA dice 6 1 0 go role chequer cube turn"
    " set get keys engine.ply engine.level engine.threads easy setoption name value Ply newsession"
    " type match money length 7 setscore setcube owner p0 p1 center setturn stop board: xgid \0 -1"
)


@given(
    lines=st.lists(
        st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=5), max_size=6).map(" ".join),
        max_size=8,
    )
)
def test_any_lines_are_answered_in_words_of_the_protocol(lines):
    talk = Talk()
    for answer in talk(*lines):
        assert re.match(
            r"(id|proto|key|option|value|bestmove|bestcube|bestturn|error) |ubgiok|readyok|sorry",
            answer,
        )
        assert "\n" not in answer
