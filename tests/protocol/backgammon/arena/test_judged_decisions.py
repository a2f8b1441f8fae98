import gzip
import json

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.arena.judged_decisions import (
    MONEY,
    JudgedDecision,
    Result,
    game_decisions,
    judged_decisions,
    results,
)

PLAYS = legal_plays(START, Roll(3, 1))
BEST, WORSE = PLAYS[0].after.points, PLAYS[1].after.points
PLAY_ROW = {
    "board": START.points,
    "dice": [1, 3],
    "plays": [{"after": BEST, "equity": 0.1}, {"after": WORSE, "equity": 0.04}],
}
CUBE_ROW = {
    "board": START.points,
    "cube": 2,
    "owner": "player",
    "away": [6, 9],
    "no_double": 0.5,
    "double_take": 1.2,
    "double_drop": 1.0,
}
MONEY_ROW = {**CUBE_ROW, "cube": 1, "owner": "centered", "away": [0, 0], "double_take": 0.4}


def file_of(tmp_path, *rows):
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_decisions_of_games_are_plays_with_a_choice_and_always_the_same():
    decisions = game_decisions(30)
    assert len(decisions) == 30
    assert decisions == game_decisions(40)[:30]
    for decision in decisions:
        request = decision.request
        assert len(legal_plays(request.state.position, request.roll)) > 1
        assert not request.state.money.jacoby
    assert len({decision.request.state.position for decision in decisions}) > 25


def test_the_next_game_begins_when_one_is_over():
    positions = [decision.request.state.position for decision in game_decisions(120)]
    assert positions.count(START) > 1
    assert all(max(position.points) > 0 > min(position.points) for position in positions)


def test_a_judged_checker_play_loses_what_lies_between_it_and_the_best(tmp_path):
    (decision,) = judged_decisions(file_of(tmp_path, PLAY_ROW))
    assert decision.request == ChooseCheckerPlay(GameState(START, money=MONEY), Roll(3, 1))
    assert decision.losses == pytest.approx({BEST: 0.0, WORSE: 0.06})


def test_a_judged_cube_is_two_questions_with_score_and_owner(tmp_path):
    state = GameState(START, Cube(2, CubeOwner.ON_ROLL), Score(9, 3, 0), MONEY)
    turned = judged_decisions(file_of(tmp_path, {**CUBE_ROW, "away": [9, 6]}), 1)
    assert turned[0].request.state.score == Score(9, 0, 3)
    action, answer = judged_decisions(file_of(tmp_path, CUBE_ROW))
    assert (action.request, answer.request) == (ChooseCubeAction(state), AnswerDouble(state))
    assert action.losses == pytest.approx({CubeAction.ROLL: 0.5, CubeAction.DOUBLE: 0.0})
    assert answer.losses == pytest.approx({DoubleAnswer.TAKE: 0.2, DoubleAnswer.DROP: 0.0})


def test_a_wrong_double_loses_what_the_other_side_gains_by_its_best_answer(tmp_path):
    action, answer = judged_decisions(file_of(tmp_path, MONEY_ROW))
    assert action.request.state == GameState(START, money=MONEY)
    assert action.losses == pytest.approx({CubeAction.ROLL: 0.0, CubeAction.DOUBLE: 0.1})
    assert answer.losses == pytest.approx({DoubleAnswer.TAKE: 0.0, DoubleAnswer.DROP: 0.6})


def test_a_packed_file_is_read_and_no_more_of_it_than_wanted(tmp_path):
    path = tmp_path / "judged.jsonl.gz"
    with gzip.open(path, "wt") as lines:
        lines.write("".join(json.dumps(PLAY_ROW) + "\n" for _ in range(5)))
    assert len(judged_decisions(path)) == 5
    assert len(judged_decisions(path, 2)) == 2


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"dice": [3, 1]}, r"line 2 of .*judged.jsonl is no judged decision: there is no 'board'"),
        ({**PLAY_ROW, "dice": [7, 1]}, r"line 2 of .* is no judged decision: no roll of two dice:"),
        ({**PLAY_ROW, "plays": []}, r"line 2 of .* no judged decision"),
        ({**PLAY_ROW, "board": [0] * 25}, r"line 2 of .* no judged decision"),
        ({**PLAY_ROW, "plays": [{"after": BEST, "equity": "much"}]}, r"line 2 of .* no judged"),
        ({**CUBE_ROW, "cube": 3}, r"line 2 of .* a cube shows a power of two"),
        ([], r"line 2 of .* no judged decision"),
    ],
)
def test_a_line_that_is_no_decision_is_named(tmp_path, row, sentence):
    with pytest.raises(ValueError, match=sentence):
        judged_decisions(file_of(tmp_path, PLAY_ROW, row))


