import logging
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.engine.engine import Engine
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
    PlayDecision,
)
from bot.backgammon.rules.game import Resignation, ResignationAnswer
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_external import (
    MAX_ANSWER,
    GnubgAdapter,
    answer_text,
    error_text,
)
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line, parse_board
from protocol.backgammon.formats.notation import parse_play
from protocol.errors import MalformedLineError
from protocol.wire import LineServer, address_of, tcp_listener
from tests.fakes.record_gnubg import GNUBG, SETUP
from tests.fakes.restless_player import RestlessPlayer, RunningEvaluator
from tests.strategies import game_states, rolls

TRANSCRIPTS = sorted((Path(__file__).parents[3] / "transcripts").glob("gnubg_*_seat_*.txt"))


def exchanges(transcript: Path) -> Iterator[tuple[str, str]]:
    """Requests and answers, in turn."""
    lines = [line for line in transcript.read_text().splitlines() if not line.startswith("# ")]
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        assert (request[:2], answer[:2]) == ("> ", "< ")
        yield request[2:], answer[2:]


def adapter_and_answers(money: MoneyRules | None = None) -> tuple[GnubgAdapter, list[str]]:
    answers: list[str] = []
    return GnubgAdapter(RestlessPlayer(), answers.append, money=money), answers


def is_right_answer(answer: str, board: BoardRequest) -> bool:
    """Whether GNU Backgammon obeys the answer."""
    if answer in ("resign 1", "resign 2") and not isinstance(board.request, AnswerDouble):
        return True
    match board.request:
        case ChooseCheckerPlay(state, roll):
            return parse_play(answer, state.position, roll).legs != () or (
                answer == "" and not legal_plays(state.position, roll)
            )
        case ChooseCubeAction():
            return answer in ("roll", "double")
        case AnswerDouble(state):
            beaver = () if state.score or not state.money.beavers else ("beaver",)
            return answer in ("take", "drop", *beaver)
    return False


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_gnubg_is_answered_as_in_the_transcript(transcript, caplog):
    adapter, answers = adapter_and_answers(MoneyRules(beavers=True))
    for request, answer in exchanges(transcript):
        adapter.receive(request)
        ours = answers.pop()
        assert answers == []
        board = parse_board(request, beavers=True)
        assert is_right_answer(ours, board)
        if isinstance(board.request, ChooseCheckerPlay) and not answer.startswith("resign"):
            place = board.request.state.position, board.request.roll
            assert parse_play(ours, *place).after == parse_play(answer, *place).after
        else:
            assert ours == answer
    rejected = [message for message in caplog.messages if message.startswith("rejected play")]
    assert len(rejected) == ("rejected_play_seat_1" in transcript.stem)


def test_transcripts_hold_every_kind_of_request():
    boards = [
        (parse_board(request, beavers=True, seat=int(transcript.stem[-1])), answer)
        for transcript in TRANSCRIPTS
        for request, answer in exchanges(transcript)
    ]
    states = [board.request.state for board, _ in boards]
    for kind in (ChooseCheckerPlay, ChooseCubeAction, AnswerDouble):
        for seat in (0, 1):
            assert any(isinstance(b.request, kind) and b.decider == seat for b, _ in boards)
    answers = {answer for _, answer in boards}
    assert {"", "roll", "double", "take", "drop", "beaver", "resign 1", "resign 2"} <= answers
    chains = [(board, answer) for board, answer in boards if board.is_beaver]
    assert {"beaver"} == {answer for board, answer in chains if board.decider != board.roller}
    assert {"beaver", "take"} == {
        answer for board, answer in chains if board.decider == board.roller
    }
    assert any(board.session_points != (0, 0) for board, _ in boards)
    assert any(state.score and state.score.is_crawford for state in states)
    assert any(
        isinstance(board.request, ChooseCubeAction)
        and board.request.state.score
        and board.request.state.score.other_away == 1
        for board, _ in boards
    )
    assert any(state.cube == Cube(2, CubeOwner.CENTRED) for state in states)
    assert any(state.position.points[25] == 2 for state in states)
    assert any(state.position.off > 10 for state in states)


