from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.decision import AnswerDouble, ChooseCubeAction
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START
from protocol.backgammon.adapters.gnubg_external import MAX_ANSWER, GnubgAdapter
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.backgammon.adapters.gnubg_server import GnubgServer
from protocol.backgammon.arena.timed_gnubg import _connection
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line, parse_board
from protocol.errors import WireError
from protocol.wire.lines import Goodbye
from tests.fakes.restless_player import RestlessPlayer, RunningEvaluator
from tests.fakes.scripted_player import ScriptedPlayer
from tests.strategies import game_states

TRANSCRIPT = Path(__file__).parents[3] / "transcripts" / "gnubg_server.txt"
CHANCES = Chances(0.521514, 0.153921, 0.007563, 0.129847, 0.007546)
START_LINE = (
    "board:You:Opp:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0"
    ":1:-1:0:25:0:0:0:0:0:0:0:1"
)
ASK = f"evaluation fibsboard {START_LINE}"
MET_ERROR = 0.02
"""Match-winning chance by which our match equities and those of GNU Backgammon may differ."""


def exchanges() -> dict[str, list[str]]:
    """Lines sent to GNU Backgammon's server, and the lines of its answers."""
    talk: dict[str, list[str]] = {}
    line = ""
    for row in TRANSCRIPT.read_text().splitlines()[1:]:
        if row.startswith("> "):
            line = row[2:]
            talk[line] = []
        else:
            assert row.startswith("< ")
            talk[line].append(row[2:])
    return talk


TALK = exchanges()


def is_evaluation(answer: str) -> bool:
    return len(answer.split()) == 6 and answer.lstrip("-")[0].isdigit()


def cubeless_worth(state: GameState, chances: Chances) -> float:
    if state.score is None:
        return chances.equity
    return blot_table().mwc_of_chances(state.score, state.cube.value, chances)


def server_that_says(chances: Chances = CHANCES) -> tuple[GnubgServer, list[tuple]]:
    """A server whose evaluation is always the same, and what it was asked."""
    asked: list[tuple] = []

    def evaluate(state: GameState, ply: int, cubeful: bool) -> tuple[Chances, float]:
        asked.append((state, ply, cubeful))
        return chances, cubeless_worth(state, chances)

    return GnubgServer(evaluate), asked


def answer_to(server: GnubgServer, line: str) -> list[str]:
    answers: list[str] = []
    GnubgAdapter(RestlessPlayer(), answers.append, server=server).receive(line)
    return answers


@pytest.mark.parametrize("line", TALK)
def test_every_line_is_answered_as_gnubg_did(line):
    expected = TALK[line]
    if not is_evaluation(expected[0]):
        assert answer_to(server_that_says()[0], line) == expected
        return
    numbers = [float(text) for text in expected[0].split()]
    server, asked = server_that_says(Chances(*numbers[:5]))
    answer = answer_to(server, line)[0].split()
    assert answer[:5] == expected[0].split()[:5]
    state, _, cubeful = asked[0]
    if cubeful:
        return
    error = abs(float(answer[5]) - numbers[5])
    assert error <= (MET_ERROR if state.score else 4e-6)


def asked_state(line: str, chances: Chances = CHANCES) -> GameState:
    server, asked = server_that_says(chances)
    server.answers(line)
    return asked[0][0]


def with_score(line: str, length: int, first: int, second: int) -> str:
    return line.replace("You:Opp:0:0:0:", f"You:Opp:{length}:{first}:{second}:")


def test_first_score_is_of_the_side_that_moves_up():
    line = with_score(ASK, 5, 4, 0)
    assert asked_state(line).score == Score(5, 0, 4)
    assert asked_state(line.replace(":2:0:1:0:0", ":2:0:-1:0:0")).score == Score(5, 4, 0)


def test_crawford_game_needs_both_flags_unset_and_one_side_at_match_point():
    crawford = with_score(ASK, 5, 4, 0)[:-3] + "0:0"
    assert asked_state(crawford).score == Score(5, 0, 4, True)
    assert asked_state(crawford + " CRAWFORDRULE OFF").score == Score(5, 0, 4)
    assert asked_state(crawford[:-3] + "1:0").score == Score(5, 0, 4)
    assert asked_state(with_score(ASK, 5, 3, 0)[:-3] + "0:0").score == Score(5, 0, 3)