def test_a_line_that_is_no_json_is_named_without_the_words_of_the_reader(tmp_path):
    path = tmp_path / "judged.jsonl"
    path.write_text("secret\n")
    with pytest.raises(ValueError, match=r"line 1 of .* is no judged decision: it is no JSON$"):
        judged_decisions(path)


DAMAGED = bytearray(gzip.compress(b"{}" * 90, mtime=0))
DAMAGED[10] ^= 0xFF


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.jsonl", b"", r"no decisions in .*a\.jsonl"),
        ("a.jsonl.gz", b"{}", r"cannot read .*a\.jsonl\.gz"),
        ("a.jsonl.gz", gzip.compress(b"{}" * 90, mtime=0)[:20], r"cannot read .*a\.jsonl\.gz"),
        ("a.jsonl.gz", DAMAGED, r"cannot read .*a\.jsonl\.gz"),
        ("a.jsonl", b"\xff\xfe\xfd", r"cannot read .*a\.jsonl: it is no text in UTF-8"),
        ("a.jsonl", b"board", r"line 1 of .* no judged decision"),
        ("a.jsonl", b"[" * 100_000, r"line 1 of .* no judged decision"),
    ],
)
def test_a_file_without_decisions_is_named(tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=sentence):
        judged_decisions(tmp_path / name)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read .*a\.jsonl: No such file or directory"):
        judged_decisions(tmp_path / "a.jsonl")


def test_less_than_one_decision_cannot_be_wanted(tmp_path):
    with pytest.raises(ValueError, match="at least 1 decision, not 0"):
        judged_decisions(file_of(tmp_path, PLAY_ROW), 0)


def test_answers_are_added_up_by_kind(tmp_path):
    path = file_of(tmp_path, PLAY_ROW, CUBE_ROW, PLAY_ROW)
    answers = iter([BEST, CubeAction.ROLL, DoubleAnswer.TAKE, WORSE])
    found = results(judged_decisions(path), lambda request: (0.25, next(answers)))
    assert [result.kind for result in found] == ["play", "double", "take"]
    plays, doubles, takes = found
    assert plays.losses == pytest.approx((0.0, 0.06))
    assert plays.blunders == 1
    assert plays.loss.mean == pytest.approx(0.03)
    assert plays.loss.error == pytest.approx(0.03)
    assert (doubles.losses, takes.losses) == (pytest.approx((0.5,)), pytest.approx((0.2,)))


def test_times_are_summed_up():
    result = Result("play", (0.1, 0.1, 0.3), ())
    assert result.median_seconds == 0.1
    assert result.per_second == pytest.approx(6.0)
    assert result.loss is None
    assert result.blunders == 0


def test_a_blunder_loses_more_than_its_limit():
    assert Result("play", (0.1, 0.1), (0.04, 0.0401)).blunders == 1


@pytest.mark.parametrize("losses", [{}, {BEST: 0.0, WORSE: 0.06}])
def test_an_impossible_answer_is_no_result(losses):
    decision = JudgedDecision(ChooseCheckerPlay(GameState(START), Roll(3, 1)), losses)
    with pytest.raises(ValueError, match="is not possible in ChooseCheckerPlay"):
        results([decision], lambda request: (0.1, START.points))


def test_an_answer_that_nobody_has_judged_is_no_result():
    decision = JudgedDecision(ChooseCheckerPlay(GameState(START), Roll(3, 1)), {BEST: 0.0})
    with pytest.raises(ValueError, match="is not possible in ChooseCheckerPlay"):
        results([decision], lambda request: (0.1, WORSE))


def test_a_beaver_is_not_possible_where_there_are_none():
    decision = JudgedDecision(AnswerDouble(GameState(START)), {})
    with pytest.raises(ValueError, match=r"DoubleAnswer\.BEAVER is not possible"):
        results([decision], lambda request: (0.1, DoubleAnswer.BEAVER))


def test_whoever_watches_hears_of_every_answer():
    heard = []
    results(game_decisions(3), _first_play, on_answer=lambda: heard.append(1))
    assert len(heard) == 3


def _first_play(request):
    return 0.1, legal_plays(request.state.position, request.roll)[0].after.points