@pytest.mark.parametrize("player", [RestlessPlayer(), Engine(RunningEvaluator(), candidates=1)])
@given(state=game_states(), roll=rolls(), seat=st.sampled_from((0, 1)))
def test_every_request_is_answered_as_gnubg_wants(player, state, roll, seat):
    requests = [ChooseCheckerPlay(state, roll), ChooseCubeAction(state)]
    if state.score is None or not (state.score.is_crawford or state.cube.owner is CubeOwner.OTHER):
        requests.append(AnswerDouble(state))
    for request in requests:
        decider = 1 - seat if isinstance(request, AnswerDouble) else seat
        answers: list[str] = []
        adapter = GnubgAdapter(player, answers.append, money=state.money)
        board = BoardRequest(request, seat, decider)
        adapter.receive(board_line(board))
        assert len(answers) == 1
        assert is_right_answer(answers[0], board)


def malformed_lines():
    """Real lines with fields changed, left out or added, and any text."""
    lines = [request for path in TRANSCRIPTS[:4] for request, _ in exchanges(path)]
    fields = st.one_of(
        st.integers(-(10**6), 10**6).map(str),
        st.sampled_from(["", "-0", "00", "1e3", "٣", "\x1b[2J", "x" * 300, "9" * 400, ":", "é"]),
        st.text(st.characters(exclude_characters="\n"), max_size=20),
    )

    def changed(line: str, places: list[int], texts: list[str], cut: int) -> str:
        parts = line.split(":")
        for place, text in zip(places, texts, strict=False):
            parts[place] = text
        return ":".join(parts[:cut])

    return st.one_of(
        st.text(st.characters(exclude_characters="\n")),
        st.builds(
            changed,
            st.sampled_from(lines),
            st.lists(st.integers(0, 52), max_size=3),
            st.lists(fields, max_size=3),
            st.sampled_from([53, 53, 53, 52, 20]),
        ),
    )


@given(line=malformed_lines())
def test_any_line_gets_one_answer_that_harms_nobody(line):
    adapter, answers = adapter_and_answers()
    adapter.receive(line)
    assert len(answers) == 1
    assert len(answers[0].encode()) < MAX_ANSWER
    assert not set(answers[0]) & set("\n\r\0")
    if not re.fullmatch(r"Error( \([ -~]*\)|: syntax error[ -~]*)", answers[0]):
        assert is_right_answer(answers[0], parse_board(line))


def test_oversized_line_is_refused_by_its_length(caplog):
    adapter, answers = adapter_and_answers()
    adapter.receive("board:" + "x" * 5000)
    assert answers == ["Error (a line longer than 1000 characters)"]
    assert caplog.messages == ["refused: a line longer than 1000 characters"]


@pytest.mark.parametrize("error", [ValueError("no such position"), ChildProcessError("it died")])
def test_question_that_the_engine_cannot_answer_is_an_error_and_not_a_crash(error):
    class Refusing:
        def decide(self, request):
            raise error

    answers: list[str] = []
    adapter = GnubgAdapter(Refusing(), answers.append)
    adapter.receive(board_line(BoardRequest(ChooseCubeAction(GameState(START)), 1, 1)))
    assert answers == [f"Error ({error})"]


def test_long_error_is_cut_to_what_gnubg_reads():
    text = error_text(MalformedLineError("name é\n", "x" * 900))
    assert len(text) < MAX_ANSWER
    assert text.isascii()
    assert text.isprintable()
    assert len(error_text(ValueError("é" * 900)).encode()) < MAX_ANSWER
    assert error_text(ValueError("é" * 900)).endswith(")")


def test_answers_are_written_in_the_words_of_gnubg():
    for answer, text in (
        (CheckerPlay((Leg(8, 5), Leg(6, 5)), START), "8/5 6/5"),
        (CheckerPlay((), START), ""),
        (CubeAction.DOUBLE, "double"),
        (CubeAction.ROLL, "roll"),
        (DoubleAnswer.DROP, "drop"),
        (DoubleAnswer.BEAVER, "beaver"),
        (Resignation(2), "resign 2"),
    ):
        assert answer_text(answer, START) == text
    with pytest.raises(ValueError, match="does not ask for <ResignationAnswer"):
        answer_text(ResignationAnswer.ACCEPT, START)


def test_play_that_is_not_legal_is_an_error():
    class Cheat:
        def decide(self, request):
            return PlayDecision(CheckerPlay((), START), ())

    answers: list[str] = []
    adapter = GnubgAdapter(Cheat(), answers.append)
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    adapter.receive(board_line(BoardRequest(request, 1, 1)))
    assert answers == ["Error (the roll can be played)"]


BEFORE = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {21: 2, 13: 3, 8: 3, 6: 5, 3: 1})
"""A position in which the other side may hit after 8/7 with a 3-1 or so."""