def test_last_of_a_repeated_option_counts():
    server, asked = server_that_says()
    server.answers(f"{ASK} plies 1 CUBEFUL jacobyrule on PRUNE OFF CUBE no JACOBYRULE OFF PLIES 2")
    assert asked == [(GameState(START, money=MoneyRules(jacoby=False)), 2, False)]


def test_rules_of_money_are_the_servers_where_no_option_tells():
    asked: list[GameState] = []

    def evaluate(state: GameState, ply: int, cubeful: bool) -> tuple[Chances, float]:
        asked.append(state)
        return CHANCES, 0.0

    rules = MoneyRules(jacoby=False, beavers=True)
    GnubgServer(evaluate, rules).answers(f"{ASK} BEAVERS OFF")
    assert asked == [GameState(START, money=rules)]


@given(state=game_states())
def test_board_that_gnubg_writes_is_the_state_that_is_evaluated(state):
    line = board_line(BoardRequest(ChooseCubeAction(state), 1, 1, ("a", "b")))
    assert asked_state(f"evaluation fibsboard {line}") == parse_board(line).request.state


@pytest.mark.parametrize("space", ["\xa0", "\x1c", "\u2003"])
def test_space_that_gnubg_does_not_know_ends_no_line(space):
    error = "Error: syntax error, unexpected E_CHARACTER, expecting EOL"
    for line in (f"version{space}", f"{ASK} {space} PLIES 2"):
        assert answer_to(server_that_says()[0], line) == [error]


@pytest.mark.parametrize("word", ["exit", "QUIT"])
def test_goodbye_ends_the_connection(word):
    with pytest.raises(Goodbye):
        answer_to(server_that_says()[0], word)


def test_what_is_not_supported_is_refused_by_name():
    server = server_that_says()[0]
    for line, answer in (
        ("set debug on", "Error: set option 'debug' not supported"),
        (f"{ASK} PLIES -1", "Error: PLIES is from 0 to 3"),
        (f"{ASK} PLIES {'9' * 300}", "Error: PLIES is from 0 to 3"),
        (f"{ASK} PLIES {'9' * 400}", "Error: PLIES is from 0 to 3"),
        (f"{ASK} NOISE 0.5", "Error: option 'NOISE' not supported"),
        (ASK[:-2], "Error: badly formed board"),
        (ASK.replace(":5:0:3", ":99:0:3"), "Error: badly formed board"),
    ):
        assert answer_to(server, line) == [answer]


def damaged_lines():
    """Real lines with a piece cut out, put in or changed, and any text."""
    pieces = st.one_of(
        st.text(st.characters(exclude_characters="\n"), max_size=8),
        st.sampled_from(
            [*"\"'-:.,\x1b\0", "PLIES", "٣", "9" * 400, "1e9", "board:", " on", "NOISE "]
        ),
    )

    def changed(line: str, at: int, count: int, piece: str) -> str:
        at %= len(line) + 1
        return line[:at] + piece + line[at + count :]

    lines = st.sampled_from(list(TALK))
    places = st.integers(0, 200), st.integers(0, 5)
    return st.one_of(
        st.text(st.characters(exclude_characters="\n")),
        st.builds(changed, st.builds(changed, lines, *places, pieces), *places, pieces),
    )


@given(line=damaged_lines())
def test_any_line_is_answered_or_refused_in_one_sentence(line):
    with suppress(Goodbye, WireError):
        assert server_that_says()[0].answers(line)
    with suppress(Goodbye):
        for answer in answer_to(server_that_says()[0], line):
            assert answer.isascii()
            assert answer.lstrip("\t").isprintable()
            assert len(answer) < MAX_ANSWER


@given(state=game_states())
def test_cubeless_worth_is_made_of_the_chances(state):
    chances, worth = Engine(RunningEvaluator(), cube=False).worth(state)
    assert worth == cubeless_worth(state, chances)