def warnings_when(
    later: BoardRequest, caplog: pytest.LogCaptureFixture, score: Score | None = None
) -> list[str]:
    """What is logged if seat 1 answers a 3-1 in BEFORE and the later board follows."""
    adapter, _ = adapter_and_answers()
    state = GameState(BEFORE, score=score)
    adapter.receive(board_line(BoardRequest(ChooseCheckerPlay(state, Roll(3, 1)), 1, 1)))
    adapter.receive(board_line(later))
    return caplog.messages


def answered_play() -> CheckerPlay:
    decision = RestlessPlayer().decide(ChooseCheckerPlay(GameState(BEFORE), Roll(3, 1)))
    assert isinstance(decision, PlayDecision)
    return decision.play


def roll_request(position: Position, score: Score | None = None) -> BoardRequest:
    return BoardRequest(ChooseCubeAction(GameState(position, score=score)), 1, 1)


def other_side_plays(position: Position, high: int, low: int, hits: int) -> Position:
    """The mover's next position after the other side has played the roll, hitting so often."""
    for play in legal_plays(turned(position), Roll(high, low)):
        if -play.after.points[0] == hits:
            return turned(play.after)
    raise AssertionError(f"no play hits {hits} times")


def test_board_without_our_play_is_logged(caplog):
    later = other_side_plays(BEFORE, 6, 5, hits=0)
    assert len(warnings_when(roll_request(later), caplog)) == 1
    assert caplog.messages[0].startswith("rejected play: ")


def test_same_board_again_is_logged(caplog):
    assert len(warnings_when(roll_request(BEFORE), caplog)) == 1


def test_double_on_the_board_without_our_play_is_logged(caplog):
    double = AnswerDouble(GameState(turned(BEFORE)))
    assert len(warnings_when(BoardRequest(double, 0, 1), caplog)) == 1


def test_double_in_a_match_without_our_play_is_logged(caplog):
    double = AnswerDouble(GameState(turned(BEFORE), score=Score(7, 1, 2)))
    score = Score(7, 2, 1)
    assert len(warnings_when(BoardRequest(double, 0, 1), caplog, score)) == 1


def test_double_after_our_play_is_no_alarm(caplog):
    double = AnswerDouble(GameState(turned(answered_play().after)))
    assert warnings_when(BoardRequest(double, 0, 1), caplog) == []


@pytest.mark.parametrize("dice", [(6, 5), (2, 1), (4, 4)])
def test_board_after_our_play_is_no_alarm(dice, caplog):
    later = other_side_plays(answered_play().after, *dice, hits=0)
    assert warnings_when(roll_request(later), caplog) == []


def test_blot_hit_after_our_play_is_no_alarm(caplog):
    after = answered_play().after
    for high in range(1, 7):
        for low in range(1, high + 1):
            for play in legal_plays(turned(after), Roll(high, low)):
                assert warnings_when(roll_request(turned(play.after)), caplog) == []


def test_board_of_the_next_game_is_no_alarm(caplog):
    before, after = Score(7, 0, 0), Score(7, 2, 0)
    assert warnings_when(roll_request(BEFORE, after), caplog, before) == []


@pytest.mark.gnubg
def test_gnubg_plays_a_match_against_the_adapter(tmp_path, caplog):
    adapters: list[GnubgAdapter] = []

    def make_adapter(send):
        adapters.append(GnubgAdapter(RestlessPlayer(), send))
        return adapters[-1]

    listener = tcp_listener("127.0.0.1", 0)
    server = LineServer(listener, make_adapter)
    thread = threading.Thread(target=server.run)
    thread.start()
    commands = [
        *SETUP,
        "set automatic game on",
        *(f"set player 0 {kind} evaluation plies 0" for kind in ("chequerplay", "cubedecision")),
        f"set player 1 external {address_of(listener)}",
        "set seed 2",
        "new match 3",
    ]
    caplog.set_level(logging.INFO, "blot.gnubg")
    try:
        talk = subprocess.run(
            [GNUBG, "-t", "-q", "-r"],
            input="\n".join(commands) + "\n",
            capture_output=True,
            text=True,
            timeout=60,
            env=dict(os.environ, HOME=str(tmp_path), LC_ALL="C.UTF-8"),
        )
    finally:
        server.stop()
        thread.join(5)
    assert "has won the match" in talk.stdout
    assert len(adapters) == 1
    assert [record for record in caplog.records if record.name == "blot.gnubg"] == []