@given(state=game_states())
def test_worth_is_never_less_than_doubling(state):
    engine = Engine(RunningEvaluator())
    _, worth = engine.worth(state)
    evaluation = engine.decide(ChooseCubeAction(state)).evaluation
    if evaluation is None:
        return
    if evaluation.mwc is None:
        assert worth == max(evaluation.no_double, evaluation.doubled)
    else:
        assert worth == pytest.approx(max(evaluation.mwc[0], min(evaluation.mwc[1:])))


def test_cube_of_the_other_side_is_worth_less():
    engine = Engine(RunningEvaluator())
    worths = [
        engine.worth(GameState(START, Cube(2, owner)))[1]
        for owner in (CubeOwner.ON_ROLL, CubeOwner.OTHER)
    ]
    assert worths[0] > worths[1]


@pytest.mark.gnubg
def test_gnubg_answers_as_the_transcript_says():
    with GnubgProgram() as gnubg:
        gnubg.command("set threads 1")
        gnubg.send("external ./seat")
        with _connection(gnubg, 30.0) as talk, talk.makefile("r", newline="\n") as answers:
            talk.settimeout(30)
            for line, expected in TALK.items():
                talk.sendall(line.encode() + b"\n")
                assert [answers.readline()[:-1] for _ in expected] == expected, line


PLAY_LINE = START_LINE.replace(":2:0:1:0:0:0:0", ":2:0:1:3:1:3:1")


def asked_by(line: str) -> tuple[str, list]:
    """The answer to a plain board with options, and what the player was asked."""
    player, answers = ScriptedPlayer(accepts=lambda state, points: points == 2), []
    GnubgAdapter(player, answers.append, server=server_that_says()[0]).receive(line)
    return answers[0], player.asked


@pytest.mark.parametrize(
    ("options", "points", "answer"),
    [
        ("RESIGNATION 2", 2, "accept"),
        ("resignation 1", 1, "reject"),
        ("RESIGNATION 2 JACOBYRULE OFF RESIGNATION 3", 3, "reject"),
    ],
)
def test_a_resignation_behind_a_board_is_accepted_or_rejected(options, points, answer):
    for line in (START_LINE, PLAY_LINE):
        said, (request,) = asked_by(f"{line} {options}")
        assert (said, request.points) == (answer, points)


@pytest.mark.parametrize("points", ["4", "-1", "9" * 400])
def test_a_resignation_of_other_points_is_refused(points):
    answer, asked = asked_by(f"{START_LINE} RESIGNATION {points}")
    assert answer.startswith("Error (a resignation is for 1, 2 or 3 times the cube")
    assert asked == []


def test_a_double_comes_before_a_resignation():
    line = START_LINE.replace(":1:1:0:1:-1:0:25", ":1:1:1:1:-1:0:25")
    answer, (request,) = asked_by(f"{line} RESIGNATION 1")
    assert (answer, type(request)) == ("take", AnswerDouble)


def test_rules_behind_a_board_hold_for_it():
    for word, jacoby in (("ON", True), ("off", False)):
        _, (request,) = asked_by(f"{START_LINE} JACOBYRULE {word} BEAVERS ON")
        assert request.state.money == MoneyRules(jacoby)
    crawford = with_score(PLAY_LINE, 5, 4, 0)[:-1] + "0"
    for options, is_crawford in (
        ("", True),
        (" CRAWFORDRULE ON", True),
        (" CRAWFORDRULE no", False),
    ):
        _, (request,) = asked_by(crawford + options)
        assert request.state.score == Score(5, 0, 4, is_crawford)


@pytest.mark.parametrize("beginning", ["BOARD:", "  board:"])
def test_a_board_begins_as_gnubg_lets_it_begin(beginning):
    assert asked_by(beginning + PLAY_LINE.removeprefix("board:")) == asked_by(PLAY_LINE)


def test_blanks_in_names_are_no_options():
    line = PLAY_LINE.replace("You:Opp", "Anna K:Jo JACOBYRULE OFF")
    answer, (request,) = asked_by(f"{line} RESIGNATION 0")
    assert "/" in answer
    assert request.state.money == MoneyRules()
